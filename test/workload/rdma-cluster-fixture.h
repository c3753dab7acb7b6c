/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_WORKLOAD_RDMA_CLUSTER_FIXTURE_H
#define NFSRDMA_TEST_WORKLOAD_RDMA_CLUSTER_FIXTURE_H

#include "nfs/v3/acl-client3.h"
#include "nfs/v3/acl-server3.h"
#include "nfs/v3/client3.h"
#include "nfs/v3/server3.h"
#include "rdma-host.h"
#include "rpc/server.h"
#include "rpcrdma/client/requester.h"
#include "rpcrdma/server/responder.h"
#include "workload/life.h"
#include "workload/replay/export-loader.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ns3::nfsrdma::test
{

/// A client and a server node on one Ethernet link, with every storey in between.
class RdmaClusterTest : public ::testing::Test
{
  protected:
    void SetUp() override;
    void TearDown() override;

    /// Gives the workload its client and an export with \p tree.
    void Install(const Ptr<Workload>& workload, const std::shared_ptr<const Tree>& tree);
    /// Connects, starts the workload, runs it to its end and disconnects.
    void RunWorkload(const Ptr<Workload>& workload);
    /// Expects all content right and nothing left on the client.
    void ExpectAllVerified(const Ptr<Workload>& workload);

    RdmaHost m_clientHost;
    RdmaHost m_serverHost;
    Ptr<FileStore> m_store;
    Ptr<RpcServer> m_rpcServer;
    Ptr<RpcRdmaServer> m_server;
    Ptr<RpcRdmaClient> m_transport;
    Ptr<Nfs3Client> m_client;
    Ptr<NfsAcl3Client> m_aclClient;
    LoadedExport m_export;
    std::vector<RpcRecord> m_records;

  private:
    void MakeServer();
    void MakeClient();
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_WORKLOAD_RDMA_CLUSTER_FIXTURE_H
