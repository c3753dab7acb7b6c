/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V4_CLIENT_SERVER_FIXTURE_H
#define NFSRDMA_TEST_NFS_V4_CLIENT_SERVER_FIXTURE_H

#include "client-fixture.h"
#include "nfs/store/files.h"
#include "nfs/v4/server/service.h"

namespace ns3::nfsrdma::test
{

/// Clients of the real server, without a network between them.
class Nfs4ClientServer : public ::testing::TestWithParam<uint32_t>
{
  protected:
    struct Host
    {
        Ptr<HostMemory> memory;
        Ptr<ScriptedTransport> transport;
        Ptr<RpcClient> rpc;
        Ptr<RpcServer> callbackServer;
        Ptr<ScriptedTransport> callbackTransport;
        Ptr<Nfs4CompoundClient> client;
        Ptr<Nfs4FileClient> files;
    };

    void SetUp() override
    {
        m_store = CreateObject<FileStore>();
        m_store->CreateExport("export", {0777, 0, 0});
        m_serverMemory = CreateObject<HostMemory>();
        m_server = CreateObject<Nfs4Server>();
        m_server->SetFileStore(m_store);
        m_server->SetHostMemory(m_serverMemory);
        m_rpcServer = CreateObject<RpcServer>();
        m_rpcServer->Register(m_server);
        AddPrograms();
        for (uint32_t i = 0; i < 2; ++i)
        {
            m_hosts.push_back(MakeHost(i));
        }
        const auto find = [this](std::size_t host) -> Ptr<RpcClientTransport> {
            return host < m_hosts.size() ? m_hosts[host].callbackTransport : nullptr;
        };
        m_server->SetCallbackRoutes(
            {[find](const IpAddress& address, uint64_t) { return find(address.GetIpv4()); },
             [find](const NetAddr4& address) { return find(address.addr.back() - '0'); },
             {}});
    }

    /// Hook: further programs of the server.
    virtual void AddPrograms()
    {
    }

    Host MakeHost(uint32_t index)
    {
        Host host;
        host.memory = CreateObject<HostMemory>();
        host.transport = CreateObject<ScriptedTransport>(m_rpcServer, host.memory);
        host.transport->source = index;
        host.transport->replyMemory = m_serverMemory;
        host.rpc = CreateObject<RpcClient>();
        host.rpc->SetTransport(host.transport);
        AuthSysCredential credential;
        credential.machineName = "client-" + std::to_string(index);
        host.rpc->SetCredential(credential);
        host.callbackServer = CreateObject<RpcServer>();
        host.callbackTransport =
            CreateObject<ScriptedTransport>(host.callbackServer, m_serverMemory);
        host.client = CreateObject<Nfs4CompoundClient>();
        host.client->SetAttribute("MinorVersion", UintegerValue(GetParam()));
        host.client->SetRpcClient(host.rpc);
        host.client->SetHostMemory(host.memory);
        host.client->SetNames(credential.machineName, "10.77.0.1");
        host.client->SetCallbackServer(host.callbackServer,
                                       {"tcp", "10.77.0.2.128." + std::to_string(index)});
        host.files = CreateObject<Nfs4FileClient>();
        host.files->SetClient(host.client);
        host.files->SetExport("export");
        return host;
    }

    void TearDown() override
    {
        for (const auto& host : m_hosts)
        {
            EXPECT_EQ(host.client->GetTasks().GetPending(), 0U);
            EXPECT_EQ(host.files->GetPending(), 0U);
            host.files->Dispose();
            host.client->Dispose();
            EXPECT_EQ(host.memory->GetAllocationCount(), 0U);
        }
        m_server->Dispose();
        Simulator::Destroy();
    }

    template <typename Reply, typename Operation>
    Reply Await(Operation&& operation)
    {
        std::optional<Reply> got;
        operation([&got](const Reply& reply) {
            got = reply;
            Simulator::Stop();
        });
        Simulator::Run();
        EXPECT_TRUE(got) << "the operation has not ended";
        return got.value_or(Reply());
    }

    void Mount(const Host& host)
    {
        const auto reply = Await<FileReply>([&](auto done) { host.files->Mount(done); });
        ASSERT_TRUE(reply.IsOk()) << ToString(static_cast<Nfs4Status>(reply.status));
    }

    void Unmount(const Host& host)
    {
        const auto reply = Await<FileReply>([&](auto done) { host.files->Unmount(done); });
        EXPECT_TRUE(reply.IsOk()) << ToString(static_cast<Nfs4Status>(reply.status));
    }

    std::shared_ptr<OpenFile> Open(const Host& host,
                                   const std::string& name,
                                   bool write,
                                   bool create = false)
    {
        FileOpenHow how;
        how.write = write;
        how.create = create;
        how.attributes.mode = create ? std::optional<uint32_t>(0666) : std::nullopt;
        const auto reply = Await<FileOpenReply>([&](auto done) {
            host.files->Run(FileOpen{{host.files->GetRoot(), name}, how}, done);
        });
        EXPECT_TRUE(reply.IsOk()) << ToString(static_cast<Nfs4Status>(reply.status));
        return reply.file;
    }

    void Close(const Host& host, const std::shared_ptr<OpenFile>& file)
    {
        const auto reply =
            Await<FileReply>([&](auto done) { host.files->Run(FileClose{file}, done); });
        EXPECT_TRUE(reply.IsOk()) << ToString(static_cast<Nfs4Status>(reply.status));
    }

    FileWriteReply Write(const Host& host,
                         const std::shared_ptr<OpenFile>& file,
                         const std::string& text)
    {
        HostBuffer buffer(host.memory, text.size());
        buffer.Write(0, ByteVector(text.begin(), text.end()));
        return Await<FileWriteReply>([&](auto done) {
            host.files->Run(FileWrite{file,
                                      0,
                                      static_cast<uint32_t>(text.size()),
                                      StableHow::FILE_SYNC,
                                      buffer.GetAddress()},
                            done);
        });
    }

    std::string Read(const Host& host, const std::shared_ptr<OpenFile>& file)
    {
        HostBuffer buffer(host.memory, 4096);
        const auto reply = Await<FileReadReply>([&](auto done) {
            host.files->Run(FileRead{file, 0, 4096, buffer.GetAddress()}, done);
        });
        EXPECT_TRUE(reply.IsOk()) << ToString(static_cast<Nfs4Status>(reply.status));
        ByteVector octets(reply.count);
        buffer.Read(0, octets);
        return std::string(octets.begin(), octets.end());
    }

    Ptr<FileStore> m_store;
    Ptr<HostMemory> m_serverMemory;
    Ptr<Nfs4Server> m_server;
    Ptr<RpcServer> m_rpcServer;
    std::vector<Host> m_hosts;
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V4_CLIENT_SERVER_FIXTURE_H
