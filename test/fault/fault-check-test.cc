/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

class FaultCheckTest : public testing::Test
{
  protected:
    FaultCheckTest()
    {
        m_scene.servers = 2;
        m_scene.clients = 3;
    }

    std::string Refusal(const std::string& sentence)
    {
        const auto spec = ParseFault("name", sentence);
        EXPECT_TRUE(spec) << sentence;
        const auto error = CheckFault(spec.value(), m_scene);
        return error ? error->got + " | " + error->expected : "fine";
    }

    FaultScene m_scene;
};

TEST_F(FaultCheckTest, TakesWhatMakesSense)
{
    for (const auto* sentence : {"1st fpdu: drop",
                                 "1st fpdu from clients: drop",
                                 "1st fpdu from clients to servers: drop",
                                 "1st fpdu between client-2 and server-1 connection 2: drop",
                                 "1st segment after 1ms: corrupt",
                                 "1st fpdu: corrupt before crc field msn",
                                 "1st nfs READ call from client-0: crash for 1ms on server-0",
                                 "at 1ms: partition client-0, client-1 | servers for 1ms",
                                 "at 1ms on client-0: rnic-reset",
                                 "at 1ms on client-0: qp-error peer server-1",
                                 "1st rdma-msg of xid 5: drop",
                                 "1st nfsacl GETACL call: drop"})
    {
        EXPECT_EQ(Refusal(sentence), "fine") << sentence;
    }
}

TEST_F(FaultCheckTest, RefusesHostsThatAreNotThere)
{
    const std::string hosts = "a host, server-0 to server-1, client-0 to client-2";
    EXPECT_EQ(Refusal("1st fpdu from client-3: drop"),
              "client-3 | " + hosts + ", or clients, or servers");
    EXPECT_EQ(Refusal("1st fpdu to server-2: drop"),
              "server-2 | " + hosts + ", or clients, or servers");
    EXPECT_EQ(Refusal("at 1ms on clients: link-down for 1ms"), "clients | " + hosts);
    EXPECT_EQ(Refusal("at 1ms: partition client-9 | server-0 for 1ms"),
              "client-9 | " + hosts + ", or clients, or servers");
    EXPECT_EQ(Refusal("at 1ms on client-0: qp-error peer server-9"), "server-9 | " + hosts);
    const auto error =
        CheckFault(ParseFault("name", "1st fpdu from cleint-2: drop").value(), m_scene);
    ASSERT_TRUE(error);
    EXPECT_THAT(error->candidates, testing::Contains("client-2"));
}

TEST_F(FaultCheckTest, RefusesPairsThatDoNotTalk)
{
    EXPECT_EQ(Refusal("1st fpdu between client-0 and client-1: drop"),
              "client-1 | a host that talks with client-0");
    EXPECT_EQ(Refusal("1st fpdu from servers to server-0: drop"),
              "server-0 | a host that talks with servers");
    EXPECT_EQ(Refusal("at 1ms on client-0: qp-error peer client-1"),
              "client-1 | a host that client-0 talks with");
    EXPECT_EQ(Refusal("1st fpdu on client-0 connection 2: drop"),
              "connection | a pair of hosts with it: between HOST and HOST, or from and to");
    EXPECT_EQ(Refusal("at 1ms: partition client-0 | clients for 1ms"), "clients | each host once");
}

TEST_F(FaultCheckTest, RefusesActionsWithoutWhatTheyNeed)
{
    EXPECT_EQ(Refusal("at 1ms on client-0: drop"),
              "at | an event, whose frame is met: drop needs one, such as '1st segment after "
              "10ms'");
    EXPECT_EQ(Refusal("1st fpdu from client-0: link-down for 1ms"),
              "link-down | the host it is about: on HOST");
    EXPECT_EQ(Refusal("at 1ms: crash"), "crash | the host it is about: on HOST");
    EXPECT_EQ(Refusal("1st segment: corrupt before crc"),
              "segment | an event of an FPDU, from fpdu to rpc-reply, to change it there");
    EXPECT_EQ(Refusal("1st ack: corrupt"), "ack | an event with payload, to change bits of it");
    EXPECT_EQ(Refusal("1st fpdu after 2ms before 1ms: drop"),
              "before | a time after that of 'after', or after 0");
}

TEST_F(FaultCheckTest, RefusesServersFaultsOnClients)
{
    for (const auto* word : {"thread-stall", "storage-stall"})
    {
        EXPECT_EQ(Refusal("at 1ms on client-0: " + std::string(word) + " for 1ms"),
                  "client-0 | a server, for " + std::string(word));
        EXPECT_EQ(Refusal("at 1ms on server-0: " + std::string(word) + " for 1ms"), "fine");
    }
    EXPECT_EQ(Refusal("at 1ms on client-0: slot-shrink 2"), "client-0 | a server, for slot-shrink");
    EXPECT_EQ(Refusal("at 1ms on server-0: slot-shrink 2"), "fine");
}

TEST_F(FaultCheckTest, ClientsCrashUnlessTheSceneSaysWhyNot)
{
    EXPECT_EQ(Refusal("at 1ms on client-0: crash for 1ms"), "fine");
    m_scene.whyNoClientCrashes = "another client";
    EXPECT_EQ(Refusal("at 1ms on client-0: crash for 1ms"), "client-0 | another client");
    EXPECT_EQ(Refusal("at 1ms on server-0: crash for 1ms"), "fine");
}

TEST_F(FaultCheckTest, RefusesEventsThatNeverOccur)
{
    EXPECT_THAT(Refusal("1st rdma-done: drop"), testing::StartsWith("rdma-done | "));
    m_scene.readChunks = true;
    EXPECT_EQ(Refusal("1st rdma-done: drop"), "fine");
    EXPECT_EQ(Refusal("1st send-invalidate: drop"), "fine");
    m_scene.remoteInvalidation = false;
    EXPECT_THAT(Refusal("1st send-invalidate: drop"), testing::StartsWith("send-invalidate | "));
    EXPECT_THAT(Refusal("1st send-solicited: drop"), testing::StartsWith("send-solicited | "));
    EXPECT_THAT(Refusal("1st fpdu of xid 5: drop"), testing::StartsWith("xid | "));
}

TEST_F(FaultCheckTest, RefusesProceduresThatAVersionHasNot)
{
    EXPECT_THAT(Refusal("1st nfs SEQUENCE call: drop"),
                testing::StartsWith("SEQUENCE | what nfs has with nfs.version 3: NULL, GETATTR"));
    EXPECT_EQ(Refusal("1st callback call: drop"),
              "callback | a program that is called over RDMA with nfs.version 3");
    m_scene.nfsVersion = "4.1";
    EXPECT_EQ(Refusal("1st nfs SEQUENCE call: drop"), "fine");
    EXPECT_EQ(Refusal("1st nfs READ reply: drop"), "fine");
    EXPECT_THAT(Refusal("1st nfs READDIRPLUS call: drop"), testing::StartsWith("READDIRPLUS | "));
    EXPECT_THAT(Refusal("1st nfs SEEK call: drop"), testing::StartsWith("SEEK | "));
    EXPECT_THAT(Refusal("1st nfsacl GETACL call: drop"), testing::StartsWith("nfsacl | "));
    EXPECT_EQ(Refusal("1st callback CB_RECALL call: drop"), "fine");
    m_scene.nfsVersion = "4.2";
    EXPECT_EQ(Refusal("1st nfs SEEK call: drop"), "fine");
    m_scene.nfsVersion = "4.0";
    EXPECT_THAT(Refusal("1st nfs SEQUENCE call: drop"), testing::StartsWith("SEQUENCE | "));
    EXPECT_THAT(Refusal("1st callback call: drop"), testing::StartsWith("callback | "));
    m_scene.nfsVersion = "2";
    EXPECT_EQ(Refusal("1st nfs STATFS call: drop"), "fine");
    EXPECT_THAT(Refusal("1st nfs COMMIT call: drop"), testing::StartsWith("COMMIT | "));
}

} // namespace

} // namespace ns3::nfsrdma
