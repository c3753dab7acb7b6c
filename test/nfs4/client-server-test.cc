/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "client-fixture.h"
#include "nfs/file-store.h"
#include "nfs/v4/nfs4-server.h"

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
        for (uint32_t i = 0; i < 2; ++i)
        {
            m_hosts.push_back(MakeHost(i));
        }
        m_server->SetReversePath([this](uint64_t address) -> Ptr<RpcClientTransport> {
            return address < m_hosts.size() ? m_hosts[address].callbackTransport : nullptr;
        });
        m_server->SetCallbackPath([this](const NetAddr4& address) -> Ptr<RpcClientTransport> {
            const auto host = static_cast<std::size_t>(address.addr.back() - '0');
            return host < m_hosts.size() ? m_hosts[host].callbackTransport : nullptr;
        });
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
            EXPECT_EQ(host.client->GetPending(), 0U);
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
        const auto reply = Await<FileOpenReply>(
            [&](auto done) { host.files->Open(host.files->GetRoot(), name, how, done); });
        EXPECT_TRUE(reply.IsOk()) << ToString(static_cast<Nfs4Status>(reply.status));
        return reply.file;
    }

    void Close(const Host& host, const std::shared_ptr<OpenFile>& file)
    {
        const auto reply = Await<FileReply>([&](auto done) { host.files->Close(file, done); });
        EXPECT_TRUE(reply.IsOk()) << ToString(static_cast<Nfs4Status>(reply.status));
    }

    FileWriteReply Write(const Host& host,
                         const std::shared_ptr<OpenFile>& file,
                         const std::string& text)
    {
        HostBuffer buffer(host.memory, text.size());
        buffer.Write(0, ByteVector(text.begin(), text.end()));
        return Await<FileWriteReply>([&](auto done) {
            host.files
                ->Write(file, 0, text.size(), buffer.GetAddress(), StableHow::FILE_SYNC, done);
        });
    }

    std::string Read(const Host& host, const std::shared_ptr<OpenFile>& file)
    {
        HostBuffer buffer(host.memory, 4096);
        const auto reply = Await<FileReadReply>(
            [&](auto done) { host.files->Read(file, 0, 4096, buffer.GetAddress(), done); });
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

TEST_P(Nfs4ClientServer, FilesAndNames)
{
    const Host& host = m_hosts[0];
    Mount(host);
    const FileRef root = host.files->GetRoot();
    const auto file = Open(host, "file", true, true);
    EXPECT_EQ(Write(host, file, "hello").count, 5U);
    EXPECT_EQ(Read(host, file), "hello");
    const auto committed =
        Await<FileCommitReply>([&](auto done) { host.files->Commit(file, 0, 0, done); });
    EXPECT_TRUE(committed.IsOk());
    Close(host, file);
    const auto attributes = Await<FileAttributesReply>(
        [&](auto done) { host.files->GetAttributes(file->GetObject(), done); });
    EXPECT_EQ(attributes.attributes.size, 5U);
    EXPECT_EQ(attributes.attributes.type, Ftype3::REG);
    const auto dir = Await<FileObjectReply>(
        [&](auto done) { host.files->MakeDirectory(root, "dir", {}, done); });
    ASSERT_TRUE(dir.IsOk());
    const std::string target = "some/where";
    const ByteVector octets(target.begin(), target.end());
    const auto symlink = Await<FileObjectReply>(
        [&](auto done) { host.files->MakeSymlink(root, "link", octets, {}, done); });
    ASSERT_TRUE(symlink.IsOk());
    EXPECT_EQ(
        Await<FileLinkReply>([&](auto done) { host.files->ReadLink(symlink.object, done); }).target,
        octets);
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    host.files->Rename(root, "file", dir.object, "moved", done);
                }).IsOk());
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    host.files->Link(file->GetObject(), root, "second", done);
                }).IsOk());
    const auto list =
        Await<FileListReply>([&](auto done) { host.files->List(root, 0, 0, 65448, true, done); });
    std::set<std::string> names;
    for (const auto& entry : list.entries)
    {
        names.insert(entry.name);
        EXPECT_TRUE(entry.attributes);
    }
    EXPECT_EQ(names, std::set<std::string>({"dir", "link", "second"}));
    EXPECT_TRUE(list.eof);
    EXPECT_EQ(
        Await<FileReply>([&](auto done) { host.files->RemoveDirectory(root, "dir", done); }).status,
        static_cast<uint32_t>(Nfs4Status::NOTEMPTY));
    EXPECT_TRUE(
        Await<FileReply>([&](auto done) { host.files->Remove(root, "second", done); }).IsOk());
    EXPECT_EQ(
        Await<FileObjectReply>([&](auto done) { host.files->Lookup(root, "second", done); }).status,
        static_cast<uint32_t>(Nfs4Status::NOENT));
    Unmount(host);
}

TEST_P(Nfs4ClientServer, ExclusiveCreateAndAttributes)
{
    const Host& host = m_hosts[0];
    Mount(host);
    FileOpenHow how;
    how.write = true;
    how.create = true;
    how.mode = CreateMode3::EXCLUSIVE;
    how.verifier = 0x1234567890;
    how.attributes.mode = 0640;
    const auto opened = Await<FileOpenReply>(
        [&](auto done) { host.files->Open(host.files->GetRoot(), "x", how, done); });
    ASSERT_TRUE(opened.IsOk()) << ToString(static_cast<Nfs4Status>(opened.status));
    const auto attributes = Await<FileAttributesReply>(
        [&](auto done) { host.files->GetAttributes(opened.object, done); });
    EXPECT_EQ(attributes.attributes.mode & 0777U, 0640U);
    Sattr3 changes;
    changes.size = 100;
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    host.files->SetAttributes(opened.object, opened.file, changes, done);
                }).IsOk());
    Close(host, opened.file);
    Unmount(host);
}

TEST_P(Nfs4ClientServer, AccessLists)
{
    const Host& host = m_hosts[0];
    Mount(host);
    const auto file = Open(host, "file", true, true);
    PosixAcl acl = MakeMinimalAcl(0640);
    acl.insert(acl.begin() + 1, {PosixAclTag::USER, 3001, 6});
    acl.insert(acl.end() - 1, {PosixAclTag::MASK, 0, 7});
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    host.files->SetAcls(file->GetObject(), acl, {}, done);
                }).IsOk());
    const auto got =
        Await<FileAclReply>([&](auto done) { host.files->GetAcls(file->GetObject(), done); });
    EXPECT_TRUE(got.IsOk());
    EXPECT_NE(ToString(got.access).find("user:3001:rw-"), std::string::npos)
        << ToString(got.access);
    Close(host, file);
    Unmount(host);
}

TEST_P(Nfs4ClientServer, DelegationIsRecalledForTheWriteOfAnother)
{
    const Host& reader = m_hosts[0];
    const Host& writer = m_hosts[1];
    Mount(reader);
    Mount(writer);
    Close(reader, Open(reader, "file", true, true));
    Close(reader, Open(reader, "file", false));
    if (reader.client->GetHeld().GetDelegations().empty())
    {
        // The server wants to see the callback path work first.
        Close(reader, Open(reader, "file", false));
    }
    EXPECT_EQ(reader.client->GetHeld().GetDelegations().size(), 1U);
    const auto local = Open(reader, "file", false);
    const auto writing = Open(writer, "file", true);
    EXPECT_TRUE(reader.client->GetHeld().GetDelegations().empty());
    EXPECT_EQ(Write(writer, writing, "new").count, 3U);
    EXPECT_EQ(Read(reader, local), "new");
    Close(reader, local);
    Close(writer, writing);
    Unmount(writer);
    Unmount(reader);
}

TEST_P(Nfs4ClientServer, RestartOfTheServerIsSurvived)
{
    const Host& host = m_hosts[0];
    Mount(host);
    const auto file = Open(host, "file", true, true);
    EXPECT_EQ(Write(host, file, "one").count, 3U);
    m_server->Restart();
    EXPECT_TRUE(Write(host, file, "two").IsOk());
    EXPECT_EQ(Read(host, file), "two");
    Close(host, file);
    Unmount(host);
}

TEST_P(Nfs4ClientServer, LocksKeepOthersOut)
{
    Mount(m_hosts[0]);
    Mount(m_hosts[1]);
    const auto first = Open(m_hosts[0], "file", true, true);
    const auto second = Open(m_hosts[1], "file", true);
    const auto lock = [this](std::size_t host, const std::shared_ptr<OpenFile>& file) {
        return Await<FileReply>(
            [&](auto done) { m_hosts[host].files->Lock(file, LockType4::WRITE, 0, 100, done); });
    };
    EXPECT_TRUE(lock(0, first).IsOk());
    EXPECT_EQ(lock(1, second).status, static_cast<uint32_t>(Nfs4Status::DENIED));
    Close(m_hosts[0], first);
    const auto granted = lock(1, second);
    EXPECT_TRUE(granted.IsOk()) << ToString(static_cast<Nfs4Status>(granted.status));
    Close(m_hosts[1], second);
    Unmount(m_hosts[1]);
    Unmount(m_hosts[0]);
}

INSTANTIATE_TEST_SUITE_P(MinorVersions, Nfs4ClientServer, ::testing::Values(0U, 1U, 2U));

} // namespace ns3::nfsrdma::test
