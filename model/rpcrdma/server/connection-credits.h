/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_CONNECTION_CREDITS_H
#define NFSRDMA_RPCRDMA_SERVER_CONNECTION_CREDITS_H

#include "rpcrdma/receive-buffers.h"
#include "rpcrdma/server/responder-settings.h"
#include "rpcrdma/server/svc-statistics.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief The credits that a responder has granted to one connection, and the receives behind them:
 * these are posted before a credit is granted (RFC 8166 section 3.3.1).
 *
 * With more than one window of receives (SvcRdmaSettings::receiveWindows) those beyond the first
 * are a stock: they are posted, all that are missing, when fewer than the first is left.
 *
 * Besides there are receives for RDMA_DONE, and for replies to calls of the reverse direction: as
 * many as such calls are outstanding when the pool is bounded, else one for each credit of theirs.
 */
class SvcRdmaConnectionCredits
{
  public:
    /// \param countReverseCalls tells how many calls of the reverse direction are outstanding
    SvcRdmaConnectionCredits(std::shared_ptr<const SvcRdmaSettings> settings,
                             std::shared_ptr<SvcRdmaStatistics> statistics,
                             std::function<uint32_t()> countReverseCalls);
    ~SvcRdmaConnectionCredits();
    SvcRdmaConnectionCredits(const SvcRdmaConnectionCredits&) = delete;
    SvcRdmaConnectionCredits& operator=(const SvcRdmaConnectionCredits&) = delete;

    /// Receives for RDMA_DONE from Start() on.
    void SetDoneReceives(uint32_t receives)
    {
        m_doneReceives = receives;
    }

    [[nodiscard]] uint32_t GetDoneReceives() const
    {
        return m_doneReceives;
    }

    /// \return receives that a connection which starts now would hold.
    [[nodiscard]] uint32_t CountFirstReceives() const
    {
        return m_settings->creditPool->GrantFirst() + GetExtraReceives() + GetBatch();
    }

    /// \return entries of the receive queue that serve any grant.
    [[nodiscard]] uint32_t GetQueueDepth() const;

    /// Posts receives of \p size octets and grants the first credits.
    /// \return false when there is no receive for even one call: End() is to follow.
    /// \param account of the host's memory that the receives are charged to
    bool Start(Ptr<HostMemory> memory,
               Ptr<QueuePair> pair,
               uint32_t size,
               HostMemoryAccount account = 0);
    /// Gives receives and credits back; GetGranted() stays.
    void End();

    /// Takes the message of a receive completion, and posts receives in its place.
    void Take(const WorkCompletion& completion, ByteVector& message);
    /// \return what a reply grants whose call has \p requested credits.
    uint32_t Grant(uint32_t requested, uint32_t inService);
    /// Has a receive for the reply to one more call of the reverse direction. \return false when
    /// there is none: \p resume is called whenever there may be one, until it returns true; it
    /// keeps this alive
    bool HasReverseReceive(std::function<bool()> resume);

    /// \return credits granted last.
    [[nodiscard]] uint32_t GetGranted() const
    {
        return m_granted;
    }

    /// \return the most that were granted: grants that shrink take effect late.
    [[nodiscard]] uint32_t GetMostGranted() const
    {
        return m_mostGranted;
    }

    /// \return receives posted.
    [[nodiscard]] uint32_t GetPosted() const
    {
        return m_receives ? m_receives->GetPosted() : 0;
    }

  private:
    /// \return receives besides those of credits.
    [[nodiscard]] uint32_t GetExtraReceives() const;

    /// \return receives posted beyond those needed, at a time.
    [[nodiscard]] uint32_t GetBatch() const
    {
        return m_settings->creditPool->IsBounded() ? 0 : m_settings->receiveBatch;
    }

    /// \return receives posted beyond the window of \p grant credits.
    [[nodiscard]] uint32_t GetStock(uint32_t grant) const
    {
        const uint32_t windows = std::max(m_settings->receiveWindows, 1U);
        return m_settings->creditPool->IsBounded() ? 0 : (windows - 1) * grant;
    }

    [[nodiscard]] uint32_t PostForGrant(uint32_t grant);
    /// Has \p needed receives posted, as far as the queue and the bounds allow.
    void PostUpTo(uint32_t needed);
    /// \return how many of \p count receives may be posted: those that need a new buffer take at
    /// most half of what server_memory_limit has left, so that Sends and sinks find the other.
    [[nodiscard]] uint32_t LimitByMemory(uint32_t count) const;
    void SetGranted(uint32_t credits);
    void ReportMemory();

    std::shared_ptr<const SvcRdmaSettings> m_settings;
    std::shared_ptr<SvcRdmaStatistics> m_statistics;
    std::function<uint32_t()> m_countReverseCalls;
    Ptr<QueuePair> m_pair;
    std::unique_ptr<ReceiveBuffers> m_receives; ///< Null before Start() and after End().
    uint32_t m_doneReceives{0};
    uint32_t m_granted{0};
    uint32_t m_mostGranted{0};
    bool m_fewReceives{false};   ///< The queue is not as deep as was wanted.
    bool m_awaitsReceive{false}; ///< For the reply to a reverse call.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_CONNECTION_CREDITS_H
