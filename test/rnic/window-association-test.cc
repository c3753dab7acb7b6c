/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/window-fixture.h"

#include "ns3/boolean.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using Status = WorkCompletionStatus;

/// Windows that are open only to the queue pair that bound them.
class WindowAssociation : public WindowTest
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("WindowsOfQueuePairs", BooleanValue(true));
    }

    /// Binds the window as another queue pair of the same domain would; \return its STag.
    Stag BindByAnother()
    {
        const auto other = m_server.device
                               ->CreateQueuePair(m_server.domain,
                                                 m_server.sendCompletions,
                                                 m_server.receiveCompletions,
                                                 {})
                               .value();
        m_window->Bind(Binding(ALL_REMOTE), other->GetNumber());
        return m_window->GetStag();
    }
};

TEST_F(WindowAssociation, TheBinderReachesAndInvalidatesIt)
{
    const Stag stag = BindNow(ALL_REMOTE);
    ExpectWritten(stag, IOVA + OFFSET, LENGTH, 4);
    ExpectRead(stag, IOVA + OFFSET, Pattern(LENGTH, 4));
    SendInvalidating(stag);
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_FALSE(m_window->IsBound());
}

TEST_F(WindowAssociation, AWriteThroughAnotherIsNotAssociated)
{
    ExpectWriteRefused(BindByAnother(), IOVA + OFFSET, LENGTH, "1/1/02");
}

TEST_F(WindowAssociation, AReadThroughAnotherIsNotAssociated)
{
    ExpectReadRefused(BindByAnother(), IOVA + OFFSET, LENGTH, "0/1/03");
}

TEST_F(WindowAssociation, ThePeerOfAnotherCannotInvalidateIt)
{
    SendInvalidating(BindByAnother());
    ExpectTerminated("0/1/09");
    EXPECT_TRUE(m_window->IsBound());
}

TEST_F(WindowAssociation, AnotherCannotInvalidateItLocally)
{
    PostSend(m_server, Invalidate(1, BindByAnother()));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_QP_OP_ERR));
    EXPECT_TRUE(m_window->IsBound());
}

TEST_F(WindowAssociation, EndsWithTheInvalidation)
{
    BindByAnother();
    m_window->Invalidate();
    ExecuteAtServer(Invalidate(1, m_window->GetStag()));
    BindNow(ALL_REMOTE);
}

} // namespace ns3::nfsrdma
