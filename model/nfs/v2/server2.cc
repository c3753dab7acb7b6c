/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/server2.h"

#include "nfs/types/xdr-text.h"
#include "nfs/v2/conflicts2.h"
#include "rpc/service-times.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <type_traits>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaNfs2Server");

NS_OBJECT_ENSURE_REGISTERED(Nfs2Server);

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

void
Nfs2Server::SetFileStore(Ptr<FileStore> store)
{
    FileProgram::SetFileStore(store);
    m_sizes = Nfs2HandleSizes::Of(*store);
    NS_ABORT_MSG_UNLESS(m_sizes.Fit(),
                        "NFS version 2 has handles of 32 octets; FileStore's RootHandleOctets is "
                            << m_sizes.root << ", HandleOctets " << m_sizes.other);
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

Nfs2Server::Carried
Nfs2Server::Carry(const RpcServerCall& call) const
{
    return Select(call, OfNfs2Procedures<ProcedureList>(), [this, &call](auto procedure) {
        return Serve<typename decltype(procedure)::Type>(call);
    });
}

template <typename Procedure>
Nfs2Server::Carried
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
            const auto position = call.argumentsPosition +
                                  GetItemOffset(*args, static_cast<uint32_t>(reader.Position()));
            const auto taken = TakeItem(message, position, GetItemLength(*args));
            if (!taken)
            {
                return std::nullopt;
            }
            item = *taken;
        }
    }

    if constexpr (HasStatus<typename Procedure::Results>::value)
    {
        if (auto refused = TakeOrder<typename Procedure::Results>(call))
        {
            return refused;
        }
    }
    if (auto delayed = Break(
            [this, &args] { return FindNfs2Conflicts(Procedure(), *m_store, m_sizes, *args); },
            [] { return Status2Res{Nfs2Status::JUKEBOX}; }))
    {
        delayed->dropped = std::is_same_v<Procedure, Nfs2Write>;
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
    answer.Encode(results);
    answer.free = !HasStatus<typename Procedure::Results>::value;
    if constexpr (HasStatus<typename Procedure::Results>::value)
    {
        answer.status = results.status;
    }
    if constexpr (GIVES_ITEM_V2<Procedure>)
    {
        if (results.status == Nfs2Status::OK)
        {
            answer.Give(item, GetItemLength(results));
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
