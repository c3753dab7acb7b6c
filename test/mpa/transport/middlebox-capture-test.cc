/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-pcap.h"
#include "mpa/startup-frame.h"
#include "mpa/transport/middlebox-path-fixture.h"
#include "temporary-file.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/global-value.h"
#include "ns3/uinteger.h"

#include <cstdio>
#include <memory>

namespace ns3::nfsrdma
{
namespace
{

/// What leaves the middlebox, as a capture: every checksum is right, and MPA is dissected.
class MiddleboxCaptureTest : public MiddleboxPathTest,
                             public ::testing::WithParamInterface<ResegmentingMiddlebox::Mode>
{
  protected:
    void SetUp() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        MiddleboxPathTest::SetUp();
        pcap = CreateObject<EthernetPcap>();
        ASSERT_TRUE(pcap->Open(file.GetPath(), devices[RESPONDER]));
    }

    void TearDown() override
    {
        pcap->Close();
        MiddleboxPathTest::TearDown();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    void ConfigureConnection(std::size_t /* side */, MpaConnection& connection) override
    {
        connection.GetSettings()->SetAttribute("Crc", BooleanValue(true));
    }

    void ConfigureMiddlebox() override
    {
        box->SetAttribute("Mode", EnumValue(GetParam()));
        box->SetAttribute("SpareFirstOctets", UintegerValue(MpaStartupFrame::HEADER_SIZE));
    }

    uint32_t Count() const override
    {
        return 30;
    }

    /// An untagged Send.
    ByteVector HeaderOf(uint32_t index) const override
    {
        return {0x41,
                0x43,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                static_cast<uint8_t>(index + 1),
                0,
                0,
                0,
                0};
    }

    /// \return how many lines tshark gives.
    int CountLines(const std::string& arguments) const
    {
        const std::string command = "tshark -r '" + file.GetPath() +
                                    "' --disable-protocol rpcordma " + arguments + " 2>/dev/null";
        const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
        std::array<char, 4096> line{};
        int lines = 0;
        while (pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr)
        {
            ++lines;
        }
        return lines;
    }

    Ptr<EthernetPcap> pcap;
    test::TemporaryFile file;
};

TEST_P(MiddleboxCaptureTest, ChecksumsAreRightAndEveryFpduIsSeen)
{
    Exchange();
    ExpectComplete();
    pcap->Close();
    EXPECT_GT(CountLines(""), 20);
    EXPECT_EQ(CountLines("-o tcp.check_checksum:TRUE -o ip.check_checksum:TRUE "
                         "-Y 'tcp.checksum.status != 1 || ip.checksum.status != 1 || "
                         "_ws.malformed || tcp.analysis.lost_segment || "
                         "tcp.analysis.retransmission || tcp.analysis.out_of_order'"),
              0);
    EXPECT_EQ(CountLines("-Y 'iwarp_mpa.req || iwarp_mpa.rep'"), 2);
    EXPECT_EQ(CountLines("-Y iwarp_mpa.fpdu -O iwarp_mpa | grep 'Good CRC32'"),
              2 * static_cast<int>(Count()));
}

std::string
NameOf(ResegmentingMiddlebox::Mode mode)
{
    constexpr std::array<const char*, 4> NAMES{"None", "Split", "Merge", "Recut"};
    return NAMES.at(mode);
}

INSTANTIATE_TEST_SUITE_P(Modes,
                         MiddleboxCaptureTest,
                         ::testing::Values(ResegmentingMiddlebox::SPLIT,
                                           ResegmentingMiddlebox::MERGE,
                                           ResegmentingMiddlebox::RECUT),
                         [](const auto& test) { return NameOf(test.param); });

} // namespace
} // namespace ns3::nfsrdma
