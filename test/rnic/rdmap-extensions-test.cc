/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// Atomics and Writes with immediate, between devices that have RFC 7306.
class Extensions : public RnicTest
{
  protected:
    virtual bool Has(const RnicHost& /* host */)
    {
        return true;
    }

    virtual uint32_t GetRights()
    {
        return ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_ATOMIC;
    }

    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("RdmapExtensions", BooleanValue(Has(host)));
    }

    CmConnectionParameters GetParameters(const RnicHost& /* host */) override
    {
        return {{}, 2, 2};
    }

    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        m_target = m_server.Fill({0x25, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0});
        m_remote = RegisterNow(m_server, m_target, GetRights());
        m_word = m_client.Room(8);
    }

    SendWorkRequest Atomic(uint64_t id, WorkRequestOpcode opcode)
    {
        SendWorkRequest request;
        request.id = id;
        request.opcode = opcode;
        request.elements = {Element(m_word)};
        request.remoteStag = m_remote->GetStag();
        request.remoteOffset = m_target.GetAddress();
        return request;
    }

    SendWorkRequest Add(uint64_t id, uint64_t data)
    {
        SendWorkRequest request = Atomic(id, WorkRequestOpcode::ATOMIC_FETCH_AND_ADD);
        request.atomic.data = data;
        return request;
    }

    SendWorkRequest WriteImmediate(uint64_t id, const HostBuffer& source, uint64_t immediate)
    {
        SendWorkRequest request = Write(id, source, m_remote->GetStag(), m_target.GetAddress());
        request.opcode = WorkRequestOpcode::RDMA_WRITE_WITH_IMM;
        request.immediate = immediate;
        return request;
    }

    HostBuffer m_target;
    HostBuffer m_word;
    Ptr<MemoryRegion> m_remote;
};

TEST_F(Extensions, FetchAndAdd)
{
    PostSend(m_client, Add(1, 5));
    Run();
    ASSERT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(m_client.sent[0].opcode, WorkCompletionOpcode::FETCH_AND_ADD);
    EXPECT_EQ(m_client.sent[0].length, 8U);
    EXPECT_EQ(m_client.Octets(m_word), (ByteVector{0x25, 0, 0, 0, 0, 0, 0, 0x10}));
    EXPECT_EQ(m_server.Octets(m_target),
              (ByteVector{0x2a, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_THAT(m_server.received, IsEmpty());
}

TEST_F(Extensions, FetchAndAddOverFields)
{
    SendWorkRequest request = Add(1, 0x00000000000000ff);
    request.atomic.fieldBoundaries = 0x80;
    PostSend(m_client, request);
    Run();
    EXPECT_EQ(m_server.Octets(m_target),
              (ByteVector{0x24, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(Extensions, CompareAndSwap)
{
    SendWorkRequest equal = Atomic(1, WorkRequestOpcode::ATOMIC_CMP_AND_SWP);
    equal.atomic.compare = 0x1000000000000025;
    equal.atomic.data = 7;
    SendWorkRequest different = equal;
    different.id = 2;
    different.atomic.data = 8;
    ASSERT_TRUE(m_client.pair->PostSend(std::vector<SendWorkRequest>{equal, different}));
    Run();
    ASSERT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS, Status::SUCCESS));
    EXPECT_EQ(m_client.sent[1].opcode, WorkCompletionOpcode::COMPARE_AND_SWAP);
    EXPECT_EQ(m_client.Octets(m_word), (ByteVector{7, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(m_server.Octets(m_target)[0], 7);
}

TEST_F(Extensions, SwapUnderAMask)
{
    SendWorkRequest swap = Atomic(1, WorkRequestOpcode::ATOMIC_CMP_AND_SWP);
    swap.atomic.compareMask = 0;
    swap.atomic.swapMask = 0xff;
    swap.atomic.data = 0x1234;
    PostSend(m_client, swap);
    Run();
    EXPECT_EQ(m_server.Octets(m_target),
              (ByteVector{0x34, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(Extensions, AtomicsCountAgainstOrd)
{
    std::vector<SendWorkRequest> chain;
    for (uint64_t id = 0; id < 8; id++)
    {
        chain.push_back(Add(id, 1));
    }
    ASSERT_TRUE(m_client.pair->PostSend(chain));
    while (m_client.sent.size() < 8)
    {
        Simulator::Stop(NanoSeconds(50));
        Simulator::Run();
        ASSERT_LE(m_client.pair->GetStream()->GetOutstandingReads(), 2U);
    }
    EXPECT_THAT(m_client.SentIds(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(m_client.SentStatuses(), Each(Status::SUCCESS));
    EXPECT_GE(m_client.device->GetCounters().ordStalls, 1U);
    EXPECT_EQ(m_client.Octets(m_word)[0], 0x25 + 7);
    EXPECT_EQ(m_server.Octets(m_target)[0], 0x25 + 8);
}

struct AtomicFault
{
    const char* name;
    uint32_t stagDifference;
    uint64_t offset;
    const char* terminate;
};

class AtomicFaults : public Extensions, public ::testing::WithParamInterface<AtomicFault>
{
};

TEST_P(AtomicFaults, EndTheStreamAndChangeNothing)
{
    SendWorkRequest request = Add(1, 5);
    request.remoteStag += GetParam().stagDifference;
    request.remoteOffset += GetParam().offset;
    const ByteVector before = m_server.Octets(m_target);
    PostSend(m_client, request);
    PostSend(m_client, Add(2, 5));
    Run();
    EXPECT_THAT(m_server.terminatesSent, ElementsAre(StartsWith(GetParam().terminate)));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith(GetParam().terminate)));
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
    EXPECT_THAT(m_client.SentStatuses(), Each(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_REQ_ERR));
    EXPECT_EQ(m_server.Octets(m_target), before);
}

INSTANTIATE_TEST_SUITE_P(Faults,
                         AtomicFaults,
                         ::testing::Values(AtomicFault{"index", 0x100, 0, "0/1/00"},
                                           AtomicFault{"key", 1, 0, "0/1/00"},
                                           AtomicFault{"beyond", 0, 16, "0/1/01"},
                                           AtomicFault{"alignment", 0, 4, "0/2/07"}),
                         [](const auto& fault) { return std::string(fault.param.name); });

class NoAtomicRight : public Extensions
{
  protected:
    uint32_t GetRights() override
    {
        return ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ;
    }
};

TEST_F(NoAtomicRight, IsAnAccessViolation)
{
    PostSend(m_client, Add(1, 5));
    Run();
    EXPECT_THAT(m_server.terminatesSent, ElementsAre(StartsWith("0/1/02")));
    EXPECT_EQ(m_server.device->GetCounters().readSourceFaults, 1U);
}

TEST_F(Extensions, AtomicRightNeedsLocalWrite)
{
    const auto region = m_server.device->AllocateMemoryRegion(m_server.domain, 16).value();
    EXPECT_FALSE(m_server.pair->PostSend(Register(1, region, m_target, 9, ACCESS_REMOTE_ATOMIC)));
}

TEST_F(Extensions, AnAtomicTakesOneElementOfItsSize)
{
    SendWorkRequest request = Add(1, 5);
    request.elements[0].length = 7;
    EXPECT_FALSE(m_client.pair->PostSend(request));
    request.elements[0].length = 9;
    EXPECT_FALSE(m_client.pair->PostSend(request));
    request.elements.clear();
    EXPECT_FALSE(m_client.pair->PostSend(request));
    request.elements = {Element(m_word), Element(m_word)};
    EXPECT_FALSE(m_client.pair->PostSend(request));
}

TEST_F(Extensions, AnAtomicIntoMemoryNotRegisteredIsALocalFault)
{
    SendWorkRequest request = Add(1, 5);
    request.elements[0].lkey = 0x00ff0001;
    PostSend(m_client, request);
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::LOC_PROT_ERR));
    EXPECT_EQ(m_server.Octets(m_target)[0], 0x25);
}

TEST_F(Extensions, AWriteWithImmediateUsesUpAReceive)
{
    const HostBuffer room = m_server.Room(4);
    PostReceive(m_server, 7, room);
    const HostBuffer source = m_client.Fill(Pattern(16));
    PostSend(m_client, WriteImmediate(1, source, 0x0102030405060708));
    Run();
    ASSERT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(m_client.sent[0].opcode, WorkCompletionOpcode::RDMA_WRITE);
    EXPECT_EQ(m_server.Octets(m_target), Pattern(16));
    ASSERT_THAT(m_server.ReceivedIds(), ElementsAre(7));
    EXPECT_EQ(m_server.received[0].opcode, WorkCompletionOpcode::RECEIVE);
    EXPECT_TRUE(m_server.received[0].withImmediate);
    EXPECT_EQ(m_server.received[0].immediate, 0x0102030405060708U);
    EXPECT_EQ(m_server.received[0].length, 0U);
    EXPECT_EQ(m_server.Octets(room), ByteVector(4));
}

TEST_F(Extensions, ImmediateDataAndSendsKeepTheirOrder)
{
    for (uint64_t id = 0; id < 3; id++)
    {
        PostReceive(m_server, id, Keep(m_server.Room(16)));
    }
    SendWorkRequest empty = WriteImmediate(1, m_word, 9);
    empty.elements.clear();
    empty.solicited = true;
    const HostBuffer message = m_client.Fill(Pattern(10));
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{Send(0, message), empty, Send(2, message)}));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(0, 1, 2));
    ASSERT_THAT(m_server.ReceivedIds(), ElementsAre(0, 1, 2));
    EXPECT_FALSE(m_server.received[0].withImmediate);
    EXPECT_TRUE(m_server.received[1].withImmediate);
    EXPECT_FALSE(m_server.received[2].withImmediate);
    EXPECT_EQ(m_server.received[2].length, 10U);
    const auto& sent = m_client.device->GetCounters().segmentsSent;
    EXPECT_EQ(sent[static_cast<std::size_t>(RdmapOpcode::IMMEDIATE_SE)], 1U);
    EXPECT_EQ(sent[static_cast<std::size_t>(RdmapOpcode::WRITE)], 1U);
}

TEST_F(Extensions, ImmediateDataWithoutAReceiveEndTheStream)
{
    const HostBuffer source = m_client.Fill(Pattern(16));
    PostSend(m_client, WriteImmediate(1, source, 9));
    Run();
    EXPECT_THAT(m_server.terminatesSent, ElementsAre(StartsWith("1/2/02")));
    EXPECT_EQ(m_server.device->GetCounters().receiveFaults, 1U);
    EXPECT_EQ(m_server.Octets(m_target), Pattern(16)) << "the Write came before";
}

class OneSided : public Extensions
{
  protected:
    bool Has(const RnicHost& host) override
    {
        return &host == &m_client;
    }
};

TEST_F(OneSided, ThePeerMeetsAnUnexpectedOpcode)
{
    PostSend(m_client, Add(1, 5));
    Run();
    EXPECT_THAT(m_server.terminatesSent, ElementsAre(StartsWith("0/2/06")));
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
}

TEST_F(OneSided, ADeviceWithoutThemRefusesToPost)
{
    SendWorkRequest request = Add(1, 5);
    EXPECT_FALSE(m_server.pair->PostSend(request));
    request.opcode = WorkRequestOpcode::ATOMIC_CMP_AND_SWP;
    EXPECT_FALSE(m_server.pair->PostSend(request));
    request.opcode = WorkRequestOpcode::RDMA_WRITE_WITH_IMM;
    EXPECT_FALSE(m_server.pair->PostSend(request));
    request.opcode = WorkRequestOpcode::RDMA_WRITE;
    EXPECT_TRUE(m_server.pair->PostSend(request));
}

} // namespace ns3::nfsrdma
