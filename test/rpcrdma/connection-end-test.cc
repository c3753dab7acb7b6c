/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/connection-end.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

TEST(ConnectionEndTest, TheFirstReasonStays)
{
    ConnectionEnd end(std::make_shared<TerminateTally>());
    EXPECT_EQ(end.GetReason(), "");
    end.Note("the server stops");
    end.Note("the RNIC is gone");
    EXPECT_EQ(end.GetReason(), "the server stops");
}

TEST(ConnectionEndTest, TerminateMessagesAreCountedBesides)
{
    auto tally = std::make_shared<TerminateTally>();
    ConnectionEnd end(tally);
    TerminateMessage message;
    message.reason = TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER);
    end.HandleTerminateReceived(message);
    end.HandleTerminateSent(message);
    EXPECT_EQ(end.GetReason(), "terminate received: " + message.reason.ToString());
    EXPECT_EQ(tally->GetEntries().size(), 2U);
}

} // namespace
} // namespace ns3::nfsrdma
