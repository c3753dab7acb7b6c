/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/two-node-fixture.h"

#include "ns3/enum.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint16_t LARGE = 9000;
constexpr uint16_t SMALL = 1500;

/// Two ends whose devices have different MTUs, on either TCP and over either IP: nothing tells of
/// the path but what is offered in the SYNs.
class UnequalMtuTest : public TwoNodeTest,
                       public ::testing::WithParamInterface<
                           std::tuple<MpaTransport::Tcp, MpaTransport::Tcp, std::size_t, bool>>
{
  protected:
    uint16_t Mtu() const override
    {
        return LARGE;
    }

    bool OverIpv6() const override
    {
        return std::get<3>(GetParam());
    }

    void Wire() override
    {
        devices[GetSmaller()]->SetMtu(SMALL);
        TwoNodeTest::Wire();
    }

    [[nodiscard]] static std::size_t GetSmaller()
    {
        return std::get<2>(GetParam());
    }

    void OnReady(std::size_t side) override
    {
        while (sent[side] < TOTAL && connections[side]->CanSend())
        {
            const ByteVector ulpdu(connections[side]->GetMulpdu(), 0x5a);
            if (!TrySend(side, ulpdu))
            {
                return;
            }
            sent[side] += ulpdu.size();
        }
    }

    void OnOperational(std::size_t side) override
    {
        OnReady(side);
    }

    void OnUlpdu(std::size_t side, ByteSpan ulpdu) override
    {
        received[side] += ulpdu.size();
    }

    void OnSegment(std::size_t side, const Segment& segment) override
    {
        longest[side] = std::max(longest[side], segment.length);
    }

    static constexpr std::size_t TOTAL = 200'000;
    std::array<std::size_t, 2> sent{};
    std::array<std::size_t, 2> received{};
    std::array<uint32_t, 2> longest{};
};

TEST_P(UnequalMtuTest, SegmentsFitTheSmallerEnd)
{
    transports[0]->SetAttribute("Tcp", EnumValue(std::get<0>(GetParam())));
    transports[1]->SetAttribute("Tcp", EnumValue(std::get<1>(GetParam())));
    StartAndRun(MilliSeconds(50));
    const uint32_t headers = OverIpv6() ? 72 : 52;
    for (const std::size_t side : {0, 1})
    {
        EXPECT_FALSE(errors[side]);
        EXPECT_GE(sent[side], TOTAL);
        EXPECT_EQ(received[side], sent[1 - side]);
        EXPECT_LE(longest[side], SMALL - headers);
        EXPECT_GT(longest[side], SMALL - headers - 4);
        EXPECT_EQ(devices[side]->GetCounters().framesDropped, 0U);
        EXPECT_EQ(connections[side]->GetMulpdu(), (SMALL - headers) / 4 * 4 - 6U);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Stacks,
    UnequalMtuTest,
    ::testing::Combine(::testing::Values(MpaTransport::NS3, MpaTransport::OFFLOAD),
                       ::testing::Values(MpaTransport::NS3, MpaTransport::OFFLOAD),
                       ::testing::Values(0U, 1U),
                       ::testing::Bool()));

} // namespace
} // namespace ns3::nfsrdma
