/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_MOUNT_MOUNT_FIXTURE_H
#define NFSRDMA_TEST_NFS_MOUNT_MOUNT_FIXTURE_H

#include "link/ethernet-pcap.h"
#include "nfs/mount/automounter.h"
#include "nfs/mount/daemons.h"
#include "nfs/mount/universal-address.h"
#include "rpc/tcp/tcp-pair.h"
#include "temporary-file.h"
#include "tshark.h"
#include "wire/ip-address.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A client and a server with rpcbind and mountd, and a capture at the client.
class MountTest : public ::testing::Test
{
  protected:
    static constexpr uint16_t MOUNTD_PORT = 51791; ///< As in the captures of Linux.

    void SetUp() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        m_pair = std::make_unique<TcpPair>();
        m_store->CreateExport("/export");
        m_daemons->SetHost(m_pair->nodes[TcpPair::SERVER],
                           *IpAddress::Parse(TcpPair::SERVER_ADDRESS));
        m_daemons->SetFileStore(m_store);
        m_daemons->SetAttribute("MountdPort", UintegerValue(MOUNTD_PORT));
        ASSERT_TRUE(m_daemons->Start());
        m_pcap = CreateObject<EthernetPcap>();
        ASSERT_TRUE(m_pcap->Open(m_file.GetPath(), m_pair->devices[TcpPair::CLIENT]));
    }

    void TearDown() override
    {
        m_pcap->Close();
        m_daemons->Dispose();
        Simulator::Destroy();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    /// \return the credential of the captures' client.
    static AuthSysCredential GetRoot()
    {
        AuthSysCredential root;
        root.machineName = "client";
        root.gids = {0};
        return root;
    }

    /// \return a client of a program at a port of the server.
    Ptr<RpcClient> MakeClient(uint16_t port, uint32_t program, uint32_t version)
    {
        const auto transport = CreateObject<RpcTcpClient>();
        transport->SetNode(m_pair->nodes[TcpPair::CLIENT]);
        transport->SetServer(InetSocketAddress(TcpPair::SERVER_ADDRESS, port));
        transport->SetAttribute("IdleTimeout", TimeValue(Seconds(1)));
        transport->SetAttribute("FirstXid", UintegerValue(m_nextXid += 1000));
        const auto client = CreateObject<RpcClient>();
        client->SetTransport(transport);
        client->SetProgram(program, version);
        return client;
    }

    /// Calls, runs until nothing is left to happen, and \return the results; the record is
    /// m_record.
    template <typename Procedure>
    typename Procedure::Results Ask(const Ptr<RpcClient>& client,
                                    const typename Procedure::Arguments& arguments)
    {
        using Results = typename Procedure::Results;
        Results given;
        bool ended = false;
        CallStub<Procedure>(*client, arguments, [&](RpcRecord& record, const Results& results) {
            m_record = record;
            given = results;
            ended = true;
        });
        Simulator::Run();
        EXPECT_TRUE(ended);
        return given;
    }

    /// Ends the capture. \return lines of tshark's output on it.
    std::vector<std::string> Tshark(const std::string& arguments)
    {
        m_pcap->Close();
        return test::RunTshark(m_file.GetPath(), arguments);
    }

    /// Checks that tshark finds \p messages calls and replies of \p protocol, and nothing
    /// malformed.
    void ExpectDissected(const std::string& protocol, std::size_t messages)
    {
        std::size_t found = 0;
        for (const std::string& line : Tshark("-Y '" + protocol + "' -T fields -e rpc.msgtyp"))
        {
            found += 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
        }
        EXPECT_EQ(found, messages) << protocol;
        const auto faults = Tshark("-Y '_ws.malformed || _ws.expert.severity >= 0x800000 || "
                                   "rpc.fragment.error || data'");
        EXPECT_TRUE(faults.empty()) << faults.front();
    }

    std::unique_ptr<TcpPair> m_pair;
    Ptr<FileStore> m_store{CreateObject<FileStore>()};
    Ptr<NfsDaemons> m_daemons{CreateObject<NfsDaemons>()};
    Ptr<EthernetPcap> m_pcap;
    test::TemporaryFile m_file;
    RpcRecord m_record;
    uint32_t m_nextXid{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_NFS_MOUNT_MOUNT_FIXTURE_H
