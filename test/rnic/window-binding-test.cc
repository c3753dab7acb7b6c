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

/// Bindings that the device refuses when it executes them.
class RefusedBinding : public WindowTest
{
  protected:
    void ExpectRefused(Ptr<MemoryWindow> window, const WindowBinding& binding)
    {
        const bool wasBound = window->IsBound();
        SendWorkRequest request = Bind(5, window, binding);
        request.signaled = false;
        PostSend(m_server, request);
        PostSend(m_server, Bind(6, window, Binding(ACCESS_REMOTE_READ)));
        Run();
        EXPECT_THAT(m_server.SentIds(), ElementsAre(5, 6));
        EXPECT_THAT(m_server.SentStatuses(),
                    ElementsAre(Status::MW_BIND_ERR, Status::WR_FLUSH_ERR));
        EXPECT_EQ(m_server.sent[0].opcode, WorkCompletionOpcode::BIND_WINDOW);
        EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
        EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_FATAL));
        EXPECT_EQ(m_server.pair->GetState(), QueuePairState::ERROR);
        EXPECT_EQ(window->IsBound(), wasBound);
        EXPECT_EQ(m_server.device->GetCounters().localFaults, 1U);
    }

    /// A region over the same memory with \p access, in \p domain (null: the usual one).
    Ptr<MemoryRegion> RegionWith(uint32_t access, Ptr<ProtectionDomain> domain = nullptr)
    {
        return m_server.device
            ->RegisterMemory(domain ? domain : m_server.domain,
                             m_memory.GetAddress(),
                             SIZE,
                             access,
                             IOVA)
            .value();
    }
};

TEST_F(RefusedBinding, OfAWindowAlreadyBound)
{
    const Stag stag = BindNow(ACCESS_REMOTE_READ);
    ExpectRefused(m_window, Binding(ACCESS_REMOTE_READ));
    EXPECT_EQ(m_window->GetStag(), stag);
    EXPECT_EQ(m_region->GetWindows(), 1U);
}

TEST_F(RefusedBinding, OfAWindowOfAnotherDomain)
{
    const auto other = m_server.device->AllocateProtectionDomain().value();
    ExpectRefused(m_server.device->AllocateMemoryWindow(other).value(),
                  Binding(ACCESS_REMOTE_READ));
}

TEST_F(RefusedBinding, OverARegionOfAnotherDomain)
{
    const auto other = m_server.device->AllocateProtectionDomain().value();
    WindowBinding binding = Binding(ACCESS_REMOTE_READ);
    binding.region = RegionWith(ACCESS_WINDOW_BIND, other);
    ExpectRefused(m_window, binding);
}

TEST_F(RefusedBinding, OverARegionWithoutTheRightToBind)
{
    WindowBinding binding = Binding(ACCESS_REMOTE_READ);
    binding.region = RegionWith(ALL_RIGHTS);
    ExpectRefused(m_window, binding);
}

TEST_F(RefusedBinding, ForWritesOverARegionWithoutLocalWrite)
{
    WindowBinding binding = Binding(ACCESS_REMOTE_WRITE);
    binding.region = RegionWith(ACCESS_WINDOW_BIND);
    ExpectRefused(m_window, binding);
}

TEST_F(RefusedBinding, ForAtomicsOverARegionWithoutLocalWrite)
{
    WindowBinding binding = Binding(ACCESS_REMOTE_ATOMIC);
    binding.region = RegionWith(ACCESS_WINDOW_BIND);
    ExpectRefused(m_window, binding);
}

TEST_F(RefusedBinding, OverARegionNotRegistered)
{
    WindowBinding binding = Binding(ACCESS_REMOTE_READ);
    binding.region = m_server.device->AllocateMemoryRegion(m_server.domain, 4).value();
    ExpectRefused(m_window, binding);
}

TEST_F(RefusedBinding, AnOctetPastTheRegion)
{
    ExpectRefused(m_window, {KEY, m_region, IOVA + 1, SIZE, ACCESS_REMOTE_READ});
}

TEST_F(RefusedBinding, AnOctetBeforeTheRegion)
{
    ExpectRefused(m_window, {KEY, m_region, IOVA - 1, 10, ACCESS_REMOTE_READ});
}

TEST_F(RefusedBinding, OfALengthThatWraps)
{
    ExpectRefused(m_window, {KEY, m_region, IOVA + 1, ~uint64_t{0}, ACCESS_REMOTE_READ});
}

TEST_F(RefusedBinding, OfNoOctets)
{
    ExpectRefused(m_window, {KEY, m_region, IOVA, 0, ACCESS_REMOTE_READ});
}

TEST_F(RefusedBinding, OverARegionDestroyedSinceThePost)
{
    PostSend(m_server, Bind(5, m_window, Binding(ACCESS_REMOTE_READ)));
    ASSERT_TRUE(m_server.device->Destroy(m_region));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::MW_BIND_ERR));
}

TEST_F(RefusedBinding, OfAWindowDestroyedSinceThePost)
{
    PostSend(m_server, Bind(5, m_window, Binding(ACCESS_REMOTE_READ)));
    ASSERT_TRUE(m_server.device->Destroy(m_window));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::MW_BIND_ERR));
    EXPECT_EQ(m_region->GetWindows(), 0U);
}

TEST_F(RefusedBinding, OfAnotherDevicesObjects)
{
    const auto region = RegisterAll(m_client,
                                    Keep(m_client.Room(SIZE)),
                                    ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND,
                                    IOVA);
    ExpectRefused(m_window, {KEY, region, IOVA, SIZE, ACCESS_REMOTE_READ});
}

/// Bindings that are refused where they are posted.
TEST_F(RefusedBinding, AtThePostWhenTheWorkRequestAloneIsWrong)
{
    const auto expectInvalid = [this](Ptr<MemoryWindow> window, const WindowBinding& binding) {
        const auto posted = m_server.pair->PostSend(Bind(1, window, binding));
        ASSERT_FALSE(posted);
        EXPECT_EQ(posted.error(), VerbsError::INVALID_ARGUMENT);
    };
    WindowBinding binding = Binding(ACCESS_REMOTE_READ);
    expectInvalid(nullptr, binding);
    for (const uint32_t access : {0x1U, 0x10U, 0x40U, 0x80000000U})
    {
        expectInvalid(m_window, Binding(ACCESS_REMOTE_READ | access));
    }
    binding = Binding(ACCESS_REMOTE_READ);
    binding.region = nullptr;
    expectInvalid(m_window, binding);
    const auto destroyed = m_server.device->AllocateMemoryWindow(m_server.domain).value();
    ASSERT_TRUE(m_server.device->Destroy(destroyed));
    expectInvalid(destroyed, Binding(ACCESS_REMOTE_READ));
    binding = Binding(ACCESS_REMOTE_READ);
    ASSERT_TRUE(m_server.device->Destroy(m_region));
    expectInvalid(m_window, binding);
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
}

TEST_F(RefusedBinding, RegisteringAndBindingInOneChainIsAllowed)
{
    const auto region = m_server.device->AllocateMemoryRegion(m_server.domain, 4).value();
    const SendWorkRequest registration =
        Register(1, region, m_memory, 5, ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND);
    const WindowBinding binding{KEY, region, m_memory.GetAddress(), SIZE, ACCESS_REMOTE_READ};
    ASSERT_TRUE(m_server.pair->PostSend({registration, Bind(2, m_window, binding)}));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::SUCCESS, Status::SUCCESS));
    ExpectRead(m_window->GetStag(), m_memory.GetAddress(), Pattern(SIZE, 9));
}

} // namespace ns3::nfsrdma
