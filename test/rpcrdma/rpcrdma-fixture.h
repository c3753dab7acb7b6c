/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_RPCRDMA_FIXTURE_H
#define NFSRDMA_TEST_RPCRDMA_RPCRDMA_FIXTURE_H

#include "rdma-host.h"
#include "rpc/client.h"
#include "rpcrdma/client/requester.h"
#include "rpcrdma/echo-program.h"
#include "rpcrdma/server/responder.h"

#include <gtest/gtest.h>
#include <map>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief Two nodes on one Ethernet link, an RNIC on each; an RPC-over-RDMA client and a server with
 * an EchoProgram. Cases override hooks, connect, call and look at what came back.
 */
class RpcRdmaTest : public ::testing::Test
{
  protected:
    /// How one RPC went, and whether its octets were right.
    struct Result
    {
        RpcRecord record;
        bool done{false};
        bool intact{false};
        bool reduced{false};
    };

    void SetUp() override;
    void TearDown() override;

    // Hooks.
    virtual void ConfigureDevice(Ptr<RnicDevice> device);
    virtual void ConfigureClient(Ptr<RpcRdmaClient> client);
    virtual void ConfigureServer(Ptr<RpcRdmaServer> server);

    /// Listens, connects and runs until nothing is left to happen.
    void Connect();
    /// Disconnects, stops, runs, and expects that nothing is left on either device.
    void ExpectCleanEnd();
    static void Run();

    /// Sends \p length octets as item; results come with Run().
    const Result& Take(uint32_t length, bool eligible = true, uint32_t pageOffset = 0);
    /// Asks for \p length octets into room for \p room, and \p tailWords words, of which the client
    /// expects \p expectedWords (all, when there is no value).
    const Result& Give(uint32_t length,
                       uint32_t room,
                       bool eligible = true,
                       uint32_t tailWords = 1,
                       std::optional<uint32_t> expectedWords = std::nullopt);

    static bool IsZero(const RnicCensus& census);

    RdmaHost m_clientHost;
    RdmaHost m_serverHost;
    Ptr<RpcServer> m_rpcServer;
    Ptr<EchoProgram> m_program;
    Ptr<RpcRdmaServer> m_server;
    Ptr<RpcRdmaClient> m_client;
    Ptr<RpcClient> m_rpcClient;

  private:
    bool CheckItem(const Result& result,
                   const RpcReceivedMessage& message,
                   XdrReader& reader,
                   uint32_t length,
                   uint64_t room);

    std::map<uint32_t, Result> m_results;
    std::map<uint32_t, HostBuffer> m_buffers;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_RPCRDMA_FIXTURE_H
