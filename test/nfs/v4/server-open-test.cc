/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"

namespace ns3::nfsrdma::test
{
namespace
{

TEST_F(Nfs4ServerOperations, OpenReadWriteClose)
{
    Mount();
    const auto opened = OpenIt("file", SHARE_BOTH);
    const Nfs4StateId state = GetOpenState(opened);
    EXPECT_EQ(Get<OpenRes4>(opened, 2).rflags, 0x24U);
    const ByteVector octets{1, 2, 3};
    EXPECT_EQ(InSession({Put(m_file), MakeWrite(state, octets)}).results.status, Nfs4Status::OK);
    CloseArgs4 close;
    close.openStateid = state;
    const auto closed = InSession({Put(m_file), close});
    EXPECT_EQ(closed.results.status, Nfs4Status::OK);
    EXPECT_EQ(Get<CloseRes4>(closed, 2).openStateid.seqid, 0xffffffffU);
    EXPECT_EQ(InSession({Put(m_file), MakeWrite(state, octets)}).results.status,
              Nfs4Status::BAD_STATEID);
}

TEST_F(Nfs4ServerOperations, OpenModes)
{
    Mount();
    const Nfs4StateId state = GetOpenState(OpenIt("file", SHARE_READ));
    EXPECT_EQ(InSession({Put(m_file), MakeWrite(state, {1})}).results.status, Nfs4Status::OPENMODE);
    EXPECT_EQ(InSession({Put(m_link), MakeOpen("x", SHARE_READ)}).results.status,
              Nfs4Status::SYMLINK);
    EXPECT_EQ(OpenIt("dir", SHARE_READ).results.status, Nfs4Status::ISDIR);
    EXPECT_EQ(OpenIt("link", SHARE_READ).results.status, Nfs4Status::SYMLINK);
    EXPECT_EQ(OpenIt("absent", SHARE_READ).results.status, Nfs4Status::NOENT);
    m_store->AddFile(m_root, "private", 1, {0600, 5, 5});
    m_uid = 1000;
    EXPECT_EQ(OpenIt("private", SHARE_READ).results.status, Nfs4Status::ACCESS);
}

TEST_F(Nfs4ServerOperations, CreateModes)
{
    Mount();
    OpenArgs4 open = MakeOpen("made", SHARE_WRITE);
    open.create.emplace();
    open.create->attributes.mode = 0640;
    open.create->mode = CreateMode4::GUARDED;
    EXPECT_EQ(InSession({Put(m_root), open}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_root), open}).results.status, Nfs4Status::EXIST);

    open.claim.file = "exclusive";
    open.create->mode = CreateMode4::EXCLUSIVE4_1;
    open.create->verifier = {1, 2, 3, 4, 5, 6, 7, 8};
    const auto made = InSession({Put(m_root), open});
    EXPECT_EQ(made.results.status, Nfs4Status::OK);
    const auto number = m_store->FindPath(m_root, "exclusive");
    ASSERT_TRUE(number);
    EXPECT_EQ(m_store->Get(*number).attributes.mode, 0640U);
    EXPECT_EQ(InSession({Put(m_root), open}).results.status, Nfs4Status::OK);
    open.create->verifier[0] = 9;
    EXPECT_EQ(InSession({Put(m_root), open}).results.status, Nfs4Status::EXIST);
}

TEST_F(Nfs4ServerOperations, ShareDenied)
{
    Mount();
    ASSERT_EQ(
        InSession({Put(m_root), MakeOpen("file", SHARE_READ, "a", SHARE_WRITE)}).results.status,
        Nfs4Status::OK);
    EXPECT_EQ(OpenIt("file", SHARE_WRITE, "b").results.status, Nfs4Status::SHARE_DENIED);
    WriteArgs4 write = MakeWrite(MakeAnonymousStateId(), {1});
    EXPECT_EQ(InSession({Put(m_file), write}).results.status, Nfs4Status::LOCKED);
    EXPECT_EQ(InSession({Put(m_file), MakeRead(0, 1)}).results.status, Nfs4Status::OK);
}

TEST_F(Nfs4ServerOperations, CurrentStateId)
{
    Mount();
    ReadArgs4 read = MakeRead(0, 10);
    read.stateid = MakeCurrentStateId();
    CloseArgs4 close;
    close.openStateid = MakeCurrentStateId();
    EXPECT_EQ(InSession({Put(m_root), MakeOpen("file", SHARE_READ), read, close}).results.status,
              Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), read}).results.status, Nfs4Status::BAD_STATEID);
}

TEST_F(Nfs4ServerOperations, OpenBeforeReclaimComplete)
{
    Mount("client", false);
    EXPECT_EQ(OpenIt("file", SHARE_READ).results.status, Nfs4Status::GRACE);
    EXPECT_EQ(InSession({ReclaimCompleteArgs4()}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({ReclaimCompleteArgs4()}).results.status, Nfs4Status::COMPLETE_ALREADY);
    EXPECT_EQ(OpenIt("file", SHARE_READ).results.status, Nfs4Status::OK);
}

// ---- locks ----

TEST_F(Nfs4ServerOperations, LocksOfTwoClients)
{
    Mount();
    Mounted other = MountOther();
    const Nfs4StateId open = GetOpenState(OpenIt("file", SHARE_BOTH));
    LockArgs4 lock;
    lock.type = LockType4::WRITE;
    lock.offset = 10;
    lock.length = 20;
    lock.openOwner.openStateid = open;
    lock.openOwner.lockOwner = {m_client, {1}};
    const auto locked = InSession({Put(m_file), lock});
    ASSERT_EQ(locked.results.status, Nfs4Status::OK);
    const Nfs4StateId held = Get<LockRes4>(locked, 2).lockStateid;
    EXPECT_EQ(held.seqid, 1U);

    const Nfs4ClientId first = m_client;
    other = Swap(other);
    LocktArgs4 test;
    test.type = LockType4::READ;
    test.length = NFS4_UINT64_MAX;
    test.owner = {m_client, {2}};
    const auto tested = InSession({Put(m_file), test});
    EXPECT_EQ(tested.results.status, Nfs4Status::DENIED);
    const LockDenied4& denied = Get<LocktRes4>(tested, 2).denied;
    EXPECT_EQ(denied.offset, 10U);
    EXPECT_EQ(denied.length, 20U);
    EXPECT_EQ(denied.type, LockType4::WRITE);
    EXPECT_EQ(denied.owner.clientId, first);
    EXPECT_EQ(denied.owner.owner, ByteVector{1});

    Swap(other);
    FreeStateidArgs4 free;
    free.stateid = held;
    EXPECT_EQ(InSession({free}).results.status, Nfs4Status::LOCKS_HELD);
    LockuArgs4 unlock;
    unlock.lockStateid = held;
    unlock.offset = 10;
    unlock.length = 20;
    const auto unlocked = InSession({Put(m_file), unlock});
    EXPECT_EQ(Get<LockuRes4>(unlocked, 2).lockStateid.seqid, 2U);
    free.stateid.seqid = 0;
    EXPECT_EQ(InSession({free}).results.status, Nfs4Status::OK);
    TestStateidArgs4 valid;
    valid.stateids = {open, held};
    const auto states = InSession({valid});
    EXPECT_EQ(Get<TestStateidRes4>(states, 1).statusCodes,
              (std::vector<Nfs4Status>{Nfs4Status::OK, Nfs4Status::BAD_STATEID}));
    lock.length = 0;
    EXPECT_EQ(InSession({Put(m_file), lock}).results.status, Nfs4Status::INVAL);
}

} // namespace
} // namespace ns3::nfsrdma::test
