/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V2_LOOP_H
#define NFSRDMA_TEST_NFS_V2_LOOP_H

#include "nfs/v2/acl-messages2.h"
#include "nfs/v2/client2.h"
#include "nfs/v2/server2.h"
#include "rpc/flatten.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

/// A transport without a network: hands calls to an RpcServer, with or without reduced items, and
/// checks that each reply is as long as its client has estimated.
class Nfs2LoopTransport : public RpcClientTransport
{
  public:
    Nfs2LoopTransport(Ptr<RpcServer> server, Ptr<HostMemory> client, Ptr<HostMemory> host)
        : m_server(server),
          m_clientMemory(client),
          m_serverMemory(host)
    {
    }

    void Submit(std::unique_ptr<RpcTransportCall> call) override
    {
        Send(std::make_shared<std::unique_ptr<RpcTransportCall>>(std::move(call)));
    }

    uint32_t GetPending() const override
    {
        return 0;
    }

    std::vector<std::string> DescribeWaiting() const override
    {
        return {};
    }

    bool reduceCalls{false};
    bool reduceReplies{false};
    uint32_t shiftPosition{0}; ///< Of reduced items of calls, octets.
    uint32_t replyLength{0};   ///< Of the last reply, un-reduced, RPC header included.
    uint64_t replies{0};
    uint64_t drops{0}; ///< Calls without a reply; each is sent again after RETRANSMIT.
    static constexpr int64_t RETRANSMIT = 60; ///< Seconds.

  private:
    void Send(const std::shared_ptr<std::unique_ptr<RpcTransportCall>>& held)
    {
        m_server->Receive(
            MakeCall(**held),
            [self = Ptr<Nfs2LoopTransport>(this), held](RpcPayload&& reply) {
                if (reply.octets.empty())
                {
                    ++self->drops;
                    Simulator::Schedule(Seconds(RETRANSMIT), &Nfs2LoopTransport::Send, self, held);
                    return;
                }
                self->Deliver(**held, std::move(reply));
            });
    }

    RpcReceivedMessage MakeCall(const RpcTransportCall& call) const
    {
        RpcReceivedMessage message;
        if (!reduceCalls)
        {
            message.octets = Flatten(call.call, m_clientMemory);
            return message;
        }
        message.octets = call.call.octets;
        for (const RpcDataItem& item : call.call.items)
        {
            EXPECT_TRUE(item.ddpEligible);
            ByteVector data(item.length);
            m_clientMemory->Read(item.address, data);
            const auto owner = std::make_shared<HostBuffer>(m_serverMemory, data.size());
            owner->Write(0, data);
            message.items.push_back(
                {item.offset + shiftPosition, owner->GetAddress(), item.length, owner});
        }
        return message;
    }

    void Deliver(RpcTransportCall& call, RpcPayload&& reply)
    {
        ++replies;
        replyLength = reply.GetLength();
        ExpectEstimated(call, reply);
        RpcReceivedMessage message;
        const bool reduced =
            reduceReplies && !reply.items.empty() && call.reply.items.at(0).ddpEligible;
        if (reduced)
        {
            const RpcDataItem& item = reply.items.front();
            EXPECT_TRUE(item.ddpEligible);
            EXPECT_LE(item.length, call.reply.items.at(0).maximum);
            ByteVector data(item.length);
            m_serverMemory->Read(item.address, data);
            m_clientMemory->Write(call.reply.items.at(0).address, data);
            message.items.push_back({0, call.reply.items.at(0).address, item.length, nullptr});
            message.octets = std::move(reply.octets);
        }
        else
        {
            message.octets = Flatten(reply, m_serverMemory);
        }
        call.completed(call.record, std::move(message));
    }

    static void ExpectEstimated(const RpcTransportCall& call, const RpcPayload& reply)
    {
        const char* const name = ToString(static_cast<Nfs2Procedure>(call.record.procedure));
        const bool isGuess =
            call.record.program == NFSACL_PROGRAM &&
            call.record.procedure == static_cast<uint32_t>(NfsAcl2Procedure::GETACL);
        EXPECT_EQ(call.reply.bounded, !isGuess) << name;
        EXPECT_LE(reply.GetLength(), call.reply.GetTotal()) << name;
        if (reply.GetLength() <= RpcReplyHeader::ACCEPTED_SIZE)
        {
            return;
        }
        XdrReader reader(ByteSpan(reply.octets).subspan(RpcReplyHeader::ACCEPTED_SIZE));
        if (reader.ReadU32() != static_cast<uint32_t>(Nfs2Status::OK))
        {
            EXPECT_EQ(reply.GetLength(), RpcReplyHeader::ACCEPTED_SIZE + 4) << name;
            return;
        }
        EXPECT_GE(reply.GetLength(), call.reply.minimum) << name;
        if (call.reply.items.empty())
        {
            EXPECT_EQ(reply.GetLength(), call.reply.minimum) << name;
            EXPECT_EQ(reply.GetLength(), call.reply.GetTotal()) << name;
        }
    }

    Ptr<RpcServer> m_server;
    Ptr<HostMemory> m_clientMemory;
    Ptr<HostMemory> m_serverMemory;
};

/// A client, a server and its files, one export.
class Nfs2Loop : public ::testing::Test
{
  protected:
    static constexpr uint32_t BUFFER = 65536;

    void SetUp() override
    {
        m_root = m_store->CreateExport("export", {0777, 0, 0});
        m_server->SetFileStore(m_store);
        m_server->SetHostMemory(m_serverMemory);
        m_rpcServer->Register(m_server);
        m_transport = CreateObject<Nfs2LoopTransport>(m_rpcServer, m_clientMemory, m_serverMemory);
        m_rpc->SetTransport(m_transport);
        m_rpc->SetCredential(AuthSysCredential());
        m_client->SetRpcClient(m_rpc);
        m_client->SetHostMemory(m_clientMemory);
        m_buffer = std::make_unique<HostBuffer>(m_clientMemory, BUFFER);
    }

    void TearDown() override
    {
        m_buffer.reset();
        Simulator::Destroy();
    }

    Nfs2Fh Handle(InodeNumber inode) const
    {
        return Nfs2Fh(m_store->GetHandle(inode));
    }

    /// \return what stores the results in m_... and \p results.
    template <typename Results>
    StubCompletion<Results> Into(Results& results)
    {
        return [this, &results](RpcRecord& record, const Results& given) {
            m_record = record;
            results = given;
        };
    }

    template <typename Procedure>
    typename Procedure::Results Do(const typename Procedure::Arguments& args)
    {
        typename Procedure::Results results;
        m_client->Call<Procedure>(args, Into(results));
        Simulator::Run();
        return results;
    }

    /// Writes \p octets. \return the status.
    Nfs2Status DoWrite(const Nfs2Fh& file, uint32_t offset, const ByteVector& octets)
    {
        m_buffer->Write(0, octets);
        Write2Args args;
        args.file = file;
        args.offset = offset;
        args.data.length = octets.size();
        Attr2Res results;
        m_client->Write(args, m_buffer->GetAddress(), Into(results));
        Simulator::Run();
        return results.status;
    }

    /// \return the octets read.
    ByteVector DoRead(const Nfs2Fh& file, uint32_t offset, uint32_t count)
    {
        Read2Res results;
        m_client->Read({file, offset, count, 0}, m_buffer->GetAddress(), Into(results));
        Simulator::Run();
        m_status = results.status;
        ByteVector octets(results.data.length);
        m_buffer->Read(0, octets);
        return octets;
    }

    Nfs2Status DoSymlink(const DirOp2Args& where, const std::string& target)
    {
        m_buffer->Write(0, ByteVector(target.begin(), target.end()));
        Symlink2Args args;
        args.where = where;
        args.path.length = target.size();
        Status2Res results;
        m_client->Symlink(args, m_buffer->GetAddress(), Into(results));
        Simulator::Run();
        return results.status;
    }

    std::string DoReadlink(const Nfs2Fh& link)
    {
        std::string path;
        m_client->Readlink({link}, [this, &path](RpcRecord& record, const Readlink2Res& results) {
            m_record = record;
            m_status = results.status;
            path.assign(results.path.octets.begin(), results.path.octets.end());
        });
        Simulator::Run();
        return path;
    }

    Readdir2Res DoReaddir(const Nfs2Fh& dir, uint32_t cookie, uint32_t count)
    {
        Readdir2Res results;
        m_client->Readdir({dir, cookie, count}, Into(results));
        Simulator::Run();
        return results;
    }

    Ptr<FileStore> m_store{CreateObject<FileStore>()};
    Ptr<HostMemory> m_clientMemory{CreateObject<HostMemory>()};
    Ptr<HostMemory> m_serverMemory{CreateObject<HostMemory>()};
    Ptr<Nfs2Server> m_server{CreateObject<Nfs2Server>()};
    Ptr<RpcServer> m_rpcServer{CreateObject<RpcServer>()};
    Ptr<Nfs2LoopTransport> m_transport;
    Ptr<RpcClient> m_rpc{CreateObject<RpcClient>()};
    Ptr<Nfs2Client> m_client{CreateObject<Nfs2Client>()};
    std::unique_ptr<HostBuffer> m_buffer;
    InodeNumber m_root{0};
    RpcRecord m_record;
    Nfs2Status m_status{Nfs2Status::OK};
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V2_LOOP_H
