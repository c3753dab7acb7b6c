/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory-fixture.h"

#include "ns3/boolean.h"

#include <boost/endian/conversion.hpp>
#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using ::testing::StartsWith;
using Status = WorkCompletionStatus;

/// A region over pages 5, 2, 7 and 0 of the server's memory, from octet FIRST of page 5 on.
class PageList : public MemoryTest
{
  protected:
    static constexpr uint32_t FIRST = 4090;
    static constexpr uint32_t LENGTH = 6 + 2 * 4096 + 1000;
    static constexpr uint8_t KEY = 0x31;

    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("RdmapExtensions", BooleanValue(true));
    }

    void SetUp() override
    {
        MemoryTest::SetUp();
        m_memory = m_server.Room(8 * PAGE);
        m_region = m_server.device->AllocateMemoryRegion(m_server.domain, 4).value();
    }

    [[nodiscard]] SendWorkRequest Request(uint32_t access) const
    {
        const uint64_t base = m_memory.GetAddress();
        SendWorkRequest request;
        request.id = 1;
        request.opcode = WorkRequestOpcode::REGISTER_MR;
        request.region = m_region;
        request.registration.key = KEY;
        request.registration.length = LENGTH;
        request.registration.iova = IOVA;
        request.registration.access = access;
        request.registration.pages = {base + 5 * PAGE, base + 2 * PAGE, base + 7 * PAGE, base};
        request.registration.firstByteOffset = FIRST;
        return request;
    }

    Stag RegisterPages(uint32_t access)
    {
        ExecuteAtServer(Request(access));
        return m_region->GetStag();
    }

    /// \return all of the memory as it is when the region alone holds \p octets.
    [[nodiscard]] static ByteVector Scattered(const ByteVector& octets)
    {
        ByteVector memory(8 * PAGE);
        std::copy_n(octets.begin(), 6, memory.begin() + 5 * PAGE + FIRST);
        std::copy_n(octets.begin() + 6, PAGE, memory.begin() + 2 * PAGE);
        std::copy_n(octets.begin() + 6 + PAGE, PAGE, memory.begin() + 7 * PAGE);
        std::copy_n(octets.begin() + 6 + 2 * PAGE, 1000, memory.begin());
        return memory;
    }

    HostBuffer m_memory;
    Ptr<MemoryRegion> m_region;
};

TEST_F(PageList, WritesArePlacedPageByPage)
{
    const Stag stag = RegisterPages(WRITABLE);
    ExpectWritten(stag, IOVA, LENGTH, 5);
    EXPECT_EQ(m_server.Octets(m_memory), Scattered(Pattern(LENGTH, 5)));
}

TEST_F(PageList, ReadsGatherThePages)
{
    const ByteVector octets = Pattern(LENGTH, 6);
    m_memory.Write(0, Scattered(octets));
    const Stag stag = RegisterPages(ACCESS_REMOTE_READ);
    ExpectRead(stag, IOVA, octets);
    ExpectRead(stag, IOVA + 5, ByteVector(octets.begin() + 5, octets.begin() + 7));
}

TEST_F(PageList, LastOctetIsInsideAndTheNextIsNot)
{
    const Stag stag = RegisterPages(WRITABLE);
    ExpectWritten(stag, IOVA + LENGTH - 1, 1, 0x5a);
    ByteVector expected(8 * PAGE);
    expected[999] = 0x5a;
    EXPECT_EQ(m_server.Octets(m_memory), expected);
    ExpectWriteRefused(stag, IOVA + LENGTH, 1, "1/1/01");
    EXPECT_EQ(m_server.Octets(m_memory), expected);
}

TEST_F(PageList, OctetBeforeTheFirstIsOutsideThoughInThePage)
{
    const Stag stag = RegisterPages(ACCESS_REMOTE_READ);
    ExpectReadRefused(stag, IOVA - 1, 1, "0/1/01");
}

TEST_F(PageList, ZeroBasedCountsFromTheFirstOctet)
{
    const Stag stag = RegisterPages(WRITABLE | ACCESS_ZERO_BASED);
    ExpectWritten(stag, 0, LENGTH, 7);
    EXPECT_EQ(m_server.Octets(m_memory), Scattered(Pattern(LENGTH, 7)));
}

TEST_F(PageList, ServesAsLocalElement)
{
    const Stag lkey = RegisterPages(ACCESS_LOCAL_WRITE);
    const ByteVector octets = Pattern(LENGTH, 8);
    ReceiveWorkRequest receive;
    receive.elements = {{IOVA, 10, lkey}, {IOVA + 10, LENGTH - 10, lkey}};
    ASSERT_TRUE(m_server.pair->PostReceive(receive));
    const HostBuffer source = m_client.Fill(octets);
    PostSend(m_client, Send(1, source));
    Run();
    ASSERT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(m_server.Octets(m_memory), Scattered(octets));

    const HostBuffer& room = Keep(m_client.Room(LENGTH));
    PostReceive(m_client, 2, room);
    SendWorkRequest send;
    send.elements = receive.elements;
    PostSend(m_server, send);
    Run();
    ASSERT_THAT(m_client.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(m_client.Octets(room), octets);
}

TEST_F(PageList, TakesTheResponseOfARead)
{
    const Stag sink = RegisterPages(WRITABLE);
    const HostBuffer source = m_client.Fill(Pattern(LENGTH, 9));
    const auto remote = RegisterAll(m_client, source, ACCESS_REMOTE_READ, 0);
    SendWorkRequest read;
    read.opcode = WorkRequestOpcode::RDMA_READ;
    read.elements = {{IOVA, LENGTH, sink}};
    read.remoteStag = remote->GetStag();
    PostSend(m_server, read);
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(m_server.Octets(m_memory), Scattered(Pattern(LENGTH, 9)));
}

TEST_F(PageList, AtomicMayLieAcrossAPageBoundary)
{
    const Stag stag = RegisterPages(ACCESS_LOCAL_WRITE | ACCESS_REMOTE_ATOMIC);
    ByteVector octets(LENGTH);
    boost::endian::store_little_u64(octets.data(), 0x0102030405060708);
    m_memory.Write(0, Scattered(octets));
    const HostBuffer before = m_client.Room(8);
    SendWorkRequest add;
    add.opcode = WorkRequestOpcode::ATOMIC_FETCH_AND_ADD;
    add.elements = {Element(before)};
    add.remoteStag = stag;
    add.remoteOffset = IOVA;
    add.atomic.data = 0x1111111111111111;
    PostSend(m_client, add);
    Run();
    ASSERT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(boost::endian::load_little_u64(m_client.Octets(before).data()), 0x0102030405060708U);
    boost::endian::store_little_u64(octets.data(), 0x1213141516171819);
    EXPECT_EQ(m_server.Octets(m_memory), Scattered(octets));
}

TEST_F(PageList, UnderAWindowIsReachedPageByPage)
{
    RegisterPages(ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND);
    const auto window = m_server.device->AllocateMemoryWindow(m_server.domain).value();
    ExecuteAtServer(Bind(2, window, {9, m_region, IOVA, LENGTH, ALL_REMOTE | ACCESS_ZERO_BASED}));
    ExpectWritten(window->GetStag(), 0, LENGTH, 3);
    EXPECT_EQ(m_server.Octets(m_memory), Scattered(Pattern(LENGTH, 3)));
}

TEST_F(PageList, OfMorePagesThanTheRegionHoldsIsRefused)
{
    m_region = m_server.device->AllocateMemoryRegion(m_server.domain, 3).value();
    const auto refused = m_server.pair->PostSend(Request(WRITABLE));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), VerbsError::INVALID_ARGUMENT);
}

TEST_F(PageList, FreedPageIsALocalCatastropheForThePeer)
{
    const Stag stag = RegisterPages(WRITABLE);
    m_memory = HostBuffer();
    const HostBuffer source = m_client.Fill(Pattern(LENGTH));
    PostSend(m_client, Write(1, source, stag, IOVA));
    Run();
    ExpectTerminated("1/0/00");
}

} // namespace ns3::nfsrdma
