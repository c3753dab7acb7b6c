/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_LINK_STATE_H
#define NFSRDMA_FAULT_LINK_STATE_H

#include <cstddef>
#include <cstdint>
#include <map>

namespace ns3::nfsrdma
{

/// What faults have made of a host's link. Several may hold at a time.
class LinkState
{
  public:
    /// A limit of the packets that a link takes.
    struct Limit
    {
        uint32_t mtu{0};      ///< Octets of IPv4 packet.
        bool silently{false}; ///< Nobody is told.
    };

    void TakeDown()
    {
        ++m_downs;
    }

    /// Ends one TakeDown().
    void BringUp()
    {
        m_downs -= m_downs > 0 ? 1 : 0;
    }

    [[nodiscard]] bool IsDown() const
    {
        return m_downs > 0;
    }

    /// \return the number of the limit, for RemoveLimit().
    std::size_t AddLimit(Limit limit);

    void RemoveLimit(std::size_t number)
    {
        m_limits.erase(number);
    }

    /// \return the narrowest limit, the first of equals; null: none.
    [[nodiscard]] const Limit* GetLimit() const;

    /// Nothing holds any more.
    void Heal();

  private:
    uint64_t m_downs{0};
    std::size_t m_nextLimit{0};
    std::map<std::size_t, Limit> m_limits;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_LINK_STATE_H
