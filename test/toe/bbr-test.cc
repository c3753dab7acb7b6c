/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/bbr.h"
#include "toe/machine-pair.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

using State = Bbr::State;

constexpr uint32_t IP_AND_ETHERNET = 58;
constexpr uint32_t TCP_AND_TIMESTAMPS = 32;
constexpr uint32_t TIMESTAMPS = 12;

/// A connection that has octets to send without end, through a bottleneck.
class BbrPath
{
  public:
    BbrPath(uint32_t mss,
            uint64_t rate,
            Time roundTrip,
            Time queue,
            uint32_t lost = 0,
            uint32_t buffer = 4 << 20)
        : m_mss(mss),
          m_rate(rate),
          m_pair({MakeSettings(mss, roundTrip, buffer), MakeSettings(mss, roundTrip, buffer)},
                 MakeWeather(rate, roundTrip, queue, lost),
                 1)
    {
        m_pair.Exchange({60'000'000, 0}, 65536);
    }

    /// \return the share of the bottleneck's payload that has come from \p begin to \p end.
    double Measure(Time begin, Time end)
    {
        EXPECT_TRUE(m_pair.Run(MOST_EVENTS, begin));
        const uint64_t before = m_pair.GetDelivered(1);
        EXPECT_TRUE(m_pair.Run(MOST_EVENTS, end));
        const auto octets = static_cast<double>(m_pair.GetDelivered(1) - before);
        const double share = static_cast<double>(m_mss - TIMESTAMPS) /
                             (m_mss - TIMESTAMPS + TCP_AND_TIMESTAMPS + IP_AND_ETHERNET);
        return 8 * octets / (end - begin).GetSeconds() / (share * static_cast<double>(m_rate));
    }

    void Run(Time until)
    {
        EXPECT_TRUE(m_pair.Run(MOST_EVENTS, until));
    }

    [[nodiscard]] const SendSide& GetSendSide()
    {
        return m_pair.GetMachine(0).GetSendSide();
    }

    [[nodiscard]] const Bbr& GetBbr()
    {
        return dynamic_cast<const Bbr&>(GetSendSide().GetControl());
    }

    [[nodiscard]] const TcpEngineCounters& GetCounters() const
    {
        return m_pair.GetCounters(0);
    }

  private:
    static constexpr uint64_t MOST_EVENTS = 100'000'000;

    static TcpEngineSettings MakeSettings(uint32_t mss, Time roundTrip, uint32_t buffer)
    {
        TcpEngineSettings settings;
        settings.control = TcpEngineSettings::Control::BBR;
        settings.mss = mss;
        settings.sendBuffer = buffer;
        settings.receiveBuffer = 4 << 20;
        settings.timestampTick = MicroSeconds(1);
        settings.rtoMin = std::max(MilliSeconds(4), 4 * roundTrip);
        settings.delayedAck = MicroSeconds(500);
        settings.worstDelayedAck = settings.delayedAck;
        return settings;
    }

    static Weather MakeWeather(uint64_t rate, Time roundTrip, Time queue, uint32_t lost)
    {
        Weather weather;
        weather.rate = rate;
        weather.delay = roundTrip / 2;
        weather.queue = queue;
        weather.markAbove = queue;
        weather.lost = lost;
        return weather;
    }

    uint32_t m_mss;
    uint64_t m_rate;
    MachinePair m_pair;
};

class BbrLineRateTest : public ::testing::TestWithParam<uint32_t>
{
};

TEST_P(BbrLineRateTest, ReachesTheLineRateAtARoundTripOfFiveMicroseconds)
{
    BbrPath path(GetParam(), 100'000'000'000, MicroSeconds(5), MicroSeconds(200));
    EXPECT_GT(path.Measure(MicroSeconds(200), MilliSeconds(4)), 0.97);
    EXPECT_EQ(path.GetCounters().retransmits, 0U);
    EXPECT_EQ(path.GetCounters().timeouts, 0U);
}

TEST_P(BbrLineRateTest, DoesNotFillTheBuffer)
{
    BbrPath path(GetParam(), 100'000'000'000, MicroSeconds(5), MicroSeconds(200));
    path.Run(MicroSeconds(200));
    Time longest;
    for (int64_t at = 200; at < 4'000; at += 5)
    {
        path.Run(MicroSeconds(at));
        longest = std::max(longest, path.GetSendSide().GetRoundTrip().GetSmoothed().value());
    }
    EXPECT_LT(longest, MicroSeconds(15)) << "of the 205 that a full buffer would make";
    EXPECT_LT(path.GetBbr().GetMinRoundTrip().value(), MicroSeconds(6));
}

INSTANTIATE_TEST_SUITE_P(Segments, BbrLineRateTest, ::testing::Values(1460U, 8960U));

TEST(BbrTest, GoesThroughItsStates)
{
    BbrPath path(1460, 10'000'000'000, MicroSeconds(100), MilliSeconds(2));
    std::vector<State> states;
    for (int64_t at = 100; at < 30'000; at += 20)
    {
        path.Run(MicroSeconds(at));
        if (path.GetSendSide().GetNext() == FIRST_OCTET)
        {
            continue;
        }
        const State state = path.GetBbr().GetState();
        if (states.empty() || states.back() != state)
        {
            states.push_back(state);
        }
    }
    const std::vector<State> expected{
        State::STARTUP,
        State::DRAIN,
        State::CRUISE, // DOWN in passing: DRAIN has emptied the queue.
        State::REFILL,
        State::UP,
        State::DOWN,
        State::CRUISE};
    ASSERT_GE(states.size(), expected.size());
    states.resize(expected.size());
    EXPECT_EQ(states, expected);
    EXPECT_NEAR(path.GetBbr().GetMaxBandwidth() * 8, 1448.0 / 1538 * 10e9, 0.02 * 10e9);
}

TEST(BbrTest, PacesByItsState)
{
    BbrPath path(1460, 10'000'000'000, MicroSeconds(100), MilliSeconds(2));
    std::set<State> seen;
    for (int64_t at = 3'000; at < 30'000; at += 10)
    {
        path.Run(MicroSeconds(at));
        const Bbr& bbr = path.GetBbr();
        const double gain = bbr.GetState() == State::DOWN ? Bbr::DOWN_PACING_GAIN
                            : bbr.GetState() == State::UP ? Bbr::UP_PACING_GAIN
                                                          : 1.0;
        ASSERT_NEAR(bbr.GetPacingRate(),
                    gain * bbr.GetMaxBandwidth() * (1 - Bbr::PACING_MARGIN),
                    1e-6 * bbr.GetMaxBandwidth());
        seen.insert(bbr.GetState());
    }
    EXPECT_EQ(seen, (std::set<State>{State::DOWN, State::CRUISE, State::REFILL, State::UP}));
}

TEST(BbrTest, LooksForTheShortestRoundTripEachFiveSeconds)
{
    const Time roundTrip = MilliSeconds(20);
    BbrPath path(1460, 10'000'000, roundTrip, MilliSeconds(200));
    std::optional<Time> begin;
    std::optional<Time> end;
    for (Time at = MilliSeconds(100); at < Seconds(8); at += MilliSeconds(1))
    {
        path.Run(at);
        const bool isProbing = path.GetBbr().GetState() == State::PROBE_RTT;
        if (isProbing && !begin)
        {
            begin = at;
        }
        if (isProbing && at > *begin + 3 * roundTrip)
        {
            const double product = path.GetBbr().GetMaxBandwidth() * roundTrip.GetSeconds();
            EXPECT_LE(static_cast<double>(path.GetSendSide().GetCongestionWindow().window),
                      std::max(0.6 * product, 4 * 1448.0));
        }
        if (begin && !isProbing && !end)
        {
            end = at;
        }
    }
    ASSERT_TRUE(begin && end);
    EXPECT_GE(*begin, Seconds(5));
    EXPECT_GE(*end - *begin, MilliSeconds(200));
    EXPECT_LE(*end - *begin, MilliSeconds(200) + 4 * roundTrip);
    EXPECT_EQ(path.GetCounters().timeouts, 0U);
}

TEST(BbrTest, DoesNotTakeItsOwnRestraintForAFullPath)
{
    const Time roundTrip = MilliSeconds(20);
    BbrPath path(1460, 10'000'000'000, roundTrip, MilliSeconds(2), 0, 40'000);
    bool hasProbed = false;
    for (Time at = MilliSeconds(100); at < Seconds(7); at += MilliSeconds(10))
    {
        path.Run(at);
        const State state = path.GetBbr().GetState();
        hasProbed = hasProbed || state == State::PROBE_RTT;
        ASSERT_TRUE(state == State::STARTUP || state == State::PROBE_RTT)
            << "the buffer for sending is the limit";
    }
    EXPECT_TRUE(hasProbed);
    EXPECT_EQ(path.GetBbr().GetState(), State::STARTUP);
}

TEST(BbrTest, FindsWhatAShallowBufferHolds)
{
    BbrPath path(1460, 10'000'000'000, MicroSeconds(100), MicroSeconds(10));
    EXPECT_GT(path.Measure(MilliSeconds(5), MilliSeconds(30)), 0.75);
    const Bbr& bbr = path.GetBbr();
    const double product = bbr.GetMaxBandwidth() * bbr.GetMinRoundTrip()->GetSeconds();
    EXPECT_LT(bbr.GetInflightLongTerm(), 1.5 * product);
    EXPECT_GT(path.GetCounters().retransmits, 0U);
    EXPECT_EQ(path.GetCounters().timeouts, 0U);
    EXPECT_LT(static_cast<double>(path.GetCounters().retransmits),
              0.02 * static_cast<double>(path.GetCounters().outSegments));
}

TEST(BbrTest, StandsLossesThatAreNoCongestion)
{
    BbrPath path(1460, 10'000'000'000, MicroSeconds(100), MilliSeconds(1), 3);
    EXPECT_GT(path.Measure(MilliSeconds(5), MilliSeconds(30)), 0.85);
    EXPECT_GT(path.GetCounters().retransmits, 0U);
}

/// Segments of a thousand octets, one each microsecond, that arrive ten later.
class DeliveryRateTest : public ::testing::Test
{
  protected:
    static constexpr uint64_t SIZE = 1000;

    static SentSegment MakeSegment(int64_t number)
    {
        SentSegment segment;
        segment.begin = FIRST_OCTET + number * static_cast<Position>(SIZE);
        segment.end = segment.begin + static_cast<Position>(SIZE);
        segment.transmissions = 1;
        return segment;
    }

    void Send(int64_t number, uint64_t inFlight)
    {
        m_rate.Send(MakeSegment(number).end, SIZE, inFlight, MicroSeconds(number));
    }

    DeliverySample Deliver(int64_t number, Time at, std::optional<Time> least = std::nullopt)
    {
        m_rate.Begin();
        m_rate.Deliver(MakeSegment(number), at);
        return m_rate.Finish(least, MakeSegment(number).end);
    }

    DeliveryRate m_rate;
};

TEST_F(DeliveryRateTest, OfASteadyFlowIsItsRate)
{
    for (int64_t number = 0; number < 10; ++number)
    {
        Send(number, SIZE * (number + 1));
    }
    for (int64_t number = 10; number < 40; ++number)
    {
        const auto sample = Deliver(number - 10, MicroSeconds(number));
        EXPECT_EQ(sample.newlyDelivered, SIZE);
        EXPECT_EQ(sample.total, SIZE * (number - 9));
        EXPECT_FALSE(sample.applicationLimited);
        if (number >= 20)
        {
            EXPECT_NEAR(sample.rate, 1e9, 1);
            EXPECT_EQ(sample.delivered, 10 * SIZE);
            EXPECT_EQ(sample.sentInFlight, 10 * SIZE);
        }
        Send(number, 10 * SIZE);
    }
}

TEST_F(DeliveryRateTest, IsNotMoreThanWasSentInTheTime)
{
    for (int64_t number = 0; number < 10; ++number)
    {
        Send(number, SIZE * (number + 1));
    }
    m_rate.Begin();
    for (int64_t number = 0; number < 10; ++number)
    {
        m_rate.Deliver(MakeSegment(number), MicroSeconds(12));
    }
    const auto sample = m_rate.Finish(std::nullopt, MakeSegment(9).end);
    EXPECT_EQ(sample.delivered, 10 * SIZE);
    EXPECT_NEAR(sample.rate, 10.0 * SIZE / 12e-6, 1) << "acknowledged together";
}

TEST_F(DeliveryRateTest, IsOfNoIntervalShorterThanARoundTrip)
{
    Send(0, SIZE);
    EXPECT_EQ(Deliver(0, MicroSeconds(4), MicroSeconds(5)).rate, 0);
    Send(10, SIZE);
    EXPECT_NEAR(Deliver(10, MicroSeconds(15), MicroSeconds(5)).rate, SIZE / 5e-6, 1);
}

TEST_F(DeliveryRateTest, KnowsWhenTheApplicationWasTheLimit)
{
    Send(0, SIZE);
    m_rate.NoteApplicationLimit(SIZE);
    Send(1, 2 * SIZE);
    EXPECT_FALSE(Deliver(0, MicroSeconds(10)).applicationLimited) << "sent before";
    EXPECT_TRUE(m_rate.IsApplicationLimited());
    EXPECT_TRUE(Deliver(1, MicroSeconds(11)).applicationLimited);
    EXPECT_FALSE(m_rate.IsApplicationLimited()) << "all of that time has arrived";
    Send(12, SIZE);
    EXPECT_FALSE(Deliver(12, MicroSeconds(22)).applicationLimited);
}

TEST_F(DeliveryRateTest, TellsOfLosses)
{
    for (int64_t number = 0; number < 4; ++number)
    {
        Send(number, SIZE * (number + 1));
    }
    const auto lost = m_rate.Lose(MakeSegment(1));
    ASSERT_TRUE(lost.has_value());
    EXPECT_EQ(lost->sentInFlight, 2 * SIZE);
    EXPECT_EQ(lost->lost, SIZE);
    const auto sample = Deliver(3, MicroSeconds(13));
    EXPECT_EQ(sample.newlyLost, SIZE);
    EXPECT_EQ(sample.lost, SIZE);
    EXPECT_EQ(sample.sentInFlight, 4 * SIZE);
    SentSegment part = MakeSegment(5);
    part.end -= 1;
    EXPECT_FALSE(m_rate.Lose(part).has_value()) << "it was not sent as this";
}

/// A model fed with samples.
class BbrModelTest : public ::testing::Test
{
  protected:
    BbrModelTest()
    {
        Start(1);
    }

    void Start(uint32_t seed)
    {
        m_bbr = Bbr();
        m_window = CongestionWindow();
        m_window.segment = 1000;
        m_window.window = 10'000;
        m_now = Time(0);
        m_total = 0;
        m_bbr.Start(m_window, MicroSeconds(100), seed, m_now);
    }

    /// An acknowledgment a round trip later than the one before.
    void Acknowledge(double rate, bool applicationLimited = false)
    {
        Acknowledge(rate, [applicationLimited](DeliverySample& sample) {
            sample.applicationLimited = applicationLimited;
        });
    }

    /// The same, with what \p change makes of its sample.
    template <typename Change>
    void Acknowledge(double rate, const Change& change)
    {
        m_now += MicroSeconds(100);
        DeliverySample sample;
        sample.rate = rate;
        sample.priorDelivered = m_total;
        sample.delivered = 10'000;
        sample.newlyDelivered = 10'000;
        m_total += 10'000;
        sample.total = m_total;
        sample.sentInFlight = 10'000;
        sample.inFlight = 10'000;
        sample.roundTrip = MicroSeconds(100);
        change(sample);
        m_bbr.Acknowledge(sample, m_window, m_now);
    }

    /// Acknowledgments, each as \p change makes it, until the model is in \p state.
    template <typename Change>
    void AcknowledgeUntil(State state, const Change& change)
    {
        for (int round = 0; round < 100 && m_bbr.GetState() != state; ++round)
        {
            Acknowledge(1e8, change);
        }
        ASSERT_EQ(m_bbr.GetState(), state);
    }

    /// A segment of a window of ten thousand octets is lost.
    void Lose()
    {
        LostSegment segment;
        segment.begin = FIRST_OCTET;
        segment.end = FIRST_OCTET + 1'000;
        segment.lost = 1'000;
        segment.sentInFlight = 10'000;
        segment.total = m_total;
        m_bbr.NoteLoss(segment, m_now);
    }

    Bbr m_bbr;
    CongestionWindow m_window;
    Time m_now;
    uint64_t m_total{0};
};

TEST_F(BbrModelTest, LeavesStartupWhenTheRateGrowsNoMore)
{
    for (double rate = 1e8; rate < 8e8; rate *= 1.3)
    {
        Acknowledge(rate);
        EXPECT_EQ(m_bbr.GetState(), State::STARTUP);
    }
    Acknowledge(8e8);
    for (int round = 0; round < 3; ++round)
    {
        EXPECT_EQ(m_bbr.GetState(), State::STARTUP) << round;
        Acknowledge(8e8);
    }
    EXPECT_NE(m_bbr.GetState(), State::STARTUP);
}

TEST_F(BbrModelTest, DoesNotTakeAnIdleApplicationForAFullPath)
{
    Acknowledge(1e9);
    for (int round = 0; round < 20; ++round)
    {
        Acknowledge(1e8, true);
        EXPECT_EQ(m_bbr.GetState(), State::STARTUP);
    }
    EXPECT_EQ(m_bbr.GetMaxBandwidth(), 1e9);
    Acknowledge(2e9, true);
    EXPECT_EQ(m_bbr.GetMaxBandwidth(), 2e9) << "the path can carry that at least";
}

TEST_F(BbrModelTest, ForgetsARateAfterTwoCyclesWithoutIt)
{
    for (int round = 0; round < 6; ++round)
    {
        Acknowledge(1e9);
    }
    EXPECT_EQ(m_bbr.GetMaxBandwidth(), 1e9);
    int rounds = 0;
    while (m_bbr.GetMaxBandwidth() > 5e8 && rounds < 1'000)
    {
        Acknowledge(5e8);
        ++rounds;
    }
    EXPECT_GT(rounds, 10);
    EXPECT_LT(rounds, 400);
}

TEST_F(BbrModelTest, LooksForMoreThanALossHasLeft)
{
    const auto windowLimited = [](DeliverySample& sample) {
        sample.windowLimited = true;
        sample.sentInFlight = 9'000;
        sample.inFlight = 7'000;
    };
    AcknowledgeUntil(State::UP, windowLimited);
    Lose();
    EXPECT_EQ(m_bbr.GetState(), State::DOWN);
    const double bound = m_bbr.GetInflightLongTerm();
    EXPECT_EQ(bound, 9'183) << "what would have lost 2 %, in whole octets";
    AcknowledgeUntil(State::UP, windowLimited);
    EXPECT_EQ(m_bbr.GetInflightLongTerm(), bound);
    for (int round = 0; round < 3; ++round)
    {
        Acknowledge(1e8, windowLimited);
    }
    EXPECT_GE(m_bbr.GetInflightLongTerm(), bound + 2'000);
}

TEST_F(BbrModelTest, DrainsForThreeRoundsAtMost)
{
    const auto full = [](DeliverySample& sample) { sample.inFlight = 30'000; };
    AcknowledgeUntil(State::DRAIN, full);
    for (int round = 0; round < 3; ++round)
    {
        Acknowledge(1e8, full);
        EXPECT_EQ(m_bbr.GetState(), State::DRAIN) << round;
    }
    Acknowledge(1e8, full);
    EXPECT_EQ(m_bbr.GetState(), State::DOWN);
}

TEST_F(BbrModelTest, HasFoundTheShortestRoundTripWhenItSendsAgainAfterIdling)
{
    const auto little = [](DeliverySample& sample) { sample.inFlight = 4'000; };
    AcknowledgeUntil(State::CRUISE, little);
    const uint64_t before = m_window.window;
    m_now += Seconds(6);
    Acknowledge(1e8, little);
    ASSERT_EQ(m_bbr.GetState(), State::PROBE_RTT);
    EXPECT_LT(m_window.window, before);
    m_bbr.NoteSend(true, m_window, m_now + MilliSeconds(199));
    EXPECT_EQ(m_bbr.GetState(), State::PROBE_RTT);
    m_bbr.NoteSend(true, m_window, m_now + MilliSeconds(201));
    EXPECT_EQ(m_bbr.GetState(), State::CRUISE);
    EXPECT_EQ(m_window.window, before);
}

TEST_F(BbrModelTest, KeepsTheRateWhileSamplesTellOfNone)
{
    AcknowledgeUntil(State::CRUISE, [](DeliverySample& /* sample */) {});
    for (int cycle = 0; cycle < 4; ++cycle)
    {
        AcknowledgeUntil(State::UP, [](DeliverySample& sample) { sample.rate = 0; });
        Lose();
        ASSERT_EQ(m_bbr.GetState(), State::DOWN);
        Acknowledge(0);
        EXPECT_EQ(m_bbr.GetMaxBandwidth(), 1e8) << cycle;
    }
}

TEST_F(BbrModelTest, ForgetsABurstOfAcknowledgmentsAfterARoundOfStartup)
{
    const auto limited = [](DeliverySample& sample) { sample.applicationLimited = true; };
    for (int round = 0; round < 5; ++round)
    {
        Acknowledge(1e8, limited);
    }
    Acknowledge(1e8, [](DeliverySample& sample) {
        sample.applicationLimited = true;
        sample.newlyDelivered = 40'000;
    });
    for (int round = 0; round < 4; ++round)
    {
        Acknowledge(1e8, [](DeliverySample& sample) {
            sample.applicationLimited = true;
            sample.newlyDelivered = 0;
        });
    }
    for (int round = 0; round < 2; ++round)
    {
        Acknowledge(1e8, limited);
    }
    m_window.window = 20'000;
    for (int round = 0; round < 2; ++round)
    {
        Acknowledge(1e8, limited);
    }
    EXPECT_EQ(m_bbr.GetState(), State::STARTUP);
    EXPECT_EQ(m_window.window, 30'000U) << "twice the product and what comes at once";
}

TEST_F(BbrModelTest, LooksForMoreAgainWhenNothingWasLost)
{
    const auto little = [](DeliverySample& sample) { sample.inFlight = 7'000; };
    AcknowledgeUntil(State::UP, little);
    const double bound = m_bbr.GetInflightLongTerm();
    Lose();
    ASSERT_EQ(m_bbr.GetState(), State::DOWN);
    ASSERT_LT(m_bbr.GetInflightLongTerm(), bound);
    m_bbr.Undo();
    EXPECT_EQ(m_bbr.GetState(), State::UP);
    EXPECT_EQ(m_bbr.GetInflightLongTerm(), bound);
    Lose();
    EXPECT_EQ(m_bbr.GetState(), State::DOWN) << "a loss still ends it";
    m_bbr.Undo();
    m_bbr.Undo();
    EXPECT_EQ(m_bbr.GetState(), State::UP) << "there is nothing more to take back";
}

TEST_F(BbrModelTest, StartsOnWhenNothingWasLost)
{
    Acknowledge(1e8);
    Lose();
    for (int round = 0; round < 5; ++round)
    {
        Acknowledge(1e8);
    }
    ASSERT_NE(m_bbr.GetState(), State::STARTUP);
    m_bbr.Undo();
    EXPECT_EQ(m_bbr.GetState(), State::STARTUP);
    for (double rate = 1e8; rate < 8e8; rate *= 1.3)
    {
        Acknowledge(rate);
        EXPECT_EQ(m_bbr.GetState(), State::STARTUP);
    }
}

TEST_F(BbrModelTest, ProbesWhenOthersThatStartedWithItDoNot)
{
    const auto draw = [this](uint32_t seed) {
        Start(seed);
        std::vector<State> states;
        for (int round = 0; round < 200; ++round)
        {
            Acknowledge(1e8);
            states.push_back(m_bbr.GetState());
        }
        return states;
    };
    std::set<std::vector<State>> courses;
    for (uint32_t seed = 0; seed < 16; ++seed)
    {
        courses.insert(draw(seed));
    }
    EXPECT_GE(courses.size(), 12U);
    EXPECT_EQ(draw(3), draw(3));
}

/// The sending half of a connection with BBR; each segment has a thousand octets.
class BbrSendSideTest : public ::testing::Test
{
  protected:
    static constexpr uint32_t SIZE = 1000;

    BbrSendSideTest()
        : m_send(MakeSettings(), m_deadlines, m_counters)
    {
        SendStart start;
        start.now = m_now;
        start.segmentSize = SIZE;
        start.window = 1 << 20;
        start.sack = true;
        start.roundTrip = MicroSeconds(100);
        m_send.Start(start);
    }

    static Position At(int64_t number)
    {
        return FIRST_OCTET + number * static_cast<Position>(SIZE);
    }

    /// So many segments leave, one after the other.
    void Send(int64_t segments)
    {
        for (int64_t i = 0; i < segments; ++i)
        {
            ASSERT_TRUE(m_send.Give(SIZE, m_now));
        }
        for (int64_t i = 0; i < segments; ++i)
        {
            if (i > 0)
            {
                ASSERT_FALSE(m_send.Next(m_now).has_value()) << "it is paced";
                m_now = m_deadlines.Get(TcpTimer::PACING).value();
                m_deadlines.Cancel(TcpTimer::PACING);
            }
            ASSERT_TRUE(m_send.Next(m_now).has_value());
        }
    }

    const TcpEngineSettings& MakeSettings()
    {
        m_settings.control = TcpEngineSettings::Control::BBR;
        return m_settings;
    }

    Time m_now{MicroSeconds(1)};
    TcpEngineSettings m_settings;
    TcpDeadlines m_deadlines;
    TcpEngineCounters m_counters;
    SendSide m_send;
};

TEST_F(BbrSendSideTest, KnowsOfALossThatATimerHasFoundBeforeItIsRepeated)
{
    Send(3);
    m_now += MicroSeconds(100);
    TcpAcknowledgment acknowledgment;
    acknowledgment.position = At(0);
    acknowledgment.window = 1 << 20;
    acknowledgment.sack[0] = {At(2), At(3)};
    acknowledgment.sackSize = 1;
    m_send.Acknowledge(acknowledgment, m_now);
    EXPECT_FALSE(m_send.Next(m_now).has_value());
    EXPECT_EQ(m_send.GetDeliveryRate()->GetLost(), 0U);
    m_now = m_deadlines.Get(TcpTimer::REORDERING).value();
    ASSERT_TRUE(m_send.HandleTimer(TcpTimer::REORDERING, m_now));
    const auto repeated = m_send.Next(m_now);
    ASSERT_TRUE(repeated && repeated->repeated);
    EXPECT_EQ(m_send.GetDeliveryRate()->GetLost(), 2U * SIZE)
        << "else the repetition would be charged with it";
}

TEST_F(BbrSendSideTest, KnowsThatNothingWaitsThoughPacingHolds)
{
    Send(1);
    EXPECT_FALSE(m_send.GetDeliveryRate()->IsApplicationLimited());
    EXPECT_FALSE(m_send.Next(m_now).has_value());
    EXPECT_TRUE(m_send.GetDeliveryRate()->IsApplicationLimited());
    EXPECT_FALSE(m_deadlines.IsSet(TcpTimer::PACING));
}

TEST_F(BbrSendSideTest, HasItsWindowAgainAfterATimeoutForNothing)
{
    Send(5);
    const uint64_t window = m_send.GetCongestionWindow().window;
    m_now = m_deadlines.Get(TcpTimer::RETRANSMISSION).value();
    ASSERT_TRUE(m_send.HandleTimer(TcpTimer::RETRANSMISSION, m_now));
    ASSERT_TRUE(m_send.Next(m_now)->repeated);
    ASSERT_LT(m_send.GetCongestionWindow().window, window);
    TcpAcknowledgment acknowledgment;
    acknowledgment.position = At(3);
    acknowledgment.window = 1 << 20;
    m_send.Acknowledge(acknowledgment, m_now + MicroSeconds(1));
    EXPECT_EQ(m_counters.spuriousTimeouts, 1U);
    EXPECT_GE(m_send.GetCongestionWindow().window, window);
}

} // namespace
} // namespace ns3::nfsrdma
