/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/client2.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <memory>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs2Client);

namespace
{

template <typename Results>
Results
TakeResults(RpcRecord& record, Decoded<Results>&& decoded)
{
    Results results;
    if (decoded)
    {
        results = std::move(*decoded);
        record.programStatus = static_cast<uint32_t>(results.status);
    }
    else
    {
        record.outcome = RpcOutcome::BAD_REPLY;
    }
    return results;
}

template <typename Args>
RpcArguments
EncodeWithItem(const Args& args, uint64_t address, uint32_t length, uint32_t offset)
{
    XdrWriter writer;
    EncodeXdr(writer, args);
    RpcArguments arguments;
    arguments.octets = writer.Take();
    if (length > 0)
    {
        arguments.items.push_back({address, length, true, offset, nullptr});
    }
    return arguments;
}

template <typename Args>
RpcArguments
EncodePlain(const Args& args)
{
    return EncodeWithItem(args, 0, 0, 0);
}

} // namespace

TypeId
Nfs2Client::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::Nfs2Client")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<Nfs2Client>()
                            .AddAttribute("ReduceReadlink",
                                          "Let a Write chunk carry READLINK's path (RFC 8267). "
                                          "Default: no, as Linux.",
                                          BooleanValue(false),
                                          MakeBooleanAccessor(&Nfs2Client::SetReduceReadlink,
                                                              &Nfs2Client::IsReduceReadlink),
                                          MakeBooleanChecker());
    return tid;
}

void
Nfs2Client::DoDispose()
{
    m_client = nullptr;
    m_memory = nullptr;
    Object::DoDispose();
}

void
Nfs2Client::SetRpcClient(Ptr<RpcClient> client)
{
    m_client = client;
    m_client->SetProgram(NFS_PROGRAM, NFS_V2);
}

uint32_t
Nfs2Client::Read(const Read2Args& args, uint64_t address, StubCompletion<Read2Res> completion)
{
    RpcReplyEstimate estimate = EstimateNfs2Reply(Nfs2Procedure::READ, args.count);
    estimate.items.front().address = address;
    return m_client->Call(
        Nfs2Read::NUMBER,
        EncodePlain(args),
        std::move(estimate),
        [self = Ptr<Nfs2Client>(this),
         memory = m_memory,
         address,
         asked = args.count,
         completion = Count(std::move(completion))](RpcRecord& record,
                                                    const RpcReceivedMessage& message,
                                                    XdrReader& reader) {
            Read2Res results;
            if (record.outcome == RpcOutcome::SUCCESS)
            {
                const bool reduced = message.IsReduced(0);
                results = TakeResults(record, DecodeXdr<Read2Res>(reader, reduced));
                if (results.data.length > asked ||
                    (reduced && message.items.front().length < results.data.length))
                {
                    record.outcome = RpcOutcome::BAD_REPLY;
                }
                else if (!reduced && results.data.length > 0)
                {
                    memory->Write(address, results.data.octets);
                }
                if (record.outcome == RpcOutcome::SUCCESS)
                {
                    self->m_bytesRead += results.data.length;
                }
            }
            completion(record, results);
        });
}

uint32_t
Nfs2Client::Readlink(const Handle2Args& args, StubCompletion<Readlink2Res> completion)
{
    RpcReplyEstimate estimate =
        EstimateNfs2Reply(Nfs2Procedure::READLINK, NFS2_MAXPATHLEN, m_reduceReadlink);
    const auto page = std::make_shared<HostBuffer>(m_memory, NFS2_MAXPATHLEN);
    estimate.items.front().address = page->GetAddress();
    estimate.items.front().owner = page;
    return m_client->Call(
        Nfs2Readlink::NUMBER,
        EncodePlain(args),
        std::move(estimate),
        [page, completion = Count(std::move(completion))](RpcRecord& record,
                                                          const RpcReceivedMessage& message,
                                                          XdrReader& reader) {
            Readlink2Res results;
            ByteVector path;
            if (record.outcome == RpcOutcome::SUCCESS)
            {
                const bool reduced = message.IsReduced(0);
                results = TakeResults(record, DecodeXdr<Readlink2Res>(reader, reduced));
                if (results.path.reduced && message.items.front().length < results.path.length)
                {
                    record.outcome = RpcOutcome::BAD_REPLY;
                }
                else if (results.path.reduced)
                {
                    path.resize(results.path.length);
                    page->Read(0, path);
                    results.path = Nfs3Data(path);
                }
            }
            completion(record, results);
        });
}

uint32_t
Nfs2Client::Write(const Write2Args& args, uint64_t address, StubCompletion<Attr2Res> completion)
{
    Write2Args sent = args;
    sent.data = Nfs3Data::Reduced(args.data.length);
    RpcArguments arguments = EncodePlain(sent);
    if (args.data.length > 0)
    {
        const auto offset = static_cast<uint32_t>(arguments.octets.size());
        arguments.items.push_back({address, args.data.length, true, offset, nullptr});
    }
    return m_client->Call(Nfs2Write::NUMBER,
                          std::move(arguments),
                          EstimateNfs2Reply(Nfs2Procedure::WRITE),
                          [self = Ptr<Nfs2Client>(this),
                           sent = args.data.length,
                           completion = Count(std::move(completion))](RpcRecord& record,
                                                                      const RpcReceivedMessage&,
                                                                      XdrReader& reader) {
                              Attr2Res results;
                              if (record.outcome == RpcOutcome::SUCCESS)
                              {
                                  results = TakeResults(record, DecodeXdr<Attr2Res>(reader));
                                  self->m_bytesWritten +=
                                      results.status == Nfs2Status::OK ? sent : 0;
                              }
                              completion(record, results);
                          });
}

uint32_t
Nfs2Client::Symlink(const Symlink2Args& args,
                    uint64_t address,
                    StubCompletion<Status2Res> completion)
{
    Symlink2Args sent = args;
    sent.path = Nfs3Data::Reduced(args.path.length);
    return m_client->Call(Nfs2Symlink::NUMBER,
                          EncodeWithItem(sent, address, args.path.length, sent.GetPathOffset()),
                          EstimateNfs2Reply(Nfs2Procedure::SYMLINK),
                          [completion = Count(std::move(completion))](RpcRecord& record,
                                                                      const RpcReceivedMessage&,
                                                                      XdrReader& reader) {
                              completion(record,
                                         record.outcome == RpcOutcome::SUCCESS
                                             ? TakeResults(record, DecodeXdr<Status2Res>(reader))
                                             : Status2Res());
                          });
}

uint32_t
Nfs2Client::Readdir(const Readdir2Args& args, StubCompletion<Readdir2Res> completion)
{
    RpcReplyEstimate estimate = EstimateNfs2Reply(Nfs2Procedure::READDIR, args.count);
    const auto pages = std::make_shared<HostBuffer>(m_memory, estimate.items.front().maximum);
    estimate.items.front().address = pages->GetAddress();
    estimate.items.front().owner = pages;
    return m_client->Call(
        Nfs2Readdir::NUMBER,
        EncodePlain(args),
        std::move(estimate),
        [pages, completion = Count(std::move(completion))](RpcRecord& record,
                                                           const RpcReceivedMessage&,
                                                           XdrReader& reader) {
            completion(record,
                       record.outcome == RpcOutcome::SUCCESS
                           ? TakeResults(record, DecodeXdr<Readdir2Res>(reader))
                           : Readdir2Res());
        });
}

} // namespace ns3::nfsrdma
