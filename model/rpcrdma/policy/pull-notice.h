/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_PULL_NOTICE_H
#define NFSRDMA_RPCRDMA_POLICY_PULL_NOTICE_H

#include "settings/named.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What stands between a requester and the receives of its responder.
struct NoticeUsage
{
    uint32_t granted{1};  ///< Latest grant, at least 1.
    uint32_t calls{0};    ///< Calls outstanding.
    uint32_t notices{0};  ///< RDMA_DONE sent and not known to be received.
    uint32_t reserved{1}; ///< Receives that the responder keeps for RDMA_DONE, at least 1.
};

/**
 * \brief How RDMA_DONE goes with credits. The draft (section 5.2.3) leaves open when the credit
 * that an RDMA_DONE takes comes back, as nothing answers it. Policies, by name:
 * - "outstanding-until-reply": it counts as outstanding until the reply to a Call that was sent
 *   after it. (Any reply will not do: one that was under way when RDMA_DONE left says nothing about
 *   it.) The last credit is never withheld from a Call, so that a grant of 1 still makes progress:
 *   the responder's one reserved receive covers that.
 * - "reserved-receives": it takes one of the receives that the responder keeps for it, and a credit
 *   only when they are used up;
 * - "piggyback": it rides on the next Call where that was agreed; when no Call goes out in time, as
 *   "outstanding-until-reply".
 *
 * Guaranteed at each RDMA_DONE that is sent: calls outstanding and RDMA_DONE not known to be
 * received
 * <= credits granted and Receives kept for RDMA_DONE. A Call can always be sent when none is
 * outstanding.
 */
class PullNoticePolicy : public Named<PullNoticePolicy>
{
  public:
    virtual ~PullNoticePolicy() = default;

    [[nodiscard]] virtual bool MayCall(const NoticeUsage& usage) const = 0;
    [[nodiscard]] virtual bool MayNotify(const NoticeUsage& usage) const = 0;

    /// \return true when notices wait for a Call.
    [[nodiscard]] virtual bool RidesOnCalls() const
    {
        return false;
    }

    [[nodiscard]] static Registry<PullNoticePolicy>& GetKinds();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_PULL_NOTICE_H
