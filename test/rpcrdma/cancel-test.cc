/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <memory>

namespace ns3::nfsrdma
{
namespace
{

/// Calls that their caller gives up.
class Cancel : public RpcRdmaTest
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("Reconnect", BooleanValue(true));
    }

    void UsePolicy(const char* name)
    {
        m_client->SetAttribute("Cancel", StringValue(name));
        Connect();
        Take(0);
        Run();
        m_program->serviceTime = MilliSeconds(1);
    }

    /// A GIVE whose room belongs to the call.
    uint32_t GiveOwned(uint32_t length)
    {
        RpcArguments arguments;
        XdrWriter writer;
        writer.WriteU32(length);
        writer.WriteBool(true);
        writer.WriteU32(0);
        arguments.octets = writer.Take();
        RpcReplyEstimate reply;
        reply.head = RpcReplyHeader::ACCEPTED_SIZE + 4;
        RpcReplyItem item;
        item.owner = std::make_shared<HostBuffer>(m_clientHost.memory, length);
        item.address = item.owner->GetAddress();
        item.maximum = length;
        item.ddpEligible = true;
        m_room = item.owner;
        reply.items.push_back(std::move(item));
        return m_rpcClient->Call(EchoProgram::GIVE,
                                 std::move(arguments),
                                 std::move(reply),
                                 [this](RpcRecord& record, const RpcReceivedMessage&, XdrReader&) {
                                     ++m_ends;
                                     m_record = record;
                                 });
    }

    /// Cancels a GIVE while it is served, beside a TAKE that is not cancelled.
    const Result& CancelWhileServed()
    {
        const uint32_t xid = GiveOwned(9000);
        const Result& other = Take(100);
        Simulator::Schedule(MicroSeconds(500), [this, xid] {
            EXPECT_TRUE(m_rpcClient->Cancel(xid));
            EXPECT_FALSE(m_rpcClient->Cancel(xid));
            m_valid = m_clientHost.device->GetCensus().validMemoryRegions;
        });
        Simulator::Schedule(MicroSeconds(600), [this] {
            EXPECT_EQ(m_ends, 1U);
            EXPECT_EQ(m_record.outcome, RpcOutcome::CANCELLED);
            m_validAfter = m_clientHost.device->GetCensus().validMemoryRegions;
        });
        Run();
        EXPECT_EQ(m_ends, 1U);
        EXPECT_TRUE(other.done);
        EXPECT_EQ(other.record.outcome, RpcOutcome::SUCCESS);
        EXPECT_TRUE(other.intact);
        return other;
    }

    std::weak_ptr<HostBuffer> m_room;
    RpcRecord m_record;
    uint32_t m_ends{0};
    uint64_t m_valid{0};
    uint64_t m_validAfter{0};
};

TEST_F(Cancel, QueuedCallEndsAtOnce)
{
    UsePolicy("linux");
    const uint32_t held = GiveOwned(100); // its CallCost is not over
    EXPECT_TRUE(m_rpcClient->Cancel(held));
    EXPECT_FALSE(m_rpcClient->Cancel(held));
    Run();
    EXPECT_EQ(m_ends, 1U);
    EXPECT_EQ(m_record.outcome, RpcOutcome::CANCELLED);
    EXPECT_EQ(m_record.transmissions, 0U);
    m_client->Disconnect();
    Run();
    const uint32_t queued = GiveOwned(100);
    Run();
    EXPECT_EQ(m_client->GetPending(), 1U);
    EXPECT_TRUE(m_rpcClient->Cancel(queued));
    Run();
    EXPECT_EQ(m_ends, 2U);
    EXPECT_EQ(m_record.outcome, RpcOutcome::CANCELLED);
    EXPECT_FALSE(m_rpcClient->Cancel(12345));
    ExpectCleanEnd();
}

/// RFC 8166 section 3.3.3: until a valid reply has come there is one credit, which a call that was
/// given up still holds, whatever becomes of its memory.
TEST_F(Cancel, OneRequestIsUnderWayUntilTheFirstReply)
{
    for (const char* policy : {"linux", "invalidate", "set-aside"})
    {
        m_client->SetAttribute("Cancel", StringValue(policy));
        m_program->serviceTime = MilliSeconds(1);
        Connect();
        const uint64_t before = m_server->GetStatistics().recv;
        const uint32_t first = GiveOwned(100);
        const uint32_t second = GiveOwned(100);
        Take(10);
        Take(20);
        Simulator::Schedule(MicroSeconds(100),
                            [this, first] { EXPECT_TRUE(m_rpcClient->Cancel(first)); });
        Simulator::Schedule(MicroSeconds(300),
                            [this, second] { EXPECT_TRUE(m_rpcClient->Cancel(second)); });
        for (uint32_t i = 1; i < 18; ++i)
        {
            Simulator::Schedule(MicroSeconds(50 * i), [this, before, policy] {
                EXPECT_LE(m_client->GetOutstanding(), 1U) << policy;
                EXPECT_LE(m_server->GetStatistics().recv, before + 1) << policy;
            });
        }
        Run();
        EXPECT_EQ(m_client->GetPending(), 0U) << policy;
        ExpectCleanEnd();
    }
}

/// The responder writes into memory that is not registered any more: the connection dies, and other
/// calls have to be sent again (draft, section 3.4: denial of service).
TEST_F(Cancel, FencedMemoryKillsTheConnection)
{
    for (const char* policy : {"linux", "invalidate"})
    {
        m_ends = 0;
        m_program->serviceTime = Time(0);
        UsePolicy(policy);
        const uint64_t connections = m_client->GetStatistics().connectCount;
        const Result& other = CancelWhileServed();
        EXPECT_EQ(m_validAfter + 1, m_valid) << policy;
        EXPECT_TRUE(m_room.expired());
        EXPECT_EQ(m_client->GetStatistics().connectCount, connections + 1) << policy;
        EXPECT_EQ(other.record.transmissions, 2U) << policy;
        m_client->Disconnect();
        Run();
        m_server->Stop();
        Run();
    }
    EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
}

TEST_F(Cancel, MemorySetAsideWaitsForTheLateReply)
{
    UsePolicy("set-aside");
    Simulator::Schedule(MicroSeconds(700), [this] {
        EXPECT_FALSE(m_room.expired());
        EXPECT_EQ(m_client->GetOutstanding(), 2U); // its credit is in use
        EXPECT_EQ(m_client->GetPending(), 1U);
    });
    const Result& other = CancelWhileServed();
    EXPECT_EQ(m_validAfter, m_valid);
    EXPECT_TRUE(m_room.expired());
    EXPECT_EQ(other.record.transmissions, 1U);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 1U);
    EXPECT_EQ(m_client->GetStatistics().badXids, 1U);
    EXPECT_EQ(m_client->GetOutstanding(), 0U);
    ExpectCleanEnd();
}

TEST_F(Cancel, MemorySetAsideIsGivenBackWithTheConnection)
{
    UsePolicy("set-aside");
    const uint32_t xid = GiveOwned(9000);
    Simulator::Schedule(MicroSeconds(500), [this, xid] {
        EXPECT_TRUE(m_rpcClient->Cancel(xid));
        m_client->InjectError();
    });
    Run();
    EXPECT_EQ(m_ends, 1U);
    EXPECT_TRUE(m_room.expired());
    ExpectCleanEnd();
}

/// An inline call that is given up costs nothing but its late reply.
TEST_F(Cancel, InlineCallKeepsTheConnection)
{
    for (const char* policy : {"linux", "invalidate", "set-aside"})
    {
        m_program->serviceTime = Time(0);
        UsePolicy(policy);
        const uint64_t badXids = m_client->GetStatistics().badXids;
        UintegerValue xidValue;
        m_client->GetAttribute("FirstXid", xidValue); // of the next call
        const auto xid = static_cast<uint32_t>(xidValue.Get());
        const Result& result = Take(10);
        Simulator::Schedule(MicroSeconds(500), [this, &result, xid] {
            EXPECT_FALSE(result.done);
            EXPECT_TRUE(m_rpcClient->Cancel(xid));
        });
        Run();
        EXPECT_EQ(result.record.outcome, RpcOutcome::CANCELLED);
        EXPECT_EQ(m_client->GetStatistics().badXids, badXids + 1) << policy;
        EXPECT_EQ(m_client->GetOutstanding(), 0U) << policy;
        m_client->Disconnect();
        Run();
        m_server->Stop();
        Run();
    }
}

} // namespace
} // namespace ns3::nfsrdma
