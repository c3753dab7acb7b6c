/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/server3.h"

#include "nfs/types/xdr-text.h"
#include "nfs/v3/conflicts3.h"
#include "nfs/v3/jukebox.h"
#include "rpc/service-times.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <boost/endian/conversion.hpp>
#include <type_traits>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaNfs3Server");

NS_OBJECT_ENSURE_REGISTERED(Nfs3Server);

/// What a procedure said, and what it asks of the storage before that may leave.
struct Nfs3Server::Answer
{
    Nfs3Status status{Nfs3Status::OK};
    RpcPayload results;
    StorageTask task;
    bool free{false};                 ///< Asks nothing of the storage.
    std::vector<InodeNumber> awaited; ///< JUKEBOX, unless their delegations come back in time.
};

/// A call on its way through the server.
struct Nfs3Server::Request
{
    const RpcServerCall& call;
    XdrReader reader;
    FileCredential who;
};

namespace
{

template <typename Args>
constexpr bool TAKES_ITEM = std::is_same_v<Args, Write3Args> || std::is_same_v<Args, Symlink3Args>;

template <typename Args>
constexpr bool GIVES_ITEM = std::is_same_v<Args, Read3Args> || std::is_same_v<Args, Readlink3Args>;

template <typename Args>
constexpr bool CHANGES_METADATA =
    std::is_same_v<Args, Setattr3Args> || std::is_same_v<Args, Create3Args> ||
    std::is_same_v<Args, Mkdir3Args> || std::is_same_v<Args, Symlink3Args> ||
    std::is_same_v<Args, Mknod3Args> || std::is_same_v<Args, Remove3Args> ||
    std::is_same_v<Args, Rmdir3Args> || std::is_same_v<Args, Rename3Args> ||
    std::is_same_v<Args, Link3Args>;

const Nfs3Data&
GetItem(const Write3Args& args)
{
    return args.data;
}

const Nfs3Data&
GetItem(const Symlink3Args& args)
{
    return args.path;
}

const Nfs3Data&
GetItem(const Read3Res& results)
{
    return results.data;
}

const Nfs3Data&
GetItem(const Readlink3Res& results)
{
    return results.path;
}

bool
IsSound(const Write3Args& args)
{
    return args.data.length == args.count;
}

template <typename Args>
bool
IsSound(const Args& /* args */)
{
    return true;
}

template <typename Args>
constexpr bool TOUCHES_DATA = std::is_same_v<Args, Read3Args> || std::is_same_v<Args, Write3Args> ||
                              std::is_same_v<Args, Commit3Args>;

template <typename Args, typename Results>
uint64_t
GetCount(const Args& args, const Results& results)
{
    if constexpr (std::is_same_v<Args, Commit3Args>)
    {
        return args.count;
    }
    else
    {
        return results.count;
    }
}

template <typename Args>
constexpr StorageWork
GetWork()
{
    if (std::is_same_v<Args, Read3Args>)
    {
        return StorageWork::READ;
    }
    if (std::is_same_v<Args, Write3Args>)
    {
        return StorageWork::WRITE;
    }
    if (std::is_same_v<Args, Commit3Args>)
    {
        return StorageWork::SYNC;
    }
    return CHANGES_METADATA<Args> ? StorageWork::METADATA_CHANGE : StorageWork::METADATA;
}

} // namespace

TypeId
Nfs3Server::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::Nfs3Server")
            .SetParent<RpcProgram>()
            .SetGroupName("NfsRdma")
            .AddConstructor<Nfs3Server>()
            .AddAttribute("MaxTransferSize",
                          "Octets of data of one READ or WRITE, and of entries of one READDIR or "
                          "READDIRPLUS: rtmax, wtmax, dtpref of FSINFO. Default: Linux's nfsd as "
                          "in the captures.",
                          UintegerValue(262144),
                          MakeUintegerAccessor(&Nfs3Server::SetMaxTransferSize,
                                               &Nfs3Server::GetMaxTransferSize),
                          MakeUintegerChecker<uint32_t>(1024))
            .AddAttribute(
                "BootVerifier",
                "Verifier of WRITE and COMMIT, another one after each start of the "
                "server.",
                UintegerValue(1),
                MakeUintegerAccessor(&Nfs3Server::SetBootVerifier, &Nfs3Server::GetBootVerifier),
                MakeUintegerChecker<uint64_t>())
            .AddTraceSource("Served",
                            "A procedure is answered: procedure, status, time since dispatch.",
                            MakeTraceSourceAccessor(&Nfs3Server::m_servedTrace),
                            "ns3::nfsrdma::Nfs3Server::ServedTracedCallback");
    return tid;
}

Nfs3Server::Nfs3Server() = default;
Nfs3Server::~Nfs3Server() = default;

void
Nfs3Server::DoDispose()
{
    m_store = nullptr;
    m_storage = nullptr;
    m_memory = nullptr;
    m_guard = nullptr;
    RpcProgram::DoDispose();
}

void
Nfs3Server::SetFileStore(Ptr<FileStore> store)
{
    m_store = store;
}

void
Nfs3Server::SetStorage(Ptr<ServerStorage> storage)
{
    m_storage = storage;
}

void
Nfs3Server::SetStorageModel(Ptr<StorageModel> device)
{
    m_storage = CreateObject<ServerStorage>();
    m_storage->SetDevice(device);
}

void
Nfs3Server::SetHostMemory(Ptr<HostMemory> memory)
{
    m_memory = memory;
}

void
Nfs3Server::SetDelegationGuard(DelegationGuard* guard)
{
    m_guard = guard;
}

Ptr<FileStore>
Nfs3Server::GetFileStore() const
{
    return m_store;
}

Ptr<ServerStorage>
Nfs3Server::GetStorage() const
{
    return m_storage;
}

uint32_t
Nfs3Server::GetProgram() const
{
    return NFS_PROGRAM;
}

uint32_t
Nfs3Server::GetVersion() const
{
    return NFS_V3;
}

RpcMessageLimits
Nfs3Server::GetMessageLimits() const
{
    const uint64_t octets = uint64_t{m_limits.maxTransferSize} + HostMemory::PAGE_SIZE;
    return {octets, octets};
}

bool
Nfs3Server::IsIdempotent(uint32_t procedure) const
{
    switch (static_cast<Nfs3Procedure>(procedure))
    {
    case Nfs3Procedure::SETATTR:
    case Nfs3Procedure::WRITE:
    case Nfs3Procedure::CREATE:
    case Nfs3Procedure::MKDIR:
    case Nfs3Procedure::SYMLINK:
    case Nfs3Procedure::MKNOD:
    case Nfs3Procedure::REMOVE:
    case Nfs3Procedure::RMDIR:
    case Nfs3Procedure::RENAME:
    case Nfs3Procedure::LINK:
        return false;
    default:
        return true;
    }
}

void
Nfs3Server::SetBootVerifier(uint64_t verifier)
{
    boost::endian::store_big_u64(m_limits.writeVerifier.data(), verifier);
}

uint64_t
Nfs3Server::GetBootVerifier() const
{
    return boost::endian::load_big_u64(m_limits.writeVerifier.data());
}

void
Nfs3Server::Restart()
{
    SetBootVerifier(GetBootVerifier() + 1);
    if (m_storage)
    {
        m_storage->Restart();
    }
}

void
Nfs3Server::SetMaxTransferSize(uint32_t octets)
{
    m_limits.maxTransferSize = octets;
}

uint32_t
Nfs3Server::GetMaxTransferSize() const
{
    return m_limits.maxTransferSize;
}

uint64_t
Nfs3Server::GetCalls(Nfs3Procedure procedure) const
{
    return m_calls.at(static_cast<uint32_t>(procedure));
}

uint64_t
Nfs3Server::GetGarbageCalls() const
{
    return m_garbageCalls;
}

void
Nfs3Server::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    Start(call, std::move(done), false);
}

void
Nfs3Server::Start(const std::shared_ptr<RpcServerCall>& call, Done done, bool waited)
{
    if (call->header.procedure >= NFS3_PROCEDURES)
    {
        Refuse(RpcAcceptStatus::PROC_UNAVAIL, done);
        return;
    }
    const auto procedure = static_cast<Nfs3Procedure>(call->header.procedure);
    const ByteSpan octets(call->message.octets);
    Request request{*call,
                    XdrReader(octets.subspan(call->argumentsPosition)),
                    FileCredential::FromCall(call->header)};
    auto answer = Carry(procedure, request);
    if (!answer)
    {
        NS_LOG_LOGIC("garbage arguments of " << ToString(procedure));
        ++m_garbageCalls;
        Refuse(RpcAcceptStatus::GARBAGE_ARGS, done);
        return;
    }
    if (!answer->awaited.empty() && !waited && m_guard->GetReturnWait().IsStrictlyPositive())
    {
        m_guard->AwaitReturn(answer->awaited,
                             [self = Ptr<Nfs3Server>(this), call, done = std::move(done)] {
                                 self->Start(call, done, true);
                             });
        return;
    }
    ++m_calls.at(call->header.procedure);
    Finish(*call, std::move(*answer), std::move(done));
}

std::optional<Nfs3Server::Answer>
Nfs3Server::Carry(Nfs3Procedure procedure, Request& request) const
{
    switch (procedure)
    {
    case Nfs3Procedure::NULLPROC:
        return Serve<Null3Args>(request);
    case Nfs3Procedure::GETATTR:
        return Serve<Getattr3Args>(request);
    case Nfs3Procedure::SETATTR:
        return Serve<Setattr3Args>(request);
    case Nfs3Procedure::LOOKUP:
        return Serve<Lookup3Args>(request);
    case Nfs3Procedure::ACCESS:
        return Serve<Access3Args>(request);
    case Nfs3Procedure::READLINK:
        return Serve<Readlink3Args>(request);
    case Nfs3Procedure::READ:
        return Serve<Read3Args>(request);
    case Nfs3Procedure::WRITE:
        return Serve<Write3Args>(request);
    case Nfs3Procedure::CREATE:
        return Serve<Create3Args>(request);
    case Nfs3Procedure::MKDIR:
        return Serve<Mkdir3Args>(request);
    case Nfs3Procedure::SYMLINK:
        return Serve<Symlink3Args>(request);
    case Nfs3Procedure::MKNOD:
        return Serve<Mknod3Args>(request);
    case Nfs3Procedure::REMOVE:
        return Serve<Remove3Args>(request);
    case Nfs3Procedure::RMDIR:
        return Serve<Rmdir3Args>(request);
    case Nfs3Procedure::RENAME:
        return Serve<Rename3Args>(request);
    case Nfs3Procedure::LINK:
        return Serve<Link3Args>(request);
    case Nfs3Procedure::READDIR:
        return Serve<Readdir3Args>(request);
    case Nfs3Procedure::READDIRPLUS:
        return Serve<Readdirplus3Args>(request);
    case Nfs3Procedure::FSSTAT:
        return Serve<Fsstat3Args>(request);
    case Nfs3Procedure::FSINFO:
        return Serve<Fsinfo3Args>(request);
    case Nfs3Procedure::PATHCONF:
        return Serve<Pathconf3Args>(request);
    case Nfs3Procedure::COMMIT:
        return Serve<Commit3Args>(request);
    }
    return std::nullopt;
}

template <typename Args>
std::optional<Nfs3Server::Answer>
Nfs3Server::Break(const Args& args) const
{
    auto awaited =
        BreakConflicts(m_guard, [this, &args] { return FindNfs3Conflicts(*m_store, args); });
    if (!awaited)
    {
        return std::nullopt;
    }
    Answer answer;
    answer.awaited = std::move(*awaited);
    const auto results = MakeNfs3Jukebox(*m_store, args);
    answer.status = results.status;
    XdrWriter writer;
    EncodeXdr(writer, results);
    answer.results.octets = writer.Take();
    return answer;
}

template <typename Args>
std::optional<Nfs3Server::Answer>
Nfs3Server::Serve(Request& request) const
{
    const RpcReceivedMessage& message = request.call.message;
    const bool reduced = !message.items.empty();
    const auto args = DecodeXdr<Args>(request.reader, reduced);
    if (!args || !IsSound(*args))
    {
        return std::nullopt;
    }
    Nfs3Item item;
    if (reduced)
    {
        if constexpr (TAKES_ITEM<Args>)
        {
            const auto position = request.call.argumentsPosition + request.reader.Position();
            const RpcReceivedItem& received = message.items.front();
            if (message.items.size() != 1 || received.position != position ||
                GetItem(*args).length > received.length)
            {
                return std::nullopt;
            }
            item = {received.owner, received.address};
        }
        else
        {
            return std::nullopt;
        }
    }

    if (auto delayed = Break(*args))
    {
        return delayed;
    }
    Nfs3Procedures procedures(*m_store, m_limits, request.who);
    typename Args::Result results;
    if constexpr (GIVES_ITEM<Args>)
    {
        results = procedures.Run(*args, m_memory, item);
    }
    else if constexpr (TAKES_ITEM<Args>)
    {
        results = procedures.Run(*args, item);
    }
    else
    {
        results = procedures.Run(*args);
    }

    NS_LOG_LOGIC(ToString(Args::PROCEDURE) << " " << ToText(*args) << " -> " << ToText(results));
    Answer answer;
    answer.status = results.status;
    XdrWriter writer;
    EncodeXdr(writer, results);
    answer.results.octets = writer.Take();
    if constexpr (GIVES_ITEM<Args>)
    {
        if (item.owner)
        {
            answer.results.items.push_back({item.address,
                                            GetItem(results).length,
                                            true,
                                            static_cast<uint32_t>(answer.results.octets.size()),
                                            item.owner});
        }
    }
    answer.free = std::is_same_v<Args, Null3Args>;
    if (results.status == Nfs3Status::OK)
    {
        answer.task.work = GetWork<Args>();
        if constexpr (TOUCHES_DATA<Args>)
        {
            answer.task.file = *m_store->Resolve(args->file);
            answer.task.offset = args->offset;
            answer.task.octets = GetCount(*args, results);
        }
        if constexpr (std::is_same_v<Args, Write3Args>)
        {
            answer.task.work =
                args->stable == StableHow::UNSTABLE ? StorageWork::WRITE : StorageWork::WRITE_SYNC;
        }
    }
    return answer;
}

void
Nfs3Server::Refuse(RpcAcceptStatus status, const Done& done)
{
    RpcServerReply reply;
    reply.status = status;
    done(std::move(reply));
}

void
Nfs3Server::Finish(const RpcServerCall& call, Answer&& answer, Done&& done)
{
    const auto procedure = static_cast<Nfs3Procedure>(call.header.procedure);
    auto held = std::make_shared<Answer>(std::move(answer));
    auto leave = [self = Ptr<Nfs3Server>(this),
                  procedure,
                  held,
                  started = Simulator::Now(),
                  done = std::move(done)] {
        self->m_servedTrace(procedure, held->status, Simulator::Now() - started);
        RpcServerReply reply;
        reply.results = std::move(held->results);
        done(std::move(reply));
    };
    if (held->free || !m_storage)
    {
        leave();
        return;
    }
    m_storage->Do(held->task, RpcServiceTimes::Around(call.message.times, std::move(leave)));
}

} // namespace ns3::nfsrdma
