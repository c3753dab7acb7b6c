/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/handshake.h"

#include <gtest/gtest.h>
#include <optional>
#include <tuple>

namespace ns3::nfsrdma
{
namespace
{

using Outcome = MpaHandshake::Outcome;

/// A kind of RNIC of RFC 5044 figure 14, and the markers it asks for.
struct Rnic
{
    MpaConformance conformance;
    bool markers;
};

constexpr Rnic RDMAC{MpaConformance::RDMA_CONSORTIUM, true};
constexpr Rnic NP_0{MpaConformance::NON_PERMISSIVE, false};
constexpr Rnic NP_1{MpaConformance::NON_PERMISSIVE, true};
constexpr Rnic P_0{MpaConformance::PERMISSIVE, false};
constexpr Rnic P_1{MpaConformance::PERMISSIVE, true};

/// What a cell of figures 15 to 17 says: V and M=X/Y, in the receive direction of
/// initiator/responder; or close.
struct Cell
{
    Rnic initiator;
    Rnic responder;
    bool closes;
    uint8_t version;
    bool initiatorReceives;
    bool responderReceives;
};

constexpr Cell
Close(Rnic initiator, Rnic responder)
{
    return {initiator, responder, true, 0, false, false};
}

constexpr Cell
Open(Rnic initiator, Rnic responder, uint8_t version, bool x, bool y)
{
    return {initiator, responder, false, version, x, y};
}

MpaStartup::Policy
PolicyOf(const Rnic& rnic, uint8_t revision)
{
    MpaStartup::Policy policy;
    policy.conformance = rnic.conformance;
    policy.markers = rnic.markers;
    policy.revision = revision;
    policy.maxIrd = 16;
    return policy;
}

/// Two handshakes back to back.
struct Exchange
{
    Exchange(const MpaStartup::Policy& initiatorPolicy, const MpaStartup::Policy& responderPolicy)
    {
        responder.StartResponder(responderPolicy);
        request = initiator.StartInitiator(initiatorPolicy, {4, 4, {}});
        heard = responder.Receive(request.Encode());
        if (heard == Outcome::REQUESTED)
        {
            reply = responder.Accept({4, 4, {}});
        }
        else if (heard == Outcome::REFUSED)
        {
            reply = responder.MakeRefusal();
        }
        if (reply)
        {
            concluded = initiator.Receive(reply->Encode());
        }
    }

    MpaHandshake initiator;
    MpaHandshake responder;
    MpaStartupFrame request;
    std::optional<MpaStartupFrame> reply;
    Outcome heard{Outcome::INCOMPLETE};
    Outcome concluded{Outcome::INCOMPLETE};
};

/// Figures 15, 16 and 17, with IETF RNICs of either revision.
class StartupMatrixTest : public ::testing::TestWithParam<std::tuple<Cell, uint8_t>>
{
  protected:
    void SetUp() override
    {
        cell = std::get<0>(GetParam());
        const uint8_t revision = std::get<1>(GetParam());
        exchange.emplace(PolicyOf(cell.initiator, revision), PolicyOf(cell.responder, revision));
    }

    Cell cell;
    std::optional<Exchange> exchange;
};

class StartupCloseTest : public StartupMatrixTest
{
};

TEST_P(StartupMatrixTest, BothSidesAgree)
{
    ASSERT_FALSE(cell.closes);
    ASSERT_EQ(exchange->heard, Outcome::REQUESTED);
    ASSERT_EQ(exchange->concluded, Outcome::ESTABLISHED);
    const auto& initiator = exchange->initiator.GetAgreement();
    const auto& responder = exchange->responder.GetAgreement();
    EXPECT_EQ(initiator.headerVersion, cell.version);
    EXPECT_EQ(responder.headerVersion, cell.version);
    EXPECT_EQ(initiator.receiveMarkers, cell.initiatorReceives);
    EXPECT_EQ(responder.sendMarkers, cell.initiatorReceives);
    EXPECT_EQ(responder.receiveMarkers, cell.responderReceives);
    EXPECT_EQ(initiator.sendMarkers, cell.responderReceives);
    EXPECT_EQ(initiator.crc, cell.version == 0);
    EXPECT_EQ(responder.crc, cell.version == 0);
    EXPECT_EQ(exchange->reply->revision == 0, cell.version == 0);
    EXPECT_EQ(exchange->reply->markers, cell.responderReceives);
    EXPECT_FALSE(exchange->reply->rejected);
}

TEST_P(StartupCloseTest, TheSideThatCannotGoOnCloses)
{
    ASSERT_TRUE(cell.closes);
    ASSERT_TRUE(exchange->reply);
    if (cell.initiator.conformance == MpaConformance::RDMA_CONSORTIUM)
    {
        EXPECT_EQ(exchange->request.revision, 0);
        EXPECT_TRUE(exchange->request.markers);
        EXPECT_TRUE(exchange->request.crc);
        EXPECT_EQ(exchange->heard, Outcome::REFUSED);
        EXPECT_EQ(exchange->reply->revision, 1);
    }
    else
    {
        EXPECT_EQ(exchange->heard, Outcome::REQUESTED);
        EXPECT_EQ(exchange->reply->revision, 0);
        EXPECT_TRUE(exchange->reply->markers);
        EXPECT_TRUE(exchange->reply->crc);
    }
    EXPECT_EQ(exchange->concluded, Outcome::FAILED);
    EXPECT_EQ(exchange->initiator.GetError(), MpaError::INVALID_STARTUP);
}

constexpr bool OFF = false;
constexpr bool ON = true;

INSTANTIATE_TEST_SUITE_P(Figure15,
                         StartupMatrixTest,
                         ::testing::Combine(::testing::Values(Open(RDMAC, RDMAC, 0, ON, ON),
                                                              Open(NP_0, NP_0, 1, OFF, OFF),
                                                              Open(NP_0, NP_1, 1, OFF, ON),
                                                              Open(NP_1, NP_0, 1, ON, OFF),
                                                              Open(NP_1, NP_1, 1, ON, ON)),
                                            ::testing::Values(1, 2)));

INSTANTIATE_TEST_SUITE_P(Figure15,
                         StartupCloseTest,
                         ::testing::Combine(::testing::Values(Close(RDMAC, NP_0),
                                                              Close(RDMAC, NP_1),
                                                              Close(NP_0, RDMAC),
                                                              Close(NP_1, RDMAC)),
                                            ::testing::Values(1, 2)));

// The first cell is "N/A": a permissive responder never returns M=0 to revision 0.
INSTANTIATE_TEST_SUITE_P(Figure16,
                         StartupMatrixTest,
                         ::testing::Combine(::testing::Values(Open(RDMAC, P_0, 0, ON, ON),
                                                              Open(RDMAC, P_1, 0, ON, ON),
                                                              Open(P_0, RDMAC, 0, ON, ON),
                                                              Open(P_1, RDMAC, 0, ON, ON),
                                                              Open(P_0, P_0, 1, OFF, OFF),
                                                              Open(P_0, P_1, 1, OFF, ON),
                                                              Open(P_1, P_0, 1, ON, OFF),
                                                              Open(P_1, P_1, 1, ON, ON)),
                                            ::testing::Values(1, 2)));

INSTANTIATE_TEST_SUITE_P(Figure17,
                         StartupMatrixTest,
                         ::testing::Combine(::testing::Values(Open(NP_0, P_0, 1, OFF, OFF),
                                                              Open(NP_0, P_1, 1, OFF, ON),
                                                              Open(NP_1, P_0, 1, ON, OFF),
                                                              Open(NP_1, P_1, 1, ON, ON),
                                                              Open(P_0, NP_0, 1, OFF, OFF),
                                                              Open(P_0, NP_1, 1, OFF, ON),
                                                              Open(P_1, NP_0, 1, ON, OFF),
                                                              Open(P_1, NP_1, 1, ON, ON)),
                                            ::testing::Values(1, 2)));

/// C of initiator and responder, and whether the responder may turn CRCs on alone.
class StartupCrcTest : public ::testing::TestWithParam<std::tuple<bool, bool, bool>>
{
};

TEST_P(StartupCrcTest, IsOnWhenEitherSideSaysSo)
{
    const auto [initiatorAsks, responderAsks, responderMay] = GetParam();
    MpaStartup::Policy initiator;
    initiator.crc = initiatorAsks;
    MpaStartup::Policy responder;
    responder.crc = responderAsks;
    responder.responderCrc = responderMay;
    const Exchange exchange(initiator, responder);
    ASSERT_EQ(exchange.concluded, Outcome::ESTABLISHED);
    const bool on = initiatorAsks || (responderAsks && responderMay);
    EXPECT_EQ(exchange.reply->crc, on);
    EXPECT_EQ(exchange.initiator.GetAgreement().crc, on);
    EXPECT_EQ(exchange.responder.GetAgreement().crc, on);
}

INSTANTIATE_TEST_SUITE_P(All,
                         StartupCrcTest,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Bool(),
                                            ::testing::Bool()));

TEST(StartupConformanceTest, NoMarkerSupportMakesAPermissiveRnicNonPermissive)
{
    MpaStartup::Policy permissive = PolicyOf(P_0, 2);
    permissive.markerSupport = false;
    const MpaStartup::Policy consortium = PolicyOf(RDMAC, 1);
    EXPECT_EQ(Exchange(consortium, permissive).heard, Outcome::REFUSED);
    EXPECT_EQ(Exchange(permissive, consortium).concluded, Outcome::FAILED);
}

TEST(StartupConformanceTest, Revision0WithoutMarkersIsNoConsortiumPeer)
{
    MpaHandshake responder;
    responder.StartResponder(PolicyOf(P_0, 2));
    EXPECT_EQ(responder.Receive(
                  MpaStartupFrame{MpaStartupFrame::Kind::REQUEST, false, true, false, false, 0, {}}
                      .Encode()),
              Outcome::REFUSED);
    MpaHandshake initiator;
    static_cast<void>(initiator.StartInitiator(PolicyOf(P_0, 2), {}));
    EXPECT_EQ(initiator.Receive(
                  MpaStartupFrame{MpaStartupFrame::Kind::REPLY, false, true, false, false, 0, {}}
                      .Encode()),
              Outcome::FAILED);
}

TEST(StartupConformanceTest, ConsumersMayRejectWhateverTheRevision)
{
    for (const Rnic& responder : {RDMAC, P_0})
    {
        MpaHandshake handshake;
        handshake.StartResponder(PolicyOf(responder, 2));
        MpaHandshake peer;
        const auto request = peer.StartInitiator(PolicyOf(RDMAC, 1), {});
        ASSERT_EQ(handshake.Receive(request.Encode()), Outcome::REQUESTED);
        const auto reply = handshake.Reject(ByteVector{7});
        EXPECT_EQ(reply.revision, 0);
        EXPECT_TRUE(reply.rejected);
        ASSERT_EQ(peer.Receive(reply.Encode()), Outcome::REJECTED);
        EXPECT_EQ(peer.GetPeer().privateData, ByteVector{7});
    }
}

} // namespace
} // namespace ns3::nfsrdma
