/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_NFS4_SEQID_OWNER_H
#define NFSRDMA_NFS_NFS4_SEQID_OWNER_H

#include "nfs/v4/nfs4-status.h"
#include "wire/bytes.h"

#include <cstdint>
#include <deque>
#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief An open owner or lock owner: its name, and in NFSv4.0 its seqid, which orders the calls
 * that change its state (RFC 7530 section 9.1.7): one at a time, each with the next number.
 */
class Nfs4SeqidOwner
{
  public:
    /// \return a name of 24 octets, as Linux makes them: "open id:", device, number, time.
    [[nodiscard]] static ByteVector MakeOpenOwner(uint32_t device,
                                                  uint32_t number,
                                                  uint64_t created);
    /// \return a name of 20 octets: "lock id:", device, number.
    [[nodiscard]] static ByteVector MakeLockOwner(uint32_t device, uint64_t number);

    /// Calls \p start when no other call of the owner is under way: now, or after Finish().
    void Enqueue(std::function<void()> start);
    /// As Enqueue(), before all that wait: for a call that completes the one under way.
    void EnqueueNext(std::function<void()> start);
    /// The call under way was answered: the seqid counts up unless \p status is one of those that
    /// RFC 7530 section 9.1.7 names. It may be made again.
    void Answered(Nfs4Status status);
    /// The call under way has ended.
    void Finish();
    /// \return whether a call that ended with \p status has used its seqid up.
    [[nodiscard]] static bool CountsUp(Nfs4Status status);

    [[nodiscard]] uint32_t GetSeqid() const;
    /// The next call of the owner starts to count anew, as that of a new owner.
    void Restart();
    /// \return calls under way or waiting.
    [[nodiscard]] std::size_t GetPending() const;

  private:
    uint32_t m_seqid{0};
    std::deque<std::function<void()>> m_queue; ///< The first is under way.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_NFS4_SEQID_OWNER_H
