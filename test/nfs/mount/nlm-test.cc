/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/mount-fixture.h"
#include "nfs/mount/nlm-client.h"
#include "nfs/mount/nlm-server.h"
#include "nfs/v2/types2.h"
#include "wire/ip-address.h"

namespace ns3::nfsrdma
{
namespace
{

NlmLock
MakeLock(const std::string& caller, uint32_t svid, uint64_t offset, uint64_t length)
{
    NlmLock lock;
    lock.caller = caller;
    lock.file.length = 8;
    lock.owner = {1};
    lock.svid = svid;
    lock.offset = offset;
    lock.length = length;
    return lock;
}

TEST(NlmLockTable, RangesConflictBetweenOwners)
{
    NlmLockTable table;
    EXPECT_EQ(table.Lock(MakeLock("a", 1, 0, 10), true, false, 1), NlmStatus::GRANTED);
    EXPECT_EQ(table.Lock(MakeLock("a", 1, 5, 10), true, false, 1), NlmStatus::GRANTED);
    EXPECT_EQ(table.Lock(MakeLock("a", 2, 14, 1), false, false, 1), NlmStatus::DENIED);
    EXPECT_EQ(table.Lock(MakeLock("b", 1, 15, 0), true, false, 2), NlmStatus::GRANTED);
    const auto other = table.Test(MakeLock("c", 1, 1000, 1), false);
    ASSERT_TRUE(other && *other);
    EXPECT_EQ((*other)->offset, 15U);
    EXPECT_EQ((*other)->length, 0U);
    EXPECT_TRUE((*other)->exclusive);
    EXPECT_EQ(table.Lock(MakeLock("c", 1, UINT64_MAX, 2), true, false, 3), NlmStatus::FBIG);
    EXPECT_EQ(table.Unlock(MakeLock("b", 1, 0, 0)), NlmStatus::GRANTED);
    EXPECT_EQ(table.Lock(MakeLock("c", 1, 20, 1), true, false, 3), NlmStatus::GRANTED);
    table.FreeAll("a");
    EXPECT_EQ(table.GetLockCount(), 1U);
    EXPECT_EQ(table.Lock(MakeLock("d", 1, 0, 20), true, false, 4), NlmStatus::GRANTED);
}

TEST(NlmLockTable, WaitersAreServedInOrder)
{
    NlmLockTable table;
    EXPECT_EQ(table.Lock(MakeLock("a", 1, 0, 0), true, false, 1), NlmStatus::GRANTED);
    EXPECT_EQ(table.Lock(MakeLock("b", 1, 0, 1), true, true, 2), NlmStatus::BLOCKED);
    EXPECT_EQ(table.Lock(MakeLock("b", 1, 0, 1), true, true, 2), NlmStatus::BLOCKED);
    EXPECT_EQ(table.Lock(MakeLock("c", 1, 0, 1), true, true, 3), NlmStatus::BLOCKED);
    EXPECT_EQ(table.Lock(MakeLock("d", 1, 5, 1), true, true, 4), NlmStatus::BLOCKED);
    EXPECT_EQ(table.GetWaiterCount(), 3U);
    EXPECT_TRUE(table.TakeGranted().empty());
    table.Unlock(MakeLock("a", 1, 0, 0));
    const auto granted = table.TakeGranted();
    ASSERT_EQ(granted.size(), 2U);
    EXPECT_EQ(granted[0].lock.caller, "b");
    EXPECT_EQ(granted[1].lock.caller, "d");
    EXPECT_TRUE(table.Cancel(MakeLock("c", 1, 0, 1), true));
    EXPECT_FALSE(table.Cancel(MakeLock("c", 1, 0, 1), true));
    table.Unlock(MakeLock("b", 1, 0, 1));
    EXPECT_TRUE(table.TakeGranted().empty());
}

TEST(NlmLockTable, SharesDenyEachOther)
{
    NlmLockTable table;
    NlmShareArgs first;
    first.caller = "a";
    first.access = NlmShareArgs::READ;
    first.deny = NlmShareArgs::WRITE;
    EXPECT_EQ(table.Share(first), NlmStatus::GRANTED);
    NlmShareArgs second;
    second.caller = "b";
    second.access = NlmShareArgs::WRITE;
    EXPECT_EQ(table.Share(second), NlmStatus::DENIED);
    second.access = NlmShareArgs::READ;
    EXPECT_EQ(table.Share(second), NlmStatus::GRANTED);
    second.deny = NlmShareArgs::READ;
    EXPECT_EQ(table.Share(second), NlmStatus::DENIED);
    table.Unshare(first);
    EXPECT_EQ(table.Share(second), NlmStatus::GRANTED);
    table.FreeAll("b");
    EXPECT_EQ(table.GetShareCount(), 0U);
}

/// Lock managers and status monitors of a client and a server.
class Nlm : public MountTest
{
  protected:
    static constexpr uint16_t LOCKD_PORT = 32803;
    static constexpr uint16_t STATD_PORT = 662;

    void SetUp() override
    {
        MountTest::SetUp();
        const InodeNumber file = m_store->AddFile(*m_store->GetExport("/export"), "f", 100);
        m_file1.file = m_store->GetHandle(file);
        m_file1.svid = 1;
        m_file1.length = 10;
        m_file2 = m_file1;
        m_file2.svid = 2;
        const auto serverNode = m_pair->nodes[TcpPair::SERVER];
        const auto clientNode = m_pair->nodes[TcpPair::CLIENT];
        m_server = CreateObject<NlmServer>(serverNode);
        m_server->SetFileStore(m_store);
        m_serverMonitor =
            CreateObject<NsmServer>(serverNode, *IpAddress::Parse(TcpPair::SERVER_ADDRESS));
        m_server->SetMonitor(m_serverMonitor);
        ASSERT_TRUE(m_daemons->AddDaemon({m_server}, LOCKD_PORT));
        ASSERT_TRUE(m_daemons->AddDaemon({m_serverMonitor}, STATD_PORT));
        m_clientDaemons->SetHost(clientNode, *IpAddress::Parse(TcpPair::CLIENT_ADDRESS));
        m_clientDaemons->SetFileStore(CreateObject<FileStore>());
        ASSERT_TRUE(m_clientDaemons->Start());
        m_client = CreateObject<NlmClient>(clientNode,
                                           "client",
                                           *IpAddress::Parse(TcpPair::SERVER_ADDRESS));
        m_clientMonitor =
            CreateObject<NsmServer>(clientNode, *IpAddress::Parse(TcpPair::CLIENT_ADDRESS));
        m_client->SetMonitor(m_clientMonitor);
        ASSERT_TRUE(m_clientDaemons->AddDaemon({m_client}, LOCKD_PORT));
        ASSERT_TRUE(m_clientDaemons->AddDaemon({m_clientMonitor}, STATD_PORT));
    }

    void TearDown() override
    {
        m_client->Dispose();
        m_server->Dispose();
        m_clientMonitor->Dispose();
        m_serverMonitor->Dispose();
        m_clientDaemons->Dispose();
        MountTest::TearDown();
    }

    void Lock(const NlmRequest& request, bool block = false)
    {
        m_client->Lock(request, block, [this](NlmStatus status) { m_statuses.push_back(status); });
    }

    void Unlock(const NlmRequest& request)
    {
        m_client->Unlock(request, [this](NlmStatus status) { m_statuses.push_back(status); });
    }

    void After(Time delay, std::function<void()> what)
    {
        Simulator::Schedule(delay, [what = std::move(what)] { what(); });
    }

    Ptr<NlmServer> m_server;
    Ptr<NlmClient> m_client;
    Ptr<NsmServer> m_serverMonitor;
    Ptr<NsmServer> m_clientMonitor;
    Ptr<NfsDaemons> m_clientDaemons{CreateObject<NfsDaemons>()};
    NlmRequest m_file1; ///< Of process 1.
    NlmRequest m_file2; ///< The same of process 2.
    std::vector<NlmStatus> m_statuses;
};

TEST_F(Nlm, LocksTestsAndUnlocks)
{
    Lock(m_file1);
    After(Seconds(1), [this] { Lock(m_file2); });
    After(Seconds(2), [this] {
        m_client->Test(m_file2, [this](NlmStatus status, const NlmHolder& holder) {
            m_statuses.push_back(status);
            EXPECT_EQ(holder.svid, 1U);
            EXPECT_EQ(holder.length, 10U);
        });
    });
    After(Seconds(3), [this] { Unlock(m_file1); });
    After(Seconds(4), [this] { Lock(m_file2); });
    Simulator::Run();
    EXPECT_EQ(m_statuses,
              (std::vector<NlmStatus>{NlmStatus::GRANTED,
                                      NlmStatus::DENIED,
                                      NlmStatus::DENIED,
                                      NlmStatus::GRANTED,
                                      NlmStatus::GRANTED}));
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 1U);
    EXPECT_EQ(m_client->GetLockCount(), 1U);
    ExpectDissected("nlm", 10);
}

TEST_F(Nlm, BlockedLockIsGrantedByACallback)
{
    Lock(m_file1);
    After(Seconds(1), [this] { Lock(m_file2, true); });
    After(Seconds(2), [this] {
        EXPECT_EQ(m_statuses.size(), 1U);
        EXPECT_EQ(m_server->GetTable().GetWaiterCount(), 1U);
        Unlock(m_file1);
    });
    Simulator::Run();
    EXPECT_EQ(m_statuses, std::vector<NlmStatus>(3, NlmStatus::GRANTED));
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 1U);
    EXPECT_EQ(m_client->GetLockCount(), 1U);
    ExpectDissected("nlm", 10);
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v4 == 10'").size(), 2U);
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v4 == 15'").size(), 2U);
}

TEST_F(Nlm, WaitingLockIsAskedForAgain)
{
    Lock(m_file1);
    After(Seconds(1), [this] { Lock(m_file2, true); });
    Simulator::Stop(Seconds(70));
    Simulator::Run();
    EXPECT_EQ(m_statuses, std::vector<NlmStatus>{NlmStatus::GRANTED});
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v4 == 2 && rpc.msgtyp == 0'").size(), 4U);
    EXPECT_EQ(m_server->GetTable().GetWaiterCount(), 1U);
}

TEST_F(Nlm, Version1LocksAgainstVersion4)
{
    const auto first = CreateObject<NlmNarrowServer>(m_server, NLM_V1);
    ASSERT_TRUE(m_daemons->AddDaemon({first}, LOCKD_PORT + 1));
    const auto narrow = CreateObject<NlmClient>(m_pair->nodes[TcpPair::CLIENT],
                                                "client",
                                                *IpAddress::Parse(TcpPair::SERVER_ADDRESS),
                                                NLM_V1);
    ASSERT_TRUE(m_clientDaemons->AddDaemon({narrow}, LOCKD_PORT + 1));
    NlmRequest padded = m_file2;
    ByteVector octets(padded.file.AsSpan().begin(), padded.file.AsSpan().end());
    octets.resize(NFS2_FHSIZE);
    padded.file = NfsFh3(octets);
    const auto note = [this](NlmStatus status) { m_statuses.push_back(status); };
    Lock(m_file1);
    After(Seconds(1), [=] { narrow->Lock(padded, false, note); });
    After(Seconds(2), [=] {
        narrow->Test(padded, [note](NlmStatus status, const NlmHolder& holder) {
            EXPECT_EQ(holder.length, 10U);
            note(status);
        });
    });
    After(Seconds(3), [=] { narrow->Lock(padded, true, note); });
    After(Seconds(4), [=] { Unlock(m_file1); });
    After(Seconds(5), [=] { narrow->Unlock(padded, note); });
    Simulator::Run();
    EXPECT_EQ(m_statuses,
              (std::vector<NlmStatus>{NlmStatus::GRANTED,
                                      NlmStatus::DENIED,
                                      NlmStatus::DENIED,
                                      NlmStatus::GRANTED,
                                      NlmStatus::GRANTED,
                                      NlmStatus::GRANTED}));
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 0U);
    ExpectDissected("nlm", 16);
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v1 == 10 || nlm.procedure_v1 == 15'").size(), 4U);
    narrow->Dispose();
    first->Dispose();
}

TEST_F(Nlm, CancelledLockIsNotGranted)
{
    Lock(m_file1);
    After(Seconds(1), [this] { Lock(m_file2, true); });
    After(Seconds(2), [this] {
        m_client->Cancel(m_file2, [this](NlmStatus status) { m_statuses.push_back(status); });
    });
    After(Seconds(3), [this] { Unlock(m_file1); });
    Simulator::Run();
    EXPECT_EQ(m_statuses,
              (std::vector<NlmStatus>{NlmStatus::GRANTED,
                                      NlmStatus::DENIED,
                                      NlmStatus::GRANTED,
                                      NlmStatus::GRANTED}));
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 0U);
}

/// nlmsvc_cancel_blocked() of fs/lockd/svclock.c.
TEST_F(Nlm, ACancelIsDeniedOnlyWhileTheLockIsBeingGranted)
{
    const auto source = *IpAddress::Parse(TcpPair::CLIENT_ADDRESS);
    const auto ask = [&](NlmProcedure procedure, const auto& args) {
        auto call = std::make_shared<RpcServerCall>();
        call->header.version = NLM_V4;
        call->header.procedure = static_cast<uint32_t>(procedure);
        call->source = source;
        XdrWriter writer;
        EncodeXdr(writer, args);
        call->message.octets = writer.Take();
        NlmStatus status{};
        m_server->Dispatch(call, [&status](RpcServerReply&& reply) {
            XdrReader reader(reply.results.octets);
            status = DecodeXdr<NlmRes>(reader)->status;
        });
        return status;
    };
    NlmLock held = MakeLock("client", 1, 0, 10);
    held.file = m_file1.file;
    NlmLock wanted = held;
    wanted.svid = 2;
    const NlmCancelArgs cancel{ByteVector{1}, true, true, wanted};
    EXPECT_EQ(ask(NlmProcedure::CANCEL, cancel), NlmStatus::GRANTED) << "nobody waits";
    const NlmLockArgs first{ByteVector{2}, false, true, held, false, 0};
    EXPECT_EQ(ask(NlmProcedure::LOCK, first), NlmStatus::GRANTED);
    const NlmLockArgs second{ByteVector{3}, true, true, wanted, false, 0};
    EXPECT_EQ(ask(NlmProcedure::LOCK, second), NlmStatus::BLOCKED);
    EXPECT_EQ(ask(NlmProcedure::CANCEL, cancel), NlmStatus::GRANTED) << "it waits";
    EXPECT_EQ(ask(NlmProcedure::LOCK, second), NlmStatus::BLOCKED);
    EXPECT_EQ(ask(NlmProcedure::UNLOCK, NlmUnlockArgs{ByteVector{4}, held}), NlmStatus::GRANTED);
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 1U);
    EXPECT_EQ(ask(NlmProcedure::CANCEL, cancel), NlmStatus::DENIED) << "it is told of its lock";
    EXPECT_EQ(ask(NlmProcedure::CANCEL, cancel), NlmStatus::GRANTED) << "no longer";
    Simulator::Run();
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 1U) << "it has it until it unlocks";
}

TEST_F(Nlm, UnknownFileIsStale)
{
    m_file1.file.octets[4] ^= 1;
    Lock(m_file1);
    Simulator::Run();
    EXPECT_EQ(m_statuses, std::vector<NlmStatus>{NlmStatus::STALE_FH});
}

TEST_F(Nlm, RestartedServerIsToldOfLocksAndOthersWait)
{
    Lock(m_file1);
    After(Seconds(10), [this] {
        m_server->Restart();
        m_serverMonitor->Restart();
        EXPECT_TRUE(m_server->IsInGrace());
        EXPECT_EQ(m_server->GetTable().GetLockCount(), 0U);
    });
    NlmRequest other = m_file2;
    other.offset = 50;
    After(Seconds(11), [this, other] {
        EXPECT_EQ(m_server->GetTable().GetLockCount(), 1U);
        EXPECT_EQ(m_client->GetLockCount(), 1U);
        Lock(other);
    });
    After(Seconds(55), [this] { EXPECT_EQ(m_statuses.size(), 1U); });
    Simulator::Run();
    EXPECT_EQ(m_statuses, std::vector<NlmStatus>(2, NlmStatus::GRANTED));
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 2U);
    EXPECT_EQ(m_serverMonitor->GetState(), 3U);
    ExpectDissected("stat", 2);
    EXPECT_GE(Tshark("-Y 'nlm'").size(), 10U);
}

TEST_F(Nlm, LockThatWaitedIsAskedForAgainAfterARestart)
{
    Lock(m_file1);
    After(Seconds(1), [this] { Lock(m_file2, true); });
    After(Seconds(10), [this] {
        m_server->Restart();
        m_serverMonitor->Restart();
    });
    After(Seconds(12), [this] {
        EXPECT_EQ(m_server->GetTable().GetLockCount(), 1U);
        EXPECT_EQ(m_server->GetTable().GetWaiterCount(), 0U);
        Unlock(m_file1); // Denied in the grace period, and tried again.
    });
    Simulator::Run();
    EXPECT_EQ(m_statuses, std::vector<NlmStatus>(3, NlmStatus::GRANTED));
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 1U);
    EXPECT_EQ(m_client->GetLockCount(), 1U);
    EXPECT_GE(Simulator::Now(), Seconds(60));
}

TEST_F(Nlm, LocksOfARestartedClientAreFreed)
{
    Lock(m_file1);
    After(Seconds(1), [this] {
        EXPECT_TRUE(m_serverMonitor->IsMonitored(TcpPair::CLIENT_ADDRESS));
        m_clientMonitor->Restart();
    });
    Simulator::Run();
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 0U);
}

TEST_F(Nlm, SharesAndOtherProceduresAreServed)
{
    const auto client = MakeClient(LOCKD_PORT, NLM_PROGRAM, NLM_V4);
    Ask<NlmNull>(client, {});
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    NlmShareArgs share;
    share.cookie = {1, 2, 3};
    share.caller = "x";
    share.file = m_file1.file;
    share.deny = NlmShareArgs::BOTH;
    const auto shared = Ask<NlmShare>(client, share);
    EXPECT_EQ(shared.status, NlmStatus::GRANTED);
    EXPECT_EQ(shared.cookie, share.cookie);
    EXPECT_EQ(Ask<NlmUnshare>(client, share).status, NlmStatus::GRANTED);
    NlmLockArgs lock;
    lock.lock = MakeLock("x", 7, 0, 0);
    lock.lock.file = m_file1.file;
    EXPECT_EQ(Ask<NlmNmLock>(client, lock).status, NlmStatus::GRANTED);
    lock.reclaim = true;
    EXPECT_EQ(Ask<NlmLockCall>(client, lock).status, NlmStatus::DENIED_GRACE_PERIOD);
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 1U);
    Ask<NlmFreeAll>(client, {"x", 3});
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 0U);
    ExpectDissected("nlm", 12);
}

/// The older versions of a server's lock manager, at the port of version 4.
class NarrowNlm : public Nlm
{
  protected:
    void SetUp() override
    {
        Nlm::SetUp();
        m_first = CreateObject<NlmNarrowServer>(m_server, NLM_V1);
        m_third = CreateObject<NlmNarrowServer>(m_server, NLM_V3);
        ASSERT_TRUE(m_daemons->AddDaemon({m_first, m_third}, LOCKD_PORT + 1));
        ByteVector octets(m_file1.file.AsSpan().begin(), m_file1.file.AsSpan().end());
        octets.resize(NFS2_FHSIZE);
        m_padded = NfsFh3(octets);
    }

    void TearDown() override
    {
        m_first->Dispose();
        m_third->Dispose();
        Nlm::TearDown();
    }

    [[nodiscard]] NlmShareArgs MakeShare(const std::string& caller) const
    {
        NlmShareArgs share;
        share.cookie = {1, 2, 3};
        share.caller = caller;
        share.file = m_padded;
        share.owner = {7};
        return share;
    }

    Ptr<NlmNarrowServer> m_first;
    Ptr<NlmNarrowServer> m_third;
    NfsFh3 m_padded; ///< The file's, as NFSv2 has it.
};

TEST_F(NarrowNlm, SharesOfVersionThreeStopThoseOfVersionFour)
{
    const auto third = MakeClient(LOCKD_PORT + 1, NLM_PROGRAM, NLM_V3);
    auto dos = MakeShare("dos");
    dos.access = NlmShareArgs::READ;
    dos.deny = NlmShareArgs::WRITE;
    EXPECT_EQ(Ask<NlmShare>(third, dos).status, NlmStatus::GRANTED);
    const auto fourth = MakeClient(LOCKD_PORT, NLM_PROGRAM, NLM_V4);
    auto other = MakeShare("other");
    other.file = m_file1.file;
    other.access = NlmShareArgs::WRITE;
    EXPECT_EQ(Ask<NlmShare>(fourth, other).status, NlmStatus::DENIED);
    EXPECT_EQ(Ask<NlmUnshare>(third, dos).status, NlmStatus::GRANTED);
    EXPECT_EQ(Ask<NlmShare>(fourth, other).status, NlmStatus::GRANTED);
    EXPECT_EQ(Ask<NlmShare>(third, dos).status, NlmStatus::DENIED);
    dos.file.octets[4] ^= 1;
    EXPECT_EQ(Ask<NlmShare>(third, dos).status, NlmStatus::DENIED_NOLOCKS);
    EXPECT_EQ(Ask<NlmUnshare>(third, dos).status, NlmStatus::DENIED_NOLOCKS);
    EXPECT_EQ(m_server->GetTable().GetShareCount(), 1U);
    ExpectDissected("nlm", 14);
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v3 == 20 && rpc.msgtyp == 0'").size(), 3U);
}

TEST_F(NarrowNlm, FreeAllFreesLocksAndSharesOfAHost)
{
    const auto third = MakeClient(LOCKD_PORT + 1, NLM_PROGRAM, NLM_V3);
    NlmNarrow<NlmLockArgs> narrow;
    auto& args = narrow.message;
    args.exclusive = true;
    args.lock = MakeLock("dos", 7, 0, 10);
    args.lock.file = m_padded;
    args.lock.narrow = true;
    EXPECT_EQ(Ask<Nlm3NmLock>(third, narrow).status, NlmStatus::GRANTED);
    EXPECT_FALSE(m_serverMonitor->IsMonitored(TcpPair::CLIENT_ADDRESS));
    EXPECT_EQ(Ask<NlmShare>(third, MakeShare("dos")).status, NlmStatus::GRANTED);
    EXPECT_EQ(Ask<NlmShare>(third, MakeShare("win")).status, NlmStatus::GRANTED);
    Ask<NlmFreeAll>(third, {"dos", 3});
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 0U);
    EXPECT_EQ(m_server->GetTable().GetShareCount(), 1U);
    ExpectDissected("nlm", 8);
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v3 == 22 || nlm.procedure_v3 == 23'").size(), 4U);
}

TEST_F(NarrowNlm, HolderBeyond32BitsIsToldByTheLargestOffset)
{
    const auto fourth = MakeClient(LOCKD_PORT, NLM_PROGRAM, NLM_V4);
    NlmLockArgs wide;
    wide.exclusive = true;
    wide.lock = MakeLock("wide", 7, 0x100000000, 0x200000000);
    wide.lock.file = m_file1.file;
    EXPECT_EQ(Ask<NlmNmLock>(fourth, wide).status, NlmStatus::GRANTED);
    const auto first = MakeClient(LOCKD_PORT + 1, NLM_PROGRAM, NLM_V1);
    NlmNarrow<NlmTestArgs> narrow;
    narrow.message.exclusive = true;
    narrow.message.lock = MakeLock("old", 8, 0, 0);
    narrow.message.lock.file = m_padded;
    narrow.message.lock.narrow = true;
    const auto results = Ask<Nlm1Test>(first, narrow).message;
    EXPECT_EQ(results.status, NlmStatus::DENIED);
    EXPECT_EQ(results.holder.offset, 0x7fffffffU);
    EXPECT_EQ(results.holder.length, 0x7fffffffU);
}

TEST_F(NarrowNlm, VersionOneHasNoShares)
{
    const auto first = MakeClient(LOCKD_PORT + 1, NLM_PROGRAM, NLM_V1);
    Ask<NlmShare>(first, MakeShare("dos"));
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    Ask<NlmFreeAll>(first, {"dos", 3});
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    EXPECT_EQ(m_server->GetTable().GetShareCount(), 0U);
}

TEST_F(NarrowNlm, BlockedLockOfVersionThreeIsGrantedInVersionThree)
{
    const auto narrow = CreateObject<NlmClient>(m_pair->nodes[TcpPair::CLIENT],
                                                "client",
                                                *IpAddress::Parse(TcpPair::SERVER_ADDRESS),
                                                NLM_V3);
    ASSERT_TRUE(m_clientDaemons->AddDaemon({narrow}, LOCKD_PORT + 1));
    m_file2.file = m_padded;
    Lock(m_file1);
    After(Seconds(1), [&] {
        narrow->Lock(m_file2, true, [this](NlmStatus status) { m_statuses.push_back(status); });
    });
    After(Seconds(2), [&] { Unlock(m_file1); });
    Simulator::Run();
    EXPECT_EQ(m_statuses, std::vector<NlmStatus>(3, NlmStatus::GRANTED));
    EXPECT_EQ(narrow->GetLockCount(), 1U);
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v3 == 10 || nlm.procedure_v3 == 15'").size(), 4U);
    narrow->Dispose();
}

/// The calls of versions 1 and 3 that are answered by calls.
TEST_F(NarrowNlm, MessagesAreAnsweredByCalls)
{
    const auto narrow = CreateObject<NlmClient>(m_pair->nodes[TcpPair::CLIENT],
                                                "client",
                                                *IpAddress::Parse(TcpPair::SERVER_ADDRESS),
                                                NLM_V1);
    ASSERT_TRUE(m_clientDaemons->AddDaemon({narrow}, LOCKD_PORT + 1));
    const auto first = MakeClient(LOCKD_PORT + 1, NLM_PROGRAM, NLM_V1);
    NlmLock lock = MakeLock("old", 7, 0, 10);
    lock.file = m_padded;
    lock.narrow = true;
    const auto other = [&] {
        NlmLock of = lock;
        of.svid = 8;
        return of;
    }();
    CallStub<Nlm1LockMsg>(*first, {{ByteVector{1}, false, true, lock, false, 0}}, nullptr);
    After(MilliSeconds(100), [&] {
        EXPECT_EQ(m_server->GetTable().GetLockCount(), 1U);
        CallStub<Nlm1TestMsg>(*first, {{ByteVector{2}, true, other}}, nullptr);
    });
    After(MilliSeconds(200), [&] {
        CallStub<Nlm1CancelMsg>(*first, {{ByteVector{3}, false, true, other}}, nullptr);
    });
    After(MilliSeconds(300), [&] {
        CallStub<Nlm1UnlockMsg>(*first, {{ByteVector{4}, lock}}, nullptr);
    });
    Simulator::Run();
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 0U);
    const auto fourth = MakeClient(LOCKD_PORT, NLM_PROGRAM, NLM_V4);
    lock.file = m_file1.file;
    lock.narrow = false;
    Ask<NlmUnlockMsg>(fourth, {ByteVector{5}, lock});
    ExpectDissected("nlm", 20);
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v1 == 12 && nlm.stat == 0'").size(), 1U);
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v1 == 11 && nlm.test_stat.stat == 1'").size(), 1U);
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v1 == 13 && nlm.stat == 0'").size(), 1U) << "nobody waits";
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v1 == 14 && nlm.stat == 0'").size(), 1U);
    EXPECT_EQ(Tshark("-Y 'nlm.procedure_v4 == 14'").size(), 2U);
    narrow->Dispose();
}

TEST_F(NarrowNlm, AMessageThatCannotBeDecodedMakesNoPeer)
{
    const std::vector<std::pair<uint16_t, uint32_t>> served{{LOCKD_PORT, NLM_V4},
                                                            {LOCKD_PORT + 1, NLM_V1},
                                                            {LOCKD_PORT + 1, NLM_V3}};
    std::size_t refused = 0;
    for (const auto& [port, version] : served)
    {
        const auto client = MakeClient(port, NLM_PROGRAM, version);
        for (const auto procedure : {NlmProcedure::TEST_MSG,
                                     NlmProcedure::LOCK_MSG,
                                     NlmProcedure::CANCEL_MSG,
                                     NlmProcedure::UNLOCK_MSG})
        {
            RpcArguments arguments;
            arguments.octets = {0, 0, 0, 200, 1};
            client->Call(static_cast<uint32_t>(procedure),
                         std::move(arguments),
                         RpcReplyEstimate(),
                         [&refused](RpcRecord& record, const RpcReceivedMessage&, XdrReader&) {
                             refused += record.outcome == RpcOutcome::REJECTED;
                         });
            Simulator::Run();
        }
    }
    EXPECT_EQ(refused, 12U);
    EXPECT_EQ(m_server->GetPeerCount(), 0U);
    NlmLock lock = MakeLock("new", 7, 0, 10);
    lock.file = m_file1.file;
    Ask<NlmUnlockMsg>(MakeClient(LOCKD_PORT, NLM_PROGRAM, NLM_V4), {ByteVector{5}, lock});
    EXPECT_EQ(m_server->GetPeerCount(), 1U);
}

TEST_F(Nlm, SharesWaitForTheEndOfTheGracePeriod)
{
    m_server->Restart();
    NlmShareArgs share;
    share.caller = "x";
    share.file = m_file1.file;
    const auto ask = [&](NlmProcedure procedure, bool reclaim) {
        share.reclaim = reclaim;
        auto call = std::make_shared<RpcServerCall>();
        call->header.version = NLM_V4;
        call->header.procedure = static_cast<uint32_t>(procedure);
        XdrWriter writer;
        EncodeXdr(writer, share);
        call->message.octets = writer.Take();
        NlmStatus status{};
        m_server->Dispatch(call, [&status](RpcServerReply&& reply) {
            XdrReader reader(reply.results.octets);
            status = DecodeXdr<NlmShareRes>(reader)->status;
        });
        return status;
    };
    EXPECT_EQ(ask(NlmProcedure::SHARE, false), NlmStatus::DENIED_GRACE_PERIOD);
    EXPECT_EQ(ask(NlmProcedure::SHARE, true), NlmStatus::GRANTED);
    EXPECT_EQ(ask(NlmProcedure::UNSHARE, true), NlmStatus::DENIED_GRACE_PERIOD);
    EXPECT_EQ(m_server->GetTable().GetShareCount(), 1U);
    After(Seconds(51), [&] {
        EXPECT_EQ(ask(NlmProcedure::SHARE, true), NlmStatus::GRANTED);
        EXPECT_EQ(ask(NlmProcedure::UNSHARE, false), NlmStatus::GRANTED);
        EXPECT_EQ(m_server->GetTable().GetShareCount(), 0U);
    });
    Simulator::Run();
}

/// What statd tells lockd of a host that has restarted.
TEST_F(Nlm, RebootIsTakenFromTheOwnHostAlone)
{
    Lock(m_file1);
    Simulator::Run();
    const NlmReboot reboot{std::string(TcpPair::CLIENT_ADDRESS), 5, {}};
    const auto client = MakeClient(LOCKD_PORT, NLM_PROGRAM, NLM_V4);
    Ask<NlmSmNotify>(client, reboot);
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 1U);
    auto call = std::make_shared<RpcServerCall>();
    call->header.version = NLM_V4;
    call->header.procedure = NlmSmNotify::NUMBER;
    call->source = *IpAddress::Parse("127.0.0.1");
    XdrWriter writer;
    EncodeXdr(writer, reboot);
    call->message.octets = writer.Take();
    m_server->Dispatch(call, [](RpcServerReply&&) {});
    EXPECT_EQ(m_server->GetTable().GetLockCount(), 0U);
}

TEST_F(Nlm, MonitorServesAllProcedures)
{
    const auto client = MakeClient(STATD_PORT, NSM_PROGRAM, NSM_V1);
    Ask<NsmNull>(client, {});
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(Ask<NsmStat>(client, {"host"}).state, 1U);
    NsmMonArgs mon;
    mon.id = {"host", {"me", NLM_PROGRAM, NLM_V4, 16}};
    EXPECT_TRUE(Ask<NsmMon>(client, mon).failed);
    EXPECT_EQ(Ask<NsmUnmon>(client, mon.id).state, 1U);
    EXPECT_EQ(Ask<NsmUnmonAll>(client, mon.id.caller).state, 1U);
    Ask<NsmSimuCrash>(client, {});
    Ask<NsmNotify>(client, {"stranger", 5});
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    ExpectDissected("stat", 14);
}

} // namespace
} // namespace ns3::nfsrdma
