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
MakeFailure()
{
    Result result;
    result.status = Nfs3Status::SERVERFAULT;
    return result;
}

template <typename Result>
Result
TakeResult(RpcRecord& record, Decoded<Result>&& decoded)
{
    if (!decoded)
    {
        record.outcome = RpcOutcome::BAD_REPLY;
        return MakeFailure<Result>();
    }
    record.programStatus = static_cast<uint32_t>(decoded->status);
    return std::move(*decoded);
}

template <typename Args>
RpcArguments
MakeCallArguments(const Args& args)
{
    XdrWriter writer;
    EncodeXdr(writer, args);
    RpcArguments arguments;
    arguments.octets = writer.Take();
    return arguments;
}

/// \return the same with an item of \p length octets at \p address behind them.
template <typename Args>
RpcArguments
MakeCallArguments(const Args& args,
                  uint64_t address,
                  uint32_t length,
                  std::shared_ptr<HostBuffer> owner = nullptr)
{
    RpcArguments arguments = MakeCallArguments(args);
    const auto offset = static_cast<uint32_t>(arguments.octets.size());
    if (length != 0)
    {
        arguments.items.push_back({address, length, true, offset, std::move(owner)});
    }
    return arguments;
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

uint32_t
Nfs3Client::Start(Request&& request)
{
    return std::visit([this](auto& call) { return Submit(call); }, request);
}

template <typename Result>
uint32_t
Nfs3Client::Send(std::shared_ptr<const Pending<Result>> call)
{
    return m_client->Call(
        static_cast<uint32_t>(call->procedure),
        RpcArguments(call->arguments),
        call->estimate,
        [self = Ptr<Nfs3Client>(this),
         call](RpcRecord& record, const RpcReceivedMessage& message, XdrReader& reader) {
            const Result result = record.outcome == RpcOutcome::SUCCESS
                                      ? call->interpret(record, message, reader)
                                      : MakeFailure<Result>();
            if (result.status == Nfs3Status::JUKEBOX && self->m_jukeboxDelay.IsStrictlyPositive())
            {
                self->SendLater(call);
                return;
            }
            --self->m_pending;
            if (call->completion)
            {
                call->completion(record, result);
            }
        });
}

template <typename Result>
void
Nfs3Client::SendLater(std::shared_ptr<const Pending<Result>> call)
{
    ++m_jukeboxes;
    Simulator::Schedule(m_jukeboxDelay, [self = Ptr<Nfs3Client>(this), call] {
        if (self->m_client != nullptr)
        {
            self->Send(call);
        }
    });
}

template <typename Result>
Result
Nfs3Client::TakePlain(RpcRecord& record, const RpcReceivedMessage& /* message */, XdrReader& reader)
{
    return TakeResult(record, DecodeXdr<Result>(reader));
}

template <typename Args>
uint32_t
Nfs3Client::Submit(Nfs3Call<Args>& call,
                   RpcArguments&& arguments,
                   RpcReplyEstimate&& estimate,
                   Interpreter<typename Args::Result> interpret)
{
    using Call = Pending<typename Args::Result>;
    ++m_pending;
    return Send(std::make_shared<const Call>(Call{Args::PROCEDURE,
                                                  std::move(arguments),
                                                  std::move(estimate),
                                                  std::move(interpret),
                                                  std::move(call.completion)}));
}

template <typename Args>
uint32_t
Nfs3Client::Submit(Nfs3Call<Args>& call)
{
    return Submit(call, MakeCallArguments(call.args));
}

template <typename Args>
uint32_t
Nfs3Client::SubmitWithPages(Nfs3Call<Args>& call, uint32_t room)
{
    RpcReplyEstimate estimate = EstimateNfs3Reply(Args::PROCEDURE, room);
    const auto pages = std::make_shared<HostBuffer>(m_memory, std::max(room, 1U));
    estimate.items.front().address = pages->GetAddress();
    estimate.items.front().owner = pages;
    return Submit(call, MakeCallArguments(call.args), std::move(estimate));
}

uint32_t
Nfs3Client::Submit(Nfs3Call<Readlink3Args>& call)
{
    RpcReplyEstimate estimate =
        EstimateNfs3Reply(Nfs3Procedure::READLINK, READLINK_ROOM, m_reduceReadlink);
    const auto page = std::make_shared<HostBuffer>(m_memory, READLINK_ROOM);
    estimate.items.front().address = page->GetAddress();
    estimate.items.front().owner = page;
    const auto path = std::make_shared<ByteVector>();
    return Submit(
        call,
        MakeCallArguments(call.args),
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
        });
}

uint32_t
Nfs3Client::Submit(Nfs3Call<Read3Args>& call)
{
    const uint32_t asked = call.args.count;
    RpcReplyEstimate estimate = EstimateNfs3Reply(Nfs3Procedure::READ, asked);
    estimate.items.front().address = call.address;
    return Submit(call,
                  MakeCallArguments(call.args),
                  std::move(estimate),
                  [this, address = call.address, asked](RpcRecord& record,
                                                        const RpcReceivedMessage& message,
                                                        XdrReader& reader) {
                      return InterpretRead(record, message, reader, address, asked);
                  });
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
Nfs3Client::Submit(Nfs3Call<Write3Args>& call)
{
    call.args.data = Nfs3Data::Reduced(call.args.count);
    return Submit(
        call,
        MakeCallArguments(call.args, call.address, call.args.count),
        EstimateNfs3Reply(Nfs3Procedure::WRITE),
        [this](RpcRecord& record, const RpcReceivedMessage& /* message */, XdrReader& reader) {
            Write3Res result = TakeResult(record, DecodeXdr<Write3Res>(reader));
            if (record.outcome == RpcOutcome::SUCCESS && result.status == Nfs3Status::OK)
            {
                m_bytesWritten += result.count;
            }
            return result;
        });
}

uint32_t
Nfs3Client::Submit(Nfs3Call<Symlink3Args>& call)
{
    const ByteSpan octets = call.args.path.octets;
    const uint32_t length = call.args.path.length;
    call.args.path = Nfs3Data::Reduced(length);
    const auto page = std::make_shared<HostBuffer>(m_memory, std::max(length, 1U));
    page->Write(0, octets);
    return Submit(call, MakeCallArguments(call.args, page->GetAddress(), length, page));
}

} // namespace ns3::nfsrdma
