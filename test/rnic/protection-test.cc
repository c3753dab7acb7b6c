/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/simulator.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// How a remote access goes wrong, and what the peer's Terminate says about it.
struct Fault
{
    const char* name;
    const char* writeTerminate; ///< For an RDMA Write.
    const char* readTerminate;  ///< For an RDMA Read.
};

class Protection : public RnicTest
{
  protected:
    static constexpr uint32_t SIZE = 1000;
    static constexpr uint32_t ALL_RIGHTS =
        ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ;

    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        OpenResponder();
    }

    /// Registers the server's memory and prepares an access of it that has \p fault.
    void Prepare(const std::string& fault, uint32_t rights, uint32_t otherRights)
    {
        m_memory = m_server.Room(SIZE);
        const bool otherDomain = fault == "domain";
        if (otherDomain)
        {
            RegisterInOtherDomain(rights);
        }
        else
        {
            m_region = RegisterNow(m_server, m_memory, fault == "rights" ? otherRights : rights);
        }
        m_stag = m_region->GetStag();
        m_offset = m_memory.GetAddress();
        m_length = SIZE;
        SpoilAccess(fault, m_stag, m_offset);
        if (fault == "invalidated")
        {
            PostSend(m_server, Invalidate(1, m_stag));
            Run();
            m_server.sent.clear();
        }
    }

    /// Registers through a second queue pair's domain by way of a loop over the same device.
    void RegisterInOtherDomain(uint32_t rights)
    {
        m_otherDomain = m_server.device->AllocateProtectionDomain().value();
        m_region = m_server.device->AllocateMemoryRegion(m_otherDomain, 16).value();
        m_region->Register({9, m_memory.GetAddress(), SIZE, m_memory.GetAddress(), rights});
    }

    void ExpectTerminated(const std::string& reason)
    {
        EXPECT_THAT(m_server.terminatesSent, ElementsAre(StartsWith(reason)));
        EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith(reason)));
        EXPECT_THAT(m_client.terminatesSent, IsEmpty());
        EXPECT_THAT(
            m_server.states,
            ElementsAre(QueuePairState::RTS, QueuePairState::TERMINATE, QueuePairState::ERROR));
        EXPECT_THAT(
            m_client.states,
            ElementsAre(QueuePairState::RTS, QueuePairState::TERMINATE, QueuePairState::ERROR));
        EXPECT_THAT(m_client.EventTypes(),
                    ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
        EXPECT_THAT(m_server.EventTypes(),
                    ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
        EXPECT_EQ(m_server.device->GetCounters().terminatesSent, 1U);
        EXPECT_EQ(m_client.device->GetCounters().terminatesReceived, 1U);
    }

    HostBuffer m_memory;
    Ptr<MemoryRegion> m_region;
    Ptr<ProtectionDomain> m_otherDomain;
    Stag m_stag{0};
    uint64_t m_offset{0};
    uint32_t m_length{0};
};

class RemoteFault : public Protection, public ::testing::WithParamInterface<Fault>
{
};

TEST_P(RemoteFault, OfAWriteTerminatesAndPlacesNothing)
{
    Prepare(GetParam().name, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE, ACCESS_REMOTE_READ);
    const HostBuffer source = m_client.Fill(Pattern(m_length));
    const HostBuffer room = m_client.Room(64);
    PostReceive(m_client, 40, room);
    PostReceive(m_server, 41, m_memory);
    PostSend(m_client, Write(1, source, m_stag, m_offset));
    Run();
    ExpectTerminated(GetParam().writeTerminate);
    EXPECT_EQ(m_server.Octets(m_memory), ByteVector(SIZE));
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_THAT(m_client.ReceivedIds(), ElementsAre(40));
    EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_server.ReceivedIds(), ElementsAre(41));
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_ACCESS_ERR));
    EXPECT_THAT(m_client.asyncEvents, ElementsAre(AsyncEventType::QP_FATAL));
    const bool foundByDdp = GetParam().name == std::string("wrap");
    EXPECT_EQ(m_server.device->GetCounters().placementFaults, foundByDdp ? 0U : 1U);
}

TEST_P(RemoteFault, OfAReadTerminatesAndFailsTheRead)
{
    Prepare(GetParam().name, ACCESS_REMOTE_READ, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    const HostBuffer sink = m_client.Room(SIZE);
    const auto local = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    PostSend(m_client, Read(1, *local, m_length, m_stag, m_offset));
    SendWorkRequest second = Read(2, *local, m_length, m_stag, m_offset);
    second.signaled = false;
    PostSend(m_client, second);
    Run();
    ExpectTerminated(GetParam().readTerminate);
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::REM_ACCESS_ERR, Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_REQ_ERR));
    EXPECT_EQ(m_server.device->GetCounters().readSourceFaults, 1U);
    EXPECT_EQ(m_server.device->GetCounters().payloadSent, 0U);
}

INSTANTIATE_TEST_SUITE_P(Faults,
                         RemoteFault,
                         ::testing::Values(Fault{"index", "1/1/00", "0/1/00"},
                                           Fault{"key", "1/1/00", "0/1/00"},
                                           Fault{"invalidated", "1/1/00", "0/1/00"},
                                           Fault{"domain", "1/1/02", "0/1/03"},
                                           Fault{"rights", "1/1/00", "0/1/02"},
                                           Fault{"beyond", "1/1/01", "0/1/01"},
                                           Fault{"before", "1/1/01", "0/1/01"},
                                           Fault{"wrap", "1/1/03", "0/1/04"}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST_F(Protection, LastOctetOfTheRegionIsInside)
{
    Prepare("none", ALL_RIGHTS, 0);
    const HostBuffer source = m_client.Fill({0xab});
    PostSend(m_client, Write(1, source, m_stag, m_offset + SIZE - 1));
    Run();
    EXPECT_EQ(m_server.Octets(m_memory).back(), 0xab);
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
}

TEST_F(Protection, StaleKeyFailsAfterReRegistration)
{
    Prepare("none", ALL_RIGHTS, 0);
    PostSend(m_server, Invalidate(1, m_stag));
    PostSend(m_server, Register(2, m_region, m_memory, 200, ALL_RIGHTS));
    Run();
    ASSERT_THAT(m_server.SentStatuses(), ElementsAre(Status::SUCCESS, Status::SUCCESS));
    EXPECT_EQ(m_region->GetStag(), (m_stag & ~0xffU) | 200);
    const HostBuffer source = m_client.Fill(Pattern(SIZE));
    PostSend(m_client, Write(1, source, m_region->GetStag(), m_offset));
    Run();
    EXPECT_EQ(m_server.Octets(m_memory), Pattern(SIZE));
    PostSend(m_client, Write(2, source, m_stag, m_offset));
    Run();
    ExpectTerminated("1/1/00");
}

TEST_F(Protection, IovaNamesTheFirstOctet)
{
    m_memory = m_server.Room(SIZE);
    m_region = m_server.device->AllocateMemoryRegion(m_server.domain, 2).value();
    SendWorkRequest request = Register(1, m_region, m_memory, 5, ALL_RIGHTS);
    request.registration.iova = 0x1234567800000010;
    PostSend(m_server, request);
    Run();
    const HostBuffer source = m_client.Fill(Pattern(SIZE));
    PostSend(m_client, Write(1, source, m_region->GetStag(), 0x1234567800000010));
    Run();
    EXPECT_EQ(m_server.Octets(m_memory), Pattern(SIZE));
}

TEST_F(Protection, RegisteringAValidRegionFailsTheQueuePair)
{
    Prepare("none", ALL_RIGHTS, 0);
    PostSend(m_server, Register(5, m_region, m_memory, 6, ALL_RIGHTS));
    PostSend(m_server, Invalidate(6, m_stag));
    Run();
    EXPECT_THAT(m_server.SentIds(), ElementsAre(5, 6));
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_QP_OP_ERR, Status::WR_FLUSH_ERR));
    EXPECT_TRUE(m_region->IsValid());
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
    EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_FATAL));
}

TEST_F(Protection, RegisteringInAnotherDomainFailsTheQueuePair)
{
    m_otherDomain = m_server.device->AllocateProtectionDomain().value();
    m_region = m_server.device->AllocateMemoryRegion(m_otherDomain, 16).value();
    m_memory = m_server.Room(SIZE);
    SendWorkRequest request = Register(5, m_region, m_memory, 6, ALL_RIGHTS);
    request.signaled = false;
    PostSend(m_server, request);
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_QP_OP_ERR));
    EXPECT_FALSE(m_region->IsValid());
}

TEST_F(Protection, LocalInvalidationOfUnknownStagFailsTheQueuePair)
{
    PostSend(m_client, Invalidate(5, 0x77777701));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::LOC_QP_OP_ERR));
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
}

TEST_F(Protection, LocalInvalidationOfAnInvalidRegionSucceeds)
{
    Prepare("none", ALL_RIGHTS, 0);
    PostSend(m_server, Invalidate(5, m_stag));
    PostSend(m_server, Invalidate(6, m_stag));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::SUCCESS, Status::SUCCESS));
    EXPECT_EQ(m_server.device->GetCounters().localInvalidations, 1U);
}

TEST_F(Protection, SendFromMemoryNotRegisteredIsALocalFault)
{
    const HostBuffer message = m_client.Fill(Pattern(10));
    SendWorkRequest request = Send(1, message);
    request.elements[0].lkey = 0x00ff0001;
    ASSERT_TRUE(m_client.pair->PostSend(std::vector<SendWorkRequest>{request, Send(2, message)}));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::LOC_PROT_ERR, Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_server.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
    EXPECT_THAT(m_server.received, IsEmpty());
    EXPECT_EQ(m_client.device->GetCounters().localFaults, 1U);
}

TEST_F(Protection, SendFromFreedMemoryIsALocalFault)
{
    SendWorkRequest request;
    {
        const HostBuffer message = m_client.Fill(Pattern(10));
        request = Send(1, message);
    }
    PostSend(m_client, request);
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::LOC_PROT_ERR));
}

TEST_F(Protection, ReadIntoUnregisteredOrReadOnlyMemoryIsALocalFault)
{
    Prepare("none", ALL_RIGHTS, 0);
    const HostBuffer sink = m_client.Room(SIZE);
    const auto local = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE);
    PostSend(m_client, Read(1, *local, SIZE, m_stag, m_offset));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::LOC_PROT_ERR));
    EXPECT_THAT(m_server.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
    EXPECT_EQ(m_server.device->GetCounters().payloadSent, 0U);
}

TEST_F(Protection, ReceiveIntoMemoryNotRegisteredIsALocalFault)
{
    const HostBuffer message = m_client.Fill(Pattern(10));
    const HostBuffer room = m_server.Room(10);
    ReceiveWorkRequest receive;
    receive.id = 9;
    receive.elements = {{room.GetAddress(), 10, 0x00ff0001}};
    ASSERT_TRUE(m_server.pair->PostReceive(receive));
    PostSend(m_client, Send(1, message));
    Run();
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::LOC_PROT_ERR));
    ExpectTerminated("1/0/00");
}

TEST_F(Protection, NoReceiveBufferTerminatesWithoutACompletion)
{
    const HostBuffer message = m_client.Fill(Pattern(10));
    PostSend(m_client, Send(1, message));
    Run();
    ExpectTerminated("1/2/02");
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_THAT(m_server.received, IsEmpty());
    PostSend(m_client, Send(2, message));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS, Status::WR_FLUSH_ERR));
}

TEST_F(Protection, ReceiveTooSmallIsALengthError)
{
    const HostBuffer message = m_client.Fill(Pattern(4001));
    const HostBuffer room = m_server.Room(4000);
    PostReceive(m_server, 1, room);
    PostReceive(m_server, 2, room);
    PostSend(m_client, Send(1, message));
    Run();
    ExpectTerminated("1/2/05");
    EXPECT_THAT(m_server.ReceivedIds(), ElementsAre(1, 2));
    EXPECT_THAT(m_server.ReceivedStatuses(),
                ElementsAre(Status::LOC_LEN_ERR, Status::WR_FLUSH_ERR));
}

using RemoteInvalidation = Protection;

TEST_F(RemoteInvalidation, OfAnUnknownStagFails)
{
    SendInvalidating(0x12345601);
    ExpectTerminated("0/1/00");
    EXPECT_THAT(m_server.ReceivedStatuses(),
                ElementsAre(Status::REM_INV_REQ_ERR, Status::WR_FLUSH_ERR));
    EXPECT_EQ(m_server.device->GetCounters().invalidationFaults, 1U);
}

TEST_F(RemoteInvalidation, OfAnotherDomainsRegionFails)
{
    Prepare("domain", ALL_RIGHTS, 0);
    SendInvalidating(m_stag);
    ExpectTerminated("0/1/09");
    EXPECT_TRUE(m_region->IsValid());
    EXPECT_THAT(m_server.ReceivedStatuses(), Contains(Status::REM_INV_REQ_ERR));
}

TEST_F(RemoteInvalidation, OfAnInvalidRegionIsTolerated)
{
    Prepare("invalidated", ALL_RIGHTS, 0);
    SendInvalidating(m_stag);
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
    EXPECT_EQ(m_server.device->GetCounters().remoteInvalidations, 0U);
}

TEST_F(Protection, InvalidatingTheSourceOfAResponseUnderWayEndsTheStreamWithoutLeak)
{
    constexpr uint32_t LONG = 200000;
    const HostBuffer source = m_server.Fill(Pattern(LONG));
    const auto remote = RegisterNow(m_server, source, ACCESS_REMOTE_READ);
    const HostBuffer sink = m_client.Room(LONG);
    const auto local = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    PostSend(m_client, Read(1, *local, LONG, remote->GetStag(), source.GetAddress()));
    while (m_client.device->GetCounters().payloadReceived < 20000)
    {
        Simulator::Stop(MicroSeconds(1));
        Simulator::Run();
    }
    PostSend(m_server, Invalidate(2, remote->GetStag()));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
    const ByteVector expected = Pattern(LONG);
    const ByteVector got = m_client.Octets(sink);
    const uint64_t placed = m_server.device->GetCounters().payloadSent;
    ASSERT_LT(placed, LONG);
    EXPECT_TRUE(std::equal(got.begin(), got.begin() + 20000, expected.begin()));
    EXPECT_THAT(ByteVector(got.begin() + placed, got.end()), Each(0));
}

} // namespace ns3::nfsrdma
