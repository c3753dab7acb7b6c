/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-pcap.h"
#include "mpa/two-node-fixture.h"
#include "temporary-file.h"
#include "tshark.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

/// What a connection uses. Wireshark cannot find several FPDUs with markers in one segment, so
/// packing goes without them.
struct Framing
{
    const char* name;
    bool markers;
    bool crc;
    bool packing;
    uint8_t revision;
};

/// Startup with private data and some Sends of one octet pattern, as a capture.
class WiresharkTest : public TwoNodeTest, public ::testing::WithParamInterface<Framing>
{
  protected:
    static constexpr int ULPDUS = 20;

    void SetUp() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        initiatorSays.privateData = {1, 2, 3, 4, 5, 6, 7, 8};
        responderSays.privateData = {8, 7, 6, 5};
        TwoNodeTest::SetUp();
        for (const auto& transport : transports)
        {
            transport->SetAttribute("Packing", BooleanValue(GetParam().packing));
        }
        pcap = CreateObject<EthernetPcap>();
        ASSERT_TRUE(pcap->Open(file.GetPath(), devices[INITIATOR]));
    }

    void TearDown() override
    {
        pcap->Close();
        TwoNodeTest::TearDown();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    void ConfigureConnection(std::size_t side, MpaConnection& connection) override
    {
        connection.GetSettings()->SetAttribute("Crc",
                                               BooleanValue(GetParam().crc && side == RESPONDER));
        connection.GetSettings()->SetAttribute("Markers", BooleanValue(GetParam().markers));
        connection.GetSettings()->SetAttribute("Revision", UintegerValue(GetParam().revision));
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
        return test::RunTshark(file.GetPath(), "--disable-protocol rpcordma " + arguments);
    }

    Ptr<EthernetPcap> pcap;
    test::TemporaryFile file;
};

TEST_P(WiresharkTest, EveryFpduIsDissected)
{
    Start();
    Simulator::Schedule(MilliSeconds(5), [this]() { connections[INITIATOR]->Close(); });
    RunAll();
    pcap->Close();
    EXPECT_EQ(connections[INITIATOR]->IsCrcEnabled(), GetParam().crc);
    EXPECT_EQ(connections[INITIATOR]->GetAgreement().sendMarkers, GetParam().markers);
    EXPECT_EQ(connections[INITIATOR]->GetCounters().rxFpdus, uint64_t{ULPDUS});

    const std::string revision = std::to_string(GetParam().revision);
    EXPECT_EQ(Tshark("-Y 'iwarp_mpa.req && iwarp_mpa.rev == " + revision + "'").size(), 1U);
    EXPECT_EQ(Tshark("-Y 'iwarp_mpa.rep && iwarp_mpa.rev == " + revision + "'").size(), 1U);
    std::ptrdiff_t sends = 0;
    std::size_t segments = 0;
    for (const auto& line : Tshark("-Y iwarp_rdma.opcode -T fields -e iwarp_rdma.opcode"))
    {
        sends += std::count(line.begin(), line.end(), '3');
        ++segments;
    }
    EXPECT_EQ(sends, 2 * ULPDUS);
    EXPECT_EQ(segments < 2U * ULPDUS, GetParam().packing);
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
    EXPECT_EQ(goodCrcs, GetParam().crc ? 2 * ULPDUS : 0);
}

INSTANTIATE_TEST_SUITE_P(Framings,
                         WiresharkTest,
                         ::testing::Values(Framing{"Plain", false, false, false, 2},
                                           Framing{"PlainRevision1", false, false, false, 1},
                                           Framing{"Crc", false, true, false, 2},
                                           Framing{"CrcRevision1", false, true, false, 1},
                                           Framing{"Markers", true, false, false, 2},
                                           Framing{"MarkersAndCrc", true, true, false, 2},
                                           Framing{"MarkersAndCrcRevision1", true, true, false, 1},
                                           Framing{"Packing", false, false, true, 2},
                                           Framing{"PackingAndCrc", false, true, true, 2},
                                           Framing{"PackingAndCrcRevision1", false, true, true, 1}),
                         [](const auto& instance) { return std::string(instance.param.name); });

} // namespace
} // namespace ns3::nfsrdma
