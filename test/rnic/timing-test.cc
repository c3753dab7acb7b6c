/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu.h"
#include "rnic/queue/work-descriptor.h"
#include "rnic/rnic-fixture.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

/// Costs that a case sets, by attribute name, in nanoseconds; all others are zero.
using Costs = std::vector<std::pair<std::string, int64_t>>;

/**
 * \brief Measures the same operation on devices without any cost and with some: the difference is
 * what the device adds, whatever the network takes.
 */
class Timing : public RnicTest
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        for (const char* name : {"Doorbell",
                                 "WqeFetch",
                                 "TxPerWqe",
                                 "TxPerFpdu",
                                 "PcieLatency",
                                 "RxPerFpdu",
                                 "ReadRequestTurnaround",
                                 "CqeWrite",
                                 "InterruptLatency",
                                 "RegisterBase",
                                 "RegisterPerPage",
                                 "InvalidateCost"})
        {
            host.device->SetAttribute(name, TimeValue(Time(0)));
        }
        host.device->SetAttribute("PcieRate", DataRateValue(DataRate(0)));
    }

    void SetUp() override
    {
        RnicTest::SetUp();
        for (RnicHost* host : {&m_client, &m_server})
        {
            for (const char* name :
                 {"PostCost", "PostPerRequest", "PollCost", "InterruptCost", "WakeUp"})
            {
                host->device->GetHostCpu()->SetAttribute(name, TimeValue(Time(0)));
            }
        }
    }

    void Completed(RnicHost& /* host */, const WorkCompletion& completion) override
    {
        EXPECT_EQ(completion.status, WorkCompletionStatus::SUCCESS);
        const bool received = completion.opcode == WorkCompletionOpcode::RECEIVE;
        (received ? m_receivedAt : m_sentAt) = Simulator::Now();
    }

    void SetCosts(const Costs& costs, uint64_t pcieRate)
    {
        for (RnicHost* host : {&m_client, &m_server})
        {
            for (const auto& [name, nanoseconds] : costs)
            {
                host->device->SetAttribute(name, TimeValue(NanoSeconds(nanoseconds)));
            }
            host->device->SetAttribute("PcieRate", DataRateValue(DataRate(pcieRate)));
        }
    }

    /// \return from the post to the receiver's handler.
    Time MeasureSend(uint32_t length)
    {
        const HostBuffer& message = Keep(m_client.Fill(Pattern(length)));
        PostReceive(m_server, 1, Keep(m_server.Room(length)));
        const Time start = Simulator::Now();
        PostSend(m_client, Send(1, message));
        Run();
        return m_receivedAt - start;
    }

    /// \return from the post to this side's handler.
    Time Measure(const std::vector<SendWorkRequest>& chain)
    {
        const Time start = Simulator::Now();
        EXPECT_TRUE(m_client.pair->PostSend(chain));
        Run();
        return m_sentAt - start;
    }

    Time m_sentAt;
    Time m_receivedAt;
};

constexpr uint64_t OCTET_PER_NANOSECOND = 8000000000;
/// Octets on the bus of a work request with one element, and of a completion.
constexpr int64_t WQE = WorkDescriptor::BASE_SIZE + WorkDescriptor::ELEMENT_SIZE;
constexpr int64_t CQE = RnicClocks::CQE_SIZE;

TEST_F(Timing, SmallSendTakesTheSumOfItsStages)
{
    Connect();
    MeasureSend(64);
    const Time network = MeasureSend(64);
    EXPECT_EQ(MeasureSend(64), network) << "the network must be in a steady state";
    EXPECT_GT(network, Time(0));
    SetCosts({{"Doorbell", 1},
              {"WqeFetch", 20},
              {"TxPerWqe", 300},
              {"TxPerFpdu", 4000},
              {"PcieLatency", 50000},
              {"RxPerFpdu", 600000},
              {"CqeWrite", 7000000},
              {"InterruptLatency", 80000000}},
             OCTET_PER_NANOSECOND);
    EXPECT_EQ(MeasureSend(64) - network,
              NanoSeconds(1 + 20 + WQE + 300 + 4000 + 2 * (50000 + 64) + 600000 + 7000000 + CQE +
                          80000000));
}

class TimingWithCrc : public Timing
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        Timing::ConfigureDevice(host);
        host.device->GetMpaSettings()->SetAttribute("Crc", BooleanValue(true));
    }
};

class TimingWithoutCrc : public Timing
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        Timing::ConfigureDevice(host);
        host.device->GetMpaSettings()->SetAttribute("Crc", BooleanValue(false));
    }
};

TEST_F(TimingWithCrc, EachEngineTakesItsTimeForTheFpdu)
{
    constexpr uint32_t LENGTH = 64;
    Connect();
    MeasureSend(LENGTH);
    const Time network = MeasureSend(LENGTH);
    for (RnicHost* host : {&m_client, &m_server})
    {
        host->device->SetAttribute("CrcRate", DataRateValue(DataRate(OCTET_PER_NANOSECOND)));
    }
    EXPECT_EQ(MeasureSend(LENGTH) - network,
              NanoSeconds(2 * int64_t{Fpdu::WireSize(DdpUntaggedHeader::SIZE + LENGTH)}));
}

TEST_F(TimingWithoutCrc, TheRateDoesNotMatter)
{
    Connect();
    MeasureSend(64);
    const Time network = MeasureSend(64);
    m_client.device->SetAttribute("CrcRate", DataRateValue(DataRate("1Mb/s")));
    EXPECT_EQ(MeasureSend(64), network);
}

TEST_F(Timing, OnTheHostTheEnginesWorkAndCopyWithItsThreads)
{
    constexpr uint32_t LENGTH = 1000;
    Connect();
    MeasureSend(LENGTH);
    const Time network = MeasureSend(LENGTH);
    SetCosts({{"TxPerWqe", 300}, {"TxPerFpdu", 4000}, {"PcieLatency", 50000}, {"RxPerFpdu", 6000}},
             OCTET_PER_NANOSECOND);
    for (RnicHost* host : {&m_client, &m_server})
    {
        host->device->SetAttribute("EngineOnHost", BooleanValue(true));
        host->device->GetHostCpu()->SetAttribute("CopyRate",
                                                 DataRateValue(DataRate(OCTET_PER_NANOSECOND)));
    }
    const Time used = m_server.device->GetHostCpu()->GetUsed();
    EXPECT_EQ(MeasureSend(LENGTH) - network, NanoSeconds(300 + 4000 + 6000 + 2 * LENGTH));
    EXPECT_EQ(m_server.device->GetHostCpu()->GetUsed() - used, NanoSeconds(6000 + LENGTH));
    EXPECT_EQ(m_client.device->GetHostCpu()->GetUsed(), NanoSeconds(300 + 4000 + LENGTH));
}

TEST_F(Timing, OnTheHostTheEngineWaitsForACore)
{
    Connect();
    MeasureSend(64);
    const Time network = MeasureSend(64);
    m_client.device->SetAttribute("EngineOnHost", BooleanValue(true));
    SetCosts({{"TxPerWqe", 300}, {"TxPerFpdu", 4000}}, 0);
    HostCpu& cpu = *m_client.device->GetHostCpu();
    cpu.SetAttribute("Cores", UintegerValue(1));
    cpu.SetAttribute("CopyRate", DataRateValue(DataRate(0)));
    HostThread other;
    cpu.Run(other, MicroSeconds(70));
    EXPECT_EQ(MeasureSend(64) - network, MicroSeconds(70) + NanoSeconds(4300));
    EXPECT_EQ(cpu.GetUsed(), MicroSeconds(70) + NanoSeconds(4300));
}

class OneStage : public Timing, public ::testing::WithParamInterface<std::pair<const char*, int>>
{
};

TEST_P(OneStage, CountsAsOftenAsItIsPassed)
{
    Connect();
    MeasureSend(64);
    const Time network = MeasureSend(64);
    SetCosts({{GetParam().first, 1234}}, 0);
    EXPECT_EQ(MeasureSend(64) - network, NanoSeconds(1234 * GetParam().second));
}

INSTANTIATE_TEST_SUITE_P(Stages,
                         OneStage,
                         ::testing::Values(std::make_pair("Doorbell", 1),
                                           std::make_pair("WqeFetch", 1),
                                           std::make_pair("TxPerWqe", 1),
                                           std::make_pair("TxPerFpdu", 1),
                                           std::make_pair("PcieLatency", 2),
                                           std::make_pair("RxPerFpdu", 1),
                                           std::make_pair("CqeWrite", 1),
                                           std::make_pair("InterruptLatency", 1),
                                           std::make_pair("RegisterBase", 0)));

TEST_F(Timing, EmptySendGathersAndPlacesNothing)
{
    Connect();
    const auto measure = [this] {
        EXPECT_TRUE(m_server.pair->PostReceive({}));
        const Time start = Simulator::Now();
        PostSend(m_client, {});
        Run();
        return m_receivedAt - start;
    };
    measure();
    const Time network = measure();
    SetCosts({{"PcieLatency", 5000}}, OCTET_PER_NANOSECOND);
    EXPECT_EQ(measure(), network + NanoSeconds(WorkDescriptor::BASE_SIZE + CQE));
}

TEST_F(Timing, RegistrationAndInvalidationTakeTheMemoryUnit)
{
    Connect();
    SetCosts({{"Doorbell", 10},
              {"RegisterBase", 1000},
              {"RegisterPerPage", 100},
              {"InvalidateCost", 70000},
              {"CqeWrite", 5},
              {"InterruptLatency", 2}},
             0);
    const HostBuffer buffer = m_client.Room(3 * 4096);
    const auto region = m_client.device->AllocateMemoryRegion(m_client.domain, 8).value();
    SendWorkRequest registration = Register(1, region, buffer, 1, ACCESS_REMOTE_READ);
    EXPECT_EQ(Measure({registration}), NanoSeconds(10 + 1000 + 300 + 5 + 2));
    SendWorkRequest invalidation = Invalidate(2, region->GetStag());
    invalidation.signaled = false;
    registration.registration.address += 100;
    registration.registration.length = 4096;
    EXPECT_EQ(Measure({invalidation, registration}), NanoSeconds(10 + 70000 + 1000 + 200 + 5 + 2));
}

TEST_F(Timing, ReadPassesTheStagesOfRequestAndResponse)
{
    Connect();
    const HostBuffer source = m_server.Fill(Pattern(64));
    const HostBuffer sink = m_client.Room(64);
    const auto remote = RegisterNow(m_server, source, ACCESS_REMOTE_READ);
    const auto local = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    const SendWorkRequest read = Read(1, *local, 64, remote->GetStag(), source.GetAddress());
    Measure({read});
    const Time network = Measure({read});
    SetCosts({{"Doorbell", 1},
              {"WqeFetch", 20},
              {"TxPerWqe", 300},
              {"TxPerFpdu", 4000},
              {"PcieLatency", 50000},
              {"RxPerFpdu", 600000},
              {"ReadRequestTurnaround", 1000000},
              {"CqeWrite", 7000000},
              {"InterruptLatency", 80000000}},
             OCTET_PER_NANOSECOND);
    EXPECT_EQ(Measure({read}) - network,
              NanoSeconds(1 + 20 + WQE + 2 * (300 + 4000) + 2 * (50000 + 64) + 2 * 600000 +
                          1000000 + 7000000 + CQE + 80000000));
}

TEST_F(Timing, EngineOccupancyLimitsTheMessageRate)
{
    constexpr uint32_t COUNT = 50;
    Connect();
    SetCosts({{"TxPerWqe", 3000}, {"TxPerFpdu", 1000}}, 0);
    for (uint32_t i = 0; i < COUNT; i++)
    {
        ASSERT_TRUE(m_server.pair->PostReceive({}));
    }
    EXPECT_EQ(Measure(std::vector<SendWorkRequest>(COUNT)), NanoSeconds(COUNT * 4000));
}

TEST_F(Timing, TheSlowerOfEngineAndBusLimitsTheDataRate)
{
    constexpr uint32_t LENGTH = 250000;
    Connect();
    const HostBuffer target = m_server.Room(LENGTH);
    const auto region = RegisterNow(m_server, target, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    const HostBuffer source = m_client.Fill(Pattern(LENGTH));
    SetCosts({{"TxPerFpdu", 10}}, OCTET_PER_NANOSECOND);
    const Time taken = Measure({Write(1, source, region->GetStag(), target.GetAddress())});
    EXPECT_GE(taken, NanoSeconds(LENGTH - 1500));
    EXPECT_LE(taken, NanoSeconds(LENGTH + 3000));
}

TEST_F(Timing, QueuePairsTakeTurns)
{
    Connect();
    const auto secondClient = m_client.device
                                  ->CreateQueuePair(m_client.domain,
                                                    m_client.sendCompletions,
                                                    m_client.receiveCompletions,
                                                    {})
                                  .value();
    const auto secondServer = m_server.device
                                  ->CreateQueuePair(m_server.domain,
                                                    m_server.sendCompletions,
                                                    m_server.receiveCompletions,
                                                    {})
                                  .value();
    m_listener->SetEventCallback(
        Callback<void, Ptr<CmId>, const CmEvent&>([&](Ptr<CmId>, const CmEvent& event) {
            if (event.type == CmEventType::CONNECT_REQUEST)
            {
                event.newId->Accept(secondServer, {});
            }
        }));
    const auto id = CmId::Create(m_client.device);
    id->Connect(secondClient, MakeSocketAddress(m_server.address, PORT), {});
    Run();
    ASSERT_EQ(secondClient->GetState(), QueuePairState::RTS);
    SetCosts({{"TxPerFpdu", 1000}, {"TxBurst", 0}}, 0);
    const HostBuffer message = m_client.Fill(Pattern(50000));
    const HostBuffer room = m_server.Room(50000);
    PostReceive(m_server, 1, room);
    ASSERT_TRUE(secondServer->PostReceive({2, {Element(room)}}));
    const Time start = Simulator::Now();
    PostSend(m_client, Send(1, message));
    ASSERT_TRUE(secondClient->PostSend(Send(2, message)));
    std::vector<Time> ends;
    while (m_client.sent.size() < 2)
    {
        const std::size_t before = m_client.sent.size();
        Simulator::Stop(NanoSeconds(200));
        Run();
        if (m_client.sent.size() != before)
        {
            ends.push_back(Simulator::Now() - start);
        }
    }
    ASSERT_EQ(ends.size(), 2U);
    EXPECT_LE(ends[1] - ends[0], NanoSeconds(2 * 1000)) << "they end one segment apart";
}

} // namespace ns3::nfsrdma
