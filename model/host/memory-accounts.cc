/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/memory-accounts.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::nfsrdma
{

const char*
ToString(HostMemoryUse use)
{
    static constexpr std::array<const char*, HOST_MEMORY_USES> NAMES{"other",
                                                                     "receives",
                                                                     "sends",
                                                                     "reply_pages",
                                                                     "read_sinks",
                                                                     "threads"};
    return NAMES.at(static_cast<std::size_t>(use));
}

const char*
ToString(HostMemoryCharge charge)
{
    switch (charge)
    {
    case HostMemoryCharge::REGISTERED:
        return "registered";
    case HostMemoryCharge::EXPOSED:
        return "exposed";
    case HostMemoryCharge::TCP_SEND:
        return "tcp_send";
    case HostMemoryCharge::TCP_RECEIVE:
        return "tcp_receive";
    default:
        return ToString(static_cast<HostMemoryUse>(charge));
    }
}

bool
HostMemoryAccounts::Account::IsEmpty() const
{
    return std::all_of(octets.begin(), octets.end(), [](uint64_t held) { return held == 0; });
}

HostMemoryAccount
HostMemoryAccounts::Open(IpAddress peer)
{
    uint32_t number = 0;
    for (auto& account : m_accounts)
    {
        if (account.peer != peer)
        {
            continue;
        }
        if (!account.open && account.IsEmpty())
        {
            account.open = true;
            return static_cast<HostMemoryAccount>(&account - m_accounts.data()) + 1;
        }
        ++number;
    }
    m_accounts.push_back({peer, number, true, {}});
    return m_accounts.size();
}

void
HostMemoryAccounts::Close(HostMemoryAccount account)
{
    if (account != 0)
    {
        m_accounts.at(account - 1).open = false;
    }
}

uint64_t
HostMemoryAccounts::Change(HostMemoryAccount account,
                           HostMemoryCharge charge,
                           uint64_t more,
                           uint64_t less)
{
    uint64_t& octets = m_accounts.at(account - 1).octets.at(static_cast<std::size_t>(charge));
    NS_ASSERT_MSG(less <= octets + more, "an account gives back more than it has");
    const uint64_t before = octets;
    octets += more;
    octets -= less;
    return before;
}

} // namespace ns3::nfsrdma
