/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/workload-loop.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma::test
{

DelayTransport::DelayTransport(Ptr<RpcServer> server,
                               Ptr<HostMemory> clientMemory,
                               Ptr<HostMemory> serverMemory)
    : m_server(server),
      m_clientMemory(clientMemory),
      m_serverMemory(serverMemory)
{
}

void
DelayTransport::Submit(std::unique_ptr<RpcTransportCall> call)
{
    ++m_pending;
    auto exchange = std::make_shared<Exchange>();
    exchange->number = m_calls++;
    exchange->call = std::move(call);
    const auto procedure = static_cast<Nfs3Procedure>(exchange->call->record.procedure);
    const Time delay = callDelay ? callDelay(exchange->number, procedure) : MicroSeconds(10);
    Simulator::Schedule(delay,
                        &DelayTransport::Arrive,
                        Ptr<DelayTransport>(this),
                        std::move(exchange));
}

void
DelayTransport::Arrive(std::shared_ptr<Exchange> exchange)
{
    RpcReceivedMessage message;
    message.octets = Flatten(exchange->call->call, m_clientMemory, nullptr);
    const bool taken = m_server->Receive(
        std::move(message),
        [self = Ptr<DelayTransport>(this), exchange](RpcPayload&& reply) {
            exchange->call->record.replyInlineBytes = reply.GetLength();
            exchange->reply = std::move(reply);
            Simulator::Schedule(self->replyDelay, &DelayTransport::Return, self, exchange);
        });
    EXPECT_TRUE(taken);
}

void
DelayTransport::Return(std::shared_ptr<Exchange> exchange)
{
    --m_pending;
    RpcTransportCall& call = *exchange->call;
    const auto procedure = static_cast<Nfs3Procedure>(call.record.procedure);
    call.record.replied = Simulator::Now();
    call.record.completed = Simulator::Now();
    RpcReceivedMessage message;
    if (loseReply && loseReply(exchange->number, procedure))
    {
        call.record.outcome = RpcOutcome::DISCONNECTED;
    }
    else
    {
        message.octets = Flatten(exchange->reply, m_serverMemory, [&](ByteVector& data) {
            if (changeData)
            {
                changeData(procedure, data);
            }
        });
    }
    exchange->reply = {};
    call.completed(call.record, std::move(message));
}

ByteVector
DelayTransport::Flatten(const RpcPayload& payload,
                        const Ptr<HostMemory>& memory,
                        const std::function<void(ByteVector&)>& change)
{
    ByteVector octets = payload.octets;
    for (std::size_t i = 0; i < payload.items.size(); ++i)
    {
        ByteVector data(payload.items[i].length);
        memory->Read(payload.items[i].address, data);
        if (change)
        {
            change(data);
        }
        data.resize(RoundUp4(data.size()));
        octets.insert(octets.begin() + payload.GetPosition(i), data.begin(), data.end());
    }
    return octets;
}

uint32_t
DelayTransport::GetPending() const
{
    return m_pending;
}

std::vector<std::string>
DelayTransport::DescribeWaiting() const
{
    return {};
}

void
WorkloadLoop::SetUp()
{
    m_clientMemory = CreateObject<HostMemory>();
    m_serverMemory = CreateObject<HostMemory>();
    m_store = CreateObject<FileStore>();
    const auto server = CreateObject<Nfs3Server>();
    server->SetFileStore(m_store);
    server->SetStorageModel(CreateObject<StorageModel>());
    server->SetHostMemory(m_serverMemory);
    m_nfsServer = server;
    m_rpcServer = CreateObject<RpcServer>();
    m_rpcServer->Register(server);
    m_transport = CreateObject<DelayTransport>(m_rpcServer, m_clientMemory, m_serverMemory);
    m_rpcClient = CreateObject<RpcClient>();
    m_rpcClient->SetTransport(m_transport);
    AuthSysCredential credential;
    credential.machineName = "client";
    m_rpcClient->SetCredential(credential);
    m_client = CreateObject<Nfs3Client>();
    m_client->SetRpcClient(m_rpcClient);
    m_client->SetHostMemory(m_clientMemory);
    const auto aclServer = CreateObject<NfsAcl3Server>();
    aclServer->SetFileStore(m_store);
    m_rpcServer->Register(aclServer);
    const auto aclRpcClient = CreateObject<RpcClient>();
    aclRpcClient->SetTransport(m_transport);
    aclRpcClient->SetCredential(credential);
    m_aclClient = CreateObject<NfsAcl3Client>();
    m_aclClient->SetRpcClient(aclRpcClient);
    m_aclClient->SetHostMemory(m_clientMemory);
    m_fileClient = CreateObject<Nfs3FileClient>();
    m_fileClient->SetClients(m_client, m_aclClient);
}

void
WorkloadLoop::TearDown()
{
    Simulator::Destroy();
}

std::shared_ptr<const Tree>
WorkloadLoop::ParseTree(const std::string& rows)
{
    auto tree =
        TreeReader::Parse("tree.csv",
                          "object,parent,name,type,mode,uid,gid,size,target,nlink,acl,default_acl\n"
                          "root,,,DIR,0777,0,0,4096,,2,,\n" +
                              rows);
    EXPECT_TRUE(tree) << tree.error().Describe();
    return std::make_shared<const Tree>(std::move(tree).value());
}

void
WorkloadLoop::Install(const Ptr<Workload>& workload, std::shared_ptr<const Tree> tree)
{
    if (tree == nullptr)
    {
        tree = ParseTree("");
    }
    m_export = LoadExport(*m_store, "/export", *tree, 0);
    workload->SetNfsClient(m_client, m_clientMemory, 0);
    workload->SetAclClient(m_aclClient);
    workload->SetFileClient(m_fileClient);
    workload->SetExport(m_store->GetHandle(m_export.root), tree);
    workload->SetFinishedCallback(
        Callback<void, Ptr<Workload>>([this](Ptr<Workload>) { ++m_finished; }));
    workload->TraceConnectWithoutContext(
        "Phase",
        Callback<void, WorkloadPhase, WorkloadPhase>(
            [this](WorkloadPhase, WorkloadPhase to) { m_phases.push_back(to); }));
    workload->TraceConnectWithoutContext(
        "OperationCompleted",
        Callback<void, const std::string&, const RpcRecord&>(
            [this, raw = PeekPointer(workload)](const std::string& name, const RpcRecord& record) {
                m_completed.push_back({name,
                                       record.xid,
                                       record.submitted,
                                       record.completed,
                                       raw->GetPhase(),
                                       record.replyInlineBytes});
            }));
    workload->TraceConnectWithoutContext(
        "FileOperation",
        Callback<void, const std::string&, const FileReply&, Time>(
            [this,
             raw = PeekPointer(workload)](const std::string& name, const FileReply&, Time started) {
                m_completed.push_back({name, 0, started, Simulator::Now(), raw->GetPhase(), 0});
            }));
}

void
WorkloadLoop::RunWorkload(const Ptr<Workload>& workload)
{
    Simulator::ScheduleNow(&Workload::Start, workload);
    Simulator::Run();
}

void
WorkloadLoop::ExpectAllVerified(const Ptr<Workload>& workload)
{
    EXPECT_TRUE(workload->IsFinished());
    EXPECT_EQ(m_finished, 1U);
    EXPECT_EQ(workload->GetIssued(), workload->GetCompleted());
    EXPECT_EQ(workload->GetFailed(), 0U);
    EXPECT_TRUE(workload->DescribeWaiting().empty());
    EXPECT_EQ(m_clientMemory->GetAllocationCount(), 0U);
    for (const auto& check : {workload->GetReadCheck(), workload->Verify(*m_store, m_export.root)})
    {
        EXPECT_EQ(check.mismatches, 0U);
        EXPECT_EQ(check.uncertainOctets, 0U);
        EXPECT_EQ(check.uncertainNames, 0U);
        for (const auto& mismatch : check.described)
        {
            ADD_FAILURE() << mismatch.path << " at " << mismatch.offset << " " << mismatch.what;
        }
    }
}

std::vector<std::string>
WorkloadLoop::NamesCompleted() const
{
    std::vector<std::string> names;
    std::transform(m_completed.begin(),
                   m_completed.end(),
                   std::back_inserter(names),
                   [](const Completed& completed) { return completed.name; });
    return names;
}

} // namespace ns3::nfsrdma::test
