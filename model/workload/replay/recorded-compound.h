/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_RECORDED_COMPOUND_H
#define NFSRDMA_WORKLOAD_REPLAY_RECORDED_COMPOUND_H

#include "nfs/v4/protocol/callback-compound.h"
#include "nfs/v4/protocol/compound.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/// A recorded call of NFSv4. It may be moved, but a copy refers to the original.
struct RecordedCompound
{
    std::string name;                  ///< For reports.
    uint32_t procedure{1};             ///< NFSPROC4_NULL: call and reply are empty.
    Compound4Args call;                ///< Octets of WRITE's data do not matter.
    std::optional<Compound4Res> reply; ///< Absent: none was recorded.
    /// The reply is compared with the recorded one; otherwise it is only learnt from.
    bool isJudged{true};
    uint32_t aclOctets{0};  ///< Room that its application had for an ACL.
    bool findsRoot{false};  ///< Its LOOKUP is of the name of the export.
    ByteVector callOctets;  ///< What bulk items of call refer to.
    ByteVector replyOctets; ///< What bulk items of reply refer to.
    /// A call of the server's, which the client has answered: then call and reply are empty.
    std::optional<CbCompound4Args> callback;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_RECORDED_COMPOUND_H
