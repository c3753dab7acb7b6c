/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_ATTACK_MESSAGES_H
#define NFSRDMA_FAULT_ADVERSARY_ATTACK_MESSAGES_H

#include "nfs/v3/types3.h"
#include "rdmap/read-request.h"
#include "rdmap/terminate-message.h"
#include "rpc/message.h"
#include "rpcrdma/message/transport-header.h"
#include "wire/bytes.h"

#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief ULPDUs of one segment, for whoever writes to an MPA stream without a queue pair: RDMAP
 * messages (RFC 5040), and Calls of NFS's procedure NULL.
 */
struct AttackMessages
{
    static constexpr uint32_t SEND_QUEUE = 0;
    static constexpr uint32_t READ_QUEUE = 1;
    static constexpr uint32_t TERMINATE_QUEUE = 2;

    /// An untagged segment as its header says.
    static ByteVector MakeUntagged(const DdpUntaggedHeader& header, ByteSpan payload);

    /// A Send of message \p msn (from 1) of queue 0.
    static ByteVector MakeSend(uint32_t msn, ByteSpan payload);
    static ByteVector MakeWrite(Stag stag, uint64_t offset, ByteSpan payload);
    /// A Read Request of message \p msn of queue 1.
    static ByteVector MakeReadRequest(uint32_t msn, const RdmaReadRequest& request);
    static ByteVector MakeReadResponse(Stag sink, uint64_t offset, ByteSpan payload);
    static ByteVector MakeTerminate(TerminateReason reason);

    /// The RPC message of a Call of NFS's procedure NULL, version 3, AUTH_NONE.
    static ByteVector MakeNullCall(uint32_t xid);
    /// The RPC message of a Call of NFSv3's READDIR, for at most \p count octets.
    static ByteVector MakeReaddir(uint32_t xid,
                                  const AuthSysCredential& credential,
                                  const NfsFh3& directory,
                                  uint32_t count);
    /// The Call of NULL as RDMA_MSG.
    static ByteVector MakeNullMessage(uint32_t xid);
    /// The same as RDMA_NOMSG: it is in \p segments, a chunk of Position zero.
    static ByteVector MakeNullInChunk(uint32_t xid, const std::vector<RpcRdmaSegment>& segments);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_ATTACK_MESSAGES_H
