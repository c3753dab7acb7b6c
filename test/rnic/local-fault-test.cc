/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory-fixture.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using ::testing::StartsWith;
using Status = WorkCompletionStatus;

/// A scatter/gather element that may not be used, in the way the parameter says.
class LocalFault : public MemoryTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    static constexpr uint32_t SIZE = 3000;

    /// \return an element of SIZE octets of \p host that has the fault.
    ScatterGatherElement FaultyElement(RnicHost& host)
    {
        const std::string fault = GetParam();
        m_memory = host.Fill(Pattern(SIZE));
        ScatterGatherElement element{m_memory.GetAddress(), SIZE, 0};
        if (fault == "domain")
        {
            const auto other = host.device->AllocateProtectionDomain().value();
            element.lkey = host.device
                               ->RegisterMemory(other,
                                                m_memory.GetAddress(),
                                                SIZE,
                                                ALL_RIGHTS,
                                                m_memory.GetAddress())
                               .value()
                               ->GetStag();
            return element;
        }
        if (fault == "unregistered")
        {
            element.lkey = host.device->AllocateMemoryRegion(host.domain, 4).value()->GetStag();
            return element;
        }
        const auto region = RegisterNow(host, m_memory, ALL_RIGHTS);
        element.lkey = region->GetStag();
        if (fault == "index")
        {
            element.lkey += 0x700;
        }
        else if (fault == "key")
        {
            element.lkey ^= 0x55;
        }
        else if (fault == "invalidated")
        {
            PostSend(host, Invalidate(1, element.lkey));
            Run();
            host.sent.clear();
        }
        else if (fault == "destroyed")
        {
            EXPECT_TRUE(host.device->Destroy(region));
        }
        else if (fault == "beyond")
        {
            element.address++;
        }
        else if (fault == "before")
        {
            element.address--;
        }
        else if (fault == "wrap")
        {
            element.address = ~uint64_t{0} - 10;
        }
        else if (fault == "freed")
        {
            m_memory = HostBuffer();
        }
        return element;
    }

    /// The client's \p request fails, and the one after it is flushed; the server is told.
    void ExpectSendFails(SendWorkRequest request)
    {
        request.id = 1;
        request.signaled = false;
        SendWorkRequest next;
        next.id = 2;
        PostReceive(m_server, 7, Keep(m_server.Room(SIZE)));
        ASSERT_TRUE(m_client.pair->PostSend({request, next}));
        Run();
        EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
        EXPECT_THAT(m_client.SentStatuses(),
                    ElementsAre(Status::LOC_PROT_ERR, Status::WR_FLUSH_ERR));
        EXPECT_THAT(m_client.terminatesSent, ElementsAre(StartsWith("0/0/00")));
        EXPECT_THAT(m_client.asyncEvents, ElementsAre(AsyncEventType::QP_FATAL));
        EXPECT_THAT(m_server.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
        EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_FATAL));
        EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
        EXPECT_EQ(m_client.device->GetCounters().localFaults, 1U);
        EXPECT_EQ(m_client.device->GetCounters().payloadSent, 0U);
    }

    HostBuffer m_memory;
};

TEST_P(LocalFault, OfASend)
{
    SendWorkRequest request;
    request.elements = {FaultyElement(m_client)};
    ExpectSendFails(request);
}

TEST_P(LocalFault, OfTheSecondElementOfASend)
{
    SendWorkRequest request;
    request.elements = {Element(Keep(m_client.Room(10))), FaultyElement(m_client)};
    ExpectSendFails(request);
}

TEST_P(LocalFault, OfAWrite)
{
    const HostBuffer target = m_server.Room(SIZE);
    const auto region = RegisterAll(m_server, target, ALL_RIGHTS, 0);
    SendWorkRequest request;
    request.opcode = WorkRequestOpcode::RDMA_WRITE;
    request.elements = {FaultyElement(m_client)};
    request.remoteStag = region->GetStag();
    ExpectSendFails(request);
    EXPECT_EQ(m_server.Octets(target), ByteVector(SIZE));
}

TEST_P(LocalFault, OfTheSinkOfARead)
{
    const auto region = RegisterAll(m_server, Keep(m_server.Room(SIZE)), ALL_RIGHTS, 0);
    SendWorkRequest request;
    request.opcode = WorkRequestOpcode::RDMA_READ;
    request.elements = {FaultyElement(m_client)};
    request.remoteStag = region->GetStag();
    ExpectSendFails(request);
    EXPECT_EQ(m_server.device->GetCounters().payloadSent, 0U);
}

TEST_P(LocalFault, OfAReceive)
{
    ReceiveWorkRequest receive;
    receive.id = 1;
    receive.elements = {FaultyElement(m_server)};
    ASSERT_TRUE(m_server.pair->PostReceive(receive));
    receive.id = 2;
    ASSERT_TRUE(m_server.pair->PostReceive(receive));
    PostReceive(m_client, 3, Keep(m_client.Room(10)));
    const HostBuffer message = m_client.Fill(ByteVector(SIZE, 0xee));
    PostSend(m_client, Send(1, message));
    Run();
    EXPECT_THAT(m_server.ReceivedIds(), ElementsAre(1, 2));
    EXPECT_THAT(m_server.ReceivedStatuses(),
                ElementsAre(Status::LOC_PROT_ERR, Status::WR_FLUSH_ERR));
    ExpectTerminated("1/0/00");
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS)) << "handed to TCP";
    EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    const bool partly = GetParam() == std::string("beyond");
    if (!m_memory.IsNull() && !partly)
    {
        EXPECT_EQ(m_server.Octets(m_memory), Pattern(SIZE)) << "no segment has been placed";
    }
}

INSTANTIATE_TEST_SUITE_P(Elements,
                         LocalFault,
                         ::testing::Values("index",
                                           "key",
                                           "unregistered",
                                           "invalidated",
                                           "destroyed",
                                           "domain",
                                           "beyond",
                                           "before",
                                           "wrap",
                                           "freed"),
                         [](const auto& parameter) { return std::string(parameter.param); });

} // namespace ns3::nfsrdma
