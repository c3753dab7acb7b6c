/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_MEMORY_ACCOUNTS_H
#define NFSRDMA_HOST_MEMORY_ACCOUNTS_H

#include "wire/ip-address.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// What an allocation of host memory is for.
enum class HostMemoryUse
{
    OTHER,       ///< Of programs, and whatever has no line here.
    RECEIVES,    ///< Receive buffers of RPC-over-RDMA.
    SENDS,       ///< Send contexts of RPC-over-RDMA: headers and inline messages.
    REPLY_PAGES, ///< Servers: data of replies on their way out. Clients: heads and tails of replies
                 ///< that come by Reply chunk.
    READ_SINKS,  ///< Servers: where RDMA Reads put what calls have in Read chunks.
    THREADS,     ///< Servers: stacks of threads, and the pages that each has for a call.
};

inline constexpr std::size_t HOST_MEMORY_USES =
    static_cast<std::size_t>(HostMemoryUse::THREADS) + 1;

/// \return "other", "receives", "sends", "reply_pages", "read_sinks",
/// "threads".
[[nodiscard]] const char* ToString(HostMemoryUse use);

/// Number of an account of HostMemoryAccounts; 0: none.
using HostMemoryAccount = uint32_t;

/// What an account is charged for: HostMemoryUse, and what lies in allocations of others.
enum class HostMemoryCharge
{
    OTHER,
    RECEIVES,
    SENDS,
    REPLY_PAGES,
    READ_SINKS,
    THREADS,
    REGISTERED,  ///< Pages pinned by registrations on the send queue.
    EXPOSED,     ///< Replies that the peer may read.
    TCP_SEND,    ///< Octets that TCP holds until they are acknowledged.
    TCP_RECEIVE, ///< Octets that TCP holds for the device, or behind a gap.
};

inline constexpr std::size_t HOST_MEMORY_CHARGES =
    static_cast<std::size_t>(HostMemoryCharge::TCP_RECEIVE) + 1;

/// \return ToString(HostMemoryUse), "registered", "exposed", "tcp_send" or "tcp_receive".
[[nodiscard]] const char* ToString(HostMemoryCharge charge);

/// What an allocation is for, and which account it is charged to.
struct HostMemoryPurpose
{
    // NOLINTNEXTLINE(google-explicit-constructor): a use alone is a purpose, too
    HostMemoryPurpose(HostMemoryUse why, HostMemoryAccount who = 0)
        : use(why),
          account(who)
    {
    }

    HostMemoryUse use;
    HostMemoryAccount account;
};

/**
 * \brief The books of a host about the memory that its connections hold: an account for each, by
 * what it is held for, octets. What is charged to none is the host's alone, so that the sum of all
 * accounts is no more than what the host has.
 *
 * Accounts of one peer have numbers from 0. That of a connection that has ended is taken again by a
 * later one of the same peer, as soon as all of it was given back.
 */
class HostMemoryAccounts
{
  public:
    struct Account
    {
        IpAddress peer;
        uint32_t number{0}; ///< Of those of the peer.
        bool open{true};
        std::array<uint64_t, HOST_MEMORY_CHARGES> octets{};

        [[nodiscard]] bool IsEmpty() const;
    };

    /// \return the account of a new connection to \p peer.
    HostMemoryAccount Open(IpAddress peer);
    /// The connection has ended; what it holds may come back later. 0: nothing.
    void Close(HostMemoryAccount account);

    /// \param more octets, \p less octets. \return what the account had before.
    uint64_t Change(HostMemoryAccount account,
                    HostMemoryCharge charge,
                    uint64_t more,
                    uint64_t less);

    [[nodiscard]] const Account& Get(HostMemoryAccount account) const
    {
        return m_accounts.at(account - 1);
    }

    /// \return accounts there have ever been: numbers from 1.
    [[nodiscard]] HostMemoryAccount GetCount() const
    {
        return m_accounts.size();
    }

  private:
    std::vector<Account> m_accounts;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_MEMORY_ACCOUNTS_H
