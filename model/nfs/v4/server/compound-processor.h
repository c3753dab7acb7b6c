/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_COMPOUND_PROCESSOR_H
#define NFSRDMA_NFS_V4_SERVER_COMPOUND_PROCESSOR_H

#include "nfs/v4/protocol/compound.h"
#include "nfs/v4/server/compound-state.h"

#include <functional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Carries out the operations of one COMPOUND against a server's state and files, in order,
 * and encodes the results, as nfsd4_proc_compound() of Linux 6.1 does (RFC 8881 section 16.2).
 *
 * What may come first, what the rules of operations.def say, replies that are given again
 * (NFSv4.0's seqids, sessions' slots) and the size of the reply are this class's; what an operation
 * does is that of its group's (operation-group.h).
 *
 * Everything takes effect at once; what it costs on the storage is in the outcome.
 *
 * One object serves one call.
 */
class Nfs4CompoundProcessor
{
  public:
    struct Outcome
    {
        RpcPayload results;
        Nfs4Status status{Nfs4Status::OK};
        std::vector<Nfs4Op> operations; ///< Carried out, the failed one included.
        std::vector<StorageTask> work;  ///< In order.
        /// Gives the slot back when the reply goes; null when the call holds none.
        std::function<void()> release;
    };

    /// \param state outlives this
    /// \param call the call, whose octets hold what the arguments refer to
    /// \param memory for the data of READ and READLINK
    Nfs4CompoundProcessor(Nfs4ServerState& state,
                          const RpcServerCall& call,
                          Ptr<HostMemory> memory,
                          Time now);

    /// \return what came of it; nothing yet when IsWaiting().
    [[nodiscard]] Outcome Process(const Compound4Args& args);

    /// \return whether an operation waits for delegations to come back, as SETATTR, REMOVE and
    /// RENAME of nfsd do (nfsd_wait_for_delegreturn()), once each.
    [[nodiscard]] bool IsWaiting() const
    {
        return !m_compound.awaited.empty();
    }

    /// \return the files whose delegations it waits for.
    [[nodiscard]] const std::vector<InodeNumber>& GetAwaited() const
    {
        return m_compound.awaited;
    }

    /// Goes on with that operation, after the wait. \return as Process()
    [[nodiscard]] Outcome Resume(const Compound4Args& args, Time now);

  private:
    /// The greatest COMPOUND, as NFSD_MAX_OPS_PER_COMPOUND.
    static constexpr uint32_t MAX_OPERATIONS = 50;
    /// Room kept for the error of a following operation.
    static constexpr uint32_t ERROR_SLACK = 16;

    [[nodiscard]] Outcome Conclude();
    [[nodiscard]] std::function<void()> MakeRelease(const RpcPayload& whole) const;
    void ProcessAll(const Compound4Args& args);
    /// The operations from m_next on.
    void ProcessRest(const Compound4Args& args);
    [[nodiscard]] Nfs4Status CheckOrder(const Compound4Args& args) const;
    [[nodiscard]] Nfs4Status CheckBefore(Nfs4Op op, bool last) const;
    /// \return whether \p op has the server verify a filehandle (fh_verify() of Linux).
    [[nodiscard]] static bool VerifiesHandle(Nfs4Op op);
    /// \return what \p op, which is next, is to be answered with in place of carrying it out.
    [[nodiscard]] std::optional<Nfs4Status> TakeRefusal(Nfs4Op op);
    Nfs4Status Execute(const Nfs4ArgOp& operation, bool last);
    template <typename Args>
    Nfs4Status ExecuteAs(const Args& args, bool last);
    /// Keeps the results of the seqid operation that has ended, which were written from \p start
    /// on, with what it left behind, for Nfs4StateFinder::CheckOwner() to find when it comes again.
    void KeepReply(Nfs4Status status, uint32_t start);
    /// Answers a seqid operation that came again as the first time, with the filehandle and the
    /// stateid that were the current ones after it, as nfsd4_open() with rp_openfh. STALE when the
    /// file is no more: the seqid stays.
    Nfs4Status AnswerAgain(Nfs4Op op, bool last);
    Nfs4Status Emit(const Nfs4ResOp& result, bool last);
    template <typename Result>
    Nfs4Status EmitAs(Nfs4Op op, const Result& result, bool last);
    /// \param next the operation after SEQUENCE, which says that nothing was kept
    void EmitReplay(const Nfs4CachedReply& reply, Nfs4Op next);

    bool m_hasRefused{false}; ///< What was ordered.
    Nfs4CompoundState m_compound;
    Nfs4Status m_status{Nfs4Status::OK};
    std::size_t m_next{0}; ///< Operation to carry out.
    std::size_t m_nextReceived{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_COMPOUND_PROCESSOR_H
