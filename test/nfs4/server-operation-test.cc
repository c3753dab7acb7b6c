/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs4/server-fixture.h"

#include "ns3/boolean.h"

#include <deque>

namespace ns3::nfsrdma::test
{
namespace
{

class Nfs4ServerOperations : public Nfs4ServerFixture
{
  protected:
    /// \return the statuses of all results.
    static std::vector<Nfs4Status> GetStatuses(const Answer& answer)
    {
        std::vector<Nfs4Status> statuses;
        for (const Nfs4ResOp& result : answer.results.ops)
        {
            statuses.push_back(GetStatus(result));
        }
        return statuses;
    }

    Answer OpenIt(const std::string& name, uint32_t access, const std::string& owner = "owner")
    {
        return InSession({Put(m_root), MakeOpen(name, access, owner), GetfhArgs4()});
    }

    Nfs4StateId GetOpenState(const Answer& opened)
    {
        EXPECT_EQ(opened.results.status, Nfs4Status::OK);
        return Get<OpenRes4>(opened, 2).stateid;
    }

    static ReadArgs4 MakeRead(uint64_t offset, uint32_t count)
    {
        ReadArgs4 read;
        read.offset = offset;
        read.count = count;
        return read;
    }

    WriteArgs4 MakeWrite(const Nfs4StateId& state, const ByteVector& octets)
    {
        WriteArgs4 write;
        write.stateid = state;
        write.data = Nfs3Data(m_written.emplace_back(octets));
        return write;
    }

    /// Another client takes the place of the mounted one.
    struct Mounted
    {
        Nfs4ClientId client;
        Nfs4SessionId session;
        uint32_t sequence;
    };

    Mounted Swap(const Mounted& other)
    {
        const Mounted now{m_client, m_session, m_sequence};
        m_client = other.client;
        m_session = other.session;
        m_sequence = other.sequence;
        return now;
    }

    Mounted MountOther()
    {
        const Mounted first{m_client, m_session, m_sequence};
        Mount("other");
        return Swap(first);
    }

    std::deque<ByteVector> m_written; ///< What MakeWrite()s point to.
};

// ---- order of operations ----

TEST_F(Nfs4ServerOperations, NullAndUnknownProcedures)
{
    auto call = std::make_shared<RpcServerCall>();
    RpcAcceptStatus status{RpcAcceptStatus::SYSTEM_ERR};
    const auto done = [&status](RpcServerReply&& reply) { status = reply.status; };
    m_server->Dispatch(call, done);
    EXPECT_EQ(status, RpcAcceptStatus::SUCCESS);
    call->header.procedure = 2;
    m_server->Dispatch(call, done);
    EXPECT_EQ(status, RpcAcceptStatus::PROC_UNAVAIL);
}

TEST_F(Nfs4ServerOperations, MinorVersions)
{
    m_minorVersion = 3;
    EXPECT_EQ(Call({PutrootfhArgs4()}).results.status, Nfs4Status::MINOR_VERS_MISMATCH);
    m_minorVersion = 0;
    EXPECT_EQ(Call({}).results.status, Nfs4Status::OK);
    const auto answer = Call({PutrootfhArgs4(), ReclaimCompleteArgs4()});
    EXPECT_EQ(answer.results.status, Nfs4Status::OP_ILLEGAL);
    EXPECT_EQ(answer.results.ops.size(), 2U);
}

TEST_F(Nfs4ServerOperations, WhatMayComeFirst)
{
    EXPECT_EQ(Call({PutrootfhArgs4()}).results.status, Nfs4Status::OP_NOT_IN_SESSION);
    EXPECT_EQ(Call({ExchangeIdArgs4(), PutrootfhArgs4()}).results.status, Nfs4Status::NOT_ONLY_OP);
    Mount();
    const auto twice = InSession({SequenceArgs4()});
    EXPECT_EQ(twice.results.status, Nfs4Status::SEQUENCE_POS);
    SequenceArgs4 stranger;
    EXPECT_EQ(Call({stranger}).results.status, Nfs4Status::BADSESSION);
}

TEST_F(Nfs4ServerOperations, TooManyOperations)
{
    Mount();
    std::vector<Nfs4ArgOp> ops(8, PutrootfhArgs4());
    EXPECT_EQ(InSession(ops).results.status, Nfs4Status::TOO_MANY_OPS);
    m_minorVersion = 0;
    ops.assign(51, PutrootfhArgs4());
    EXPECT_EQ(Call(ops).results.status, Nfs4Status::RESOURCE);
}

TEST_F(Nfs4ServerOperations, BadOperationIsAnsweredInItsPlace)
{
    Mount();
    Compound4Args args;
    args.minorVersion = 1;
    SequenceArgs4 sequence;
    sequence.sessionId = m_session;
    sequence.sequenceId = ++m_sequence;
    args.ops = {sequence, PutrootfhArgs4(), GetattrArgs4()};
    XdrWriter writer;
    args.Encode(writer);
    RpcReceivedMessage message;
    message.octets = writer.Take();
    message.octets.resize(message.octets.size() - 4);
    const auto answer = Dispatch(std::move(message));
    EXPECT_EQ(answer.accepted, RpcAcceptStatus::SUCCESS);
    EXPECT_EQ(GetStatuses(answer),
              (std::vector<Nfs4Status>{Nfs4Status::OK, Nfs4Status::OK, Nfs4Status::BADXDR}));
    RpcReceivedMessage cut;
    cut.octets = {0, 0, 0, 0, 0, 0};
    EXPECT_EQ(Dispatch(std::move(cut)).accepted, RpcAcceptStatus::GARBAGE_ARGS);
}

TEST_F(Nfs4ServerOperations, NoFilehandle)
{
    Mount();
    EXPECT_EQ(InSession({GetfhArgs4()}).results.status, Nfs4Status::NOFILEHANDLE);
    EXPECT_EQ(InSession({RestorefhArgs4()}).results.status, Nfs4Status::NOFILEHANDLE);
    EXPECT_EQ(InSession({GetDirDelegationArgs4()}).results.status, Nfs4Status::NOFILEHANDLE);
    EXPECT_EQ(InSession({PutrootfhArgs4(), WantDelegationArgs4()}).results.status,
              Nfs4Status::NOTSUPP);
}

// ---- slots and the reply cache ----

TEST_F(Nfs4ServerOperations, ReplayOfACachedReply)
{
    Mount();
    CreateArgs4 create;
    create.name = "made";
    const auto first = InSession({Put(m_root), create, GetfhArgs4()}, true);
    EXPECT_EQ(first.results.status, Nfs4Status::OK);
    --m_sequence;
    const auto again = InSession({Put(m_root), create, GetfhArgs4()}, true);
    EXPECT_EQ(again.payload.octets, first.payload.octets);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::CREATE), 1U) << "carried out once";
}

TEST_F(Nfs4ServerOperations, ReplayThatWasNotCached)
{
    Mount();
    InSession({Put(m_root), GetfhArgs4()});
    --m_sequence;
    const auto again = InSession({Put(m_root), GetfhArgs4()});
    EXPECT_EQ(GetStatuses(again),
              (std::vector<Nfs4Status>{Nfs4Status::OK, Nfs4Status::RETRY_UNCACHED_REP}));
    EXPECT_EQ(GetOp(again.results.ops[1]), Nfs4Op::PUTFH);
}

TEST_F(Nfs4ServerOperations, ReplyTooBig)
{
    ExchangeIdArgs4 exchange;
    exchange.ownerId = {1};
    const auto exchanged = Call({exchange});
    m_client = Get<ExchangeIdRes4>(exchanged, 0).clientId;
    CreateSessionArgs4 create = MakeCreateSession(1);
    create.fore.maxResponseSize = 300;
    create.fore.maxResponseSizeCached = 120;
    m_session = Get<CreateSessionRes4>(Call({create}), 0).sessionId;
    ASSERT_EQ(InSession({ReclaimCompleteArgs4()}).results.status, Nfs4Status::OK);

    GetattrArgs4 attributes;
    attributes.attrRequest = Nfs4Bitmap::FromWords({0x0010011a, 0x00b0a23a});
    const auto big = InSession({Put(m_root), attributes, attributes});
    EXPECT_EQ(big.results.status, Nfs4Status::REP_TOO_BIG);
    const auto cached = InSession({Put(m_root), attributes}, true);
    EXPECT_EQ(cached.results.status, Nfs4Status::REP_TOO_BIG_TO_CACHE);

    // An operation that changes something is not even begun.
    CreateArgs4 make;
    make.name = "never";
    const auto refused = InSession({Put(m_root), make}, true);
    EXPECT_EQ(refused.results.status, Nfs4Status::REP_TOO_BIG_TO_CACHE);
    EXPECT_FALSE(m_store->FindPath(m_root, "never"));

    // READ gives what fits.
    const auto read = InSession({Put(m_file), MakeRead(0, 4096)});
    EXPECT_EQ(read.results.status, Nfs4Status::OK);
    EXPECT_LE(24 + read.payload.GetLength(), 300U);
    EXPECT_GT(Get<ReadRes4>(read, 2).data.length, 100U);
}

TEST_F(Nfs4ServerOperations, RequestTooBig)
{
    ExchangeIdArgs4 exchange;
    exchange.ownerId = {1};
    m_client = Get<ExchangeIdRes4>(Call({exchange}), 0).clientId;
    CreateSessionArgs4 create = MakeCreateSession(1);
    create.fore.maxRequestSize = 200;
    m_session = Get<CreateSessionRes4>(Call({create}), 0).sessionId;
    LookupArgs4 lookup;
    lookup.name.assign(200, 'n');
    EXPECT_EQ(InSession({PutrootfhArgs4(), lookup}).results.status, Nfs4Status::REQ_TOO_BIG);
}

// ---- names ----

TEST_F(Nfs4ServerOperations, WalkFromThePseudoRoot)
{
    Mount();
    LookupArgs4 exported;
    exported.name = "export";
    LookupArgs4 file;
    file.name = "file";
    const auto found = InSession({PutrootfhArgs4(), exported, file, GetfhArgs4()});
    EXPECT_EQ(Get<GetfhRes4>(found, 4).object, GetHandle(m_file));
    const auto up = InSession({Put(m_dir), LookuppArgs4(), LookuppArgs4(), GetfhArgs4()});
    const Nfs4Fh root = Get<GetfhRes4>(up, 4).object;
    EXPECT_EQ(root.length, 8U);
    EXPECT_EQ(InSession({PutrootfhArgs4(), LookuppArgs4()}).results.status, Nfs4Status::NOENT);
    for (const auto& [name, status] : std::vector<std::pair<std::string, Nfs4Status>>{
             {"", Nfs4Status::INVAL},
             {"..", Nfs4Status::BADNAME},
             {"a/b", Nfs4Status::BADNAME},
             {std::string(256, 'x'), Nfs4Status::NAMETOOLONG},
             {"absent", Nfs4Status::NOENT}})
    {
        LookupArgs4 lookup;
        lookup.name = name;
        EXPECT_EQ(InSession({Put(m_root), lookup}).results.status, status) << name;
    }
    LookupArgs4 any;
    any.name = "x";
    EXPECT_EQ(InSession({Put(m_link), any}).results.status, Nfs4Status::SYMLINK);
    EXPECT_EQ(InSession({Put(m_file), any}).results.status, Nfs4Status::NOTDIR);
}

TEST_F(Nfs4ServerOperations, PseudoRootIsReadOnly)
{
    Mount();
    CreateArgs4 create;
    create.name = "x";
    EXPECT_EQ(InSession({PutrootfhArgs4(), create}).results.status, Nfs4Status::ROFS);
    ReaddirArgs4 readdir;
    readdir.maxcount = 4096;
    const auto listed = InSession({PutrootfhArgs4(), readdir});
    ASSERT_EQ(Get<ReaddirRes4>(listed, 2).entries.size(), 1U);
    EXPECT_EQ(Get<ReaddirRes4>(listed, 2).entries.front().name, "export");
}

TEST_F(Nfs4ServerOperations, CreateRenameLinkRemove)
{
    Mount();
    CreateArgs4 create;
    create.name = "new";
    create.attributes.mode = 0700;
    const auto made = InSession({Put(m_dir), create, GetfhArgs4()});
    ASSERT_EQ(made.results.status, Nfs4Status::OK);
    const auto& info = Get<CreateRes4>(made, 2).changeInfo;
    EXPECT_TRUE(info.atomic);
    EXPECT_GT(info.after, info.before);
    const auto number = m_store->FindPath(m_dir, "new");
    ASSERT_TRUE(number);
    EXPECT_EQ(m_store->Get(*number).attributes.mode, 0700U);

    RenameArgs4 rename;
    rename.oldName = "new";
    rename.newName = "moved";
    const auto moved = InSession({Put(m_dir), SavefhArgs4(), Put(m_root), rename});
    EXPECT_EQ(moved.results.status, Nfs4Status::OK);
    EXPECT_GT(Get<RenameRes4>(moved, 4).targetChangeInfo.after,
              Get<RenameRes4>(moved, 4).targetChangeInfo.before);
    LinkArgs4 link;
    link.newName = "again";
    EXPECT_EQ(InSession({Put(m_file), SavefhArgs4(), Put(m_dir), link}).results.status,
              Nfs4Status::OK);
    RemoveArgs4 remove;
    remove.target = "dir";
    EXPECT_EQ(InSession({Put(m_root), remove}).results.status, Nfs4Status::NOTEMPTY);
    remove.target = "moved";
    EXPECT_EQ(InSession({Put(m_root), remove}).results.status, Nfs4Status::OK);
    create.type = Ftype4::REG;
    EXPECT_EQ(InSession({Put(m_root), create}).results.status, Nfs4Status::BADTYPE);
}

TEST_F(Nfs4ServerOperations, ReaddirInPieces)
{
    for (int i = 0; i < 40; ++i)
    {
        m_store->AddFile(m_dir, "entry" + std::to_string(i), 0);
    }
    Mount();
    ReaddirArgs4 readdir;
    readdir.maxcount = 500;
    readdir.attrRequest = MakeAttrMask({Nfs4Attr::FILEID});
    std::size_t entries = 0;
    for (bool eof = false; !eof;)
    {
        const auto answer = InSession({Put(m_dir), readdir});
        ASSERT_EQ(answer.results.status, Nfs4Status::OK);
        const auto& listed = Get<ReaddirRes4>(answer, 2);
        XdrWriter writer;
        Nfs4Encoder encoder(writer);
        encoder(listed);
        EXPECT_LE(writer.GetSize() - 4, 500U);
        entries += listed.entries.size();
        eof = listed.eof;
        ASSERT_FALSE(listed.entries.empty());
        readdir.cookie = listed.entries.back().cookie;
    }
    EXPECT_EQ(entries, 40U);
    readdir.cookie = 0;
    readdir.maxcount = 20;
    EXPECT_EQ(InSession({Put(m_dir), readdir}).results.status, Nfs4Status::TOOSMALL);
    readdir.cookie = 2;
    EXPECT_EQ(InSession({Put(m_dir), readdir}).results.status, Nfs4Status::BAD_COOKIE);
}

// ---- attributes ----

TEST_F(Nfs4ServerOperations, ChangeCountsEachChange)
{
    Mount();
    GetattrArgs4 change;
    change.attrRequest = MakeAttrMask({Nfs4Attr::CHANGE});
    SetattrArgs4 set;
    set.attributes.mode = 0600;
    const auto answer = InSession({Put(m_file), change, set, change});
    ASSERT_EQ(answer.results.status, Nfs4Status::OK);
    EXPECT_GT(*Get<GetattrRes4>(answer, 4).attributes.change,
              *Get<GetattrRes4>(answer, 2).attributes.change);
}

TEST_F(Nfs4ServerOperations, SetattrErrors)
{
    Mount();
    SetattrArgs4 set;
    set.attributes.hidden = true;
    EXPECT_EQ(InSession({Put(m_file), set}).results.status, Nfs4Status::ATTRNOTSUPP);
    set.attributes = {};
    set.attributes.numLinks = 3;
    EXPECT_EQ(InSession({Put(m_file), set}).results.status, Nfs4Status::INVAL);
    set.attributes = {};
    set.attributes.owner = "somebody";
    EXPECT_EQ(InSession({Put(m_file), set}).results.status, Nfs4Status::BADOWNER);
    set.attributes = {};
    set.attributes.size = 5;
    EXPECT_EQ(InSession({Put(m_dir), set}).results.status, Nfs4Status::ISDIR);
    EXPECT_EQ(InSession({Put(m_file), set}).results.status, Nfs4Status::OK);
    EXPECT_EQ(m_store->Get(m_file).attributes.size, 5U);
}

TEST_F(Nfs4ServerOperations, VerifyAndNverify)
{
    Mount();
    VerifyArgs4 verify;
    verify.attributes.size = 10000;
    NverifyArgs4 nverify;
    nverify.attributes = verify.attributes;
    EXPECT_EQ(InSession({Put(m_file), verify}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), nverify}).results.status, Nfs4Status::SAME);
    verify.attributes.size = 1;
    EXPECT_EQ(InSession({Put(m_file), verify}).results.status, Nfs4Status::NOT_SAME);
}

// ---- bulk items ----

TEST_F(Nfs4ServerOperations, ItemsOfSeveralReadsStayInTheirPlaces)
{
    Mount();
    const auto answer = InSession({Put(m_file),
                                   MakeRead(0, 100),
                                   MakeRead(20000, 100),
                                   MakeRead(9990, 100),
                                   Put(m_link),
                                   ReadlinkArgs4()});
    ASSERT_EQ(answer.results.status, Nfs4Status::OK);
    ASSERT_EQ(answer.payload.items.size(), 4U);
    const std::vector<uint32_t> lengths{100, 0, 10, 10};
    for (std::size_t i = 0; i < lengths.size(); ++i)
    {
        EXPECT_EQ(answer.payload.items[i].length, lengths[i]) << i;
        EXPECT_TRUE(answer.payload.items[i].ddpEligible);
        if (i > 0)
        {
            EXPECT_GT(answer.payload.items[i].offset, answer.payload.items[i - 1].offset);
        }
    }
    EXPECT_TRUE(Get<ReadRes4>(answer, 2).data.reduced);
    EXPECT_FALSE(Get<ReadRes4>(answer, 3).data.reduced);
    EXPECT_TRUE(Get<ReadRes4>(answer, 3).eof);
    EXPECT_EQ(Get<ReadRes4>(answer, 4).data.length, 10U);
    ByteVector link(10);
    answer.payload.items[3].owner->Read(0, link);
    EXPECT_EQ(std::string(link.begin(), link.end()), "dir/target");
}

TEST_F(Nfs4ServerOperations, FailedReadLeavesItsChunkUnused)
{
    Mount();
    const auto answer = InSession({Put(m_file), MakeRead(0, 8), Put(m_dir), MakeRead(0, 8)});
    EXPECT_EQ(answer.results.status, Nfs4Status::ISDIR);
    ASSERT_EQ(answer.payload.items.size(), 2U);
    EXPECT_EQ(answer.payload.items[1].length, 0U);
    EXPECT_EQ(answer.payload.items[1].offset, answer.payload.octets.size());
}

TEST_F(Nfs4ServerOperations, ReducedItemsOfCalls)
{
    Mount();
    const auto opened = OpenIt("file", SHARE_WRITE);
    const ByteVector octets(5000, 7);
    auto buffer = std::make_shared<HostBuffer>(m_memory, 5000);
    buffer->Write(0, octets);

    Compound4Args args;
    args.minorVersion = 1;
    SequenceArgs4 sequence;
    sequence.sessionId = m_session;
    sequence.sequenceId = ++m_sequence;
    WriteArgs4 write;
    write.stateid = GetOpenState(opened);
    write.offset = 100;
    write.data = Nfs3Data::Reduced(5000);
    args.ops = {sequence, Put(m_file), write};
    XdrWriter writer;
    std::vector<uint32_t> reducedAt;
    args.Encode(writer, &reducedAt);
    RpcReceivedMessage message;
    message.octets = writer.Take();
    message.items.push_back({reducedAt.at(0), buffer->GetAddress(), 5000, buffer});
    RpcReceivedMessage misplaced = message;
    const auto written = Dispatch(std::move(message));
    EXPECT_EQ(written.results.status, Nfs4Status::OK);
    ByteVector content(5000);
    m_store->ReadContent(m_file, 100, content);
    EXPECT_EQ(content, octets);

    misplaced.items.front().position += 4;
    EXPECT_EQ(Dispatch(std::move(misplaced)).accepted, RpcAcceptStatus::GARBAGE_ARGS);
    EXPECT_EQ(m_server->GetGarbageCalls(), 1U);
}

// ---- opens ----

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

// ---- delegations ----

class Nfs4ServerDelegations : public Nfs4ServerOperations
{
  protected:
    OpenDelegation4 GetDelegation(uint32_t want)
    {
        const auto opened = OpenIt("file", SHARE_READ | want);
        EXPECT_EQ(opened.results.status, Nfs4Status::OK);
        return Get<OpenRes4>(opened, 2).delegation;
    }

    /// What the client answers to CB_RECALL.
    ByteVector MakeRecallAnswer(Nfs4Status status)
    {
        CbCompound4Res results;
        results.status = status;
        CbSequenceRes4 sequence;
        sequence.sessionId = m_session;
        CbRecallRes4 recall;
        recall.status = status;
        results.ops = {sequence, recall};
        XdrWriter writer;
        results.Encode(writer);
        return writer.Take();
    }
};

TEST_F(Nfs4ServerDelegations, Wants)
{
    Mount();
    EXPECT_EQ(GetDelegation(OPEN4_SHARE_ACCESS_WANT_NO_DELEG).why, WhyNoDelegation4::NOT_WANTED);
    EXPECT_EQ(GetDelegation(0).type, OpenDelegationType4::READ);
    const auto again = GetDelegation(OPEN4_SHARE_ACCESS_WANT_READ_DELEG);
    EXPECT_EQ(again.type, OpenDelegationType4::NONE_EXT);
    EXPECT_EQ(again.why, WhyNoDelegation4::CONTENTION);
}

TEST_F(Nfs4ServerDelegations, RecallAndReturn)
{
    Mount();
    Mounted other = MountOther();
    const OpenDelegation4 delegation = GetDelegation(0);
    ASSERT_EQ(delegation.type, OpenDelegationType4::READ);

    other = Swap(other);
    EXPECT_EQ(OpenIt("file", SHARE_WRITE).results.status, Nfs4Status::DELAY);
    EXPECT_EQ(OpenIt("file", SHARE_WRITE).results.status, Nfs4Status::DELAY);
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    ASSERT_EQ(m_transport->GetPending(), 1U) << "recalled once";
    EXPECT_EQ(m_transport->GetCall(0).octets.size(), 168U)
        << "as captured: 68 of header, 100 of CB_COMPOUND";
    other = Swap(other);
    m_transport->Answer(MakeRecallAnswer(Nfs4Status::OK));

    DelegreturnArgs4 giveBack;
    giveBack.stateid = delegation.stateid;
    EXPECT_EQ(InSession({Put(m_file), giveBack}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), giveBack}).results.status, Nfs4Status::BAD_STATEID);
    Swap(other);
    EXPECT_EQ(OpenIt("file", SHARE_WRITE).results.status, Nfs4Status::OK);
}

TEST_F(Nfs4ServerDelegations, RemovalWaitsForTheReturn)
{
    Mount();
    const Mounted other = MountOther();
    GetDelegation(0);
    Swap(other);
    RemoveArgs4 remove;
    remove.target = "file";
    EXPECT_EQ(InSession({Put(m_root), remove}).results.status, Nfs4Status::DELAY);
    EXPECT_TRUE(m_store->FindPath(m_root, "file"));
}

TEST_F(Nfs4ServerDelegations, RevokedAfterALease)
{
    Mount();
    const Mounted other = MountOther();
    const OpenDelegation4 delegation = GetDelegation(0);
    const Mounted holder = Swap(other);
    EXPECT_EQ(OpenIt("file", SHARE_WRITE).results.status, Nfs4Status::DELAY);
    const auto renew = [this] { InSession({}); };
    Simulator::Schedule(Seconds(60), renew);
    Mounted renewed = holder;
    Simulator::Schedule(Seconds(61), [&] {
        renewed = Swap(renewed);
        InSession({});
        renewed = Swap(renewed);
    });
    Simulator::Schedule(Seconds(91), [&] {
        m_sequence += 0;
        EXPECT_EQ(OpenIt("file", SHARE_WRITE).results.status, Nfs4Status::OK);
        renewed = Swap(renewed);
        const auto sequence = InSession({});
        EXPECT_EQ(Get<SequenceRes4>(sequence, 0).statusFlags, SEQ4_STATUS_RECALLABLE_STATE_REVOKED);
        ReadArgs4 read = MakeRead(0, 1);
        read.stateid = delegation.stateid;
        EXPECT_EQ(InSession({Put(m_file), read}).results.status, Nfs4Status::DELEG_REVOKED);
        FreeStateidArgs4 free;
        free.stateid = delegation.stateid;
        EXPECT_EQ(InSession({free}).results.status, Nfs4Status::OK);
        EXPECT_EQ(Get<SequenceRes4>(InSession({}), 0).statusFlags, 0U);
    });
    Simulator::Run();
}

TEST_F(Nfs4ServerDelegations, LostCallbackPath)
{
    Mount();
    GetDelegation(0);
    EXPECT_TRUE(m_server->BreakDelegations(m_file));
    Simulator::Run();
    m_transport->Lose();
    Simulator::Run();
    EXPECT_EQ(Get<SequenceRes4>(InSession({}), 0).statusFlags, SEQ4_STATUS_CB_PATH_DOWN);
}

TEST_F(Nfs4ServerDelegations, ClientThatIsBusyIsAskedAgain)
{
    Mount();
    GetDelegation(0);
    m_server->BreakDelegations(m_file);
    Simulator::Run();
    m_transport->Answer(MakeRecallAnswer(Nfs4Status::DELAY));
    EXPECT_EQ(m_transport->GetPending(), 0U);
    Simulator::Run();
    EXPECT_GE(Simulator::Now(), Seconds(2));
    EXPECT_EQ(m_transport->GetPending(), 1U);
}

// ---- leases, restart ----

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

// ---- NFSv4.0 ----

class Nfs40Server : public Nfs4ServerOperations
{
  protected:
    void SetUp() override
    {
        Nfs4ServerOperations::SetUp();
        m_minorVersion = 0;
    }

    void Identify()
    {
        SetclientidArgs4 set;
        set.id = {1};
        set.cbProgram = NFS4_CALLBACK_PROGRAM;
        set.cbLocation = {"tcp", "10.0.0.2.128.0"};
        const auto answer = Call({set});
        const auto& results = Get<SetclientidRes4>(answer, 0);
        SetclientidConfirmArgs4 confirm;
        confirm.clientId = results.clientId;
        confirm.confirm = results.confirm;
        ASSERT_EQ(Call({confirm}).results.status, Nfs4Status::OK);
        m_client = results.clientId;
    }

    Answer Open40(uint32_t seqid, uint32_t access = SHARE_READ)
    {
        OpenArgs4 open = MakeOpen("file", access);
        open.seqid = seqid;
        return Call({Put(m_root), open, GetfhArgs4()});
    }

    Answer Confirm(const Nfs4StateId& state, uint32_t seqid)
    {
        OpenConfirmArgs4 confirm;
        confirm.openStateid = state;
        confirm.seqid = seqid;
        return Call({Put(m_file), confirm});
    }
};

TEST_F(Nfs40Server, OpenConfirmCloseInOrder)
{
    Identify();
    const auto opened = Open40(7);
    const auto& open = Get<OpenRes4>(opened, 1);
    EXPECT_EQ(open.rflags, OPEN4_RESULT_CONFIRM | OPEN4_RESULT_LOCKTYPE_POSIX);
    ReadArgs4 read = MakeRead(0, 1);
    read.stateid = open.stateid;
    EXPECT_EQ(Call({Put(m_file), read}).results.status, Nfs4Status::BAD_STATEID);
    const auto confirmed = Confirm(open.stateid, 8);
    ASSERT_EQ(confirmed.results.status, Nfs4Status::OK);
    read.stateid = Get<OpenConfirmRes4>(confirmed, 1).openStateid;
    EXPECT_EQ(read.stateid.seqid, 2U);
    EXPECT_EQ(Call({Put(m_file), read}).results.status, Nfs4Status::OK);
    read.stateid.seqid = 1;
    EXPECT_EQ(Call({Put(m_file), read}).results.status, Nfs4Status::OLD_STATEID);

    CloseArgs4 close;
    close.openStateid = Get<OpenConfirmRes4>(confirmed, 1).openStateid;
    close.seqid = 12;
    EXPECT_EQ(Call({Put(m_file), close}).results.status, Nfs4Status::BAD_SEQID);
    close.seqid = 9;
    EXPECT_EQ(Call({Put(m_file), close}).results.status, Nfs4Status::OK);
    read.stateid.other[0] ^= 1;
    EXPECT_EQ(Call({Put(m_file), read}).results.status, Nfs4Status::STALE_STATEID);
}

TEST_F(Nfs40Server, RepeatedSeqidGetsTheSameReply)
{
    Identify();
    const auto opened = Open40(7);
    const auto confirmed = Confirm(Get<OpenRes4>(opened, 1).stateid, 8);
    const auto again = Confirm(Get<OpenRes4>(opened, 1).stateid, 8);
    EXPECT_EQ(again.payload.octets, confirmed.payload.octets);
    const auto upgraded = Open40(9, SHARE_WRITE);
    const auto repeated = Open40(9, SHARE_WRITE);
    EXPECT_EQ(Get<OpenRes4>(repeated, 1).stateid, Get<OpenRes4>(upgraded, 1).stateid);
    EXPECT_EQ(Open40(12).results.status, Nfs4Status::BAD_SEQID);
}

TEST_F(Nfs40Server, DelegationNeedsAWorkingCallbackPath)
{
    Identify();
    Simulator::Run();
    ASSERT_EQ(m_transport->GetPending(), 1U) << "CB_NULL";
    const auto before = Open40(1);
    Confirm(Get<OpenRes4>(before, 1).stateid, 2);
    EXPECT_EQ(Get<OpenRes4>(Open40(3), 1).delegation.type, OpenDelegationType4::NONE);
    m_transport->Answer({});
    Simulator::Run();
    EXPECT_EQ(Get<OpenRes4>(Open40(4), 1).delegation.type, OpenDelegationType4::READ);
    m_server->BreakDelegations(m_file);
    Simulator::Run();
    EXPECT_EQ(m_transport->GetPending(), 1U) << "CB_RECALL";
}

TEST_F(Nfs40Server, ExpiredAndStaleClients)
{
    Identify();
    RenewArgs4 renew;
    renew.clientId = m_client;
    EXPECT_EQ(Call({renew}).results.status, Nfs4Status::OK);
    Simulator::Schedule(Seconds(95),
                        [&] { EXPECT_EQ(Call({renew}).results.status, Nfs4Status::EXPIRED); });
    Simulator::Run();
    renew.clientId ^= uint64_t{1} << 40;
    EXPECT_EQ(Call({renew}).results.status, Nfs4Status::STALE_CLIENTID);
    m_minorVersion = 1;
    Mount();
    EXPECT_EQ(InSession({renew}).results.status, Nfs4Status::NOTSUPP);
}

TEST_F(Nfs40Server, DuplicatesThatChangeSomethingAreToBeKept)
{
    const auto isIdempotent = [this](std::vector<Nfs4ArgOp> ops, uint32_t minorVersion) {
        Compound4Args args;
        args.minorVersion = minorVersion;
        args.ops = std::move(ops);
        XdrWriter writer;
        args.Encode(writer);
        RpcCallHeader header;
        header.procedure = 1;
        RpcReceivedMessage message;
        message.octets = writer.Take();
        return m_server->IsIdempotentCall(header, message, 0);
    };
    EXPECT_TRUE(isIdempotent({PutrootfhArgs4(), GetattrArgs4()}, 0));
    EXPECT_FALSE(isIdempotent({PutrootfhArgs4(), RemoveArgs4()}, 0));
    EXPECT_TRUE(isIdempotent({PutrootfhArgs4(), RemoveArgs4()}, 1));
}

// ---- NFSv4.2 ----

class Nfs42Server : public Nfs4ServerOperations
{
  protected:
    void SetUp() override
    {
        Nfs4ServerOperations::SetUp();
        m_minorVersion = 2;
        Mount();
        m_open = GetOpenState(OpenIt("file", SHARE_BOTH | OPEN4_SHARE_ACCESS_WANT_NO_DELEG));
    }

    Answer Seek(uint64_t offset, DataContent4 what)
    {
        SeekArgs4 seek;
        seek.stateid = m_open;
        seek.offset = offset;
        seek.what = what;
        return InSession({Put(m_file), seek});
    }

    Nfs4StateId m_open;
};

TEST_F(Nfs42Server, AllocateDeallocateSeek)
{
    AllocateArgs4 allocate;
    allocate.stateid = m_open;
    allocate.offset = 100000;
    allocate.length = 31072;
    EXPECT_EQ(InSession({Put(m_file), allocate}).results.status, Nfs4Status::OK);
    EXPECT_EQ(m_store->Get(m_file).attributes.size, 131072U);
    EXPECT_EQ(Seek(0, DataContent4::DATA).results.status, Nfs4Status::NXIO);
    WriteArgs4 write = MakeWrite(m_open, ByteVector(8192, 1));
    write.offset = 65536;
    EXPECT_EQ(InSession({Put(m_file), write}).results.status, Nfs4Status::OK);
    EXPECT_EQ(Get<SeekRes4>(Seek(0, DataContent4::DATA), 2).offset, 65536U);
    EXPECT_EQ(Get<SeekRes4>(Seek(65536, DataContent4::HOLE), 2).offset, 73728U);
    DeallocateArgs4 deallocate;
    deallocate.stateid = m_open;
    deallocate.offset = 65536;
    deallocate.length = 4096;
    EXPECT_EQ(InSession({Put(m_file), deallocate}).results.status, Nfs4Status::OK);
    EXPECT_EQ(Get<SeekRes4>(Seek(0, DataContent4::DATA), 2).offset, 69632U);
    EXPECT_EQ(Seek(131072, DataContent4::HOLE).results.status, Nfs4Status::NXIO);
}

TEST_F(Nfs42Server, ReadPlusIsOneSegmentOfData)
{
    ReadPlusArgs4 read;
    read.stateid = m_open;
    read.offset = 9000;
    read.count = 4096;
    const auto answer = InSession({Put(m_file), read});
    const auto& results = Get<ReadPlusRes4>(answer, 2);
    ASSERT_EQ(results.contents.size(), 1U);
    EXPECT_EQ(results.contents[0].data.size(), 1000U);
    EXPECT_TRUE(results.eof);
    EXPECT_TRUE(answer.payload.items.empty()) << "not DDP-eligible";
}

TEST_F(Nfs42Server, CopyAndClone)
{
    const ByteVector octets(3000, 5);
    ASSERT_EQ(InSession({Put(m_file), MakeWrite(m_open, octets)}).results.status, Nfs4Status::OK);
    OpenArgs4 open = MakeOpen("copy", SHARE_BOTH | OPEN4_SHARE_ACCESS_WANT_NO_DELEG);
    open.create.emplace();
    const auto made = InSession({Put(m_root), open});
    const auto copy = m_store->FindPath(m_root, "copy");
    ASSERT_TRUE(copy);
    CopyArgs4 args;
    args.srcStateid = m_open;
    args.dstStateid = Get<OpenRes4>(made, 2).stateid;
    const auto copied = InSession({Put(m_file), SavefhArgs4(), Put(*copy), args});
    ASSERT_EQ(copied.results.status, Nfs4Status::OK);
    EXPECT_EQ(Get<CopyRes4>(copied, 4).response.count, 10000U);
    EXPECT_TRUE(Get<CopyRes4>(copied, 4).synchronous);
    ByteVector content(3000);
    m_store->ReadContent(*copy, 0, content);
    EXPECT_EQ(content, octets);
    CloneArgs4 clone;
    clone.srcStateid = args.srcStateid;
    clone.dstStateid = args.dstStateid;
    EXPECT_EQ(InSession({Put(m_file), SavefhArgs4(), Put(*copy), clone}).results.status,
              Nfs4Status::NOTSUPP);
    m_server->SetAttribute("Reflinks", BooleanValue(true));
    EXPECT_EQ(InSession({Put(m_file), SavefhArgs4(), Put(*copy), clone}).results.status,
              Nfs4Status::OK);
    OffloadStatusArgs4 status;
    EXPECT_EQ(InSession({Put(m_file), status}).results.status, Nfs4Status::BAD_STATEID);
}

TEST_F(Nfs42Server, Xattrs)
{
    SetxattrArgs4 set;
    set.name = "colour";
    set.value = {'r', 'e', 'd'};
    set.option = SetXattrOption4::REPLACE;
    EXPECT_EQ(InSession({Put(m_file), set}).results.status, Nfs4Status::NOXATTR);
    set.option = SetXattrOption4::CREATE;
    EXPECT_EQ(InSession({Put(m_file), set}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), set}).results.status, Nfs4Status::EXIST);
    GetxattrArgs4 get;
    get.name = "colour";
    EXPECT_EQ(Get<GetxattrRes4>(InSession({Put(m_file), get}), 2).value, set.value);
    ListxattrsArgs4 list;
    list.maxcount = 4096;
    const auto listed = InSession({Put(m_file), list});
    EXPECT_EQ(Get<ListxattrsRes4>(listed, 2).names, std::vector<std::string>{"colour"});
    EXPECT_TRUE(Get<ListxattrsRes4>(listed, 2).eof);
    list.maxcount = 20;
    EXPECT_EQ(InSession({Put(m_file), list}).results.status, Nfs4Status::TOOSMALL);
    RemovexattrArgs4 remove;
    remove.name = "colour";
    EXPECT_EQ(InSession({Put(m_file), remove}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), get}).results.status, Nfs4Status::NOXATTR);
}

TEST_F(Nfs42Server, WhatNfsdDoesNotDo)
{
    EXPECT_EQ(InSession({Put(m_file), IoAdviseArgs4()}).results.status, Nfs4Status::NOTSUPP);
    EXPECT_EQ(InSession({Put(m_file), LayoutstatsArgs4()}).results.status, Nfs4Status::NOTSUPP);
    EXPECT_EQ(InSession({Put(m_file), WriteSameArgs4()}).results.status, Nfs4Status::NOTSUPP);
}

// ---- layouts ----

TEST_F(Nfs4ServerOperations, Layouts)
{
    Mount();
    LayoutgetArgs4 get;
    get.stateid = GetOpenState(OpenIt("file", SHARE_READ));
    get.length = NFS4_UINT64_MAX;
    get.maxcount = 4096;
    EXPECT_EQ(InSession({Put(m_file), get}).results.status, Nfs4Status::LAYOUTUNAVAILABLE);
    m_server->SetAttribute("Layouts", BooleanValue(true));
    const auto got = InSession({Put(m_file), get});
    ASSERT_EQ(got.results.status, Nfs4Status::OK);
    const auto& layout = Get<LayoutgetRes4>(got, 2);
    ASSERT_EQ(layout.layouts.size(), 1U);
    // Device, util, first stripe, pattern offset, one handle of 16 octets.
    EXPECT_EQ(layout.layouts[0].content.body.size(), 16U + 4 + 4 + 8 + 4 + 4 + 16);
    GetdeviceinfoArgs4 device;
    std::copy(layout.layouts[0].content.body.begin(),
              layout.layouts[0].content.body.begin() + NFS4_DEVICEID4_SIZE,
              device.deviceId.begin());
    device.maxcount = 16;
    const auto small = InSession({device});
    EXPECT_EQ(small.results.status, Nfs4Status::TOOSMALL);
    device.maxcount = Get<GetdeviceinfoRes4>(small, 1).mincount;
    EXPECT_EQ(InSession({device}).results.status, Nfs4Status::OK);
    LayoutreturnArgs4 giveBack;
    giveBack.stateid = layout.stateid;
    giveBack.length = NFS4_UINT64_MAX;
    EXPECT_EQ(InSession({Put(m_file), giveBack}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), giveBack}).results.status, Nfs4Status::BAD_STATEID);
}

} // namespace
} // namespace ns3::nfsrdma::test
