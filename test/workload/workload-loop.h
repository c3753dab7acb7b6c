/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_WORKLOAD_WORKLOAD_LOOP_H
#define NFSRDMA_TEST_WORKLOAD_WORKLOAD_LOOP_H

#include "nfs/v3/acl-client3.h"
#include "nfs/v3/acl-server3.h"
#include "nfs/v3/client3.h"
#include "nfs/v3/file-client3.h"
#include "nfs/v3/server3.h"
#include "rpc/server.h"
#include "workload/life.h"
#include "workload/replay/export-loader.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// A transport without a network: each call takes its way to an RpcServer, and its reply the way
/// back, after a delay of its own.
class DelayTransport : public RpcClientTransport
{
  public:
    DelayTransport(Ptr<RpcServer> server,
                   Ptr<HostMemory> clientMemory,
                   Ptr<HostMemory> serverMemory);

    /// Time on the way to the server of the call of a procedure, by its number among all calls.
    using CallDelay = std::function<Time(uint64_t number, Nfs3Procedure procedure)>;
    CallDelay callDelay;
    /// Time of each reply on its way back.
    Time replyDelay{MicroSeconds(10)};
    /// Calls that end with DISCONNECTED in place of their reply; the server has done them.
    std::function<bool(uint64_t number, Nfs3Procedure procedure)> loseReply;
    /// Applied to the octets of each reply's data.
    std::function<void(Nfs3Procedure procedure, ByteVector& data)> changeData;

    void Submit(std::unique_ptr<RpcTransportCall> call) override;
    uint32_t GetPending() const override;
    std::vector<std::string> DescribeWaiting() const override;

  private:
    struct Exchange
    {
        uint64_t number{0};
        std::unique_ptr<RpcTransportCall> call;
        RpcPayload reply;
    };

    void Arrive(std::shared_ptr<Exchange> exchange);
    void Return(std::shared_ptr<Exchange> exchange);
    static ByteVector Flatten(const RpcPayload& payload,
                              const Ptr<HostMemory>& memory,
                              const std::function<void(ByteVector&)>& change);

    Ptr<RpcServer> m_server;
    Ptr<HostMemory> m_clientMemory;
    Ptr<HostMemory> m_serverMemory;
    uint64_t m_calls{0};
    uint32_t m_pending{0};
};

/// One client with a workload, one server, one export; no network between them.
class WorkloadLoop : public ::testing::Test
{
  protected:
    /// An operation as the trace source OperationCompleted tells it, or FileOperation (without what
    /// is the RPC's).
    struct Completed
    {
        std::string name;
        uint32_t xid{0};
        Time submitted;
        Time completed;
        WorkloadPhase phase{WorkloadPhase::IDLE};
        uint32_t replyBytes{0};
    };

    void SetUp() override;
    void TearDown() override;

    /// Gives the workload its client and an export with \p tree; connects its traces.
    void Install(const Ptr<Workload>& workload, std::shared_ptr<const Tree> tree = nullptr);
    /// Starts the workload at the next event and runs the simulation to its end.
    void RunWorkload(const Ptr<Workload>& workload);
    /// Compares all that the workload can compare, and expects nothing wrong or left over.
    void ExpectAllVerified(const Ptr<Workload>& workload);
    [[nodiscard]] std::vector<std::string> NamesCompleted() const;

    static std::shared_ptr<const Tree> ParseTree(const std::string& rows);

    Ptr<HostMemory> m_clientMemory;
    Ptr<HostMemory> m_serverMemory;
    Ptr<FileStore> m_store;
    Ptr<Nfs3Server> m_nfsServer;
    Ptr<RpcServer> m_rpcServer;
    Ptr<DelayTransport> m_transport;
    Ptr<RpcClient> m_rpcClient;
    Ptr<Nfs3Client> m_client;
    Ptr<NfsAcl3Client> m_aclClient;
    Ptr<Nfs3FileClient> m_fileClient;
    LoadedExport m_export;
    std::vector<Completed> m_completed;
    std::vector<WorkloadPhase> m_phases;
    uint32_t m_finished{0};
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_WORKLOAD_WORKLOAD_LOOP_H
