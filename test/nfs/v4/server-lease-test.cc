/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"

namespace ns3::nfsrdma::test
{
namespace
{

TEST_F(Nfs4ServerOperations, CourtesyClientGivesWay)
{
    Mount();
    const Mounted other = MountOther();
    const Nfs4StateId open = GetOpenState(OpenIt("file", SHARE_BOTH));
    LockArgs4 lock;
    lock.type = LockType4::WRITE;
    lock.length = 1;
    lock.openOwner.openStateid = open;
    lock.openOwner.lockOwner = {m_client, {1}};
    ASSERT_EQ(InSession({Put(m_file), lock}).results.status, Nfs4Status::OK);
    const Mounted gone = Swap(other);
    Simulator::Schedule(Seconds(89), [this] { InSession({}); });
    Simulator::Schedule(Seconds(100), [&] {
        lock.openOwner.openStateid = GetOpenState(OpenIt("file", SHARE_BOTH));
        lock.openOwner.lockOwner = {m_client, {1}};
        EXPECT_EQ(InSession({Put(m_file), lock}).results.status, Nfs4Status::OK);
        Swap(gone);
        EXPECT_EQ(InSession({}).results.status, Nfs4Status::BADSESSION);
    });
    Simulator::Run();
}

TEST_F(Nfs4ServerOperations, ReclaimAfterRestart)
{
    Mount();
    OpenIt("file", SHARE_BOTH);
    const Nfs4ClientId before = m_client;
    m_server->Restart();
    EXPECT_EQ(InSession({}).results.status, Nfs4Status::BADSESSION);
    EXPECT_EQ(Call({MakeCreateSession(2)}).results.status, Nfs4Status::STALE_CLIENTID);
    Mount("client", false);
    EXPECT_NE(m_client >> 32, before >> 32);
    EXPECT_EQ(OpenIt("file", SHARE_READ).results.status, Nfs4Status::GRACE);
    OpenArgs4 reclaim = MakeOpen("", SHARE_BOTH);
    reclaim.claim.type = OpenClaim4::PREVIOUS;
    EXPECT_EQ(InSession({Put(m_file), reclaim}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({ReclaimCompleteArgs4()}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), reclaim}).results.status, Nfs4Status::NO_GRACE);
    EXPECT_EQ(OpenIt("file", SHARE_READ).results.status, Nfs4Status::OK);
}

TEST_F(Nfs4ServerOperations, StrangersMayNotReclaim)
{
    Mount();
    m_server->Restart();
    Mount("stranger", false);
    OpenArgs4 reclaim = MakeOpen("", SHARE_BOTH);
    reclaim.claim.type = OpenClaim4::PREVIOUS;
    EXPECT_EQ(InSession({Put(m_file), reclaim}).results.status, Nfs4Status::RECLAIM_BAD);
    EXPECT_EQ(InSession({ReclaimCompleteArgs4()}).results.status, Nfs4Status::OK);
    EXPECT_EQ(OpenIt("file", SHARE_READ).results.status, Nfs4Status::GRACE);
    Simulator::Schedule(Seconds(95), [this] {
        Mount("later");
        EXPECT_EQ(OpenIt("file", SHARE_READ).results.status, Nfs4Status::OK);
    });
    Simulator::Run();
}

TEST_F(Nfs4ServerOperations, SessionsAndClientsGo)
{
    Mount();
    DestroyClientidArgs4 destroyClient;
    destroyClient.clientId = m_client;
    EXPECT_EQ(Call({destroyClient}).results.status, Nfs4Status::CLIENTID_BUSY);
    DestroySessionArgs4 destroy;
    destroy.sessionId = m_session;
    BindConnToSessionArgs4 bind;
    bind.sessionId = m_session;
    bind.dir = 7;
    EXPECT_EQ(Get<BindConnToSessionRes4>(Call({bind}), 0).dir, 3U);
    EXPECT_EQ(Call({destroy}).results.status, Nfs4Status::OK);
    EXPECT_EQ(Call({destroy}).results.status, Nfs4Status::BADSESSION);
    EXPECT_EQ(Call({destroyClient}).results.status, Nfs4Status::OK);
    EXPECT_EQ(Call({destroyClient}).results.status, Nfs4Status::STALE_CLIENTID);
}

TEST_F(Nfs4ServerOperations, LossOfTheBackChannelIsToldUntilItIsBoundAnew)
{
    const auto flags = [this] {
        return Get<SequenceRes4>(InSession({PutrootfhArgs4()}), 0).statusFlags;
    };
    const auto bind = [this](uint64_t connection, uint32_t direction) {
        m_connection = connection;
        BindConnToSessionArgs4 args;
        args.sessionId = m_session;
        args.dir = direction;
        return Call({args}).results.status;
    };
    m_connection = 5;
    Mount();
    m_connection = 6;
    EXPECT_EQ(flags(), 0U);
    m_server->HandleConnectionEnd(6);
    EXPECT_EQ(flags(), 0U);
    m_server->HandleConnectionEnd(5);
    EXPECT_EQ(flags(), SEQ4_STATUS_CB_PATH_DOWN);
    EXPECT_EQ(bind(7, 1), Nfs4Status::OK);
    EXPECT_EQ(flags(), SEQ4_STATUS_CB_PATH_DOWN);
    EXPECT_EQ(bind(8, 3), Nfs4Status::OK);
    EXPECT_EQ(flags(), 0U);
    EXPECT_EQ(bind(7, 1), Nfs4Status::OK);
    EXPECT_EQ(flags(), 0U);
    // RFC 8881 section 18.34.3: what a connection is bound for stays so.
    EXPECT_EQ(bind(8, 1), Nfs4Status::INVAL);
    EXPECT_EQ(bind(7, 7), Nfs4Status::INVAL);
    EXPECT_EQ(bind(9, 4), Nfs4Status::INVAL);
}

} // namespace
} // namespace ns3::nfsrdma::test
