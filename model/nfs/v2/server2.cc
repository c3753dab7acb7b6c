/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/server2.h"

#include "nfs/types/xdr-text.h"
#include "nfs/v2/conflicts2.h"
#include "rpc/service-times.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <type_traits>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaNfs2Server");

NS_OBJECT_ENSURE_REGISTERED(Nfs2Server);

/// What a procedure said, and what it asks of the storage before that may leave.
struct Nfs2Server::Answer
{
    Nfs2Status status{Nfs2Status::OK};
    RpcPayload results;
    StorageTask task;
    bool free{false};                 ///< Asks nothing of the storage.
    bool dropped{false};              ///< Does not leave.
    std::vector<InodeNumber> awaited; ///< JUKEBOX, unless their delegations come back in time.
};

namespace
{

template <typename Procedure>
constexpr bool TAKES_ITEM_V2 =
    std::is_same_v<Procedure, Nfs2Write> || std::is_same_v<Procedure, Nfs2Symlink>;

template <typename Procedure>
constexpr bool GIVES_ITEM_V2 =
    std::is_same_v<Procedure, Nfs2Read> || std::is_same_v<Procedure, Nfs2Readlink>;

bool
ChangesMetadata(Nfs2Procedure procedure)
{
    switch (procedure)
    {
    case Nfs2Procedure::SETATTR:
    case Nfs2Procedure::CREATE:
    case Nfs2Procedure::REMOVE:
    case Nfs2Procedure::RENAME:
    case Nfs2Procedure::LINK:
    case Nfs2Procedure::SYMLINK:
    case Nfs2Procedure::MKDIR:
    case Nfs2Procedure::RMDIR:
        return true;
    default:
        return false;
    }
}

uint32_t
GetItemLength(const Write2Args& args)
{
    return args.data.length;
}

uint32_t
GetItemLength(const Symlink2Args& args)
{
    return args.path.length;
}

uint32_t
GetItemLength(const Read2Res& results)
{
    return results.data.length;
}

uint32_t
GetItemLength(const Readlink2Res& results)
{
    return results.path.length;
}

/// \return where the item of \p args, which are \p length octets, belongs.
uint32_t
GetItemOffset(const Write2Args& /* args */, uint32_t length)
{
    return length;
}

uint32_t
GetItemOffset(const Symlink2Args& args, uint32_t /* length */)
{
    return args.GetPathOffset();
}

} // namespace

TypeId
Nfs2Server::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::Nfs2Server")
            .SetParent<RpcProgram>()
            .SetGroupName("NfsRdma")
            .AddConstructor<Nfs2Server>()
            .AddTraceSource("Served",
                            "A procedure is answered: procedure, status, time since dispatch.",
                            MakeTraceSourceAccessor(&Nfs2Server::m_servedTrace),
                            "ns3::nfsrdma::Nfs2Server::ServedTracedCallback");
    return tid;
}

Nfs2Server::Nfs2Server() = default;
Nfs2Server::~Nfs2Server() = default;

void
Nfs2Server::DoDispose()
{
    m_store = nullptr;
    m_storage = nullptr;
    m_memory = nullptr;
    m_guard = nullptr;
    RpcProgram::DoDispose();
}

void
Nfs2Server::SetFileStore(Ptr<FileStore> store)
{
    m_store = store;
    m_sizes = Nfs2HandleSizes::Of(*store);
    NS_ABORT_MSG_UNLESS(m_sizes.Fit(),
                        "NFS version 2 has handles of 32 octets; FileStore's RootHandleOctets is "
                            << m_sizes.root << ", HandleOctets " << m_sizes.other);
}

void
Nfs2Server::SetStorage(Ptr<ServerStorage> storage)
{
    m_storage = storage;
}

void
Nfs2Server::SetHostMemory(Ptr<HostMemory> memory)
{
    m_memory = memory;
}

void
Nfs2Server::SetDelegationGuard(DelegationGuard* guard)
{
    m_guard = guard;
}

uint32_t
Nfs2Server::GetProgram() const
{
    return NFS_PROGRAM;
}

uint32_t
Nfs2Server::GetVersion() const
{
    return NFS_V2;
}

RpcMessageLimits
Nfs2Server::GetMessageLimits() const
{
    const uint64_t octets = NFS2_MAXDATA + HostMemory::PAGE_SIZE;
    return {octets, octets};
}

bool
Nfs2Server::IsIdempotent(uint32_t procedure) const
{
    const auto number = static_cast<Nfs2Procedure>(procedure);
    return number != Nfs2Procedure::WRITE && !ChangesMetadata(number);
}

uint64_t
Nfs2Server::GetCalls(Nfs2Procedure procedure) const
{
    return m_calls.at(static_cast<uint32_t>(procedure));
}

uint64_t
Nfs2Server::GetGarbageCalls() const
{
    return m_garbageCalls;
}

uint64_t
Nfs2Server::GetDroppedCalls() const
{
    return m_droppedCalls;
}

void
Nfs2Server::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    if (call->header.procedure >= NFS2_PROCEDURES)
    {
        done(RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL));
        return;
    }
    Start(call, std::move(done), false);
}

void
Nfs2Server::Start(const std::shared_ptr<RpcServerCall>& call, Done done, bool waited)
{
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
                             [self = Ptr<Nfs2Server>(this), call, done = std::move(done)] {
                                 self->Start(call, done, true);
                             });
        return;
    }
    ++m_calls.at(call->header.procedure);
    Finish(*call, std::move(*answer), std::move(done));
}

void
Nfs2Server::Finish(const RpcServerCall& call, Answer&& answer, Done&& done)
{
    const auto procedure = static_cast<Nfs2Procedure>(call.header.procedure);
    auto held = std::make_shared<Answer>(std::move(answer));
    auto leave = [self = Ptr<Nfs2Server>(this),
                  procedure,
                  held,
                  started = Simulator::Now(),
                  done = std::move(done)] {
        self->m_droppedCalls += held->dropped ? 1 : 0;
        self->m_servedTrace(procedure, held->status, Simulator::Now() - started);
        RpcServerReply reply;
        reply.results = std::move(held->results);
        reply.dropped = held->dropped;
        done(std::move(reply));
    };
    if (held->free || !m_storage)
    {
        leave();
        return;
    }
    m_storage->Do(held->task, RpcServiceTimes::Around(call.message.times, std::move(leave)));
}

std::optional<Nfs2Server::Answer>
Nfs2Server::Carry(const RpcServerCall& call) const
{
    switch (static_cast<Nfs2Procedure>(call.header.procedure))
    {
    case Nfs2Procedure::NULLPROC:
        return Serve<Nfs2Null>(call);
    case Nfs2Procedure::GETATTR:
        return Serve<Nfs2Getattr>(call);
    case Nfs2Procedure::SETATTR:
        return Serve<Nfs2Setattr>(call);
    case Nfs2Procedure::ROOT:
        return Serve<Nfs2Root>(call);
    case Nfs2Procedure::LOOKUP:
        return Serve<Nfs2Lookup>(call);
    case Nfs2Procedure::READLINK:
        return Serve<Nfs2Readlink>(call);
    case Nfs2Procedure::READ:
        return Serve<Nfs2Read>(call);
    case Nfs2Procedure::WRITECACHE:
        return Serve<Nfs2Writecache>(call);
    case Nfs2Procedure::WRITE:
        return Serve<Nfs2Write>(call);
    case Nfs2Procedure::CREATE:
        return Serve<Nfs2Create>(call);
    case Nfs2Procedure::REMOVE:
        return Serve<Nfs2Remove>(call);
    case Nfs2Procedure::RENAME:
        return Serve<Nfs2Rename>(call);
    case Nfs2Procedure::LINK:
        return Serve<Nfs2Link>(call);
    case Nfs2Procedure::SYMLINK:
        return Serve<Nfs2Symlink>(call);
    case Nfs2Procedure::MKDIR:
        return Serve<Nfs2Mkdir>(call);
    case Nfs2Procedure::RMDIR:
        return Serve<Nfs2Rmdir>(call);
    case Nfs2Procedure::READDIR:
        return Serve<Nfs2Readdir>(call);
    case Nfs2Procedure::STATFS:
        return Serve<Nfs2Statfs>(call);
    }
    return std::nullopt;
}

template <typename Procedure>
std::optional<Nfs2Server::Answer>
Nfs2Server::Break(const typename Procedure::Arguments& args) const
{
    auto awaited = BreakConflicts(m_guard, [this, &args] {
        return FindNfs2Conflicts(Procedure(), *m_store, m_sizes, args);
    });
    if (!awaited)
    {
        return std::nullopt;
    }
    Answer answer;
    answer.awaited = std::move(*awaited);
    answer.status = Nfs2Status::JUKEBOX;
    answer.dropped = std::is_same_v<Procedure, Nfs2Write>;
    XdrWriter writer;
    EncodeXdr(writer, Status2Res{answer.status});
    answer.results.octets = writer.Take();
    return answer;
}

template <typename Procedure>
std::optional<Nfs2Server::Answer>
Nfs2Server::Serve(const RpcServerCall& call) const
{
    const RpcReceivedMessage& message = call.message;
    const bool reduced = !message.items.empty();
    XdrReader reader(ByteSpan(message.octets).subspan(call.argumentsPosition));
    const auto args = DecodeXdr<typename Procedure::Arguments>(reader, reduced);
    if (!args || (reduced && !TAKES_ITEM_V2<Procedure>))
    {
        return std::nullopt;
    }
    Nfs3Item item;
    if constexpr (TAKES_ITEM_V2<Procedure>)
    {
        if (reduced)
        {
            const RpcReceivedItem& received = message.items.front();
            const auto position = call.argumentsPosition +
                                  GetItemOffset(*args, static_cast<uint32_t>(reader.Position()));
            if (message.items.size() != 1 || received.position != position ||
                GetItemLength(*args) > received.length)
            {
                return std::nullopt;
            }
            item = {received.owner, received.address};
        }
    }

    if (auto delayed = Break<Procedure>(*args))
    {
        return delayed;
    }
    const FileCredential who = FileCredential::FromCall(call.header);
    Nfs2Procedures procedures(*m_store, m_sizes, who);
    typename Procedure::Results results;
    if constexpr (GIVES_ITEM_V2<Procedure>)
    {
        results = procedures.Run(Procedure(), *args, m_memory, item);
    }
    else if constexpr (TAKES_ITEM_V2<Procedure>)
    {
        results = procedures.Run(Procedure(), *args, item);
    }
    else
    {
        results = procedures.Run(Procedure(), *args);
    }

    NS_LOG_LOGIC(ToString(Procedure::PROCEDURE)
                 << " " << ToText(*args) << " -> " << ToText(results));
    Answer answer;
    XdrWriter writer;
    EncodeXdr(writer, results);
    answer.results.octets = writer.Take();
    answer.free = !HasStatus<typename Procedure::Results>::value;
    if constexpr (HasStatus<typename Procedure::Results>::value)
    {
        answer.status = results.status;
    }
    if constexpr (GIVES_ITEM_V2<Procedure>)
    {
        if (item.owner && results.status == Nfs2Status::OK)
        {
            answer.results.items.push_back({item.address,
                                            GetItemLength(results),
                                            true,
                                            static_cast<uint32_t>(answer.results.octets.size()),
                                            item.owner});
        }
    }
    if (answer.status != Nfs2Status::OK)
    {
        return answer;
    }
    answer.task.work = ChangesMetadata(Procedure::PROCEDURE) ? StorageWork::METADATA_CHANGE
                                                             : StorageWork::METADATA;
    if constexpr (std::is_same_v<Procedure, Nfs2Read>)
    {
        answer.task.work = StorageWork::READ;
        answer.task.file = *m_store->Resolve(m_sizes.ToNfs3(args->file));
        answer.task.offset = args->offset;
        answer.task.octets = results.data.length;
    }
    if constexpr (std::is_same_v<Procedure, Nfs2Write>)
    {
        answer.task.work = StorageWork::WRITE_SYNC;
        answer.task.file = *m_store->Resolve(m_sizes.ToNfs3(args->file));
        answer.task.offset = args->offset;
        answer.task.octets = args->data.length;
    }
    return answer;
}

} // namespace ns3::nfsrdma
