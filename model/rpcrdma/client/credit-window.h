/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_CREDIT_WINDOW_H
#define NFSRDMA_RPCRDMA_CLIENT_CREDIT_WINDOW_H

#include "ns3/assert.h"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief The requester's side of credits, RFC 8166 section 3.3: one call until the first grant;
 * never more outstanding than the latest grant; a grant of 0 counts as 1, one above the own maximum
 * as that. Some credits may be reserved for health probes (RFC 8267 section 6.7.2), as far as the
 * grant leaves one for calls.
 *
 * Guaranteed at each call that is sent: calls outstanding <= credits granted, and
 * calls outstanding <= client_slots.
 *
 * Calls outstanding are those without a reply, whether or not their caller still waits: before the
 * first grant a call that was given up keeps the one credit there is (section 3.3.3).
 */
class CreditWindow
{
  public:
    /// \param maximum credits requested in every call, at least 1
    /// \param reserve credits that calls leave free
    explicit CreditWindow(uint32_t maximum, uint32_t reserve = 0)
        : m_maximum(maximum),
          m_reserve(reserve)
    {
    }

    [[nodiscard]] bool MaySend() const
    {
        return m_outstanding < std::max(1U, m_granted - std::min(m_reserve, m_granted));
    }

    [[nodiscard]] bool MaySendProbe() const
    {
        return m_outstanding < m_granted;
    }

    /// Called with the number outstanding whenever that has changed.
    void SetObserver(std::function<void(uint32_t)> observer)
    {
        m_observer = std::move(observer);
    }

    void OnSent()
    {
        ++m_outstanding;
        NS_ASSERT_MSG(m_outstanding <= m_granted, "more calls outstanding than credits");
        Tell();
    }

    void OnGrant(uint32_t credits)
    {
        m_granted = std::clamp(credits, 1U, m_maximum);
        m_hasGrant = true;
    }

    /// A call has ended.
    void OnEnded()
    {
        NS_ASSERT_MSG(m_outstanding > 0, "a call has ended that was not sent");
        --m_outstanding;
        Tell();
    }

    /// The connection is new: nothing outstanding, one credit.
    void Reset()
    {
        m_granted = 1;
        m_hasGrant = false;
        m_outstanding = 0;
        Tell();
    }

    /// \return whether a valid reply has told of credits.
    [[nodiscard]] bool HasGrant() const
    {
        return m_hasGrant;
    }

    [[nodiscard]] uint32_t GetMaximum() const
    {
        return m_maximum;
    }

    [[nodiscard]] uint32_t GetGranted() const
    {
        return m_granted;
    }

    [[nodiscard]] uint32_t GetOutstanding() const
    {
        return m_outstanding;
    }

  private:
    void Tell() const
    {
        if (m_observer)
        {
            m_observer(m_outstanding);
        }
    }

    std::function<void(uint32_t)> m_observer;
    uint32_t m_maximum;
    uint32_t m_reserve;
    uint32_t m_granted{1};
    bool m_hasGrant{false};
    uint32_t m_outstanding{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_CREDIT_WINDOW_H
