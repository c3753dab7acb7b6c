/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_NLM_LOCK_TABLE_H
#define NFSRDMA_NFS_MOUNT_NLM_LOCK_TABLE_H

#include "nfs/mount/nlm-messages.h"
#include "nfs/v4/server/byte-range-locks.h"
#include "wire/ip-address.h"

#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

/// A lock that could not be had and is waited for.
struct NlmWaiter
{
    bool exclusive{false};
    NlmLock lock;
    IpAddress source; ///< Address of the host to be called when it is granted.

    /// \return whether it is \p other of the same owner that is waited for.
    [[nodiscard]] bool IsFor(const NlmLock& other, bool isExclusive) const;
};

/**
 * \brief The locks, waiters and shares of a lock manager, by file handle: POSIX locks of owners
 * (host, process and owner octets), and the share reservations of XNFS.
 *
 * Waiters are served in the order in which they came.
 */
class NlmLockTable
{
  public:
    /// \return who is in the way of \p lock; nothing: it can be had. FBIG when the range passes 64
    /// bits.
    [[nodiscard]] tl::expected<std::optional<NlmHolder>, NlmStatus> Test(const NlmLock& lock,
                                                                         bool exclusive) const;
    /// \param block wait when it cannot be had
    /// \return GRANTED, DENIED, BLOCKED or FBIG
    [[nodiscard]] NlmStatus Lock(const NlmLock& lock,
                                 bool exclusive,
                                 bool block,
                                 const IpAddress& source);
    /// Gives up waiting. \return whether \p lock was waited for.
    bool Cancel(const NlmLock& lock, bool exclusive);
    /// \return GRANTED or FBIG
    NlmStatus Unlock(const NlmLock& lock);
    /// Frees what owners of \p host have or wait for.
    void FreeAll(const std::string& host);

    /// Grants what waiters can have now. \return those, whose locks are set.
    [[nodiscard]] std::vector<NlmWaiter> TakeGranted();

    /// A share that \p args's owner has of the file is changed. \return GRANTED, or DENIED when
    /// another owner denies the access or has one that is denied
    [[nodiscard]] NlmStatus Share(const NlmShareArgs& args);
    void Unshare(const NlmShareArgs& args);

    [[nodiscard]] std::size_t GetLockCount() const;

    [[nodiscard]] std::size_t GetWaiterCount() const
    {
        return m_waiters.size();
    }

    [[nodiscard]] std::size_t GetShareCount() const
    {
        return m_shares.size();
    }

  private:
    using Owner = std::tuple<std::string, uint32_t, ByteVector>;

    [[nodiscard]] static std::optional<Nfs4LockRange> GetRange(const NlmLock& lock);
    [[nodiscard]] uint64_t NumberOf(const NlmLock& lock);
    [[nodiscard]] std::optional<uint64_t> FindNumber(const NlmLock& lock) const;

    std::map<NfsFh3, Nfs4ByteRangeLocks> m_files;
    std::map<Owner, uint64_t> m_numbers; ///< Of owners, from 1.
    std::vector<Owner> m_owners;         ///< By number - 1.
    std::deque<NlmWaiter> m_waiters;
    std::vector<NlmShareArgs> m_shares;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_NLM_LOCK_TABLE_H
