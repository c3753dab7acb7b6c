/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/client3.h"

#include "nfs/v3/reply-size3.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs3Client);

namespace
{

/// Linux offers one page for READLINK's path.
constexpr uint32_t READLINK_ROOM = 4096;

template <typename Result>
Result
TakeResult(RpcRecord& record, Decoded<Result>&& decoded)
{
    Result result;
    if (decoded)
    {
        result = std::move(*decoded);
        record.programStatus = static_cast<uint32_t>(result.status);
    }
    else
    {
        record.outcome = RpcOutcome::BAD_REPLY;
        result.status = Nfs3Status::SERVERFAULT;
    }
    return result;
}

template <typename Result>
Result
MakeFailure()
{
    Result result;
    result.status = Nfs3Status::SERVERFAULT;
    return result;
}

template <typename Args>
ByteVector
EncodeArguments(const Args& args)
{
    XdrWriter writer;
    EncodeXdr(writer, args);
    return writer.Take();
}

} // namespace

TypeId
Nfs3Client::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::Nfs3Client")
            .SetParent<Nfs3Calls>()
            .SetGroupName("NfsRdma")
            .AddConstructor<Nfs3Client>()
            .AddAttribute("ReduceReadlink",
                          "Whether READLINK's path may come by Write chunk, as RFC 8267 section 4 "
                          "allows. Default: no, as Linux's client, which offers a Reply chunk.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Nfs3Client::m_reduceReadlink),
                          MakeBooleanChecker())
            .AddAttribute(
                "JukeboxDelay",
                "Time before a call that was answered JUKEBOX is made again, with another "
                "XID (Time; 0: it is not). Default: 5 s, NFS_JUKEBOX_RETRY_TIME of Linux "
                "(include/linux/nfs_fs.h), whose client does so with every procedure "
                "(nfs3_rpc_wrapper(), nfs3_async_handle_jukebox()).",
                TimeValue(Seconds(5)),
                MakeTimeAccessor(&Nfs3Client::m_jukeboxDelay),
                MakeTimeChecker(Time(0)))
            .AddTraceSource("ShortData",
                            "A READ reply's data are not what its count says.",
                            MakeTraceSourceAccessor(&Nfs3Client::m_shortDataTrace),
                            "ns3::nfsrdma::Nfs3Client::ShortDataTracedCallback");
    return tid;
}

Nfs3Client::Nfs3Client() = default;
Nfs3Client::~Nfs3Client() = default;

void
Nfs3Client::DoDispose()
{
    m_client = nullptr;
    m_memory = nullptr;
    Nfs3Calls::DoDispose();
}

void
Nfs3Client::SetRpcClient(Ptr<RpcClient> client)
{
    m_client = client;
    m_client->SetProgram(NFS_PROGRAM, NFS_V3);
}

Ptr<RpcClient>
Nfs3Client::GetRpcClient() const
{
    return m_client;
}

void
Nfs3Client::SetHostMemory(Ptr<HostMemory> memory)
{
    m_memory = memory;
}

uint64_t
Nfs3Client::GetBytesRead() const
{
    return m_bytesRead;
}

uint64_t
Nfs3Client::GetBytesWritten() const
{
    return m_bytesWritten;
}

uint32_t
Nfs3Client::GetPending() const
{
    return m_pending;
}

uint64_t
Nfs3Client::GetJukeboxes() const
{
    return m_jukeboxes;
}

template <typename Result>
uint32_t
Nfs3Client::Call(Nfs3Procedure procedure,
                 RpcArguments&& arguments,
                 RpcReplyEstimate&& estimate,
                 Interpreter<Result> interpret,
                 Nfs3Completion<Result> completion)
{
    ++m_pending;
    return Send(std::make_shared<const Request<Result>>(Request<Result>{procedure,
                                                                        std::move(arguments),
                                                                        std::move(estimate),
                                                                        std::move(interpret),
                                                                        std::move(completion)}));
}

template <typename Result>
uint32_t
Nfs3Client::Send(std::shared_ptr<const Request<Result>> request)
{
    return m_client->Call(
        static_cast<uint32_t>(request->procedure),
        RpcArguments(request->arguments),
        request->estimate,
        [self = Ptr<Nfs3Client>(this),
         request](RpcRecord& record, const RpcReceivedMessage& message, XdrReader& reader) {
            const Result result = record.outcome == RpcOutcome::SUCCESS
                                      ? request->interpret(record, message, reader)
                                      : MakeFailure<Result>();
            if (result.status == Nfs3Status::JUKEBOX && self->m_jukeboxDelay.IsStrictlyPositive())
            {
                self->SendLater(request);
                return;
            }
            --self->m_pending;
            if (request->completion)
            {
                request->completion(record, result);
            }
        });
}

template <typename Result>
void
Nfs3Client::SendLater(std::shared_ptr<const Request<Result>> request)
{
    ++m_jukeboxes;
    Simulator::Schedule(m_jukeboxDelay, [self = Ptr<Nfs3Client>(this), request] {
        if (self->m_client != nullptr)
        {
            self->Send(request);
        }
    });
}

template <typename Args>
uint32_t
Nfs3Client::Submit(const Args& args, Nfs3Completion<typename Args::Result> completion)
{
    using Result = typename Args::Result;
    RpcArguments arguments;
    arguments.octets = EncodeArguments(args);
    return Call<Result>(
        Args::PROCEDURE,
        std::move(arguments),
        EstimateNfs3Reply(Args::PROCEDURE),
        [](RpcRecord& record, const RpcReceivedMessage& /* message */, XdrReader& reader) {
            return TakeResult(record, DecodeXdr<Result>(reader));
        },
        std::move(completion));
}

template <typename Args>
uint32_t
Nfs3Client::SubmitWithPages(const Args& args,
                            uint32_t room,
                            Nfs3Completion<typename Args::Result> completion)
{
    using Result = typename Args::Result;
    RpcArguments arguments;
    arguments.octets = EncodeArguments(args);
    RpcReplyEstimate estimate = EstimateNfs3Reply(Args::PROCEDURE, room);
    const auto pages = std::make_shared<HostBuffer>(m_memory, std::max(room, 1U));
    estimate.items.front().address = pages->GetAddress();
    estimate.items.front().owner = pages;
    return Call<Result>(
        Args::PROCEDURE,
        std::move(arguments),
        std::move(estimate),
        [pages](RpcRecord& record, const RpcReceivedMessage& /* message */, XdrReader& reader) {
            return TakeResult(record, DecodeXdr<Result>(reader));
        },
        std::move(completion));
}

uint32_t
Nfs3Client::Readlink(const Readlink3Args& args, Nfs3Completion<Readlink3Res> completion)
{
    RpcArguments arguments;
    arguments.octets = EncodeArguments(args);
    RpcReplyEstimate estimate =
        EstimateNfs3Reply(Readlink3Args::PROCEDURE, READLINK_ROOM, m_reduceReadlink);
    const auto page = std::make_shared<HostBuffer>(m_memory, READLINK_ROOM);
    estimate.items.front().address = page->GetAddress();
    estimate.items.front().owner = page;
    const auto path = std::make_shared<ByteVector>();
    return Call<Readlink3Res>(
        Readlink3Args::PROCEDURE,
        std::move(arguments),
        std::move(estimate),
        [page, path](RpcRecord& record, const RpcReceivedMessage& message, XdrReader& reader) {
            Readlink3Res result =
                TakeResult(record, DecodeXdr<Readlink3Res>(reader, message.IsReduced(0)));
            if (result.status != Nfs3Status::OK || !result.path.reduced)
            {
                return result;
            }
            if (message.items.front().length < result.path.length)
            {
                record.outcome = RpcOutcome::BAD_REPLY;
                return MakeFailure<Readlink3Res>();
            }
            path->resize(result.path.length);
            page->Read(0, *path);
            result.path = Nfs3Data(*path);
            return result;
        },
        std::move(completion));
}

uint32_t
Nfs3Client::Read(const Read3Args& args, uint64_t address, Nfs3Completion<Read3Res> completion)
{
    RpcArguments arguments;
    arguments.octets = EncodeArguments(args);
    RpcReplyEstimate estimate = EstimateNfs3Reply(Read3Args::PROCEDURE, args.count);
    estimate.items.front().address = address;
    return Call<Read3Res>(
        Read3Args::PROCEDURE,
        std::move(arguments),
        std::move(estimate),
        [this, address, asked = args.count](RpcRecord& record,
                                            const RpcReceivedMessage& message,
                                            XdrReader& reader) {
            return InterpretRead(record, message, reader, address, asked);
        },
        std::move(completion));
}

Read3Res
Nfs3Client::InterpretRead(RpcRecord& record,
                          const RpcReceivedMessage& message,
                          XdrReader& reader,
                          uint64_t address,
                          uint32_t asked)
{
    Read3Res result = TakeResult(record, DecodeXdr<Read3Res>(reader, message.IsReduced(0)));
    if (record.outcome != RpcOutcome::SUCCESS || result.status != Nfs3Status::OK)
    {
        return result;
    }
    if (result.data.length != result.count || result.count > asked)
    {
        m_shortDataTrace(record.xid);
        record.outcome = RpcOutcome::BAD_REPLY;
        return MakeFailure<Read3Res>();
    }
    if (!result.data.reduced)
    {
        m_memory->Write(address, result.data.octets);
    }
    else if (message.items.front().length < result.count)
    {
        m_shortDataTrace(record.xid);
        result.count = message.items.front().length;
        result.eof = false;
    }
    m_bytesRead += result.count;
    return result;
}

uint32_t
Nfs3Client::Write(const Write3Args& args, uint64_t address, Nfs3Completion<Write3Res> completion)
{
    Write3Args sent = args;
    sent.data = Nfs3Data::Reduced(args.count);
    RpcArguments arguments;
    arguments.octets = EncodeArguments(sent);
    if (args.count != 0)
    {
        arguments.items.push_back(
            {address, args.count, true, static_cast<uint32_t>(arguments.octets.size()), nullptr});
    }
    return Call<Write3Res>(
        Write3Args::PROCEDURE,
        std::move(arguments),
        EstimateNfs3Reply(Write3Args::PROCEDURE),
        [this](RpcRecord& record, const RpcReceivedMessage& /* message */, XdrReader& reader) {
            Write3Res result = TakeResult(record, DecodeXdr<Write3Res>(reader));
            if (record.outcome == RpcOutcome::SUCCESS && result.status == Nfs3Status::OK)
            {
                m_bytesWritten += result.count;
            }
            return result;
        },
        std::move(completion));
}

uint32_t
Nfs3Client::Symlink(const Symlink3Args& args, Nfs3Completion<Symlink3Res> completion)
{
    Symlink3Args sent = args;
    sent.path = Nfs3Data::Reduced(args.path.length);
    RpcArguments arguments;
    arguments.octets = EncodeArguments(sent);
    const auto page = std::make_shared<HostBuffer>(m_memory, std::max(args.path.length, 1U));
    if (args.path.length != 0)
    {
        page->Write(0, args.path.octets);
        arguments.items.push_back({page->GetAddress(),
                                   args.path.length,
                                   true,
                                   static_cast<uint32_t>(arguments.octets.size()),
                                   page});
    }
    return Call<Symlink3Res>(
        Symlink3Args::PROCEDURE,
        std::move(arguments),
        EstimateNfs3Reply(Symlink3Args::PROCEDURE),
        [page](RpcRecord& record, const RpcReceivedMessage& /* message */, XdrReader& reader) {
            return TakeResult(record, DecodeXdr<Symlink3Res>(reader));
        },
        std::move(completion));
}

uint32_t
Nfs3Client::Readdir(const Readdir3Args& args, Nfs3Completion<Readdir3Res> completion)
{
    return SubmitWithPages(args, args.count, std::move(completion));
}

uint32_t
Nfs3Client::Readdirplus(const Readdirplus3Args& args, Nfs3Completion<Readdirplus3Res> completion)
{
    return SubmitWithPages(args, args.maxcount, std::move(completion));
}

uint32_t
Nfs3Client::Null(Nfs3Completion<Null3Res> completion)
{
    return Submit(Null3Args(), std::move(completion));
}

uint32_t
Nfs3Client::Getattr(const Getattr3Args& args, Nfs3Completion<Getattr3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Setattr(const Setattr3Args& args, Nfs3Completion<Setattr3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Lookup(const Lookup3Args& args, Nfs3Completion<Lookup3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Access(const Access3Args& args, Nfs3Completion<Access3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Create(const Create3Args& args, Nfs3Completion<Create3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Mkdir(const Mkdir3Args& args, Nfs3Completion<Mkdir3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Mknod(const Mknod3Args& args, Nfs3Completion<Mknod3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Remove(const Remove3Args& args, Nfs3Completion<Remove3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Rmdir(const Rmdir3Args& args, Nfs3Completion<Rmdir3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Rename(const Rename3Args& args, Nfs3Completion<Rename3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Link(const Link3Args& args, Nfs3Completion<Link3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Fsstat(const Fsstat3Args& args, Nfs3Completion<Fsstat3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Fsinfo(const Fsinfo3Args& args, Nfs3Completion<Fsinfo3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Pathconf(const Pathconf3Args& args, Nfs3Completion<Pathconf3Res> completion)
{
    return Submit(args, std::move(completion));
}

uint32_t
Nfs3Client::Commit(const Commit3Args& args, Nfs3Completion<Commit3Res> completion)
{
    return Submit(args, std::move(completion));
}

} // namespace ns3::nfsrdma
