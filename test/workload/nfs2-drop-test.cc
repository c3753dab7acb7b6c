/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/stubborn-guard.h"
#include "nfs/v2/client2.h"
#include "nfs/v2/server2.h"
#include "workload/rdma-cluster-fixture.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma::test
{
namespace
{

/// NFSv2 over RDMA at a server that does not answer every WRITE.
class Nfs2Drop : public RdmaClusterTest
{
  protected:
    void SetUp() override
    {
        RdmaClusterTest::SetUp();
        const InodeNumber root = m_store->CreateExport("/export");
        m_file = m_store->AddFile(root, "file", 0, {0666, 0, 0});
        m_nfs2Server = CreateObject<Nfs2Server>();
        m_nfs2Server->SetFileStore(m_store);
        m_nfs2Server->SetHostMemory(m_serverHost.memory);
        m_nfs2Server->SetDelegationGuard(&m_guard);
        m_rpcServer->Register(m_nfs2Server);
        const auto rpc = CreateObject<RpcClient>();
        rpc->SetTransport(m_transport);
        rpc->SetCredential(AuthSysCredential());
        m_nfs2 = CreateObject<Nfs2Client>();
        m_nfs2->SetRpcClient(rpc);
        m_nfs2->SetHostMemory(m_clientHost.memory);
    }

    Ptr<Nfs2Server> m_nfs2Server;
    Ptr<Nfs2Client> m_nfs2;
    StubbornGuard m_guard;
    InodeNumber m_file{0};
};

TEST_F(Nfs2Drop, TheRetransmissionOverANewConnectionIsCarriedOut)
{
    m_guard.refusals = 1;
    HostBuffer buffer(m_clientHost.memory, NFS2_MAXDATA);
    buffer.Write(0, ByteVector(NFS2_MAXDATA, 7));
    Write2Args args;
    args.file = Nfs2Fh(m_store->GetHandle(m_file));
    args.data.length = NFS2_MAXDATA;
    Time done;
    m_transport->Connect();
    m_nfs2->Write(args, buffer.GetAddress(), [&](RpcRecord& record, const Attr2Res& results) {
        EXPECT_EQ(record.outcome, RpcOutcome::SUCCESS);
        EXPECT_EQ(results.status, Nfs2Status::OK);
        EXPECT_EQ(results.attributes.size, NFS2_MAXDATA);
        done = Simulator::Now();
        m_transport->Disconnect();
    });
    Simulator::Run();
    EXPECT_GE(done, Seconds(60)) << "timeo=600";
    EXPECT_LT(done, Seconds(61));
    EXPECT_EQ(m_nfs2Server->GetDroppedCalls(), 1U);
    EXPECT_EQ(m_nfs2Server->GetCalls(Nfs2Procedure::WRITE), 2U);
    EXPECT_EQ(m_transport->GetStatistics().connectCount, 2U);
    EXPECT_EQ(m_rpcServer->GetBusyThreads(), 0U);
    ByteVector octet(1);
    m_store->GetData().ReadContent(m_file, NFS2_MAXDATA - 1, octet);
    EXPECT_EQ(octet[0], 7U);
}

} // namespace
} // namespace ns3::nfsrdma::test
