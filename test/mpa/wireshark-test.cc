/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-pcap.h"
#include "mpa/two-node-fixture.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"

#include <array>
#include <cstdio>
#include <memory>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

/// Startup with private data and some Sends of one octet pattern, as a capture.
class WiresharkTest : public TwoNodeTest
{
  protected:
    static constexpr int ULPDUS = 20;

    void SetUp() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        initiatorSays.privateData = {1, 2, 3, 4, 5, 6, 7, 8};
        responderSays.privateData = {8, 7, 6, 5};
        TwoNodeTest::SetUp();
        file = ::testing::TempDir() + "nfsrdma-mpa-wireshark-test.pcap";
        pcap = CreateObject<EthernetPcap>();
        ASSERT_TRUE(pcap->Open(file, devices[INITIATOR]));
    }

    void TearDown() override
    {
        pcap->Close();
        std::remove(file.c_str());
        TwoNodeTest::TearDown();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    void ConfigureConnection(std::size_t side, MpaConnection& connection) override
    {
        connection.SetAttribute("Crc", BooleanValue(side == RESPONDER));
    }

    static ByteVector UntaggedSend(uint8_t messageNumber, std::size_t payload)
    {
        ByteVector ulpdu{0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, messageNumber, 0, 0, 0, 0};
        ulpdu.resize(ulpdu.size() + payload, 0x5a);
        return ulpdu;
    }

    void OnOperational(std::size_t side) override
    {
        if (side == INITIATOR)
        {
            for (int i = 0; i < ULPDUS; ++i)
            {
                ASSERT_TRUE(TrySend(side, UntaggedSend(static_cast<uint8_t>(i + 1), 40 * i)));
            }
        }
    }

    void OnUlpdu(std::size_t side, ByteSpan ulpdu) override
    {
        if (side == RESPONDER)
        {
            ASSERT_TRUE(TrySend(side, ByteVector(ulpdu.begin(), ulpdu.end())));
        }
    }

    /// \return lines of tshark's output.
    std::vector<std::string> Tshark(const std::string& arguments) const
    {
        const std::string command =
            "tshark -r '" + file + "' --disable-protocol rpcordma " + arguments + " 2>/dev/null";
        const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
        std::vector<std::string> lines;
        std::array<char, 4096> line{};
        while (pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr)
        {
            lines.emplace_back(line.data());
        }
        return lines;
    }

    Ptr<EthernetPcap> pcap;
    std::string file;
};

TEST_F(WiresharkTest, EveryFpduIsDissectedWithAGoodCrc)
{
    Start();
    Simulator::Schedule(MilliSeconds(5), [this]() { connections[INITIATOR]->Close(); });
    RunAll();
    pcap->Close();
    EXPECT_TRUE(connections[INITIATOR]->IsCrcEnabled());

    EXPECT_EQ(Tshark("-Y iwarp_mpa.req").size(), 1U);
    EXPECT_EQ(Tshark("-Y iwarp_mpa.rep").size(), 1U);
    EXPECT_EQ(Tshark("-Y 'iwarp_mpa.fpdu && iwarp_rdma.opcode == 3'").size(), 2U * ULPDUS);
    EXPECT_TRUE(Tshark("-Y '_ws.malformed || tcp.analysis.flags'").empty());
    EXPECT_TRUE(Tshark("-o tcp.check_checksum:TRUE -o ip.check_checksum:TRUE "
                       "-Y 'tcp.checksum.status != 1 || ip.checksum.status != 1'")
                    .empty());
    int goodCrcs = 0;
    for (const auto& line : Tshark("-Y iwarp_mpa.fpdu -O iwarp_mpa"))
    {
        goodCrcs += line.find("(Good CRC32)") != std::string::npos ? 1 : 0;
        EXPECT_EQ(line.find("(Bad CRC32)"), std::string::npos);
    }
    EXPECT_EQ(goodCrcs, 2 * ULPDUS);
}

} // namespace
} // namespace ns3::nfsrdma
