/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/link-cut.h"
#include "workload/rdma-cluster-fixture.h"

#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"

#include <functional>

namespace ns3::nfsrdma::test
{
namespace
{

constexpr uint32_t WRITE_SIZE = 65536;

/// NFSv3 over RDMA while the server goes away.
class NfsRestart : public RdmaClusterTest
{
  protected:
    void SetUp() override
    {
        RdmaClusterTest::SetUp();
        m_rootNumber = m_store->CreateExport("/export");
        m_root = m_store->GetHandle(m_rootNumber);
        m_transport->TraceConnectWithoutContext(
            "CallSent",
            Callback<void, const RpcRecord&>([this](const RpcRecord& record) {
                m_sent.push_back(record.xid);
                m_sentAt.push_back(Simulator::Now());
                if (m_onSent)
                {
                    m_onSent();
                }
            }));
        m_transport->TraceConnectWithoutContext("Disconnected",
                                                Callback<void, CmEventType>([this](CmEventType) {
                                                    m_ended.push_back(Simulator::Now());
                                                }));
        m_transport->TraceConnectWithoutContext("Retry", Callback<void, Time>([this](Time delay) {
                                                    m_waits.push_back(delay);
                                                }));
    }

    /// Calls one after the other, then disconnects.
    void Next()
    {
        if (m_steps.empty())
        {
            m_transport->Disconnect();
            return;
        }
        const auto step = m_steps.front();
        m_steps.erase(m_steps.begin());
        step();
    }

    template <typename Result>
    Nfs3Completion<Result> Then()
    {
        return [this](RpcRecord& record, const Result& result) {
            EXPECT_EQ(record.outcome, RpcOutcome::SUCCESS);
            m_statuses.push_back(result.status);
            Next();
        };
    }

    void RunSteps()
    {
        m_transport->Connect();
        Next();
        Simulator::Stop(Seconds(1000));
        Simulator::Run();
        EXPECT_TRUE(m_steps.empty());
        EXPECT_EQ(m_transport->GetPending(), 0U);
        EXPECT_TRUE(m_transport->IsIdle());
    }

    /// The calls of the capture nfs-v3-nfsd-restart.
    void PlanCapture(uint64_t address)
    {
        const auto null = [this] {
            m_client->Call(Null3Args(), [this](RpcRecord& record, const Null3Res&) {
                EXPECT_EQ(record.outcome, RpcOutcome::SUCCESS);
                Next();
            });
        };
        const auto fsinfo = [this] { m_client->Call(Fsinfo3Args{m_root}, Then<Fsinfo3Res>()); };
        const auto getattr = [this] { m_client->Call(Getattr3Args{m_root}, Then<Getattr3Res>()); };
        const auto access = [this] {
            m_client->Call(Access3Args{m_root, 0x3f}, Then<Access3Res>());
        };
        m_steps = {null,
                   fsinfo,
                   [this] { m_client->Call(Pathconf3Args{m_root}, Then<Pathconf3Res>()); },
                   getattr,
                   null,
                   fsinfo,
                   getattr,
                   access,
                   [this] {
                       m_client->Call(Lookup3Args{{m_root, "rc"}}, Then<Lookup3Res>());
                   },
                   access};
        for (uint32_t i = 0; i < 6; ++i)
        {
            m_steps.emplace_back([this, i, address] {
                Write3Args args;
                args.file = m_file;
                args.offset = uint64_t{i} * WRITE_SIZE;
                args.count = WRITE_SIZE;
                args.stable = StableHow::FILE_SYNC;
                m_client->Call(args, address, Then<Write3Res>());
            });
        }
    }

    InodeNumber m_rootNumber{0};
    NfsFh3 m_root;
    NfsFh3 m_file;
    std::vector<std::function<void()>> m_steps;
    std::vector<Nfs3Status> m_statuses;
    std::vector<uint32_t> m_sent;
    std::vector<Time> m_sentAt;
    std::vector<Time> m_ended;
    std::vector<Time> m_waits;
    std::function<void()> m_onSent;
};

/**
 * The course of the capture: nfsd stops when the fifth WRITE (the 15th call) has been sent; FIN; a
 * SYN 7 ms later; its MPA Request is never answered, FIN after 10.03 s; SYN 3.07 s after that; the
 * same XID as the first call of the new connection; its RDMA Read, reply, the sixth WRITE.
 *
 * The client's 27 counters are the captured ones.
 */
TEST_F(NfsRestart, CourseOfTheCapture)
{
    Ptr<Socket> deaf;
    HostBuffer buffer(m_clientHost.memory, WRITE_SIZE);
    PlanCapture(buffer.GetAddress());
    m_file = m_store->GetHandle(m_store->AddFile(m_rootNumber, "rc", 0));
    m_onSent = [this, &deaf] {
        if (m_sent.size() != 15)
        {
            return;
        }
        m_onSent = nullptr;
        m_server->Stop();
        // What is left of the old listener takes the connection, and nobody answers on it.
        deaf = Socket::CreateSocket(m_serverHost.node, TcpSocketFactory::GetTypeId());
        EXPECT_EQ(
            deaf->Bind(InetSocketAddress(Ipv4Address::GetAny(), RpcRdmaServer::NFS_RDMA_PORT)),
            0);
        EXPECT_EQ(deaf->Listen(), 0);
        Simulator::Schedule(Seconds(5), [this, &deaf] {
            deaf->Close();
            EXPECT_TRUE(m_server->Listen());
        });
    };
    RunSteps();

    EXPECT_EQ(m_statuses, std::vector<Nfs3Status>(14, Nfs3Status::OK));
    ASSERT_EQ(m_sent.size(), 17U);
    for (uint32_t i = 0; i < 17; ++i)
    {
        EXPECT_EQ(m_sent[i], m_sent[0] + i - (i > 14 ? 1 : 0));
    }
    EXPECT_EQ(m_waits, (std::vector{Time(0), Seconds(3)}));
    ASSERT_EQ(m_ended.size(), 3U);
    EXPECT_LT(m_ended[0] - m_sentAt[14], MilliSeconds(10));
    EXPECT_NEAR((m_ended[1] - m_ended[0]).GetSeconds(), 10.03, 0.05);
    EXPECT_NEAR((m_sentAt[15] - m_ended[1]).GetSeconds(), 3.07, 0.1);
    EXPECT_EQ(m_transport->GetStatistics().Format(),
              "\txprt:\trdma 0 0 2 0 0 17 16 0 19 0 7 0 0 0 0 0 0 0 1 0 0 0 0 12 0 0 0");
    // The server had not taken the fifth WRITE, or had dropped its reply: carried out once.
    EXPECT_EQ(m_rpcServer->GetDuplicateRequestCache().GetStatistics().misses, 6U);
}

/// As the capture nfs-v4.1-nfsd-restart: the attempt after the FIN meets a RST, the next comes 3 s
/// (captured: 3.25 s) later.
TEST_F(NfsRestart, RefusedOnceThenThreeSeconds)
{
    HostBuffer buffer(m_clientHost.memory, WRITE_SIZE);
    PlanCapture(buffer.GetAddress());
    m_file = m_store->GetHandle(m_store->AddFile(m_rootNumber, "rc", 0));
    m_onSent = [this] {
        if (m_sent.size() == 15)
        {
            m_onSent = nullptr;
            m_server->Stop();
            Simulator::Schedule(Seconds(1), [this] { EXPECT_TRUE(m_server->Listen()); });
        }
    };
    RunSteps();
    EXPECT_EQ(m_waits, (std::vector{Time(0), Seconds(3)}));
    ASSERT_EQ(m_sent.size(), 17U);
    EXPECT_EQ(m_sent[15], m_sent[14]);
    ASSERT_EQ(m_ended.size(), 3U);
    EXPECT_NEAR((m_sentAt[15] - m_ended[1]).GetSeconds(), 3.02, 0.03);
}

/// Procedures that must not be carried out twice, each with its reply lost.
class NfsDuplicates : public NfsRestart, public ::testing::WithParamInterface<bool>
{
  protected:
    void SetUp() override
    {
        NfsRestart::SetUp();
        m_toClient = LinkCut::Install(m_clientHost.node);
        m_transport->SetAttribute("Timeout", TimeValue(Seconds(1)));
        m_rpcServer->SetAttribute("DuplicateRequests", StringValue(GetParam() ? "linux" : "none"));
        m_transport->TraceConnectWithoutContext(
            "TimedOut",
            Callback<void, const RpcRecord&>(
                [this](const RpcRecord&) { m_toClient->cut = false; }));
    }

    /// Loses what the server sends from now on, until the client gives the connection up.
    void LoseReply()
    {
        m_onSent = [this] {
            m_onSent = nullptr;
            Simulator::Schedule(MicroSeconds(2), [this] { m_toClient->cut = true; });
        };
    }

    Ptr<LinkCut> m_toClient;
};

TEST_P(NfsDuplicates, AreAnsweredAsTheFirstTime)
{
    const auto lost = [this](const std::function<void()>& call) {
        m_steps.emplace_back([this, call] {
            LoseReply();
            call();
        });
    };
    const auto where = [this](const char* name) { return DirOpArgs3{m_root, name}; };
    Create3Args exclusive;
    exclusive.where = where("exclusive");
    exclusive.mode = CreateMode3::EXCLUSIVE;
    exclusive.verifier = {{1, 2, 3, 4, 5, 6, 7, 8}};
    m_steps.emplace_back([this] { m_client->Call(Getattr3Args{m_root}, Then<Getattr3Res>()); });
    lost([this, exclusive] { m_client->Call(exclusive, Then<Create3Res>()); });
    Create3Args guarded = exclusive;
    guarded.where = where("guarded");
    guarded.mode = CreateMode3::GUARDED;
    lost([this, guarded] { m_client->Call(guarded, Then<Create3Res>()); });
    lost([this, where] { m_client->Call(Mkdir3Args{where("dir"), {}}, Then<Mkdir3Res>()); });
    lost([this, where] {
        m_client->Call(Rename3Args{where("guarded"), where("renamed")}, Then<Rename3Res>());
    });
    lost([this, where] {
        const auto file = m_store->GetNames().Lookup(m_rootNumber, "renamed", FileCredential());
        ASSERT_TRUE(file);
        m_client->Call(Link3Args{m_store->GetHandle(*file), where("link")}, Then<Link3Res>());
    });
    lost([this, where] { m_client->Call(Remove3Args{where("link")}, Then<Remove3Res>()); });
    lost([this, where] { m_client->Call(Rmdir3Args{where("dir")}, Then<Rmdir3Res>()); });
    RunSteps();

    const auto& cache = m_rpcServer->GetDuplicateRequestCache().GetStatistics();
    EXPECT_EQ(m_transport->GetStatistics().connectCount, 8U);
    if (GetParam())
    {
        EXPECT_EQ(m_statuses, std::vector<Nfs3Status>(8, Nfs3Status::OK));
        EXPECT_EQ(cache.misses, 7U);
        EXPECT_EQ(cache.hits, 7U);
        EXPECT_EQ(cache.dropped, 0U);
        return;
    }
    // Without the cache only EXCLUSIVE, which knows its verifier, is right.
    EXPECT_EQ(m_statuses,
              (std::vector{Nfs3Status::OK,
                           Nfs3Status::OK,
                           Nfs3Status::EXIST,
                           Nfs3Status::EXIST,
                           Nfs3Status::NOENT,
                           Nfs3Status::EXIST,
                           Nfs3Status::NOENT,
                           Nfs3Status::NOENT}));
    EXPECT_EQ(cache.hits, 0U);
}

INSTANTIATE_TEST_SUITE_P(Cache, NfsDuplicates, ::testing::Bool());

} // namespace
} // namespace ns3::nfsrdma::test
