/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory-fixture.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <set>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Status = WorkCompletionStatus;

class RegularRegion : public MemoryTest
{
  protected:
    static constexpr uint32_t SIZE = 5000;

    void SetUp() override
    {
        MemoryTest::SetUp();
        m_memory = m_server.Room(SIZE);
    }

    tl::expected<Ptr<MemoryRegion>, VerbsError> Try(uint64_t address,
                                                    uint64_t length,
                                                    uint32_t access,
                                                    uint64_t iova)
    {
        return m_server.device->RegisterMemory(m_server.domain, address, length, access, iova);
    }

    HostBuffer m_memory;
};

TEST_F(RegularRegion, IsValidAtOnceWithAKeyOfTheDevice)
{
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    EXPECT_TRUE(region->IsValid());
    EXPECT_TRUE(region->IsRegular());
    EXPECT_EQ(region->GetMaxPages(), 0U);
    EXPECT_EQ(region->GetLength(), SIZE);
    EXPECT_EQ(region->GetFirstOffset(), IOVA);
    EXPECT_NE(region->GetStag() & 0xff, 0U);
    EXPECT_EQ(m_server.device->GetCensus().validMemoryRegions, 1U);
    EXPECT_EQ(m_server.device->GetCounters().regularRegistrations, 1U);
    EXPECT_EQ(m_server.device->GetCounters().registrations, 0U);
}

TEST_F(RegularRegion, IsReachedThroughItsTaggedOffsets)
{
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    ExpectWritten(region->GetStag(), IOVA, SIZE, 3);
    EXPECT_EQ(m_server.Octets(m_memory), Pattern(SIZE, 3));
    ExpectRead(region->GetStag(), IOVA, Pattern(SIZE, 3));
}

TEST_F(RegularRegion, ZeroBasedOffsetsCountFromZeroWhateverTheIova)
{
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS | ACCESS_ZERO_BASED, IOVA);
    EXPECT_EQ(region->GetFirstOffset(), 0U);
    ExpectWritten(region->GetStag(), 0, SIZE, 4);
    EXPECT_EQ(m_server.Octets(m_memory), Pattern(SIZE, 4));
    ExpectWriteRefused(region->GetStag(), IOVA, 1, "1/1/01");
}

TEST_F(RegularRegion, LastOctetIsInsideAndTheNextIsNot)
{
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    ExpectWritten(region->GetStag(), IOVA + SIZE - 1, 1, 0xab);
    EXPECT_EQ(m_server.Octets(m_memory).back(), 0xab);
    ExpectWriteRefused(region->GetStag(), IOVA + SIZE - 1, 2, "1/1/01");
    EXPECT_EQ(m_server.Octets(m_memory).back(), 0xab);
}

TEST_F(RegularRegion, OctetBeforeTheFirstIsOutside)
{
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    ExpectReadRefused(region->GetStag(), IOVA - 1, 1, "0/1/01");
}

TEST_F(RegularRegion, MayEndAtTheLastTaggedOffsetAndAnAccessPastItWraps)
{
    const uint64_t last = ~uint64_t{0} - SIZE;
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, last);
    ExpectWritten(region->GetStag(), last, SIZE, 5);
    EXPECT_EQ(m_server.Octets(m_memory), Pattern(SIZE, 5));
    ExpectReadRefused(region->GetStag(), last + 1, SIZE, "0/1/04");
}

TEST_F(RegularRegion, LongerThanFourGigaoctetsIsReachedToItsEnd)
{
    constexpr uint64_t LENGTH = 5ULL << 30;
    const HostBuffer huge = m_server.Room(LENGTH);
    const auto region = RegisterAll(m_server, huge, ALL_RIGHTS, IOVA);
    EXPECT_EQ(region->GetLength(), LENGTH);
    EXPECT_EQ(m_server.memory->GetPinnedPages(), LENGTH / PAGE);
    ExpectWritten(region->GetStag(), IOVA + LENGTH - 100, 100, 6);
    ByteVector end(100);
    huge.Read(LENGTH - 100, end);
    EXPECT_EQ(end, Pattern(100, 6));
    ExpectRead(region->GetStag(), IOVA + LENGTH - 100, Pattern(100, 6));
    ExpectWriteRefused(region->GetStag(), IOVA + LENGTH - 100, 101, "1/1/01");
}

TEST_F(RegularRegion, ZeroLengthAccessesAreNotChecked)
{
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    const auto sink = RegisterAll(m_client, Keep(m_client.Room(1)), WRITABLE, 0);
    PostSend(m_client, Read(1, *sink, 0, region->GetStag() + 0x1000, 7));
    SendWorkRequest write;
    write.opcode = WorkRequestOpcode::RDMA_WRITE;
    write.remoteStag = region->GetStag() + 0x1000;
    write.id = 2;
    PostSend(m_client, write);
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS, Status::SUCCESS));
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
}

TEST_F(RegularRegion, RefusesWhatItsRightsDoNotGrant)
{
    const auto region = RegisterAll(m_server, m_memory, ACCESS_REMOTE_READ, IOVA);
    ExpectRead(region->GetStag(), IOVA, ByteVector(SIZE));
    ExpectWriteRefused(region->GetStag(), IOVA, 1, "1/1/00");
}

TEST_F(RegularRegion, OfAnotherDomainIsNotAssociated)
{
    const auto other = m_server.device->AllocateProtectionDomain().value();
    const auto region =
        m_server.device->RegisterMemory(other, m_memory.GetAddress(), SIZE, ALL_RIGHTS, IOVA)
            .value();
    ExpectWriteRefused(region->GetStag(), IOVA, 1, "1/1/02");
    EXPECT_EQ(m_server.device->Destroy(other).error(), VerbsError::BUSY);
}

TEST_F(RegularRegion, UseAfterDestructionIsRefusedAndThePagesAreFree)
{
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    const Stag stag = region->GetStag();
    EXPECT_EQ(m_server.memory->GetPinnedPages(), 2U);
    ASSERT_TRUE(m_server.device->Destroy(region));
    EXPECT_FALSE(region->IsValid());
    EXPECT_EQ(m_server.memory->GetPinnedPages(), 0U);
    EXPECT_EQ(m_server.device->Destroy(region).error(), VerbsError::INVALID_ARGUMENT);
    ExpectReadRefused(stag, IOVA, 1, "0/1/00");
}

TEST_F(RegularRegion, StaleKeyFailsWhenTheIndexIsUsedAgain)
{
    auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    const Stag stale = region->GetStag();
    std::set<Stag> seen;
    do
    {
        EXPECT_TRUE(seen.insert(region->GetStag()).second) << "an STag comes back";
        ASSERT_TRUE(m_server.device->Destroy(region));
        region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    } while (region->GetIndex() != stale >> 8);
    EXPECT_NE(region->GetStag(), stale);
    ExpectWriteRefused(stale, IOVA, 1, "1/1/00");
}

TEST_F(RegularRegion, LocalUseHonoursLocalWriteAndBounds)
{
    const HostBuffer message = m_client.Fill(Pattern(100));
    const auto readOnly = RegisterAll(m_server, m_memory, ACCESS_REMOTE_READ, IOVA);
    SendWorkRequest send;
    send.elements = {{IOVA, 100, readOnly->GetStag()}};
    PostReceive(m_client, 1, Keep(m_client.Room(100)));
    PostSend(m_server, send);
    Run();
    EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(Status::SUCCESS)) << "reading is free";
    ReceiveWorkRequest receive;
    receive.elements = {{IOVA, 100, readOnly->GetStag()}};
    ASSERT_TRUE(m_server.pair->PostReceive(receive));
    PostSend(m_client, Send(2, message));
    Run();
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::LOC_PROT_ERR));
    ExpectTerminated("1/0/00");
    EXPECT_EQ(m_server.Octets(m_memory), ByteVector(SIZE));
}

TEST_F(RegularRegion, LocalElementPastTheEndIsALocalFault)
{
    const auto region = RegisterAll(m_server, m_memory, ACCESS_LOCAL_WRITE, IOVA);
    SendWorkRequest send;
    send.elements = {{IOVA + SIZE - 10, 11, region->GetStag()}};
    PostSend(m_server, send);
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_PROT_ERR));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
}

TEST_F(RegularRegion, WrongArgumentsAreRefused)
{
    const uint64_t address = m_memory.GetAddress();
    const auto expectInvalid =
        [this](uint64_t from, uint64_t length, uint32_t access, uint64_t iova) {
            const auto result = Try(from, length, access, iova);
            ASSERT_FALSE(result);
            EXPECT_EQ(result.error(), VerbsError::INVALID_ARGUMENT);
        };
    expectInvalid(address, 0, ALL_RIGHTS, 0);
    expectInvalid(address, SIZE + 1, ALL_RIGHTS, 0);
    expectInvalid(address - 1, 2, ALL_RIGHTS, 0);
    expectInvalid(address, ~uint64_t{0}, ALL_RIGHTS, 0);
    expectInvalid(address, SIZE, ACCESS_REMOTE_WRITE, 0);
    expectInvalid(address, SIZE, ACCESS_REMOTE_ATOMIC, 0);
    expectInvalid(address, SIZE, ALL_RIGHTS | 0x40, 0);
    expectInvalid(address, SIZE, 0x80000000, 0);
    expectInvalid(address, SIZE, ALL_RIGHTS, ~uint64_t{0} - SIZE + 1);
    EXPECT_EQ(m_server.device->RegisterMemory(m_client.domain, address, SIZE, ACCESS_LOCAL_WRITE, 0)
                  .error(),
              VerbsError::INVALID_ARGUMENT)
        << "a domain of another device";
    EXPECT_EQ(m_server.device->RegisterMemory(nullptr, address, SIZE, 0, 0).error(),
              VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(m_server.device->Destroy(Ptr<MemoryRegion>()).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(m_server.memory->GetPinnedPages(), 0U);
    EXPECT_EQ(m_server.device->GetCensus().memoryRegions, 0U);
}

TEST_F(RegularRegion, CannotBeRegisteredByAWorkRequest)
{
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    const auto refused = m_server.pair->PostSend(Register(1, region, m_memory, 5, ALL_RIGHTS));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), VerbsError::INVALID_ARGUMENT);
}

TEST_F(RegularRegion, CannotBeInvalidatedLocally)
{
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    PostSend(m_server, Invalidate(1, region->GetStag()));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_QP_OP_ERR));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
    EXPECT_TRUE(region->IsValid());
    EXPECT_EQ(m_server.device->GetCounters().localInvalidations, 0U);
}

TEST_F(RegularRegion, CannotBeInvalidatedByThePeer)
{
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    SendInvalidating(region->GetStag());
    ExpectTerminated("0/1/09");
    EXPECT_THAT(m_server.ReceivedStatuses(),
                ElementsAre(Status::REM_INV_REQ_ERR, Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_TRUE(region->IsValid());
    EXPECT_EQ(m_server.device->GetCounters().invalidationFaults, 1U);
}

TEST_F(RegularRegion, CostsTheControlThreadByPages)
{
    const Time before = m_server.device->GetHostCpu()->GetUsed();
    std::vector<Time> returned;
    const auto note = Callback<void, const MemoryRegion&, Time>(
        [&returned](const MemoryRegion& region, Time done) {
            EXPECT_TRUE(region.IsValid());
            returned.push_back(done - Simulator::Now());
        });
    m_server.device->TraceConnectWithoutContext("RegisterMemory", note);
    m_server.device->TraceConnectWithoutContext("DeregisterMemory", note);
    m_server.device->SetAttribute("HostRegisterBase", TimeValue(MicroSeconds(20)));
    m_server.device->SetAttribute("HostRegisterPerPage", TimeValue(NanoSeconds(300)));
    m_server.device->SetAttribute("HostDeregisterBase", TimeValue(MicroSeconds(7)));
    m_server.device->SetAttribute("HostDeregisterPerPage", TimeValue(NanoSeconds(100)));
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    EXPECT_EQ(m_server.device->GetControlThread().GetFree() - Simulator::Now(), NanoSeconds(20600));
    ASSERT_TRUE(m_server.device->Destroy(region));
    EXPECT_THAT(returned, ElementsAre(NanoSeconds(20600), NanoSeconds(27800)));
    EXPECT_EQ(m_server.device->GetControlThread().GetUsed(), NanoSeconds(27800));
    EXPECT_EQ(m_server.device->GetHostCpu()->GetUsed() - before, NanoSeconds(27800));
}

class FewRegions : public RegularRegion
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("MaxMrs", UintegerValue(2));
    }
};

TEST_F(FewRegions, OfBothKindsCountAgainstTheLimit)
{
    const auto regular = RegisterAll(m_server, m_memory, ALL_RIGHTS, IOVA);
    ASSERT_TRUE(m_server.device->AllocateMemoryRegion(m_server.domain, 1));
    const auto refused = Try(m_memory.GetAddress(), SIZE, ALL_RIGHTS, IOVA);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), VerbsError::NO_MEMORY);
    EXPECT_EQ(m_server.memory->GetPinnedPages(), 2U) << "pages of the living region only";
    ASSERT_TRUE(m_server.device->Destroy(regular));
    EXPECT_TRUE(Try(m_memory.GetAddress(), SIZE, ALL_RIGHTS, IOVA));
}

} // namespace ns3::nfsrdma
