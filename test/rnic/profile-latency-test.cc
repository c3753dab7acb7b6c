/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-net-device.h"
#include "rnic/profile-file.h"
#include "rnic/rnic-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <functional>
#include <ostream>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

struct Range
{
    int64_t least; ///< ns.
    int64_t most;  ///< ns.
};

/// What is published or commonly measured of a device with consumers that poll, back to back.
struct Published
{
    const char* profile;
    Range send;  ///< One way, 64 octets.
    Range write; ///< One way, 8 octets.
    Range read;  ///< 8 octets.

    friend std::ostream& operator<<(std::ostream& stream, const Published& published)
    {
        return stream << published.profile;
    }
};

// T5: "about 1.5 us" end to end (Chelsio). T6: sub 1 us through hardware (Chelsio), 1.0 to 1.5 us
// commonly. Both: Write 1.5 to 2.0 us (T6 from what its Send takes on), Read 2.5 to 3.5 us.
// Generic: between T6 and the faster of current devices (Write 0.8 to 1.0 us, Read 1.6 to 2.0 us)
// and T5. siw: 15 to 25 us a round trip on 10 and 25 Gbit/s with consumers that sleep; those of a
// core that polls save a wake-up of 1 to 3 us and an interrupt each way.
const Published PUBLISHED[] = {
    {"chelsio-t5-40g", {1400, 1800}, {1500, 2000}, {2500, 3500}},
    {"chelsio-t6-100g", {1000, 1500}, {1000, 2000}, {2500, 3500}},
    {"generic-100g", {1000, 1800}, {800, 2000}, {1600, 3500}},
    {"generic-25g", {1000, 2000}, {800, 2000}, {1600, 3500}},
    {"generic-200g", {1000, 1800}, {800, 2000}, {1600, 3500}},
    {"generic-400g", {1000, 1800}, {800, 2000}, {1600, 3500}},
    {"software-iwarp", {4000, 12500}, {4000, 12500}, {6000, 25000}},
};

class ProfileLatency : public RnicTest, public ::testing::WithParamInterface<Published>
{
  protected:
    static constexpr uint32_t SEND_LENGTH = 64;
    static constexpr uint32_t LENGTH = 8;

    void SetUp() override
    {
        ASSERT_TRUE(m_profile.IsGood());
        RnicTest::SetUp();
        for (const RnicHost* host : {&m_client, &m_server})
        {
            for (uint32_t i = 0; i < host->node->GetNDevices(); ++i)
            {
                host->node->GetDevice(i)->SetAttributeFailSafe(
                    "DataRate",
                    StringValue(m_profile.Get("port_rate")));
            }
        }
    }

    void ConfigureDevice(RnicHost& host) override
    {
        EXPECT_TRUE(m_profile.Apply(host.device));
        host.device->SetAttribute("Polling", BooleanValue(true));
    }

    void Completed(RnicHost& host, const WorkCompletion& completion) override
    {
        EXPECT_EQ(completion.status, WorkCompletionStatus::SUCCESS);
        (&host == &m_server ? m_serverAt : m_clientAt) = Simulator::Now();
    }

    /// \return from the post to \p end, of the second of two: the first fills the caches.
    Time Measure(const Time& end, const std::function<SendWorkRequest()>& prepare)
    {
        Time start;
        for (int i = 0; i < 2; ++i)
        {
            const SendWorkRequest request = prepare();
            start = Simulator::Now();
            PostSend(m_client, request);
            Run();
        }
        return end - start;
    }

    void ExpectWithin(Time latency, const Range& range)
    {
        EXPECT_GE(latency, NanoSeconds(range.least));
        EXPECT_LE(latency, NanoSeconds(range.most));
        RecordProperty("latency_ns", std::to_string(latency.GetNanoSeconds()));
    }

    const ProfileFile m_profile{GetParam().profile};
    Time m_clientAt;
    Time m_serverAt;
};

TEST_P(ProfileLatency, OfASendIsAsPublished)
{
    Connect();
    const HostBuffer& message = Keep(m_client.Fill(Pattern(SEND_LENGTH)));
    const HostBuffer& room = Keep(m_server.Room(SEND_LENGTH));
    const Time latency = Measure(m_serverAt, [&] {
        PostReceive(m_server, 1, room);
        Run();
        return Send(1, message);
    });
    ExpectWithin(latency, GetParam().send);
}

TEST_P(ProfileLatency, OfAWriteIsAsPublished)
{
    Connect();
    const HostBuffer& target = Keep(m_server.Room(LENGTH));
    const auto region = RegisterNow(m_server, target, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    Time seen;
    m_server.device->GetPlacementWatch().Add(target.GetAddress() + LENGTH - 1,
                                             [&seen] { seen = Simulator::Now(); });
    const HostBuffer& source = Keep(m_client.Fill(Pattern(LENGTH)));
    const Time latency =
        Measure(seen, [&] { return Write(1, source, region->GetStag(), target.GetAddress()); });
    ExpectWithin(latency, GetParam().write);
}

TEST_P(ProfileLatency, OfAReadIsAsPublished)
{
    Connect();
    const HostBuffer& source = Keep(m_server.Fill(Pattern(LENGTH)));
    const HostBuffer& sink = Keep(m_client.Room(LENGTH));
    const auto region = RegisterNow(m_server, source, ACCESS_REMOTE_READ);
    const auto target = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    const Time latency = Measure(m_clientAt, [&] {
        return Read(1, *target, LENGTH, region->GetStag(), source.GetAddress());
    });
    ExpectWithin(latency, GetParam().read);
}

INSTANTIATE_TEST_SUITE_P(Profiles,
                         ProfileLatency,
                         ::testing::ValuesIn(PUBLISHED),
                         [](const auto& parameter) {
                             std::string name = parameter.param.profile;
                             for (char& letter : name)
                             {
                                 letter = letter == '-' ? '_' : letter;
                             }
                             return name;
                         });

} // namespace

} // namespace ns3::nfsrdma
