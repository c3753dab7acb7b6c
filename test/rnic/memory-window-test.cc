/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/window-fixture.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using ::testing::StartsWith;
using Status = WorkCompletionStatus;

class Window : public WindowTest
{
};

TEST_F(Window, IsBoundByAWorkRequestWithTheConsumersKey)
{
    EXPECT_FALSE(m_window->IsBound());
    PostSend(m_server, Bind(7, m_window, Binding(ACCESS_REMOTE_READ)));
    Run();
    ASSERT_EQ(m_server.sent.size(), 1U);
    EXPECT_EQ(m_server.sent[0].id, 7U);
    EXPECT_EQ(m_server.sent[0].status, Status::SUCCESS);
    EXPECT_EQ(m_server.sent[0].opcode, WorkCompletionOpcode::BIND_WINDOW);
    EXPECT_EQ(m_window->GetStag(), m_window->GetIndex() << 8 | KEY);
    EXPECT_NE(m_window->GetIndex(), m_region->GetIndex());
    EXPECT_EQ(m_window->GetBinding().region, m_region);
    EXPECT_EQ(m_region->GetWindows(), 1U);
    EXPECT_EQ(m_server.device->GetCounters().windowBindings, 1U);
    EXPECT_EQ(m_server.device->GetCensus().memoryWindows, 1U);
    EXPECT_EQ(m_server.device->GetCensus().boundMemoryWindows, 1U);
}

TEST_F(Window, GivesItsOwnRightsWhateverTheRemoteOnesOfTheRegion)
{
    const Stag stag = BindNow(ALL_REMOTE);
    ExpectWritten(stag, IOVA + OFFSET, LENGTH, 3);
    EXPECT_EQ(Octets(OFFSET, LENGTH), Pattern(LENGTH, 3));
    ExpectRead(stag, IOVA + OFFSET, Pattern(LENGTH, 3));
    ExpectReadRefused(m_region->GetStag(), IOVA + OFFSET, 1, "0/1/02");
}

TEST_F(Window, ZeroBasedCountsFromZero)
{
    const Stag stag = BindNow(ALL_REMOTE | ACCESS_ZERO_BASED);
    ExpectWritten(stag, LENGTH - 1, 1, 0xcd);
    EXPECT_EQ(Octets(OFFSET + LENGTH - 1, 1), ByteVector{0xcd});
    ExpectWriteRefused(stag, LENGTH - 1, 2, "1/1/01");
    EXPECT_EQ(Octets(OFFSET + LENGTH, 1), ByteVector{Pattern(SIZE, 9)[OFFSET + LENGTH]});
}

TEST_F(Window, OverAZeroBasedRegionIsNamedByItsOffsets)
{
    const auto zeroBased = RegisterAll(m_server,
                                       m_memory,
                                       ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND | ACCESS_ZERO_BASED,
                                       IOVA);
    ExecuteAtServer(Bind(1, m_window, {KEY, zeroBased, OFFSET, LENGTH, ACCESS_REMOTE_READ}));
    const ByteVector all = Pattern(SIZE, 9);
    ExpectRead(m_window->GetStag(),
               OFFSET,
               ByteVector(all.begin() + OFFSET, all.begin() + OFFSET + LENGTH));
}

TEST_F(Window, MayCoverTheWholeRegionToItsLastOctet)
{
    ExecuteAtServer(Bind(1, m_window, {KEY, m_region, IOVA, SIZE, ACCESS_REMOTE_WRITE}));
    ExpectWritten(m_window->GetStag(), IOVA + SIZE - 1, 1, 0x77);
    EXPECT_EQ(Octets(SIZE - 1, 1), ByteVector{0x77});
    ExpectWriteRefused(m_window->GetStag(), IOVA + SIZE, 1, "1/1/01");
}

TEST_F(Window, IsOfNoLocalUse)
{
    const Stag stag = BindNow(ALL_REMOTE);
    SendWorkRequest send;
    send.elements = {{IOVA + OFFSET, 10, stag}};
    PostSend(m_server, send);
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_PROT_ERR));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
}

TEST_F(Window, CannotTakeTheResponseOfARead)
{
    const Stag stag = BindNow(ALL_REMOTE);
    const auto source = RegisterAll(m_client, Keep(m_client.Room(100)), ACCESS_REMOTE_READ, 0);
    SendWorkRequest read;
    read.opcode = WorkRequestOpcode::RDMA_READ;
    read.elements = {{IOVA + OFFSET, 100, stag}};
    read.remoteStag = source->GetStag();
    PostSend(m_server, read);
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_PROT_ERR));
}

TEST_F(Window, TwoOverOneRegionAreApart)
{
    const auto second = m_server.device->AllocateMemoryWindow(m_server.domain).value();
    BindNow(ACCESS_REMOTE_READ);
    ExecuteAtServer(
        Bind(2, second, {KEY, m_region, IOVA + OFFSET + LENGTH / 2, LENGTH, ACCESS_REMOTE_WRITE}));
    EXPECT_EQ(m_region->GetWindows(), 2U);
    EXPECT_NE(second->GetStag(), m_window->GetStag());
    ExpectWritten(second->GetStag(), IOVA + OFFSET + LENGTH / 2, LENGTH, 2);
    ByteVector expected = Pattern(LENGTH, 2);
    expected.resize(LENGTH / 2);
    ExpectRead(m_window->GetStag(), IOVA + OFFSET + LENGTH / 2, expected);
    ExpectReadRefused(second->GetStag(), IOVA + OFFSET + LENGTH / 2, 1, "0/1/02");
}

TEST_F(Window, IsBoundAgainWithAnotherKeyAfterItsInvalidation)
{
    const Stag stale = BindNow(ALL_REMOTE);
    ExecuteAtServer(Invalidate(2, stale));
    EXPECT_FALSE(m_window->IsBound());
    EXPECT_EQ(m_region->GetWindows(), 0U);
    EXPECT_EQ(m_window->GetBinding().region, nullptr);
    WindowBinding binding = Binding(ALL_REMOTE);
    binding.key++;
    ExecuteAtServer(Bind(3, m_window, binding));
    ExpectWritten(m_window->GetStag(), IOVA + OFFSET, LENGTH, 8);
    ExpectWriteRefused(stale, IOVA + OFFSET, 1, "1/1/00");
}

TEST_F(Window, IsOpenToEveryQueuePairOfItsDomainButNoOther)
{
    const auto other = m_server.device->AllocateProtectionDomain().value();
    const auto region = m_server.device
                            ->RegisterMemory(other,
                                             m_memory.GetAddress(),
                                             SIZE,
                                             ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND,
                                             IOVA)
                            .value();
    const auto window = m_server.device->AllocateMemoryWindow(other).value();
    window->Bind({KEY, region, IOVA, SIZE, ALL_REMOTE});
    ExpectReadRefused(window->GetStag(), IOVA, 1, "0/1/03");
}

TEST_F(Window, ObjectsInUseCannotBeDestroyed)
{
    BindNow(ACCESS_REMOTE_READ);
    EXPECT_EQ(m_server.device->Destroy(m_region).error(), VerbsError::BUSY);
    EXPECT_TRUE(m_region->IsValid());
    ASSERT_TRUE(m_server.device->Destroy(m_window));
    EXPECT_EQ(m_server.device->Destroy(m_window).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(m_server.device->Destroy(m_region));
    const auto domain = m_server.device->AllocateProtectionDomain().value();
    const auto window = m_server.device->AllocateMemoryWindow(domain).value();
    EXPECT_EQ(m_server.device->Destroy(domain).error(), VerbsError::BUSY);
    EXPECT_TRUE(m_server.device->Destroy(window));
    EXPECT_TRUE(m_server.device->Destroy(domain));
    EXPECT_EQ(m_server.device->GetCensus().memoryWindows, 0U);
    EXPECT_EQ(m_server.device->GetCensus().boundMemoryWindows, 0U);
}

TEST_F(Window, DestroyedIsOfNoUseAnyMore)
{
    const Stag stag = BindNow(ALL_REMOTE);
    ASSERT_TRUE(m_server.device->Destroy(m_window));
    EXPECT_EQ(m_region->GetWindows(), 0U);
    ExpectWriteRefused(stag, IOVA + OFFSET, 1, "1/1/00");
}

TEST_F(Window, DestroyedWhileAReadIsAnsweredEndsTheStream)
{
    constexpr uint32_t LONG = 200000;
    const HostBuffer source = m_server.Fill(Pattern(LONG));
    const auto region = RegisterAll(m_server, source, ACCESS_WINDOW_BIND, IOVA);
    ExecuteAtServer(Bind(1, m_window, {KEY, region, IOVA, LONG, ACCESS_REMOTE_READ}));
    const auto sink = RegisterAll(m_client, Keep(m_client.Room(LONG)), WRITABLE, 0);
    PostSend(m_client, Read(1, *sink, LONG, m_window->GetStag(), IOVA));
    while (m_client.device->GetCounters().payloadReceived < 20000)
    {
        Simulator::Stop(MicroSeconds(1));
        Simulator::Run();
    }
    ASSERT_TRUE(m_server.device->Destroy(m_window));
    ASSERT_TRUE(m_server.device->Destroy(region));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
    EXPECT_LT(m_server.device->GetCounters().payloadSent, LONG);
}

TEST_F(Window, TraceSourcesTellOfBindingAndInvalidation)
{
    std::vector<Stag> bound;
    std::vector<Stag> invalidated;
    m_window->TraceConnectWithoutContext("Bind", Callback<void, Stag>([&bound](Stag stag) {
                                             bound.push_back(stag);
                                         }));
    m_window->TraceConnectWithoutContext(
        "Invalidate",
        Callback<void, Stag>([&invalidated](Stag stag) { invalidated.push_back(stag); }));
    const Stag stag = BindNow(ACCESS_REMOTE_READ);
    ExecuteAtServer(Invalidate(2, stag));
    EXPECT_THAT(bound, ElementsAre(stag));
    EXPECT_THAT(invalidated, ElementsAre(stag));
}

TEST_F(Window, BindingOccupiesTheMemoryUnit)
{
    m_server.device->SetAttribute("BindCost", TimeValue(MicroSeconds(50)));
    m_server.device->SetAttribute("PcieRate", DataRateValue(DataRate(0)));
    const Time start = Simulator::Now();
    Time bound;
    m_window->TraceConnectWithoutContext("Bind", Callback<void, Stag>([&bound](Stag) {
                                             bound = Simulator::Now();
                                         }));
    BindNow(ACCESS_REMOTE_READ);
    const RnicDevice& device = *m_server.device;
    EXPECT_EQ(bound - start,
              device.GetHostCpu()->GetPostCost(1, 0) + device.GetSettings().doorbell +
                  device.GetSettings().wqeFetch + MicroSeconds(50));
}

class FewWindows : public WindowTest
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("MaxWindows", UintegerValue(1));
        host.device->SetAttribute("MaxMrs", UintegerValue(1));
    }
};

TEST_F(FewWindows, AreLimitedApartFromRegions)
{
    const auto refused = m_server.device->AllocateMemoryWindow(m_server.domain);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), VerbsError::NO_MEMORY);
    EXPECT_EQ(m_server.device->AllocateMemoryWindow(m_client.domain).error(),
              VerbsError::INVALID_ARGUMENT);
    ASSERT_TRUE(m_server.device->Destroy(m_window));
    EXPECT_TRUE(m_server.device->AllocateMemoryWindow(m_server.domain));
}

} // namespace ns3::nfsrdma
