/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/server3.h"

#include "nfs/types/xdr-text.h"
#include "nfs/v3/conflicts3.h"
#include "nfs/v3/jukebox.h"
#include "rpc/service-times.h"

#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <boost/endian/conversion.hpp>
#include <type_traits>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaNfs3Server");

NS_OBJECT_ENSURE_REGISTERED(Nfs3Server);

namespace
{

template <typename Args>
constexpr bool TAKES_ITEM = std::is_same_v<Args, Write3Args> || std::is_same_v<Args, Symlink3Args>;

template <typename Args>
constexpr bool GIVES_ITEM = std::is_same_v<Args, Read3Args> || std::is_same_v<Args, Readlink3Args>;

constexpr bool
ChangesMetadata(Nfs3Procedure procedure)
{
    switch (procedure)
    {
    case Nfs3Procedure::SETATTR:
    case Nfs3Procedure::CREATE:
    case Nfs3Procedure::MKDIR:
    case Nfs3Procedure::SYMLINK:
    case Nfs3Procedure::MKNOD:
    case Nfs3Procedure::REMOVE:
    case Nfs3Procedure::RMDIR:
    case Nfs3Procedure::RENAME:
    case Nfs3Procedure::LINK:
        return true;
    default:
        return false;
    }
}

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
    return ChangesMetadata(Args::PROCEDURE) ? StorageWork::METADATA_CHANGE : StorageWork::METADATA;
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

void
Nfs3Server::SetStorageModel(Ptr<StorageModel> device)
{
    m_storage = CreateObject<ServerStorage>();
    m_storage->SetDevice(device);
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
    const auto number = static_cast<Nfs3Procedure>(procedure);
    return number != Nfs3Procedure::WRITE && !ChangesMetadata(number);
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

Nfs3Server::Carried
Nfs3Server::Carry(const RpcServerCall& call) const
{
    return Select(call, OfNfs3Args<ProcedureList>(), [this, &call](auto procedure) {
        return Serve<typename decltype(procedure)::Type>(call);
    });
}

template <typename Args>
Nfs3Server::Carried
Nfs3Server::Serve(const RpcServerCall& call) const
{
    const RpcReceivedMessage& message = call.message;
    const bool reduced = !message.items.empty();
    XdrReader reader(ByteSpan(message.octets).subspan(call.argumentsPosition));
    const auto args = DecodeXdr<Args>(reader, reduced);
    if (!args || !IsSound(*args) || (reduced && !TAKES_ITEM<Args>))
    {
        return std::nullopt;
    }
    Nfs3Item item;
    if constexpr (TAKES_ITEM<Args>)
    {
        if (reduced)
        {
            const auto taken = TakeItem(message,
                                        call.argumentsPosition + reader.Position(),
                                        GetItem(*args).length);
            if (!taken)
            {
                return std::nullopt;
            }
            item = *taken;
        }
    }
    if constexpr (!std::is_same_v<Args, Null3Args>)
    {
        if (auto refused = TakeOrder<typename Args::Result>(call))
        {
            return refused;
        }
    }
    if (auto delayed = Break([this, &args] { return FindNfs3Conflicts(*m_store, *args); },
                             [this, &args] { return MakeNfs3Jukebox(*m_store, *args); }))
    {
        return delayed;
    }
    const FileCredential who = FileCredential::FromCall(call.header);
    Nfs3Procedures procedures(*m_store, m_limits, who);
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
    answer.Encode(results);
    if constexpr (GIVES_ITEM<Args>)
    {
        answer.Give(item, GetItem(results).length);
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

} // namespace ns3::nfsrdma
