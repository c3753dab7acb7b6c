/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

/// The server's queue pair takes its receives from a shared queue, which has a domain of its own.
class SharedReceives : public RnicTest
{
  protected:
    static constexpr uint32_t DEPTH = 8;

    QueuePairCapabilities GetCapabilities(const RnicHost& host) override
    {
        QueuePairCapabilities capabilities;
        if (&host == &m_server)
        {
            m_domain = host.device->AllocateProtectionDomain().value();
            m_shared = host.device->CreateSharedReceiveQueue(m_domain, DEPTH, 2).value();
            m_shared->TraceConnectWithoutContext(
                "AsyncEvent",
                Callback<void, AsyncEventType, uint32_t>(
                    [this](AsyncEventType type, uint32_t number) {
                        EXPECT_EQ(type, AsyncEventType::SRQ_LIMIT_REACHED);
                        EXPECT_EQ(number, m_shared->GetNumber());
                        m_limits++;
                    }));
            capabilities.receiveDepth = 0;
            capabilities.sharedReceiveQueue = m_shared;
        }
        return capabilities;
    }

    void Post(uint64_t id, const HostBuffer& buffer)
    {
        ReceiveWorkRequest request;
        request.id = id;
        request.elements = {Element(buffer)};
        ASSERT_TRUE(m_shared->PostReceive(request));
    }

    void PostEmpty(uint32_t count)
    {
        for (uint32_t i = 0; i < count; i++)
        {
            ASSERT_TRUE(m_shared->PostReceive({}));
        }
    }

    /// Sends \p count empty messages to the server, and runs.
    void SendEmpty(uint32_t count)
    {
        for (uint32_t i = 0; i < count; i++)
        {
            PostSend(m_client, {});
        }
        Run();
    }

    /// A second queue pair over the same shared queue, with completion queues of its own.
    void MakeSecond(RnicHost& second)
    {
        second.device = m_server.device;
        QueuePairCapabilities capabilities;
        capabilities.sharedReceiveQueue = m_shared;
        second.pair = m_server.device
                          ->CreateQueuePair(m_server.domain,
                                            m_server.sendCompletions,
                                            m_server.receiveCompletions,
                                            capabilities)
                          .value();
    }

    static ByteVector SendUlpdu(uint32_t msn, const ByteVector& octets)
    {
        ByteVector ulpdu(DdpUntaggedHeader::SIZE + octets.size());
        ByteWriter writer(ulpdu);
        DdpUntaggedHeader{true, EncodeRdmapControl(RdmapOpcode::SEND), 0, 0, msn, 0}.Encode(writer);
        writer.WriteBytes(octets);
        return ulpdu;
    }

    Ptr<ProtectionDomain> m_domain;
    Ptr<SharedReceiveQueue> m_shared;
    int m_limits{0};
};

TEST_F(SharedReceives, ABufferIsTakenByTheFirstSegmentAndCompletesUnderTheNumberOfThePair)
{
    const HostBuffer room = m_server.Room(60000);
    Post(1, room);
    Post(2, room);
    EXPECT_EQ(m_server.device->GetCensus().postedReceives, 2U);
    Connect();
    PostSend(m_client, Send(1, Keep(m_client.Fill(Pattern(60000)))));
    while (m_server.pair->GetPostedReceives() == 0)
    {
        Simulator::Stop(NanoSeconds(100));
        Simulator::Run();
    }
    EXPECT_LT(m_server.device->GetCounters().payloadReceived, 60000U);
    EXPECT_EQ(m_shared->GetPosted(), 1U);
    EXPECT_EQ(m_server.device->GetCensus().postedReceives, 2U);
    Run();
    EXPECT_EQ(m_server.Octets(room), Pattern(60000));
    ASSERT_THAT(m_server.ReceivedIds(), ElementsAre(1));
    EXPECT_EQ(m_server.received[0].queuePairNumber, m_server.pair->GetNumber());
    EXPECT_EQ(m_server.received[0].length, 60000U);
    EXPECT_EQ(m_server.pair->GetPostedReceives(), 0U);
}

TEST_F(SharedReceives, AMessageOfLengthZeroTakesABuffer)
{
    PostEmpty(2);
    Connect();
    SendEmpty(1);
    EXPECT_EQ(m_shared->GetPosted(), 1U);
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
}

TEST_F(SharedReceives, ThePairRefusesReceivesOfItsOwn)
{
    EXPECT_EQ(m_server.pair->PostReceive({}).error(), VerbsError::INVALID_ARGUMENT);
}

TEST_F(SharedReceives, PostsAreChecked)
{
    ReceiveWorkRequest request;
    request.elements.resize(3);
    EXPECT_EQ(m_shared->PostReceive(request).error(), VerbsError::INVALID_ARGUMENT);
    request.elements.resize(2);
    EXPECT_TRUE(m_shared->PostReceive(request));
    PostEmpty(DEPTH - 1);
    EXPECT_EQ(m_shared->PostReceive({}).error(), VerbsError::NO_MEMORY);
    EXPECT_EQ(m_shared->GetPosted(), DEPTH);
    EXPECT_EQ(m_shared->GetDepth(), DEPTH);
}

TEST_F(SharedReceives, ElementsAreCheckedAgainstTheDomainOfTheQueue)
{
    const auto region = m_server.device->AllocateMemoryRegion(m_domain, 1).value();
    const HostBuffer room = m_server.Room(100);
    region->Register({3, room.GetAddress(), 100, room.GetAddress(), ACCESS_LOCAL_WRITE});
    const auto other = m_server.device->AllocateMemoryRegion(m_server.domain, 1).value();
    other->Register({3, room.GetAddress(), 100, room.GetAddress(), ACCESS_LOCAL_WRITE});
    for (const auto& memory : {region, other})
    {
        ReceiveWorkRequest request;
        request.elements = {{room.GetAddress(), 100, memory->GetStag()}};
        ASSERT_TRUE(m_shared->PostReceive(request));
    }
    Connect();
    const HostBuffer message = m_client.Fill(Pattern(100));
    PostSend(m_client, Send(1, message));
    Run();
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(m_server.Octets(room), Pattern(100));
    PostSend(m_client, Send(2, message));
    Run();
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS, Status::LOC_PROT_ERR))
        << "the domain of the queue pair does not count";
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("1/0/00")));
}

TEST_F(SharedReceives, AnEmptyQueueKillsOnlyThePairThatMetIt)
{
    RnicHost second;
    MakeSecond(second);
    Connect();
    PostEmpty(1);
    SendEmpty(2);
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_THAT(m_server.terminatesSent, ElementsAre(StartsWith("1/2/02")));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("1/2/02")));
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS, Status::SUCCESS));
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::ERROR);
    EXPECT_EQ(second.pair->GetState(), QueuePairState::IDLE);
    PostEmpty(1);
    EXPECT_EQ(m_shared->GetPosted(), 1U);
    EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_ACCESS_ERR));
}

TEST_F(SharedReceives, AMessageTooLongFailsTheBufferItTook)
{
    const HostBuffer room = m_server.Room(10);
    Post(7, room);
    Post(8, room);
    Connect();
    PostSend(m_client, Send(1, Keep(m_client.Fill(Pattern(11)))));
    Run();
    EXPECT_THAT(m_server.ReceivedIds(), ElementsAre(7));
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::LOC_LEN_ERR));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("1/2/05")));
    EXPECT_EQ(m_shared->GetPosted(), 1U) << "the other one stays";
}

TEST_F(SharedReceives, TakesByArrivalAheadOfTheTurn)
{
    std::vector<const HostBuffer*> rooms;
    for (uint64_t id = 1; id <= 3; id++)
    {
        rooms.push_back(&Keep(m_server.Room(20)));
        Post(id, *rooms.back());
    }
    Connect();
    RdmapStream& stream = *m_server.pair->GetStream();
    EXPECT_TRUE(stream.PlaceUlpdu(SendUlpdu(3, Pattern(20, 3))));
    EXPECT_TRUE(stream.PlaceUlpdu(SendUlpdu(2, Pattern(20, 2))));
    EXPECT_TRUE(stream.PlaceUlpdu(SendUlpdu(3, Pattern(20, 3)))) << "a duplicate takes none";
    EXPECT_EQ(m_shared->GetPosted(), 1U);
    EXPECT_EQ(m_server.pair->GetPostedReceives(), 2U);
    stream.ReceiveUlpdu(SendUlpdu(1, Pattern(20, 1)), false);
    stream.ReceiveUlpdu(SendUlpdu(2, Pattern(20, 2)), true);
    stream.ReceiveUlpdu(SendUlpdu(3, Pattern(20, 3)), true);
    Run();
    EXPECT_THAT(m_server.ReceivedIds(), ElementsAre(3, 2, 1)) << "delivered in order of messages";
    EXPECT_THAT(m_server.ReceivedStatuses(), Each(Status::SUCCESS));
    EXPECT_EQ(m_server.Octets(*rooms[2]), Pattern(20, 1));
    EXPECT_EQ(m_server.Octets(*rooms[1]), Pattern(20, 2));
    EXPECT_EQ(m_server.Octets(*rooms[0]), Pattern(20, 3));
}

TEST_F(SharedReceives, ANumberFurtherAheadThanTheQueueIsDeepTakesNothing)
{
    const HostBuffer room = m_server.Room(20);
    for (uint64_t id = 1; id <= DEPTH; id++)
    {
        Post(id, room);
    }
    Connect();
    RdmapStream& stream = *m_server.pair->GetStream();
    EXPECT_TRUE(stream.PlaceUlpdu(SendUlpdu(DEPTH, Pattern(20))));
    for (const uint32_t msn : {DEPTH + 1, DEPTH + 2, 0x10000000U, 0x7fffffffU, 0U, 0xffffffffU})
    {
        EXPECT_FALSE(stream.PlaceUlpdu(SendUlpdu(msn, Pattern(20)))) << msn;
    }
    EXPECT_EQ(m_shared->GetPosted(), DEPTH - 1);
    stream.ReceiveUlpdu(SendUlpdu(DEPTH, Pattern(20)), true);
    Run();
    EXPECT_THAT(m_server.terminatesSent, ElementsAre(StartsWith("1/2/03"))) << "a skip in its turn";
    EXPECT_THAT(m_server.ReceivedIds(), ElementsAre(1));
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_EQ(m_shared->GetPosted(), DEPTH - 1);
}

TEST_F(SharedReceives, AFailureFlushesWhatWasTakenAndLeavesTheRest)
{
    const HostBuffer room = m_server.Room(20);
    for (uint64_t id = 1; id <= 4; id++)
    {
        Post(id, room);
    }
    Connect();
    RdmapStream& stream = *m_server.pair->GetStream();
    EXPECT_TRUE(stream.PlaceUlpdu(SendUlpdu(3, Pattern(20))));
    EXPECT_TRUE(stream.PlaceUlpdu(SendUlpdu(2, Pattern(20))));
    m_server.pair->MoveToError();
    Run();
    EXPECT_THAT(m_server.ReceivedIds(), ElementsAre(2, 1)) << "in order of messages";
    EXPECT_THAT(m_server.ReceivedStatuses(), Each(Status::WR_FLUSH_ERR));
    EXPECT_EQ(m_server.received[0].queuePairNumber, m_server.pair->GetNumber());
    EXPECT_EQ(m_shared->GetPosted(), 2U);
    EXPECT_THAT(m_server.asyncEvents, IsEmpty());
}

TEST_F(SharedReceives, TheLimitTellsOnceAndIsDisarmed)
{
    PostEmpty(4);
    Connect();
    EXPECT_EQ(m_shared->Arm(DEPTH + 1).error(), VerbsError::INVALID_ARGUMENT);
    ASSERT_TRUE(m_shared->Arm(3));
    SendEmpty(1);
    EXPECT_EQ(m_limits, 0) << "three are left";
    EXPECT_EQ(m_shared->GetLimit(), 3U);
    SendEmpty(1);
    EXPECT_EQ(m_limits, 1);
    EXPECT_EQ(m_shared->GetLimit(), 0U);
    SendEmpty(1);
    EXPECT_EQ(m_limits, 1);
    ASSERT_TRUE(m_shared->Arm(1));
    ASSERT_TRUE(m_shared->Arm(0));
    SendEmpty(1);
    EXPECT_EQ(m_limits, 1) << "disarmed by hand";
}

TEST_F(SharedReceives, ALimitArmedWhileBelowTellsAtOnce)
{
    PostEmpty(2);
    ASSERT_TRUE(m_shared->Arm(3));
    EXPECT_EQ(m_limits, 0) << "events come from the simulator only";
    Run();
    EXPECT_EQ(m_limits, 1);
    EXPECT_EQ(m_shared->GetLimit(), 0U);
}

TEST_F(SharedReceives, TheHandlerOfTheLimitMayFillTheQueueAndArmItAgain)
{
    PostEmpty(3);
    Connect();
    int calls = 0;
    m_shared->TraceConnectWithoutContext(
        "AsyncEvent",
        Callback<void, AsyncEventType, uint32_t>([&](AsyncEventType, uint32_t) {
            calls++;
            PostEmpty(2);
            ASSERT_TRUE(m_shared->Arm(2));
        }));
    ASSERT_TRUE(m_shared->Arm(2));
    for (int i = 0; i < 8; i++)
    {
        SendEmpty(1);
    }
    EXPECT_EQ(calls, 4);
    EXPECT_EQ(m_limits, 4);
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
    EXPECT_EQ(m_server.received.size(), 8U);
}

TEST_F(SharedReceives, DestroyIsRefusedWhileAPairUsesIt)
{
    EXPECT_EQ(m_server.device->GetCensus().sharedReceiveQueues, 1U);
    EXPECT_EQ(m_server.device->Destroy(m_domain).error(), VerbsError::BUSY);
    EXPECT_EQ(m_server.device->Destroy(m_shared).error(), VerbsError::BUSY);
    EXPECT_EQ(m_client.device->Destroy(m_shared).error(), VerbsError::INVALID_ARGUMENT);
    PostEmpty(1);
    ASSERT_TRUE(m_shared->Arm(8));
    ASSERT_TRUE(m_server.device->Destroy(m_server.pair));
    EXPECT_EQ(m_shared->GetPosted(), 1U);
    ASSERT_TRUE(m_server.device->Destroy(m_shared));
    EXPECT_EQ(m_server.device->Destroy(m_shared).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(m_shared->PostReceive({}).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(m_shared->Arm(0).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(m_server.device->Destroy(m_domain));
    Run();
    EXPECT_EQ(m_limits, 0) << "nobody is told any more";
}

TEST_F(SharedReceives, NothingIsToldOfAQueueThatTheHandlerHasDestroyed)
{
    ASSERT_TRUE(m_server.device->Destroy(m_server.pair));
    m_shared->TraceConnectWithoutContext(
        "AsyncEvent",
        Callback<void, AsyncEventType, uint32_t>(
            [this](AsyncEventType, uint32_t) { EXPECT_TRUE(m_server.device->Destroy(m_shared)); }));
    ASSERT_TRUE(m_shared->Arm(1));
    ASSERT_TRUE(m_shared->Arm(1));
    Run();
    EXPECT_EQ(m_limits, 1);
}

TEST_F(SharedReceives, DestroyingThePairDropsWhatItHasTaken)
{
    const HostBuffer room = m_server.Room(20);
    Post(1, room);
    Post(2, room);
    Connect();
    EXPECT_TRUE(m_server.pair->GetStream()->PlaceUlpdu(SendUlpdu(2, Pattern(20))));
    ASSERT_TRUE(m_server.device->Destroy(m_server.pair));
    Run();
    EXPECT_THAT(m_server.received, IsEmpty());
    EXPECT_EQ(m_shared->GetPosted(), 1U);
    EXPECT_EQ(m_server.device->GetCensus().postedReceives, 1U);
}

TEST_F(SharedReceives, LimitsOfTheDeviceAreEnforced)
{
    const auto& device = m_server.device;
    device->SetAttribute("MaxSrqs", UintegerValue(2));
    device->SetAttribute("MaxSrqDepth", UintegerValue(10));
    const auto make = [&](uint32_t depth, uint32_t elements) {
        return device->CreateSharedReceiveQueue(m_domain, depth, elements);
    };
    EXPECT_EQ(make(0, 1).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(make(11, 1).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(make(1, 0).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(make(1, 7).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(device->CreateSharedReceiveQueue(m_client.domain, 1).error(),
              VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(make(10, 6));
    EXPECT_EQ(make(1, 1).error(), VerbsError::NO_MEMORY);
    QueuePairCapabilities capabilities;
    capabilities.sharedReceiveQueue = m_shared;
    EXPECT_EQ(m_client.device
                  ->CreateQueuePair(m_client.domain,
                                    m_client.sendCompletions,
                                    m_client.receiveCompletions,
                                    capabilities)
                  .error(),
              VerbsError::INVALID_ARGUMENT)
        << "a queue of another device";
}

/// A device that tells when a failed pair is through with its shared queue.
class LastWqe : public SharedReceives
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("LastWqeReached", BooleanValue(true));
    }
};

TEST_F(LastWqe, IsToldOnceThePairIsInError)
{
    PostEmpty(2);
    Connect();
    EXPECT_THAT(m_server.asyncEvents, IsEmpty());
    m_client.id->Disconnect();
    Run();
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::ERROR);
    EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_LAST_WQE_REACHED));
    m_server.pair->MoveToError();
    Run();
    EXPECT_EQ(m_server.asyncEvents.size(), 1U);
}

TEST_F(LastWqe, TheHandlerMayDestroyThePairAndTheQueue)
{
    Connect();
    m_server.pair->TraceConnectWithoutContext(
        "AsyncEvent",
        Callback<void, AsyncEventType, uint32_t>([this](AsyncEventType, uint32_t) {
            EXPECT_TRUE(m_server.device->Destroy(m_server.pair));
            EXPECT_TRUE(m_server.device->Destroy(m_shared));
        }));
    SendEmpty(1);
    EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_ACCESS_ERR));
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_EQ(m_server.device->GetCensus().sharedReceiveQueues, 0U);
}

} // namespace ns3::nfsrdma
