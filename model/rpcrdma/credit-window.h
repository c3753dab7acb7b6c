/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CREDIT_WINDOW_H
#define NFSRDMA_RPCRDMA_CREDIT_WINDOW_H

#include <algorithm>
#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief The requester's side of credits, RFC 8166 section 3.3: one call until the first grant;
 * never more outstanding than the latest grant; a grant of 0 counts as 1, one above the own maximum
 * as that.
 */
class CreditWindow
{
  public:
    /// \param maximum credits requested in every call, at least 1
    explicit CreditWindow(uint32_t maximum)
        : m_maximum(maximum)
    {
    }

    [[nodiscard]] bool MaySend() const
    {
        return m_outstanding < m_granted;
    }

    void OnSent()
    {
        ++m_outstanding;
    }

    void OnGrant(uint32_t credits)
    {
        m_granted = std::clamp(credits, 1U, m_maximum);
    }

    /// A call has ended.
    void OnEnded()
    {
        --m_outstanding;
    }

    /// The connection is new: nothing outstanding, one credit.
    void Reset()
    {
        m_granted = 1;
        m_outstanding = 0;
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
    uint32_t m_maximum;
    uint32_t m_granted{1};
    uint32_t m_outstanding{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CREDIT_WINDOW_H
