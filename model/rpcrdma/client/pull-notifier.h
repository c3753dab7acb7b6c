/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_PULL_NOTIFIER_H
#define NFSRDMA_RPCRDMA_CLIENT_PULL_NOTIFIER_H

#include "rpcrdma/client/credit-window.h"
#include "rpcrdma/client/reply-pull-settings.h"
#include "rpcrdma/client/request.h"
#include "rpcrdma/policy/pull-notice.h"
#include "rpcrdma/server/send-queue.h"
#include "wire/ring.h"

#include "ns3/event-id.h"

#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/// What a responder is to be told: the Read chunk of this reply has been pulled, or will not be.
struct PullNotice
{
    uint32_t xid{0};
    Stag tag{0}; ///< A tag of the chunk.
};

/**
 * \brief Notices of pull completion of one connection's requester: RDMA_DONE, or rides on Calls,
 * when credits allow it.
 *
 * Notices wait in order; MAXIMUM_WAITING bounds what a responder that sends Read chunks nobody
 * asked for can pile up: those beyond are dropped.
 */
class PullNotifier
{
  public:
    static constexpr std::size_t MAXIMUM_WAITING = 1024;

    /// What was agreed, and what fits.
    struct Limits
    {
        ReadChunkAgreement agreement;
        uint32_t sendSize{0}; ///< Largest Send to the responder, octets.
        uint32_t elements{0}; ///< Scatter/gather elements of a Send.
    };

    PullNotifier(Ptr<HostMemory> memory,
                 SvcRdmaSendQueue& queue,
                 const CreditWindow& window,
                 const ReplyPullSettings& settings,
                 const Limits& limits);
    ~PullNotifier();
    PullNotifier(const PullNotifier&) = delete;
    PullNotifier& operator=(const PullNotifier&) = delete;

    void Notify(const PullNotice& notice);

    /// \return whether a Call may be sent beside the notices that are under way.
    [[nodiscard]] bool MayCall() const
    {
        return m_policy->MayCall(GetUsage());
    }

    /// The call of \p request is about to be sent with \p send: lets notices ride on it.
    void PrepareCall(RpcRdmaRequest& request, SendWorkRequest& send);
    /// \p request has its reply: what was sent before its Call has been received.
    void Confirm(const RpcRdmaRequest& request);
    /// Sends what credits allow.
    void Pump();
    /// The connection closes, which tells the responder as much as notices would: none is sent from
    /// now on, those that wait are dropped.
    void Stop();

    /// \return notices that wait.
    [[nodiscard]] uint32_t GetWaiting() const
    {
        return m_waiting.size();
    }

    /// \return RDMA_DONE posted and not completed.
    [[nodiscard]] uint32_t GetOpen() const
    {
        return m_open;
    }

    /// \return by how many calls outstanding and RDMA_DONE not known to be received pass the
    /// Receives that there are for them; 0: they do not.
    [[nodiscard]] uint64_t CountBeyond() const;

    /// \return RDMA_DONE sent and not known to be received.
    [[nodiscard]] uint32_t GetUnconfirmed() const
    {
        return static_cast<uint32_t>(m_sent - m_confirmed);
    }

  private:
    [[nodiscard]] NoticeUsage GetUsage() const;

    [[nodiscard]] bool WaitsForCall() const
    {
        return m_policy->RidesOnCalls() && m_limits.agreement.piggyback && !m_flushing;
    }

    void Flush();
    void SendDone(const PullNotice& notice);
    void SetInvalidation(const PullNotice& notice, SendWorkRequest& send);
    HostBuffer TakeBuffer();

    Ptr<HostMemory> m_memory;
    SvcRdmaSendQueue& m_queue;
    const CreditWindow& m_window;
    const ReplyPullSettings& m_settings;
    Limits m_limits;
    ReplyPullStatistics& m_statistics;
    std::unique_ptr<PullNoticePolicy> m_policy;
    Ring<PullNotice> m_waiting;
    std::vector<HostBuffer> m_freeBuffers;
    Ring<Time> m_unconfirmed; ///< When each was sent, oldest first.
    uint64_t m_sent{0};
    uint64_t m_confirmed{0};
    bool m_flushing{false}; ///< What waits has waited long enough for a Call.
    bool m_stopped{false};
    EventId m_flush;
    uint32_t m_open{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_PULL_NOTIFIER_H
