/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/golden-messages.h"
#include "nfs/nfs3-loop.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma::test
{

namespace
{

constexpr uint32_t REPLY_HEADER = RpcReplyHeader::ACCEPTED_SIZE;

ByteVector
Pattern(std::size_t length)
{
    ByteVector octets(length);
    for (std::size_t i = 0; i < length; ++i)
    {
        octets[i] = static_cast<uint8_t>(i * 7 + i / 251 + 1);
    }
    return octets;
}

template <typename Result>
std::string
HexOf(const Result& result)
{
    constexpr std::string_view DIGITS = "0123456789abcdef";
    XdrWriter writer;
    EncodeXdr(writer, result);
    std::string hex;
    for (const uint8_t octet : writer.GetOctets())
    {
        hex += DIGITS[octet >> 4];
        hex += DIGITS[octet & 15];
    }
    return hex;
}

std::string
GoldenReply(Nfs3Procedure procedure)
{
    for (const auto& message : GOLDEN_MESSAGES)
    {
        if (message.procedure == procedure && message.isReply)
        {
            return message.hex;
        }
    }
    return "";
}

} // namespace

TEST_F(Nfs3Loop, NullAnswersNothing)
{
    Await<Null3Res>([&](auto completion) { m_client->Call(Null3Args(), completion); });
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(m_transport->GetLastReplyLength(), REPLY_HEADER);
    EXPECT_EQ(m_server->GetCalls(Nfs3Procedure::NULLPROC), 1U);
}

TEST_F(Nfs3Loop, GetattrTellsAttributes)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 5001, {0640, 7, 8});
    const auto result = Do(Getattr3Args{HandleOf(file)});
    EXPECT_EQ(result.status, Nfs3Status::OK);
    EXPECT_EQ(m_transport->GetLastReplyLength(), REPLY_HEADER + 88);
    EXPECT_EQ(result.attributes.type, Ftype3::REG);
    EXPECT_EQ(result.attributes.mode, 0640U);
    EXPECT_EQ(result.attributes.nlink, 1U);
    EXPECT_EQ(result.attributes.uid, 7U);
    EXPECT_EQ(result.attributes.gid, 8U);
    EXPECT_EQ(result.attributes.size, 5001U);
    EXPECT_EQ(result.attributes.fileid, file);
    EXPECT_EQ(result.attributes.fsid, 1U);

    const auto root = Do(Getattr3Args{m_rootHandle});
    EXPECT_EQ(root.attributes.type, Ftype3::DIR);
    EXPECT_EQ(root.attributes.nlink, 2U);
}

TEST_F(Nfs3Loop, HandlesThatAreBadOrStale)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 1);
    const NfsFh3 handle = HandleOf(file);
    NfsFh3 bad = handle;
    bad.octets[0] = 9;
    EXPECT_EQ(Do(Getattr3Args{bad}).status, Nfs3Status::BADHANDLE);
    EXPECT_EQ(m_transport->GetLastReplyLength(), REPLY_HEADER + 4);
    EXPECT_EQ(Do(Getattr3Args{NfsFh3()}).status, Nfs3Status::BADHANDLE);
    NfsFh3 unknownFsid = handle;
    unknownFsid.octets[4] = 77;
    EXPECT_EQ(Do(Getattr3Args{unknownFsid}).status, Nfs3Status::STALE);

    EXPECT_EQ(Do(Remove3Args{{m_rootHandle, "f"}}).status, Nfs3Status::OK);
    EXPECT_EQ(Do(Getattr3Args{handle}).status, Nfs3Status::STALE);
    const InodeNumber again = m_store->AddFile(m_root, "g", 1);
    EXPECT_EQ(again, file) << "the number is used again";
    EXPECT_EQ(Do(Getattr3Args{handle}).status, Nfs3Status::STALE);
    EXPECT_EQ(Do(Getattr3Args{HandleOf(again)}).status, Nfs3Status::OK);
}

TEST_F(Nfs3Loop, SetattrChangesWhatItNames)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 100);
    Setattr3Args args;
    args.object = HandleOf(file);
    args.attributes.mode = 0600;
    args.attributes.uid = 5;
    args.attributes.gid = 6;
    args.attributes.size = 50;
    args.attributes.atime = {TimeHow::SET_TO_CLIENT_TIME, {1000, 1}};
    args.attributes.mtime = {TimeHow::SET_TO_CLIENT_TIME, {2000, 2}};
    const auto result = Do(args);
    EXPECT_EQ(result.status, Nfs3Status::OK);
    EXPECT_EQ(m_transport->GetLastReplyLength(), 144U);
    ASSERT_TRUE(result.wcc.before);
    EXPECT_EQ(result.wcc.before->size, 100U);
    ASSERT_TRUE(result.wcc.after);
    EXPECT_EQ(result.wcc.after->size, 50U);
    EXPECT_EQ(result.wcc.after->mode, 0600U);
    EXPECT_EQ(result.wcc.after->uid, 5U);
    EXPECT_EQ(result.wcc.after->gid, 6U);
    EXPECT_EQ(result.wcc.after->atime, (NfsTime3{1000, 1}));
    EXPECT_EQ(result.wcc.after->mtime, (NfsTime3{2000, 2}));

    args.attributes = Sattr3();
    const auto nothing = Do(args);
    EXPECT_EQ(nothing.status, Nfs3Status::OK);
    EXPECT_FALSE(nothing.wcc.before);
    EXPECT_TRUE(nothing.wcc.after);
}

TEST_F(Nfs3Loop, SetattrGuardIsTheCtime)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 100);
    Setattr3Args args;
    args.object = HandleOf(file);
    args.attributes.size = 0;
    args.guard = NfsTime3{1, 1};
    const auto refused = Do(args);
    EXPECT_EQ(refused.status, Nfs3Status::NOT_SYNC);
    EXPECT_FALSE(refused.wcc.before);
    EXPECT_TRUE(refused.wcc.after);
    args.guard = m_store->Get(file).attributes.ctime;
    EXPECT_EQ(Do(args).status, Nfs3Status::OK);
}

TEST_F(Nfs3Loop, SetattrErrors)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 100, {0644, 1, 1});
    const InodeNumber dir = m_store->AddDirectory(m_root, "d");
    const InodeNumber symlink = m_store->AddSymlink(m_root, "l", "f");
    const auto set = [&](InodeNumber object, const Sattr3& changes) {
        return Do(Setattr3Args{HandleOf(object), changes, std::nullopt}).status;
    };
    Sattr3 size;
    size.size = 10;
    Sattr3 huge;
    huge.size = m_store->GetFileSystem().GetSettings().maxFileSize + 1;
    Sattr3 mode;
    mode.mode = 0777;
    Sattr3 owner;
    owner.uid = 2;
    Sattr3 group;
    group.gid = 9;
    Sattr3 now;
    now.mtime.how = TimeHow::SET_TO_SERVER_TIME;
    Sattr3 then;
    then.mtime = {TimeHow::SET_TO_CLIENT_TIME, {5, 5}};

    EXPECT_EQ(set(dir, size), Nfs3Status::ISDIR);
    EXPECT_EQ(set(symlink, size), Nfs3Status::INVAL);
    EXPECT_EQ(set(file, huge), Nfs3Status::FBIG);
    SetCaller(2, 2);
    EXPECT_EQ(set(file, size), Nfs3Status::ACCES);
    EXPECT_EQ(set(file, mode), Nfs3Status::PERM);
    EXPECT_EQ(set(file, owner), Nfs3Status::PERM);
    EXPECT_EQ(set(file, then), Nfs3Status::PERM);
    EXPECT_EQ(set(file, now), Nfs3Status::ACCES);
    SetCaller(1, 1, {3});
    EXPECT_EQ(set(file, owner), Nfs3Status::PERM);
    EXPECT_EQ(set(file, group), Nfs3Status::PERM);
    group.gid = 3;
    EXPECT_EQ(set(file, group), Nfs3Status::OK);
    EXPECT_EQ(set(file, then), Nfs3Status::OK);
    EXPECT_EQ(set(file, size), Nfs3Status::OK);
}

TEST_F(Nfs3Loop, AccessFollowsTheModeBits)
{
    constexpr uint32_t ALL = 0x3f;
    const InodeNumber file = m_store->AddFile(m_root, "f", 1, {0640, 1, 10});
    const InodeNumber dir = m_store->AddDirectory(m_root, "d", {0750, 1, 10});
    const auto granted = [&](InodeNumber object) {
        const auto result = Do(Access3Args{HandleOf(object), ALL});
        EXPECT_EQ(result.status, Nfs3Status::OK);
        EXPECT_EQ(m_transport->GetLastReplyLength(), 120U);
        return result.access;
    };
    constexpr uint32_t WRITE_BITS = ACCESS3_MODIFY | ACCESS3_EXTEND;
    constexpr uint32_t DIRECTORY_BITS = ACCESS3_READ | ACCESS3_LOOKUP | WRITE_BITS | ACCESS3_DELETE;
    EXPECT_EQ(granted(file), ACCESS3_READ | WRITE_BITS) << "no execute bit, not even for root";
    EXPECT_EQ(granted(dir), DIRECTORY_BITS);
    SetCaller(1, 1);
    EXPECT_EQ(granted(file), ACCESS3_READ | WRITE_BITS);
    EXPECT_EQ(granted(dir), DIRECTORY_BITS);
    SetCaller(2, 2, {10});
    EXPECT_EQ(granted(file), ACCESS3_READ);
    EXPECT_EQ(granted(dir), ACCESS3_READ | ACCESS3_LOOKUP);
    SetCaller(2, 2);
    EXPECT_EQ(granted(file), 0U);
    EXPECT_EQ(granted(dir), 0U);
}

TEST_F(Nfs3Loop, ReadlinkGivesThePathByEitherWay)
{
    const std::string target(3851, 't');
    const InodeNumber symlink = m_store->AddSymlink(m_root, "l", target);
    for (const bool reduce : {false, true})
    {
        m_client->SetAttribute("ReduceReadlink", BooleanValue(reduce));
        m_transport->SetReduction(reduce, reduce);
        std::string path;
        const auto result = ReadPath(HandleOf(symlink), path);
        EXPECT_EQ(result.status, Nfs3Status::OK);
        EXPECT_EQ(path, target);
        EXPECT_TRUE(result.attributes);
        EXPECT_EQ(m_transport->GetLastReplyLength(), REPLY_HEADER + 4 + 88 + 4 + 3852);
        EXPECT_EQ(m_transport->GetLastEstimate().head, 120U);
        EXPECT_EQ(m_transport->GetLastEstimate().items.at(0).maximum, 4096U);
        EXPECT_EQ(m_transport->GetLastEstimate().items.at(0).ddpEligible, reduce);
    }
    const InodeNumber file = m_store->AddFile(m_root, "f", 1);
    std::string path;
    const auto result = ReadPath(HandleOf(file), path);
    EXPECT_EQ(result.status, Nfs3Status::INVAL);
    EXPECT_TRUE(result.attributes);
}

TEST_F(Nfs3Loop, WrittenDataAreReadBack)
{
    const NfsFh3 file = *CreateFile("f").object;
    uint64_t offset = 0;
    for (const bool reduce : {false, true})
    {
        m_transport->SetReduction(reduce, reduce);
        for (const std::size_t length : {1U, 3U, 100U, 4096U, 5001U, 65537U, 262144U})
        {
            const ByteVector data = Pattern(length);
            const auto written = WriteFrom(file, offset, data);
            EXPECT_EQ(written.status, Nfs3Status::OK);
            EXPECT_EQ(written.count, length);
            EXPECT_EQ(written.committed, StableHow::FILE_SYNC);
            EXPECT_FALSE(written.wcc.before);
            EXPECT_TRUE(written.wcc.after);
            EXPECT_EQ(m_transport->GetLastReplyLength(), 136U);
            ByteVector back;
            const auto read = ReadInto(file, offset, length, back);
            EXPECT_EQ(read.status, Nfs3Status::OK);
            EXPECT_EQ(read.count, length);
            EXPECT_TRUE(read.eof);
            EXPECT_EQ(back, data);
            EXPECT_EQ(m_transport->GetLastReplyLength(), 128U + RoundUp4(length));
            offset += length + 4097;
        }
    }
    ByteVector gap;
    ReadInto(file, 1, 4097, gap);
    EXPECT_EQ(gap, ByteVector(4097, 0));
}

TEST_F(Nfs3Loop, ReadAtAndPastTheEnd)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 100);
    ByteVector out;
    auto read = ReadInto(HandleOf(file), 0, 99, out);
    EXPECT_EQ(read.count, 99U);
    EXPECT_FALSE(read.eof);
    read = ReadInto(HandleOf(file), 90, 50, out);
    EXPECT_EQ(read.count, 10U);
    EXPECT_TRUE(read.eof);
    read = ReadInto(HandleOf(file), 100, 50, out);
    EXPECT_EQ(read.count, 0U);
    EXPECT_TRUE(read.eof);
    read = ReadInto(HandleOf(file), uint64_t{1} << 62, 50, out);
    EXPECT_EQ(read.count, 0U);
    EXPECT_TRUE(read.eof);
    read = ReadInto(HandleOf(file), 10, 0, out);
    EXPECT_EQ(read.status, Nfs3Status::OK);
    EXPECT_FALSE(read.eof);
}

TEST_F(Nfs3Loop, TransfersAreCutToTheServersMaximum)
{
    m_server->SetMaxTransferSize(4096);
    const InodeNumber file = m_store->AddFile(m_root, "f", 100000);
    ByteVector out;
    const auto read = ReadInto(HandleOf(file), 0, 8192, out);
    EXPECT_EQ(read.count, 4096U);
    EXPECT_FALSE(read.eof);
    const auto written = WriteFrom(HandleOf(file), 0, Pattern(8192));
    EXPECT_EQ(written.status, Nfs3Status::OK);
    EXPECT_EQ(written.count, 4096U);
}

TEST_F(Nfs3Loop, ReadAndWriteErrors)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 10, {0640, 1, 1});
    const InodeNumber program = m_store->AddFile(m_root, "p", 10, {0711, 1, 1});
    const InodeNumber closed = m_store->AddFile(m_root, "c", 10, {0, 2, 2});
    const InodeNumber dir = m_store->AddDirectory(m_root, "d");
    const InodeNumber fifo = m_store->AddSpecial(m_root, "q", Ftype3::FIFO, {});
    ByteVector out;
    EXPECT_EQ(ReadInto(HandleOf(dir), 0, 10, out).status, Nfs3Status::ISDIR);
    EXPECT_EQ(ReadInto(HandleOf(fifo), 0, 10, out).status, Nfs3Status::INVAL);
    EXPECT_EQ(WriteFrom(HandleOf(dir), 0, Pattern(4)).status, Nfs3Status::ISDIR);
    EXPECT_EQ(WriteFrom(HandleOf(fifo), 0, Pattern(4)).status, Nfs3Status::INVAL);
    EXPECT_EQ(WriteFrom(HandleOf(file),
                        m_store->GetFileSystem().GetSettings().maxFileSize - 3,
                        Pattern(4))
                  .status,
              Nfs3Status::FBIG);
    EXPECT_EQ(WriteFrom(HandleOf(file), ~uint64_t{0} - 1, Pattern(4)).status, Nfs3Status::FBIG);
    SetCaller(2, 2);
    const auto refused = ReadInto(HandleOf(file), 0, 10, out);
    EXPECT_EQ(refused.status, Nfs3Status::ACCES);
    EXPECT_TRUE(refused.attributes);
    const auto unwritten = WriteFrom(HandleOf(file), 0, Pattern(4));
    EXPECT_EQ(unwritten.status, Nfs3Status::ACCES);
    EXPECT_TRUE(unwritten.wcc.after);
    EXPECT_EQ(ReadInto(HandleOf(program), 0, 10, out).status, Nfs3Status::OK)
        << "what may be run may be read";
    EXPECT_EQ(ReadInto(HandleOf(closed), 0, 10, out).status, Nfs3Status::OK)
        << "the owner may always read";
    EXPECT_EQ(WriteFrom(HandleOf(closed), 0, Pattern(4)).status, Nfs3Status::OK);
}

TEST_F(Nfs3Loop, WriteWithoutSpace)
{
    m_store->SetAttribute("TotalBytes", UintegerValue(3 * 4096));
    const NfsFh3 file = *CreateFile("f").object;
    EXPECT_EQ(WriteFrom(file, 0, Pattern(8192)).status, Nfs3Status::OK);
    EXPECT_EQ(WriteFrom(file, 8192, Pattern(1)).status, Nfs3Status::NOSPC);
    EXPECT_EQ(WriteFrom(file, 100, Pattern(100)).status, Nfs3Status::OK);
}

TEST_F(Nfs3Loop, CommitAndWriteShareTheBootVerifier)
{
    const NfsFh3 file = *CreateFile("f").object;
    const auto written = WriteFrom(file, 0, Pattern(10), StableHow::UNSTABLE);
    EXPECT_EQ(written.committed, StableHow::UNSTABLE);
    const auto committed = Do(Commit3Args{file, 0, 0});
    EXPECT_EQ(committed.status, Nfs3Status::OK);
    EXPECT_EQ(committed.verifier, written.verifier);
    EXPECT_EQ(m_transport->GetLastReplyLength(), REPLY_HEADER + 4 + 92 + 8);
    m_server->SetBootVerifier(m_server->GetBootVerifier() + 1);
    EXPECT_NE(Do(Commit3Args{file, 0, 0}).verifier, written.verifier);
    EXPECT_EQ(Do(Commit3Args{m_rootHandle, 0, 0}).status, Nfs3Status::ISDIR);
    SetCaller(3, 3);
    EXPECT_EQ(Do(Commit3Args{file, 0, 0}).status, Nfs3Status::ACCES);
}

TEST_F(Nfs3Loop, FileSystemInformationHasGoldenOctets)
{
    EXPECT_EQ(HexOf(Do(Fsinfo3Args{m_rootHandle})), GoldenReply(Nfs3Procedure::FSINFO));
    EXPECT_EQ(HexOf(Do(Pathconf3Args{m_rootHandle})), GoldenReply(Nfs3Procedure::PATHCONF));
}

TEST_F(Nfs3Loop, FileSystemInformationIsLinuxs)
{
    const auto info = Do(Fsinfo3Args{m_rootHandle});
    EXPECT_EQ(info.status, Nfs3Status::OK);
    EXPECT_EQ(m_transport->GetLastReplyLength(), 80U);
    EXPECT_EQ(info.rtmax, 262144U);
    EXPECT_EQ(info.wtmult, 4096U);
    EXPECT_EQ(info.maxfilesize, 17592186040320U);
    EXPECT_EQ(info.properties, 0x1bU);
    const auto path = Do(Pathconf3Args{m_rootHandle});
    EXPECT_EQ(m_transport->GetLastReplyLength(), 56U);
    EXPECT_EQ(path.linkmax, 32000U);
    EXPECT_EQ(path.nameMax, 255U);
    EXPECT_FALSE(path.noTrunc);
    EXPECT_TRUE(path.chownRestricted);
    EXPECT_TRUE(path.casePreserving);
    const auto before = Do(Fsstat3Args{m_rootHandle});
    EXPECT_EQ(m_transport->GetLastReplyLength(), 84U);
    const NfsFh3 file = *CreateFile("f").object;
    WriteFrom(file, 0, Pattern(5000));
    const auto after = Do(Fsstat3Args{m_rootHandle});
    EXPECT_EQ(before.fbytes - after.fbytes, 8192U);
    EXPECT_EQ(before.ffiles - after.ffiles, 1U);
    EXPECT_EQ(after.tbytes, before.tbytes);
    EXPECT_EQ(Do(Fsinfo3Args{NfsFh3()}).status, Nfs3Status::BADHANDLE);
    EXPECT_EQ(Do(Fsstat3Args{NfsFh3()}).status, Nfs3Status::BADHANDLE);
    EXPECT_EQ(Do(Pathconf3Args{NfsFh3()}).status, Nfs3Status::BADHANDLE);
}

} // namespace ns3::nfsrdma::test
