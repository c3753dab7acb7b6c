/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/xprt-statistics.h"

#include <array>

namespace ns3::nfsrdma
{

std::string
XprtRdmaStatistics::Format() const
{
    const std::array<uint64_t, 27> values{port,           bindCount,        connectCount,
                                          connectTime,    idleTime,         sends,
                                          recvs,          badXids,          reqU,
                                          bklogU,         readChunk,        writeChunk,
                                          replyChunk,     totalRdmaRequest, totalRdmaReply,
                                          pullupCopy,     fixupCopy,        hardwayRegister,
                                          failedMarshal,  badReply,         nomsgCall,
                                          mrsRecycled,    mrsOrphaned,      mrsAllocated,
                                          localInvNeeded, emptySendctxQ,    replyWaitsForSend};
    std::string line = "\txprt:\trdma";
    for (const uint64_t value : values)
    {
        line += ' ';
        line += std::to_string(value);
    }
    return line;
}

} // namespace ns3::nfsrdma
