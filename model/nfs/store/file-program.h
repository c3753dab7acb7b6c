/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_FILE_PROGRAM_H
#define NFSRDMA_NFS_STORE_FILE_PROGRAM_H

#include "host/memory.h"
#include "nfs/store/files.h"
#include "nfs/store/server-storage.h"
#include "nfs/types/delegation-guard.h"
#include "nfs/types/rpc-stub.h"
#include "nfs/v3/conflicts3.h"
#include "nfs/v3/procedures3.h"
#include "nfs/v3/status3.h"
#include "rpc/program.h"
#include "rpc/service-times.h"

#include "ns3/simulator.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// The types of a version's procedures.
template <typename... Of>
struct ProcedureList
{
};

/// One of them.
template <typename Of>
struct ProcedureType
{
    using Type = Of;
};

/**
 * \brief A version of NFS whose calls are one procedure each, of one server: the procedures against
 * a FileStore, at the cost of its storage.
 *
 *     Dispatch() -> Carry() -- delegations in the way --> guard's wait -> Carry()
 *                      |                                                     |
 *                      +-> storage -> reply <-- storage <--------------------+
 *
 * A procedure takes effect when its call is dispatched; its reply leaves, and its server thread is
 * free again, when the storage is done with it.
 *
 * \tparam Procedure the numbers of the version's procedures, 0 to \p Count - 1
 * \tparam Status what the results of a procedure say, OK among them
 */
template <typename Procedure, typename Status, uint32_t Count>
class FileProgram : public RpcProgram
{
  public:
    void SetFileStore(Ptr<FileStore> store)
    {
        m_store = store;
    }

    /// Without one, answers take no time on the storage.
    void SetStorage(Ptr<ServerStorage> storage)
    {
        m_storage = storage;
    }

    /// Memory of this host, for the data of READ and READLINK replies.
    void SetHostMemory(Ptr<HostMemory> memory)
    {
        m_memory = memory;
    }

    /// What is asked before a file is changed that NFSv4 clients may have delegations of: such a
    /// call is answered JUKEBOX, some after the guard's wait. \p guard outlives the calls; null:
    /// there are no delegations.
    void SetDelegationGuard(DelegationGuard* guard)
    {
        m_guard = guard;
    }

    [[nodiscard]] uint32_t GetProgram() const override
    {
        return NFS_PROGRAM;
    }

    /// PROC_UNAVAIL for a procedure that there is none of; GARBAGE_ARGS for arguments that do not
    /// decode, and for a reduced item that is not WRITE's data or SYMLINK's path in its right place
    /// (RFC 8267 sections 4 and 6.4.2).
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        Start(call, std::move(done), false);
    }

    /// \return calls carried out of \p procedure, failures included.
    [[nodiscard]] uint64_t GetCalls(Procedure procedure) const
    {
        return m_calls.at(static_cast<uint32_t>(procedure));
    }

    /// \return calls answered with GARBAGE_ARGS.
    [[nodiscard]] uint64_t GetGarbageCalls() const
    {
        return m_garbageCalls;
    }

    /// \return calls not answered because of a delegation.
    [[nodiscard]] uint64_t GetDroppedCalls() const
    {
        return m_droppedCalls;
    }

  protected:
    /// What a procedure said, and what it asks of the storage before that may leave.
    struct Answer
    {
        Status status{Status::OK};
        RpcPayload results;
        StorageTask task;
        bool free{false};                 ///< Asks nothing of the storage.
        bool dropped{false};              ///< Does not leave.
        std::vector<InodeNumber> awaited; ///< JUKEBOX, unless their delegations come back in time.

        template <typename Results>
        void Encode(const Results& encoded)
        {
            XdrWriter writer;
            EncodeXdr(writer, encoded);
            results.octets = writer.Take();
        }

        /// \p length octets of \p item go behind what is encoded, if it has a place.
        void Give(const Nfs3Item& item, uint32_t length)
        {
            if (item.owner)
            {
                const auto position = static_cast<uint32_t>(results.octets.size());
                results.items.push_back({item.address, length, true, position, item.owner});
            }
        }
    };

    using Carried = std::optional<Answer>;

    /// \return Results with the error that \p call is ordered to have (RpcServer::OrderAnswer());
    /// nothing when it is to be carried out
    template <typename Results>
    static Carried TakeOrder(const RpcServerCall& call)
    {
        if (!call.ordered)
        {
            return std::nullopt;
        }
        Results refused;
        refused.status = static_cast<Status>(call.ordered->programStatus);
        Answer answer;
        answer.status = refused.status;
        answer.Encode(refused);
        return answer;
    }

    /// \return what \p serve makes of the ProcedureType that \p call is of.
    template <typename... Of, typename Serve>
    static Carried Select(const RpcServerCall& call, ProcedureList<Of...> /* list */, Serve serve)
    {
        Carried answer;
        const auto procedure = static_cast<Procedure>(call.header.procedure);
        static_cast<void>(
            ((procedure == Of::PROCEDURE && (answer = serve(ProcedureType<Of>()), true)) || ...));
        return answer;
    }

    /// \return the one item of \p message, if it has \p length octets and belongs at \p position.
    static std::optional<Nfs3Item> TakeItem(const RpcReceivedMessage& message,
                                            std::size_t position,
                                            uint32_t length)
    {
        const RpcReceivedItem& received = message.items.front();
        if (message.items.size() != 1 || received.position != position || length > received.length)
        {
            return std::nullopt;
        }
        return Nfs3Item{received.owner, received.address};
    }

    /// \param find as BreakConflicts() takes it
    /// \param refuse makes the results JUKEBOX
    /// \return the answer when delegations are in the way, else nothing
    template <typename Find, typename Refuse>
    [[nodiscard]] Carried Break(Find&& find, Refuse refuse) const
    {
        auto awaited = BreakConflicts(m_guard, std::forward<Find>(find));
        if (!awaited)
        {
            return std::nullopt;
        }
        Answer answer;
        const auto results = refuse();
        answer.awaited = std::move(*awaited);
        answer.status = results.status;
        answer.Encode(results);
        return answer;
    }

    /// \return the answer, or nothing for arguments that make no sense.
    [[nodiscard]] virtual Carried Carry(const RpcServerCall& call) const = 0;

    void DoDispose() override
    {
        m_store = nullptr;
        m_storage = nullptr;
        m_memory = nullptr;
        m_guard = nullptr;
        RpcProgram::DoDispose();
    }

    Ptr<FileStore> m_store;
    Ptr<ServerStorage> m_storage;
    Ptr<HostMemory> m_memory;
    DelegationGuard* m_guard{nullptr};
    TracedCallback<Procedure, Status, Time> m_servedTrace;

  private:
    /// \param waited the call has waited for delegations
    void Start(const std::shared_ptr<RpcServerCall>& call, Done done, bool waited)
    {
        if (call->header.procedure >= Count)
        {
            done(RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL));
            return;
        }
        auto answer = Carry(*call);
        if (!answer)
        {
            ++m_garbageCalls;
            done(RefuseStubCall(RpcAcceptStatus::GARBAGE_ARGS));
            return;
        }
        if (!answer->awaited.empty() && !waited && m_guard->GetReturnWait().IsStrictlyPositive())
        {
            m_guard->AwaitReturn(answer->awaited,
                                 [self = Ptr<FileProgram>(this), call, done = std::move(done)] {
                                     self->Start(call, done, true);
                                 });
            return;
        }
        ++m_calls.at(call->header.procedure);
        Finish(*call, std::make_shared<Answer>(std::move(*answer)), std::move(done));
    }

    void Finish(const RpcServerCall& call, const std::shared_ptr<Answer>& answer, Done&& done)
    {
        const auto procedure = static_cast<Procedure>(call.header.procedure);
        auto leave = [self = Ptr<FileProgram>(this),
                      procedure,
                      answer,
                      started = Simulator::Now(),
                      done = std::move(done)] {
            self->m_droppedCalls += answer->dropped ? 1 : 0;
            self->m_servedTrace(procedure, answer->status, Simulator::Now() - started);
            RpcServerReply reply;
            reply.results = std::move(answer->results);
            reply.dropped = answer->dropped;
            done(std::move(reply));
        };
        if (answer->free || !m_storage)
        {
            leave();
            return;
        }
        m_storage->Do(answer->task, RpcServiceTimes::Around(call.message.times, std::move(leave)));
    }

    std::array<uint64_t, Count> m_calls{};
    uint64_t m_garbageCalls{0};
    uint64_t m_droppedCalls{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_FILE_PROGRAM_H
