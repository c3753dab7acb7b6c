/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RNIC_SIDE_STORY_H
#define NFSRDMA_TEST_RNIC_SIDE_STORY_H

#include "rnic/rnic-fixture.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

/// Everything that one side has to show for what happened to a connection.
struct SideStory
{
    std::vector<QueuePairState> states;
    std::vector<WorkCompletionStatus> sent;
    std::vector<WorkCompletionStatus> received;
    std::vector<AsyncEventType> asyncEvents;
    std::vector<std::string> terminates; ///< Sent, then received; the first six characters.
    std::vector<CmEventType> events;
};

/// Expects that \p host has seen \p story.
inline void
ExpectStory(const RnicHost& host, const SideStory& story)
{
    EXPECT_EQ(host.states, story.states);
    EXPECT_EQ(host.SentStatuses(), story.sent);
    EXPECT_EQ(host.ReceivedStatuses(), story.received);
    EXPECT_EQ(host.asyncEvents, story.asyncEvents);
    std::vector<std::string> terminates = host.terminatesSent;
    terminates.insert(terminates.end(),
                      host.terminatesReceived.begin(),
                      host.terminatesReceived.end());
    for (std::string& terminate : terminates)
    {
        terminate.resize(6);
    }
    EXPECT_EQ(terminates, story.terminates);
    EXPECT_EQ(host.EventTypes(), story.events);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RNIC_SIDE_STORY_H
