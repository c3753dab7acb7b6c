/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V4_CLIENT_FIXTURE_H
#define NFSRDMA_TEST_NFS_V4_CLIENT_FIXTURE_H

#include "nfs/v4/client/callback-program.h"
#include "nfs/v4/client/mounted-files.h"
#include "nfs/v4/scripted-server.h"
#include "rpc/server.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// A client of a scripted server.
class Nfs4ClientTest : public ::testing::Test
{
  protected:
    /// \return the minor version.
    [[nodiscard]] virtual uint32_t GetMinorVersion() const
    {
        return 1;
    }

    void SetUp() override
    {
        m_memory = CreateObject<HostMemory>();
        m_server = CreateObject<ScriptedServer>();
        m_rpcServer = CreateObject<RpcServer>();
        m_rpcServer->Register(m_server);
        m_transport = CreateObject<ScriptedTransport>(m_rpcServer, m_memory);
        m_rpc = CreateObject<RpcClient>();
        m_rpc->SetTransport(m_transport);
        m_callbackServer = CreateObject<RpcServer>();
        m_client = CreateObject<Nfs4CompoundClient>();
        m_client->SetAttribute("MinorVersion", UintegerValue(GetMinorVersion()));
        m_client->SetRpcClient(m_rpc);
        m_client->SetHostMemory(m_memory);
        m_client->SetNames("client", "10.77.0.1");
        m_client->SetCallbackServer(m_callbackServer, {"tcp", "10.0.0.2.128.1"});
        m_client->TraceConnectWithoutContext("StepDone",
                                             MakeCallback(&Nfs4ClientTest::TakeStep, this));
        m_files = CreateObject<Nfs4FileClient>();
        m_files->SetClient(m_client);
    }

    void TearDown() override
    {
        m_files->Dispose();
        m_client->Dispose();
        Simulator::Run();
        EXPECT_EQ(m_client->GetTasks().GetPending(), 0U);
        EXPECT_EQ(m_client->GetSession().GetSlots().GetUsed(), 0U);
        EXPECT_EQ(m_memory->GetAllocationCount(), 0U);
        Simulator::Destroy();
    }

    void TakeStep(Nfs4RecoveryStep step, Nfs4Status status)
    {
        m_steps.push_back(std::string(ToString(step)) + " " + ToString(status));
    }

    /// Starts an operation and runs until it has ended.
    template <typename Reply, typename Operation>
    Reply Await(Operation&& operation)
    {
        std::optional<Reply> got;
        operation([&got](const Reply& reply) {
            EXPECT_FALSE(got);
            got = reply;
            Simulator::Stop();
        });
        Simulator::Run();
        EXPECT_TRUE(got) << "the operation has not ended";
        return got.value_or(Reply());
    }

    void RunFor(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }

    void Mount()
    {
        const auto reply = Await<FileReply>([&](auto done) { m_files->Mount(done); });
        ASSERT_TRUE(reply.IsOk()) << reply.status;
        m_server->log.clear();
        m_server->calls.clear();
        m_steps.clear();
    }

    FileReply Unmount()
    {
        return Await<FileReply>([&](auto done) { m_files->Unmount(done); });
    }

    FileOpenReply Open(const std::string& name, bool write = false, bool create = false)
    {
        FileOpenHow how;
        how.read = !write;
        how.write = write;
        how.create = create;
        return Await<FileOpenReply>([&](auto done) {
            m_files->Run(FileOpen{{m_files->GetRoot(), name}, how}, done);
        });
    }

    FileReply Close(const std::shared_ptr<OpenFile>& file)
    {
        return Await<FileReply>([&](auto done) { m_files->Run(FileClose{file}, done); });
    }

    FileWriteReply Write(const std::shared_ptr<OpenFile>& file,
                         uint64_t offset,
                         const std::string& text)
    {
        HostBuffer buffer(m_memory, text.size());
        const ByteVector octets(text.begin(), text.end());
        buffer.Write(0, octets);
        return Await<FileWriteReply>([&](auto done) {
            m_files->Run(FileWrite{file,
                                   offset,
                                   static_cast<uint32_t>(octets.size()),
                                   StableHow::FILE_SYNC,
                                   buffer.GetAddress()},
                         done);
        });
    }

    std::string Read(const std::shared_ptr<OpenFile>& file, uint64_t offset, uint32_t count)
    {
        HostBuffer buffer(m_memory, count);
        const auto reply = Await<FileReadReply>([&](auto done) {
            m_files->Run(FileRead{file, offset, count, buffer.GetAddress()}, done);
        });
        EXPECT_TRUE(reply.IsOk()) << reply.status;
        ByteVector octets(reply.count);
        buffer.Read(0, octets);
        return std::string(octets.begin(), octets.end());
    }

    /// The server calls back.
    CbCompound4Res CallBack(std::vector<Nfs4CbArgOp> ops)
    {
        CbCompound4Args args;
        args.minorVersion = GetMinorVersion();
        args.callbackIdent = 1;
        if (GetMinorVersion() != 0)
        {
            CbSequenceArgs4 sequence;
            sequence.sessionId = m_server->GetSession();
            sequence.sequenceId = ++m_callbackSequence;
            args.ops.emplace_back(sequence);
        }
        args.ops.insert(args.ops.end(), ops.begin(), ops.end());
        return SendCallback(args);
    }

    CbCompound4Res SendCallback(const CbCompound4Args& args)
    {
        const auto call = std::make_shared<RpcServerCall>();
        call->header.procedure = CB_COMPOUND;
        XdrWriter writer;
        args.Encode(writer);
        call->message.octets = writer.Take();
        CbCompound4Res results;
        m_client->GetCallbackProgram()->Dispatch(call, [&results](RpcServerReply&& reply) {
            XdrReader reader(reply.results.octets);
            const auto decoded = CbCompound4Res::Decode(reader);
            ASSERT_TRUE(decoded);
            results = *decoded;
        });
        return results;
    }

    using Log = std::vector<std::string>;

    Ptr<HostMemory> m_memory;
    Ptr<ScriptedServer> m_server;
    Ptr<RpcServer> m_rpcServer;
    Ptr<RpcServer> m_callbackServer;
    Ptr<ScriptedTransport> m_transport;
    Ptr<RpcClient> m_rpc;
    Ptr<Nfs4CompoundClient> m_client;
    Ptr<Nfs4FileClient> m_files;
    Log m_steps;
    uint32_t m_callbackSequence{0};
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V4_CLIENT_FIXTURE_H
