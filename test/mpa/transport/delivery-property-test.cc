/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/transport/middlebox-path-fixture.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

/// What a path does besides re-segmenting.
enum class Weather
{
    CALM,
    LOSS,
    REORDERING,
    DUPLICATION,
    STORM ///< All of them, and to acknowledgments, SYN and FIN too.
};

/// Which sides ask for markers in what they receive.
enum class Markers
{
    NONE,
    INITIATOR,
    RESPONDER,
    BOTH
};

struct Conditions
{
    ResegmentingMiddlebox::Mode mode;
    Weather weather;
    MpaTransport::Kind transport;
    Markers markers;
    bool crc;
};

std::string
NameOf(const Conditions& conditions)
{
    constexpr std::array<const char*, 4> MODES{"None", "Split", "Merge", "Recut"};
    constexpr std::array<const char*, 5> WEATHERS{"Calm",
                                                  "Loss",
                                                  "Reordering",
                                                  "Duplication",
                                                  "Storm"};
    constexpr std::array<const char*, 3> TRANSPORTS{"Layered", "AwareSender", "Aware"};
    constexpr std::array<const char*, 4> MARKERS{"",
                                                 "MarkersToInitiator",
                                                 "MarkersToResponder",
                                                 "Markers"};
    return std::string(MODES.at(conditions.mode)) +
           WEATHERS.at(static_cast<std::size_t>(conditions.weather)) +
           TRANSPORTS.at(conditions.transport) +
           MARKERS.at(static_cast<std::size_t>(conditions.markers)) + (conditions.crc ? "Crc" : "");
}

/// The markers that go with \p weather: one direction only where everything happens at once.
std::vector<Markers>
MarkersIn(Weather weather)
{
    if (weather == Weather::STORM)
    {
        return {Markers::NONE, Markers::INITIATOR, Markers::RESPONDER, Markers::BOTH};
    }
    return {Markers::NONE, Markers::BOTH};
}

void
AddConditions(ResegmentingMiddlebox::Mode mode, Weather weather, std::vector<Conditions>& all)
{
    for (const auto transport :
         {MpaTransport::LAYERED, MpaTransport::AWARE_SENDER, MpaTransport::AWARE})
    {
        for (const auto markers : MarkersIn(weather))
        {
            all.push_back({mode, weather, transport, markers, false});
            all.push_back({mode, weather, transport, markers, true});
        }
    }
}

std::vector<Conditions>
AllConditions()
{
    std::vector<Conditions> all;
    for (const auto mode : {ResegmentingMiddlebox::NONE,
                            ResegmentingMiddlebox::SPLIT,
                            ResegmentingMiddlebox::MERGE,
                            ResegmentingMiddlebox::RECUT})
    {
        for (const auto weather : {Weather::CALM,
                                   Weather::LOSS,
                                   Weather::REORDERING,
                                   Weather::DUPLICATION,
                                   Weather::STORM})
        {
            AddConditions(mode, weather, all);
        }
    }
    return all;
}

/// What is delivered equals what was sent, in order, once, whatever the path does.
class DeliveryPropertyTest : public MiddleboxPathTest,
                             public ::testing::WithParamInterface<Conditions>
{
  protected:
    uint64_t Seed() const override
    {
        const auto& conditions = GetParam();
        return static_cast<uint64_t>(conditions.mode) * 5 +
               static_cast<uint64_t>(conditions.weather);
    }

    void ConfigureConnection(std::size_t side, MpaConnection& connection) override
    {
        connection.GetSettings()->SetAttribute("Markers", BooleanValue(HasMarkers(side)));
        connection.GetSettings()->SetAttribute("Crc", BooleanValue(GetParam().crc));
        connection.GetSettings()->SetAttribute(
            "OutOfOrderPlacement",
            BooleanValue(GetParam().transport == MpaTransport::AWARE));
        connection.GetSettings()->SetAttribute("PlaceByAlignment", BooleanValue(true));
    }

    /// \return whether what comes to \p side has markers.
    static bool HasMarkers(std::size_t side)
    {
        const auto markers = GetParam().markers;
        return markers == Markers::BOTH ||
               markers == (side == INITIATOR ? Markers::INITIATOR : Markers::RESPONDER);
    }

    void ConfigureMiddlebox() override
    {
        for (const auto& transport : transports)
        {
            transport->SetAttribute("Transport", EnumValue(GetParam().transport));
        }
        box->SetAttribute("Mode", EnumValue(GetParam().mode));
        box->SetAttribute("SplitSize", UintegerValue(0));
        box->SetAttribute("MergeSize", UintegerValue(4000));
        for (const auto& impairment : impairments)
        {
            const auto weather = GetParam().weather;
            const bool storm = weather == Weather::STORM;
            const auto set = [&](const char* attribute, Weather when, double probability) {
                if (storm || weather == when)
                {
                    impairment->SetAttribute(attribute, DoubleValue(probability));
                }
            };
            set("DropProbability", Weather::LOSS, 0.05);
            set("ReorderProbability", Weather::REORDERING, 0.1);
            set("DuplicateProbability", Weather::DUPLICATION, 0.1);
            impairment->SetAttribute("DataOnly", BooleanValue(!storm));
        }
    }

    /// Expects that the path was as bad as the case says.
    void ExpectPathDidItsWork() const
    {
        const auto& counters = box->GetCounters();
        switch (GetParam().mode)
        {
        case ResegmentingMiddlebox::NONE:
            EXPECT_EQ(counters.segmentsIn, 0U);
            break;
        case ResegmentingMiddlebox::MERGE:
            EXPECT_LT(counters.segmentsOut, counters.segmentsIn);
            break;
        case ResegmentingMiddlebox::SPLIT:
            EXPECT_GT(counters.segmentsOut, counters.segmentsIn);
            break;
        case ResegmentingMiddlebox::RECUT:
            EXPECT_NE(counters.segmentsOut, counters.segmentsIn);
            break;
        }
        const auto happened = [this](Weather when, uint64_t LinkImpairment::Counters::*count) {
            const auto total =
                impairments[0]->GetCounters().*count + impairments[1]->GetCounters().*count;
            const bool expected =
                GetParam().weather == when || GetParam().weather == Weather::STORM;
            EXPECT_EQ(total > 0, expected);
        };
        happened(Weather::LOSS, &LinkImpairment::Counters::dropped);
        happened(Weather::REORDERING, &LinkImpairment::Counters::delayed);
        EXPECT_EQ(connections[INITIATOR]->GetAgreement().receiveMarkers, HasMarkers(INITIATOR));
        EXPECT_EQ(connections[INITIATOR]->GetAgreement().sendMarkers, HasMarkers(RESPONDER));
        // Without markers FPDUs behind a gap show only where segments begin with them.
        const bool gaps =
            GetParam().weather != Weather::CALM && GetParam().weather != Weather::DUPLICATION;
        const bool found = GetParam().markers == Markers::BOTH ||
                           (GetParam().crc && GetParam().mode == ResegmentingMiddlebox::NONE);
        if (GetParam().transport == MpaTransport::AWARE && gaps && found)
        {
            EXPECT_GT(placedAhead[0].size() + placedAhead[1].size(), 0U);
        }
        if (GetParam().transport != MpaTransport::AWARE || GetParam().weather == Weather::CALM)
        {
            EXPECT_EQ(placedAhead[0].size() + placedAhead[1].size(), 0U);
        }
        happened(Weather::DUPLICATION, &LinkImpairment::Counters::duplicated);
    }
};

TEST_P(DeliveryPropertyTest, WhatIsDeliveredEqualsWhatWasSent)
{
    Exchange();
    ExpectComplete();
    ExpectPathDidItsWork();
}

INSTANTIATE_TEST_SUITE_P(Paths,
                         DeliveryPropertyTest,
                         ::testing::ValuesIn(AllConditions()),
                         [](const auto& test) { return NameOf(test.param); });

} // namespace
} // namespace ns3::nfsrdma
