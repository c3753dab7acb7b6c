/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/every-transport.h"
#include "mpa/two-node-fixture.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"

#include <random>
#include <tuple>

namespace ns3::nfsrdma
{
namespace
{

/// MPA connections whose ends use different transports; both ends send under loss.
class TransportConnectionTest
    : public TwoNodeTest,
      public ::testing::WithParamInterface<std::tuple<MpaTransport::Kind, MpaTransport::Kind, bool>>
{
  protected:
    static constexpr uint32_t ULPDUS = 1'000;

    void SetUp() override
    {
        TwoNodeTest::SetUp();
        const auto [first, second, packing] = GetParam();
        transports[INITIATOR]->SetAttribute("Transport", EnumValue(first));
        transports[RESPONDER]->SetAttribute("Transport", EnumValue(second));
        for (auto& transport : transports)
        {
            transport->SetAttribute("Packing", BooleanValue(packing));
            transport->SetAttribute("Nagle", BooleanValue(packing));
        }
        SetLossRate(0.01);
    }

    void ConfigureConnection(std::size_t side, MpaConnection& connection) override
    {
        connection.GetSettings()->SetAttribute("Crc", BooleanValue(true));
        connection.GetSettings()->SetAttribute(
            "OutOfOrderPlacement",
            BooleanValue(transports[side]->GetKind() == MpaTransport::AWARE));
        connection.GetSettings()->SetAttribute("PlaceByAlignment", BooleanValue(true));
    }

    void OnOperational(std::size_t side) override
    {
        Fill(side);
    }

    void OnReady(std::size_t side) override
    {
        Fill(side);
    }

    void Fill(std::size_t side)
    {
        while (sent[side] < ULPDUS)
        {
            const uint32_t longest = connections[side]->GetMulpdu();
            const auto length =
                static_cast<uint32_t>(1 + m_random() % (sent[side] % 2 == 0 ? longest : 100));
            if (!TrySend(side, ByteVector(length, static_cast<uint8_t>(sent[side]))))
            {
                return;
            }
            sizes[side].push_back(length);
            ++sent[side];
        }
    }

    void OnUlpdu(std::size_t side, ByteSpan ulpdu) override
    {
        ASSERT_LT(received[side], sizes[1 - side].size());
        ASSERT_EQ(ulpdu.size(), sizes[1 - side][received[side]]);
        ASSERT_EQ(ulpdu.front(), static_cast<uint8_t>(received[side]));
        ASSERT_EQ(ulpdu.back(), static_cast<uint8_t>(received[side]));
        ++received[side];
    }

    std::array<uint32_t, 2> sent{};
    std::array<uint32_t, 2> received{};
    std::array<std::vector<uint32_t>, 2> sizes;

  private:
    std::mt19937_64 m_random{11};
};

TEST_P(TransportConnectionTest, DeliversEveryUlpduOnceInOrder)
{
    Start();
    RunAll();
    for (std::size_t side = 0; side < 2; ++side)
    {
        EXPECT_EQ(received[side], ULPDUS);
        EXPECT_FALSE(errors[side].has_value());
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         TransportConnectionTest,
                         ::testing::Combine(EVERY_TRANSPORT, EVERY_TRANSPORT, ::testing::Bool()));

} // namespace
} // namespace ns3::nfsrdma
