/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_NFS3_LOOP_H
#define NFSRDMA_TEST_NFS_NFS3_LOOP_H

#include "nfs/v3/client3.h"
#include "nfs/v3/server3.h"
#include "rpc/server.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

/// A transport without a network: hands calls to an RpcServer, with or without reduced items, and
/// checks that each reply fits the estimate its client made.
class LoopTransport : public RpcClientTransport
{
  public:
    LoopTransport(Ptr<RpcServer> server, Ptr<HostMemory> clientMemory, Ptr<HostMemory> serverMemory)
        : m_server(server),
          m_clientMemory(clientMemory),
          m_serverMemory(serverMemory)
    {
    }

    void SetReduction(bool calls, bool replies)
    {
        m_reduceCalls = calls;
        m_reduceReplies = replies;
    }

    /// Applied to each call's message before the server gets it.
    void SetCallFilter(std::function<void(RpcReceivedMessage&)> filter)
    {
        m_callFilter = std::move(filter);
    }

    /// Applied to each reply's message before the client gets it.
    void SetReplyFilter(std::function<void(RpcReceivedMessage&)> filter)
    {
        m_replyFilter = std::move(filter);
    }

    void Submit(std::unique_ptr<RpcTransportCall> call) override
    {
        ++m_pending;
        auto held = std::make_shared<std::unique_ptr<RpcTransportCall>>(std::move(call));
        RpcReceivedMessage message = MakeCall(**held);
        if (m_callFilter)
        {
            m_callFilter(message);
        }
        const bool taken =
            m_server->Receive(std::move(message),
                              [self = Ptr<LoopTransport>(this), held](RpcPayload&& reply) {
                                  self->Deliver(**held, std::move(reply));
                              });
        EXPECT_TRUE(taken);
    }

    uint32_t GetPending() const override
    {
        return m_pending;
    }

    std::vector<std::string> DescribeWaiting() const override
    {
        return {};
    }

    /// Octets of the last reply, un-reduced, RPC header included.
    uint32_t GetLastReplyLength() const
    {
        return m_lastReplyLength;
    }

    /// Octets of the last call, un-reduced, RPC header included.
    uint32_t GetLastCallLength() const
    {
        return m_lastCallLength;
    }

    const RpcReplyEstimate& GetLastEstimate() const
    {
        return m_lastEstimate;
    }

  private:
    RpcReceivedMessage MakeCall(const RpcTransportCall& call)
    {
        RpcReceivedMessage message;
        message.octets = call.call.octets;
        m_lastCallLength = call.call.GetLength();
        for (const RpcDataItem& item : call.call.items)
        {
            EXPECT_EQ(item.offset, call.call.octets.size());
            ByteVector data(item.length);
            m_clientMemory->Read(item.address, data);
            if (m_reduceCalls && item.ddpEligible)
            {
                const auto owner = std::make_shared<HostBuffer>(m_serverMemory, data.size());
                owner->Write(0, data);
                message.items.push_back({item.offset, owner->GetAddress(), item.length, owner});
            }
            else
            {
                data.resize(RoundUp4(data.size()));
                message.octets.insert(message.octets.end(), data.begin(), data.end());
            }
        }
        return message;
    }

    void Deliver(RpcTransportCall& call, RpcPayload&& reply)
    {
        --m_pending;
        m_lastReplyLength = reply.GetLength();
        m_lastEstimate = call.reply;
        for (RpcReplyItem& item : m_lastEstimate.items)
        {
            item.owner.reset();
        }
        ExpectWithinEstimate(call, reply);
        RpcReceivedMessage message;
        message.octets = std::move(reply.octets);
        for (const RpcDataItem& item : reply.items)
        {
            EXPECT_EQ(item.offset, message.octets.size());
            ByteVector data(item.length);
            m_serverMemory->Read(item.address, data);
            const RpcReplyItem& room = call.reply.items.at(0);
            if (m_reduceReplies && item.ddpEligible && room.ddpEligible)
            {
                message.items.push_back({0, room.address, item.length, nullptr});
                m_clientMemory->Write(room.address, data);
            }
            else
            {
                data.resize(RoundUp4(data.size()));
                message.octets.insert(message.octets.end(), data.begin(), data.end());
            }
        }
        if (m_replyFilter)
        {
            m_replyFilter(message);
        }
        call.completed(call.record, std::move(message));
    }

    static void ExpectWithinEstimate(const RpcTransportCall& call, const RpcPayload& reply)
    {
        EXPECT_LE(reply.GetLength(), call.reply.GetTotal())
            << ToString(static_cast<Nfs3Procedure>(call.record.procedure));
        XdrReader reader(ByteSpan(reply.octets).subspan(RpcReplyHeader::ACCEPTED_SIZE));
        if (reader.ReadU32() == static_cast<uint32_t>(Nfs3Status::OK))
        {
            EXPECT_GE(reply.GetLength(), call.reply.minimum)
                << ToString(static_cast<Nfs3Procedure>(call.record.procedure));
        }
        if (call.reply.items.empty() || !reply.items.empty())
        {
            EXPECT_LE(reply.octets.size(), call.reply.head)
                << ToString(static_cast<Nfs3Procedure>(call.record.procedure));
        }
        if (!reply.items.empty())
        {
            EXPECT_LE(reply.items.at(0).length, call.reply.items.at(0).maximum);
        }
    }

    Ptr<RpcServer> m_server;
    Ptr<HostMemory> m_clientMemory;
    Ptr<HostMemory> m_serverMemory;
    bool m_reduceCalls{false};
    bool m_reduceReplies{false};
    std::function<void(RpcReceivedMessage&)> m_callFilter;
    std::function<void(RpcReceivedMessage&)> m_replyFilter;
    uint32_t m_pending{0};
    uint32_t m_lastReplyLength{0};
    uint32_t m_lastCallLength{0};
    RpcReplyEstimate m_lastEstimate;
};

/// A client, a server and its files, one export "/export".
class Nfs3Loop : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_clientMemory = CreateObject<HostMemory>();
        m_serverMemory = CreateObject<HostMemory>();
        m_store = CreateObject<FileStore>();
        m_storage = CreateObject<StorageModel>();
        m_server = CreateObject<Nfs3Server>();
        m_server->SetFileStore(m_store);
        m_server->SetStorageModel(m_storage);
        m_server->SetHostMemory(m_serverMemory);
        m_rpcServer = CreateObject<RpcServer>();
        m_rpcServer->Register(m_server);
        m_transport = CreateObject<LoopTransport>(m_rpcServer, m_clientMemory, m_serverMemory);
        m_rpcClient = CreateObject<RpcClient>();
        m_rpcClient->SetTransport(m_transport);
        m_client = CreateObject<Nfs3Client>();
        m_client->SetRpcClient(m_rpcClient);
        m_client->SetHostMemory(m_clientMemory);
        SetCaller(0, 0);
        m_root = m_store->CreateExport("/export", {0777, 0, 0});
        m_rootHandle = m_store->GetHandle(m_root);
    }

    void TearDown() override
    {
        EXPECT_EQ(m_client->GetPending(), 0U);
        EXPECT_EQ(m_storage->GetPending(), 0U);
        EXPECT_EQ(m_serverMemory->GetAllocationCount(), 0U);
        Simulator::Destroy();
    }

    void SetCaller(uint32_t uid, uint32_t gid, std::vector<uint32_t> gids = {})
    {
        AuthSysCredential credential;
        credential.machineName = "client";
        credential.uid = uid;
        credential.gid = gid;
        credential.gids = std::move(gids);
        m_rpcClient->SetCredential(credential);
    }

    /// Makes a call and runs the simulation to its end.
    template <typename Args>
    typename Args::Result Do(const Args& args)
    {
        return Await<typename Args::Result>(
            [&](auto completion) { m_client->Call(args, completion); });
    }

    template <typename Result, typename Call>
    Result Await(Call&& call)
    {
        std::optional<Result> result;
        call(Nfs3Completion<Result>([&](RpcRecord& record, const Result& got) {
            m_record = record;
            result = got;
        }));
        Simulator::Run();
        EXPECT_TRUE(result) << "the call was not completed";
        return result.value_or(Result());
    }

    Read3Res ReadInto(const NfsFh3& file, uint64_t offset, uint32_t count, ByteVector& out)
    {
        HostBuffer buffer(m_clientMemory, std::max(count, 1U));
        const Read3Res result = Await<Read3Res>([&](auto completion) {
            m_client->Call(Read3Args{file, offset, count}, buffer.GetAddress(), completion);
        });
        out.resize(m_record.outcome == RpcOutcome::SUCCESS ? result.count : 0);
        buffer.Read(0, out);
        return result;
    }

    Write3Res WriteFrom(const NfsFh3& file,
                        uint64_t offset,
                        const ByteVector& data,
                        StableHow stable = StableHow::FILE_SYNC)
    {
        HostBuffer buffer(m_clientMemory, std::max<uint64_t>(data.size(), 1));
        buffer.Write(0, data);
        Write3Args args;
        args.file = file;
        args.offset = offset;
        args.count = data.size();
        args.stable = stable;
        return Await<Write3Res>(
            [&](auto completion) { m_client->Call(args, buffer.GetAddress(), completion); });
    }

    Readlink3Res ReadPath(const NfsFh3& symlink, std::string& path)
    {
        return Await<Readlink3Res>([&](auto completion) {
            m_client->Call(Readlink3Args{symlink},
                           [&, completion](RpcRecord& record, const auto& result) {
                               path.assign(result.path.octets.begin(), result.path.octets.end());
                               completion(record, result);
                           });
        });
    }

    Symlink3Res MakeLink(const DirOpArgs3& where, const std::string& target)
    {
        const ByteVector octets(target.begin(), target.end());
        Symlink3Args args;
        args.where = where;
        args.path = Nfs3Data(octets);
        return Do(args);
    }

    Create3Res CreateFile(const std::string& name, CreateMode3 mode = CreateMode3::GUARDED)
    {
        Create3Args args;
        args.where = {m_rootHandle, name};
        args.mode = mode;
        args.attributes.mode = 0644;
        return Do(args);
    }

    NfsFh3 HandleOf(InodeNumber number) const
    {
        return m_store->GetHandle(number);
    }

    Ptr<HostMemory> m_clientMemory;
    Ptr<HostMemory> m_serverMemory;
    Ptr<FileStore> m_store;
    Ptr<StorageModel> m_storage;
    Ptr<Nfs3Server> m_server;
    Ptr<RpcServer> m_rpcServer;
    Ptr<LoopTransport> m_transport;
    Ptr<RpcClient> m_rpcClient;
    Ptr<Nfs3Client> m_client;
    InodeNumber m_root{0};
    NfsFh3 m_rootHandle;
    RpcRecord m_record;
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_NFS3_LOOP_H
