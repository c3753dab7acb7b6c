/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/internet-address.h"
#include "rpcrdma/raw-peer-fixture.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <random>
#include <tuple>

namespace ns3::nfsrdma
{
namespace
{

/// RpcRdmaServer and hand-made requesters that use every credit; each reply is looked at.
class CreditGrants : public RawPeerTest
{
  protected:
    static constexpr uint32_t BUFFER = 4096;

    void SetUp() override
    {
        RawPeerTest::SetUp();
        m_program->serviceTime = MicroSeconds(50);
        ASSERT_TRUE(m_server->Listen());
    }

    void TearDown() override
    {
        m_peers.clear();
        RawPeerTest::TearDown();
    }

    /// A requester with as many calls outstanding as it may have.
    struct Peer
    {
        std::unique_ptr<RawPeer> raw;
        uint32_t requested{64};
        uint32_t granted{1};
        uint32_t outstanding{0};
        uint32_t toSend{0};
        uint32_t replies{0};
        uint32_t nextXid{0x1000};
        std::vector<uint32_t> grants;
    };

    Peer& Open(uint32_t requested)
    {
        m_peers.push_back(std::make_unique<Peer>());
        Peer& peer = *m_peers.back();
        peer.requested = requested;
        peer.raw = std::make_unique<RawPeer>(m_clientHost.device);
        peer.raw->onMessage = [this, &peer](const ByteVector& message) {
            TakeReply(peer, message);
        };
        peer.raw->Connect(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT),
                          RpcRdmaPrivateData{true, 4096, 4096}.Encode());
        Run();
        EXPECT_EQ(peer.raw->events, std::vector{CmEventType::ESTABLISHED});
        return peer;
    }

    void TakeReply(Peer& peer, const ByteVector& message)
    {
        ByteReader reader(message);
        const auto header = RpcRdmaHeader::Decode(reader);
        ASSERT_TRUE(header);
        EXPECT_GE(header->credit, 1U);
        peer.granted = header->credit;
        peer.grants.push_back(header->credit);
        --peer.outstanding;
        ++peer.replies;
        CheckReceives();
        Send(peer);
    }

    /// All receives that a grant speaks of are there, but for calls that use them.
    void CheckReceives()
    {
        for (const auto& connection : m_server->GetConnections())
        {
            EXPECT_GE(connection->GetCredits().GetPosted() + connection->GetCallsInService(),
                      connection->GetCredits().GetGranted());
        }
        EXPECT_EQ(m_server->GetStatistics().overruns, m_expectedOverruns);
    }

    void Send(Peer& peer)
    {
        while (peer.toSend > 0 && peer.outstanding < std::min(peer.granted, peer.requested))
        {
            --peer.toSend;
            ++peer.outstanding;
            peer.raw->Send(MakeCall(peer.nextXid++, peer.requested));
        }
    }

    static ByteVector MakeCall(uint32_t xid, uint32_t requested)
    {
        RpcRdmaHeader header = MakeHeader(xid);
        header.credit = requested;
        return Encode(header, MakeGiveCall(xid, 0, false, 0));
    }

    void Use(Peer& peer, uint32_t calls)
    {
        peer.toSend += calls;
        Send(peer);
    }

    void ExpectServerClean()
    {
        for (const auto& peer : m_peers)
        {
            if (peer->raw->events.back() == CmEventType::ESTABLISHED)
            {
                peer->raw->Disconnect();
            }
        }
        Run();
        m_peers.clear();
        m_server->Stop();
        Run();
        EXPECT_EQ(m_server->GetStatistics().receiveOctets, 0U);
        EXPECT_TRUE(IsZero(m_serverHost.device->GetCensus()));
        EXPECT_EQ(m_serverHost.memory->GetAllocationCount(), 0U);
    }

    uint32_t m_expectedOverruns{0};
    std::vector<std::unique_ptr<Peer>> m_peers;
};

TEST_F(CreditGrants, FixedHasAllItsReceivesFromTheStart)
{
    Peer& peer = Open(3);
    EXPECT_EQ(m_server->GetStatistics().receiveOctets, 66U * BUFFER);
    Use(peer, 40);
    Run();
    EXPECT_EQ(peer.grants, std::vector<uint32_t>(40, 64));
    EXPECT_LE(m_server->GetStatistics().receiveOctetsPeak, (66U + 7) * BUFFER);
    ExpectServerClean();
}

TEST_F(CreditGrants, ChangeWhileRunning)
{
    Peer& peer = Open(64);
    Use(peer, 400);
    Simulator::Schedule(MicroSeconds(300), [this] { m_server->SetCredits(4); });
    Simulator::Schedule(MicroSeconds(2000), [this] { m_server->SetCredits(32); });
    Run();
    EXPECT_EQ(peer.replies, 400U);
    EXPECT_EQ(peer.grants.front(), 64U);
    EXPECT_EQ(peer.grants.back(), 32U);
    EXPECT_NE(std::find(peer.grants.begin(), peer.grants.end(), 4U), peer.grants.end());
    ExpectServerClean();
}

TEST_F(CreditGrants, GrowthBeyondTheReceiveQueueIsNotGranted)
{
    Peer& peer = Open(1000);
    m_server->SetCredits(1000);
    Use(peer, 300);
    Run();
    EXPECT_EQ(peer.replies, 300U);
    EXPECT_LE(*std::max_element(peer.grants.begin(), peer.grants.end()), 64U + 2 + 7);
    ExpectServerClean();
}

class CreditCeiling : public CreditGrants
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("Credits", UintegerValue(2));
        server->SetAttribute("CreditCeiling", UintegerValue(128));
    }
};

TEST_F(CreditCeiling, GrowsAndShrinksAndGivesMemoryBack)
{
    Peer& peer = Open(128);
    Use(peer, 2000);
    Simulator::Schedule(MicroSeconds(300), [this] { m_server->SetCredits(128); });
    Run();
    EXPECT_EQ(peer.grants.front(), 2U);
    EXPECT_EQ(peer.grants.back(), 128U);
    EXPECT_GE(m_server->GetStatistics().receiveOctets, 128U * BUFFER);
    m_server->SetCredits(3);
    Use(peer, 300);
    Run();
    EXPECT_EQ(peer.grants.back(), 3U);
    EXPECT_LE(m_server->GetStatistics().receiveOctets, (3U + 2 + 7) * BUFFER);
    EXPECT_GE(m_server->GetStatistics().receiveOctetsPeak, 128U * BUFFER);
    ExpectServerClean();
}

TEST_F(CreditCeiling, AnyChangesAtAnyTime)
{
    std::mt19937_64 random(8166);
    for (int i = 0; i < 200; ++i)
    {
        Simulator::Schedule(MicroSeconds(random() % 4000), [this, credits = 1 + random() % 128] {
            m_server->SetCredits(credits);
        });
    }
    Peer& one = Open(128);
    Peer& other = Open(17);
    for (int i = 0; i < 20; ++i)
    {
        Simulator::Schedule(MicroSeconds(200 * i), [this, &one, &other] {
            Use(one, 100);
            Use(other, 10);
        });
    }
    Run();
    EXPECT_EQ(one.replies, 2000U);
    EXPECT_EQ(other.replies, 200U);
    ExpectServerClean();
}

class RequestedCredits : public CreditGrants
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("CreditGrant", StringValue("requested"));
    }
};

TEST_F(RequestedCredits, ReceivesFollowTheGrant)
{
    Peer& peer = Open(10);
    EXPECT_EQ(m_server->GetStatistics().receiveOctets, 3U * BUFFER);
    Use(peer, 100);
    Run();
    EXPECT_EQ(peer.grants, std::vector<uint32_t>(100, 10));
    EXPECT_LE(m_server->GetStatistics().receiveOctetsPeak, (10U + 2 + 7) * BUFFER);
    ExpectServerClean();
}

class SharedCredits : public CreditGrants
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("CreditGrant", StringValue("fair-share"));
        server->SetAttribute("SharedReceives", UintegerValue(60));
    }
};

TEST_F(SharedCredits, SharesShrinkAsClientsCome)
{
    for (uint32_t clients = 1; clients <= 6; ++clients)
    {
        Open(64);
        for (const auto& peer : m_peers)
        {
            Use(*peer, 200);
        }
        Run();
        for (const auto& peer : m_peers)
        {
            EXPECT_EQ(peer->grants.back(), 59 / clients); // One is kept for who comes next.
        }
    }
    ExpectServerClean();
}

class AdaptiveCredits : public CreditGrants
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("CreditGrant", StringValue("adaptive"));
        server->SetAttribute("ReceiveMemoryLimit", UintegerValue(60 * BUFFER));
    }
};

TEST_F(AdaptiveCredits, GrowWithUseAndShrinkUnderPressureAndWhenIdle)
{
    Peer& peer = Open(64);
    Use(peer, 500);
    Run();
    const uint32_t most = *std::max_element(peer.grants.begin(), peer.grants.end());
    EXPECT_GE(most, 32U);
    EXPECT_LE(m_server->GetStatistics().receiveOctetsPeak, 60U * BUFFER);
    peer.requested = 1; // one call at a time from now on
    for (int i = 0; i < 100; ++i)
    {
        peer.granted = 1;
        Use(peer, 1);
        Run();
    }
    EXPECT_EQ(peer.grants.back(), 1U);
    EXPECT_LE(m_server->GetStatistics().receiveOctets, (4U + 2 + 7) * BUFFER);
    ExpectServerClean();
}

/// Peers that come, ask for any number of credits, use them, fall idle and leave.
class BoundedReceives : public CreditGrants,
                        public ::testing::WithParamInterface<std::tuple<const char*, uint32_t>>
{
  protected:
    static constexpr uint32_t LIMIT = 40;

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        const std::string policy = std::get<0>(GetParam());
        server->SetAttribute("CreditGrant", StringValue(policy));
        server->SetAttribute("SharedReceives", UintegerValue(LIMIT));
        server->SetAttribute("ReceiveMemoryLimit",
                             UintegerValue(policy == "fair-share" ? 0 : LIMIT * BUFFER));
        server->SetAttribute("ExpectedConnections", UintegerValue(PEERS));
    }

    static constexpr uint32_t PEERS = 12;
};

TEST_P(BoundedReceives, AreNeverPassedAndNobodyStarves)
{
    std::mt19937_64 random(std::get<1>(GetParam()));
    std::vector<uint32_t> calls(PEERS, 0);
    for (uint32_t round = 0; round < 6; ++round)
    {
        while (m_peers.size() < PEERS && random() % 3 != 0)
        {
            Open(1 + random() % 100);
        }
        for (std::size_t i = 0; i < m_peers.size(); ++i)
        {
            if (random() % 2 == 0)
            {
                const uint32_t more = 1 + random() % 200;
                calls[i] += more;
                Simulator::Schedule(MicroSeconds(random() % 3000),
                                    [this, i, more] { Use(*m_peers[i], more); });
            }
        }
        Run();
        for (std::size_t i = 0; i < m_peers.size(); ++i)
        {
            EXPECT_EQ(m_peers[i]->replies, calls[i]) << i;
        }
        if (m_peers.size() > 1 && random() % 2 == 0)
        {
            m_peers.back()->raw->Disconnect();
            Run();
            m_peers.pop_back();
            calls[m_peers.size()] = 0;
        }
        EXPECT_LE(m_server->GetStatistics().receiveOctetsPeak, LIMIT * BUFFER);
    }
    ExpectServerClean();
}

INSTANTIATE_TEST_SUITE_P(
    Policies,
    BoundedReceives,
    ::testing::Combine(::testing::Values("fixed", "requested", "fair-share", "adaptive"),
                       ::testing::Range(1U, 6U)));

/// More peers than there are receives: those that find none wait, in order, until others leave.
class ScarceReceives : public CreditGrants
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("CreditGrant", StringValue("fair-share"));
        server->SetAttribute("SharedReceives", UintegerValue(2));
    }

    /// For less time than an initiator waits for an answer.
    static void RunOn()
    {
        Simulator::Stop(MilliSeconds(5));
        Run();
    }
};

TEST_F(ScarceReceives, ConnectionsWaitInOrder)
{
    Open(64);
    Open(64);
    std::vector<std::unique_ptr<RawPeer>> late;
    for (int i = 0; i < 3; ++i)
    {
        late.push_back(std::make_unique<RawPeer>(m_clientHost.device));
        late.back()->Connect(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT),
                             RpcRdmaPrivateData{true, 4096, 4096}.Encode());
        RunOn();
        EXPECT_TRUE(late.back()->events.empty());
    }
    EXPECT_EQ(m_server->GetStatistics().connectionsWaited, 3U);
    for (int i = 0; i < 2; ++i)
    {
        m_peers[i]->raw->Disconnect();
        RunOn();
        EXPECT_EQ(late[i]->events, std::vector{CmEventType::ESTABLISHED});
    }
    EXPECT_TRUE(late[2]->events.empty());
    m_server->Stop();
    RunOn();
    EXPECT_EQ(late[2]->events, std::vector{CmEventType::REJECTED});
    late.clear();
    EXPECT_LE(m_server->GetStatistics().receiveOctetsPeak, 2U * BUFFER);
    Run();
}

TEST_F(CreditGrants, PeerThatOverrunsLosesItsConnection)
{
    Peer& peer = Open(64);
    Peer& bystander = Open(64);
    m_program->serviceTime = MilliSeconds(10);
    peer.outstanding = 150;
    for (uint32_t i = 0; i < 150; ++i)
    {
        peer.raw->Send(MakeCall(0x1000 + i, 64));
    }
    m_expectedOverruns = 1;
    Run();
    EXPECT_EQ(m_server->GetStatistics().overruns, 1U);
    EXPECT_EQ(peer.raw->events.back(), CmEventType::DISCONNECTED);
    EXPECT_EQ(m_server->GetConnectionCount(), 1U);
    Use(bystander, 10);
    Run();
    EXPECT_EQ(bystander.replies, 10U);
    ExpectServerClean();
}

} // namespace
} // namespace ns3::nfsrdma
