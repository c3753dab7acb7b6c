/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_CANCEL_H
#define NFSRDMA_RPCRDMA_POLICY_CANCEL_H

#include "settings/named.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What a requester does with the memory of a call that was sent and is then cancelled.
 *
 * The responder may still use the chunks of such a call. Policies, by name:
 * - "linux": as xprt_rdma_free() on a signalled task: chunks are invalidated at once and the RPC
 *   ends when that has completed. It does not wait for the Send, which may still take octets from
 *   the program's memory, and the credit is free again, once the responder has granted any: before
 *   the first valid reply there is one, which is in use until then (RFC 8166 section 3.3.3). Late
 *   replies grant nothing, as rpcrdma_reply_handler() finds nobody for them, so that more may be
 *   under way than the responder has receives for;
 * - "invalidate": as RFC 8166 section 3.4 asks: chunks are invalidated at once, the RPC ends when
 *   that and the Send have completed. The credit is free when the late reply has come, and what
 *   that grants counts, as of any reply (section 3.3.1);
 * - "set-aside": the RPC ends at once, its memory belongs to the transport and stays registered
 *   until the late reply has come or the connection ends. Items whose memory has no owner cannot
 *   be kept: such a call is treated as with "invalidate".
 *
 * With the first two a responder that then uses a chunk gets a Remote Access Error, and the
 * connection is lost with all calls on it: the denial of service of section 3.4 of the draft
 * "Improving the Performance and Reliability of RPC Replies on RPC-over-RDMA Transports".
 */
class CancelPolicy : public Named<CancelPolicy>
{
  public:
    virtual ~CancelPolicy() = default;

    /// \return whether memory stays registered until the late reply.
    [[nodiscard]] virtual bool SetsAside() const = 0;
    /// \return whether a cancelled RPC whose Send takes octets from the program's memory ends only
    /// when that has completed.
    [[nodiscard]] virtual bool AwaitsSend() const = 0;
    /// \return whether the credit is in use until the late reply.
    [[nodiscard]] virtual bool KeepsCredit() const = 0;

    [[nodiscard]] static Registry<CancelPolicy>& GetKinds();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_CANCEL_H
