/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/transport/middlebox-path-fixture.h"

#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

/// The path becomes narrow while FPDUs are under way.
class PathMtuTest : public ChecksummedPathTest,
                    public ::testing::WithParamInterface<MpaTransport::Kind>
{
  protected:
    void ConfigureMiddlebox() override
    {
        for (const auto& transport : transports)
        {
            transport->SetAttribute("Transport", EnumValue(GetParam()));
        }
    }

    void SetMtuAt(uint32_t ulpdus, uint32_t mtu)
    {
        m_mtuAt[ulpdus] = mtu;
    }

    void OnUlpdu(std::size_t side, ByteSpan /* ulpdu */) override
    {
        const auto change = side == RESPONDER ? m_mtuAt.find(received[side]) : m_mtuAt.end();
        if (change != m_mtuAt.end())
        {
            box->SetAttribute("Mtu", UintegerValue(change->second));
        }
    }

    std::map<uint32_t, uint32_t> m_mtuAt; ///< By ULPDUs that the responder has received.
};

TEST_P(PathMtuTest, FpdusFollowANarrowPath)
{
    SetMtuAt(50, 576);
    Exchange();
    ExpectComplete();
    EXPECT_GT(box->GetCounters().refused, 0U);
    EXPECT_EQ(box->GetCounters().fragmented, 0U);
}

TEST_P(PathMtuTest, FpdusOfSmallestMulpduCrossThePathInPieces)
{
    SetMtuAt(50, 576);
    SetMtuAt(100, 120); // Leaves 68 octets of payload: MULPDU stays 128.
    Exchange();
    ExpectComplete();
    EXPECT_GT(box->GetCounters().refused, 1U);
}

TEST_P(PathMtuTest, ARecoveredPathCarriesTheRest)
{
    SetMtuAt(50, 576);
    SetMtuAt(150, 0);
    Exchange();
    ExpectComplete();
}

std::string
NameOf(MpaTransport::Kind transport)
{
    constexpr std::array<const char*, 3> NAMES{"Layered", "AwareSender", "Aware"};
    return NAMES.at(transport);
}

INSTANTIATE_TEST_SUITE_P(Transports,
                         PathMtuTest,
                         ::testing::Values(MpaTransport::LAYERED,
                                           MpaTransport::AWARE_SENDER,
                                           MpaTransport::AWARE),
                         [](const auto& test) { return NameOf(test.param); });

} // namespace
} // namespace ns3::nfsrdma
