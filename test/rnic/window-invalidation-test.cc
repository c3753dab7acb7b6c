/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/window-fixture.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using ::testing::StartsWith;
using Status = WorkCompletionStatus;

class WindowInvalidation : public WindowTest
{
  protected:
    /// A fast-register region of the server, registered, and the window bound over it.
    Ptr<MemoryRegion> BindOverFastRegion()
    {
        const auto region =
            RegisterNow(m_server, m_memory, ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND);
        const WindowBinding binding{KEY, region, m_memory.GetAddress(), LENGTH, ALL_REMOTE};
        ExecuteAtServer(Bind(1, m_window, binding));
        return region;
    }
};

TEST_F(WindowInvalidation, ByThePeerTakesItsRightsAway)
{
    const Stag stag = BindNow(ALL_REMOTE);
    SendInvalidating(stag);
    ASSERT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_TRUE(m_server.received[0].withInvalidate);
    EXPECT_EQ(m_server.received[0].invalidatedStag, stag);
    EXPECT_FALSE(m_window->IsBound());
    EXPECT_EQ(m_region->GetWindows(), 0U);
    EXPECT_TRUE(m_region->IsValid());
    EXPECT_EQ(m_server.device->GetCounters().remoteInvalidations, 1U);
    m_client.sent.clear();
    ExpectWriteRefused(stag, IOVA + OFFSET, 1, "1/1/00");
}

TEST_F(WindowInvalidation, ByThePeerOfAnUnboundOneIsTolerated)
{
    SendInvalidating(m_window->MakeStag(99));
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(m_server.device->GetCounters().remoteInvalidations, 0U);
}

TEST_F(WindowInvalidation, ByThePeerWithAnotherKeyFails)
{
    const Stag stag = BindNow(ALL_REMOTE);
    SendInvalidating(stag ^ 1);
    ExpectTerminated("0/1/00");
    EXPECT_THAT(m_server.ReceivedStatuses(),
                ElementsAre(Status::REM_INV_REQ_ERR, Status::WR_FLUSH_ERR));
    EXPECT_TRUE(m_window->IsBound());
}

TEST_F(WindowInvalidation, ByThePeerInAnotherDomainFails)
{
    const auto other = m_server.device->AllocateProtectionDomain().value();
    const auto window = m_server.device->AllocateMemoryWindow(other).value();
    window->Bind(Binding(ALL_REMOTE));
    SendInvalidating(window->GetStag());
    ExpectTerminated("0/1/09");
    EXPECT_TRUE(window->IsBound());
}

TEST_F(WindowInvalidation, LocallyOfAnotherDomainsFails)
{
    const auto other = m_server.device->AllocateProtectionDomain().value();
    const auto window = m_server.device->AllocateMemoryWindow(other).value();
    window->Bind(Binding(ALL_REMOTE));
    PostSend(m_server, Invalidate(3, window->GetStag()));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_QP_OP_ERR));
    EXPECT_TRUE(window->IsBound());
}

TEST_F(WindowInvalidation, OfTheRegionUnderAWindowFailsLocally)
{
    const auto region = BindOverFastRegion();
    PostSend(m_server, Invalidate(3, region->GetStag()));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::MW_BIND_ERR));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
    EXPECT_TRUE(region->IsValid());
    EXPECT_TRUE(m_window->IsBound());
}

TEST_F(WindowInvalidation, OfTheRegionUnderAWindowFailsForThePeer)
{
    const auto region = BindOverFastRegion();
    SendInvalidating(region->GetStag());
    ExpectTerminated("0/1/09");
    EXPECT_THAT(m_server.ReceivedStatuses(),
                ElementsAre(Status::REM_INV_REQ_ERR, Status::WR_FLUSH_ERR));
    EXPECT_TRUE(region->IsValid());
    EXPECT_TRUE(m_window->IsBound());
}

TEST_F(WindowInvalidation, OfTheRegionWorksOnceTheWindowIsGone)
{
    const auto region = BindOverFastRegion();
    ASSERT_TRUE(m_server.pair->PostSend(
        {Invalidate(3, m_window->GetStag()), Invalidate(4, region->GetStag())}));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::SUCCESS, Status::SUCCESS));
    EXPECT_FALSE(region->IsValid());
    EXPECT_EQ(m_server.device->GetCounters().localInvalidations, 2U);
}

TEST_F(WindowInvalidation, OfTheRegionWithinTheBindingsChainFails)
{
    const auto region = RegisterNow(m_server, m_memory, ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND);
    const WindowBinding binding{KEY, region, m_memory.GetAddress(), LENGTH, ALL_REMOTE};
    ASSERT_TRUE(
        m_server.pair->PostSend({Bind(3, m_window, binding), Invalidate(4, region->GetStag())}));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::SUCCESS, Status::MW_BIND_ERR));
}

} // namespace ns3::nfsrdma
