/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/rdma-cluster-fixture.h"

#include "mpa/internet-address.h"
#include "mpa/tcp-preset.h"
#include "nfs/v3/file-client3.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma::test
{

namespace
{

constexpr uint16_t MTU = 1500;

} // namespace

void
RdmaClusterTest::SetUp()
{
    DataCenterTcpPreset().Apply(MTU);
    const auto channel = CreateObject<EthernetChannel>();
    m_clientHost = MakeRdmaHost(2, channel, MTU);
    m_serverHost = MakeRdmaHost(1, channel, MTU);
    MakeServer();
    MakeClient();
}

void
RdmaClusterTest::TearDown()
{
    Simulator::Destroy();
}

void
RdmaClusterTest::MakeServer()
{
    m_store = CreateObject<FileStore>();
    const auto program = CreateObject<Nfs3Server>();
    program->SetFileStore(m_store);
    program->SetStorageModel(CreateObject<StorageModel>());
    program->SetHostMemory(m_serverHost.memory);
    m_rpcServer = CreateObject<RpcServer>();
    m_rpcServer->Register(program);
    const auto aclProgram = CreateObject<NfsAcl3Server>();
    aclProgram->SetFileStore(m_store);
    m_rpcServer->Register(aclProgram);
    m_server = CreateObject<RpcRdmaServer>();
    m_server->SetDevice(m_serverHost.device);
    m_server->SetRpcServer(m_rpcServer);
    ASSERT_TRUE(m_server->Listen());
}

void
RdmaClusterTest::MakeClient()
{
    m_transport = CreateObject<RpcRdmaClient>();
    m_transport->SetDevice(m_clientHost.device);
    m_transport->SetServer(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT));
    const auto rpc = CreateObject<RpcClient>();
    rpc->SetTransport(m_transport);
    AuthSysCredential credential;
    credential.machineName = "client";
    rpc->SetCredential(credential);
    m_client = CreateObject<Nfs3Client>();
    m_client->SetRpcClient(rpc);
    m_client->SetHostMemory(m_clientHost.memory);
    const auto aclRpc = CreateObject<RpcClient>();
    aclRpc->SetTransport(m_transport);
    aclRpc->SetCredential(credential);
    m_aclClient = CreateObject<NfsAcl3Client>();
    m_aclClient->SetRpcClient(aclRpc);
    m_aclClient->SetHostMemory(m_clientHost.memory);
}

void
RdmaClusterTest::Install(const Ptr<Workload>& workload, const std::shared_ptr<const Tree>& tree)
{
    m_export = LoadExport(*m_store, "/export", *tree, 0);
    workload->SetNfsClient(m_client, m_clientHost.memory, 0);
    workload->SetAclClient(m_aclClient);
    const auto files = CreateObject<Nfs3FileClient>();
    files->SetClients(m_client, m_aclClient);
    workload->SetFileClient(files);
    workload->SetExport(m_store->GetHandle(m_export.root), tree);
    workload->TraceConnectWithoutContext(
        "OperationCompleted",
        Callback<void, const std::string&, const RpcRecord&>(
            [this](const std::string&, const RpcRecord& record) { m_records.push_back(record); }));
    workload->SetFinishedCallback(
        Callback<void, Ptr<Workload>>([this](Ptr<Workload>) { m_transport->Disconnect(); }));
}

void
RdmaClusterTest::RunWorkload(const Ptr<Workload>& workload)
{
    m_transport->Connect();
    m_clientHost.node->AddApplication(workload);
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
}

void
RdmaClusterTest::ExpectAllVerified(const Ptr<Workload>& workload)
{
    EXPECT_TRUE(workload->IsFinished());
    EXPECT_EQ(workload->GetIssued(), workload->GetCompleted());
    EXPECT_EQ(workload->GetFailed(), 0U);
    EXPECT_TRUE(m_transport->IsIdle());
    m_transport->Dispose();
    EXPECT_EQ(m_clientHost.memory->GetAllocationCount(), 0U);
    for (const auto& check : {workload->GetReadCheck(), workload->Verify(*m_store, m_export.root)})
    {
        EXPECT_EQ(check.uncertainOctets, 0U);
        EXPECT_EQ(check.mismatches, 0U);
        for (const auto& mismatch : check.described)
        {
            ADD_FAILURE() << mismatch.path << " at " << mismatch.offset << " " << mismatch.what;
        }
    }
}

} // namespace ns3::nfsrdma::test
