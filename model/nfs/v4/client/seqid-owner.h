/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_SEQID_OWNER_H
#define NFSRDMA_NFS_V4_CLIENT_SEQID_OWNER_H

#include "nfs/v4/protocol/status.h"
#include "wire/bytes.h"

#include <cstdint>
#include <deque>
#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief The seqid of an NFSv4.0 owner, as its client counts it (RFC 7530 section 9.1.7).
 *
 * A call that ended without an answer of its sequenced operation may have been carried out: a
 * server that has done so would take the next call under the same number for that one again, and
 * answer it with the results of another operation. So the number counts up all the same, in doubt:
 * the server refuses it with BAD_SEQID when it never saw the call, and the number before is right.
 */
class Nfs4Seqid
{
  public:
    [[nodiscard]] uint32_t Get() const
    {
        return m_value;
    }

    /// The operation ended with \p status: counts up unless that is one of those that RFC 7530
    /// section 9.1.7 names. The doubt is over, but for BAD_SEQID.
    void Answered(Nfs4Status status);
    /// A call that may have been carried out has ended without the operation's result.
    void Unanswered();
    /// BAD_SEQID: takes the number before when there is a doubt. \return whether there was
    bool StepBack();
    /// A new owner's.
    void Restart();

  private:
    uint32_t m_value{0};
    uint32_t m_doubts{0}; ///< The server's number may be less by as many.
};

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
    /// The call under way has ended.
    void Finish();

    /// \return the seqid, to be told how the operation under way was answered; that may be made
    /// again.
    [[nodiscard]] Nfs4Seqid& Seqid()
    {
        return m_seqid;
    }

    /// \return the seqid of the next operation.
    [[nodiscard]] uint32_t GetSeqid() const
    {
        return m_seqid.Get();
    }

    /// \return calls under way or waiting.
    [[nodiscard]] std::size_t GetPending() const;

  private:
    Nfs4Seqid m_seqid;
    std::deque<std::function<void()>> m_queue; ///< The first is under way.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_SEQID_OWNER_H
