/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/nfs3-loop.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma::test
{

TEST_F(Nfs3Loop, LookupFindsNames)
{
    const InodeNumber dir = m_store->AddDirectory(m_root, "d");
    const InodeNumber file = m_store->AddFile(dir, "f", 1);
    const auto found = Do(Lookup3Args{{HandleOf(dir), "f"}});
    EXPECT_EQ(found.status, Nfs3Status::OK);
    EXPECT_EQ(found.object, HandleOf(file));
    EXPECT_EQ(found.objectAttributes->fileid, file);
    EXPECT_EQ(found.dirAttributes->fileid, dir);
    EXPECT_EQ(m_transport->GetLastReplyLength(), 224U);
    EXPECT_EQ(Do(Lookup3Args{{HandleOf(dir), ".."}}).object, m_rootHandle);
    EXPECT_EQ(Do(Lookup3Args{{HandleOf(dir), "."}}).object, HandleOf(dir));
    EXPECT_EQ(Do(Lookup3Args{{m_rootHandle, ".."}}).object, m_rootHandle);
}

TEST_F(Nfs3Loop, LookupErrors)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 1);
    const InodeNumber closed = m_store->AddDirectory(m_root, "c", {0700, 1, 1});
    const auto missing = Do(Lookup3Args{{m_rootHandle, "none"}});
    EXPECT_EQ(missing.status, Nfs3Status::NOENT);
    EXPECT_TRUE(missing.dirAttributes);
    EXPECT_EQ(m_transport->GetLastReplyLength(), 116U);
    EXPECT_EQ(Do(Lookup3Args{{HandleOf(file), "x"}}).status, Nfs3Status::NOTDIR);
    EXPECT_EQ(Do(Lookup3Args{{m_rootHandle, "a/b"}}).status, Nfs3Status::INVAL);
    EXPECT_EQ(Do(Lookup3Args{{m_rootHandle, ""}}).status, Nfs3Status::ACCES);
    const auto bad = Do(Lookup3Args{{NfsFh3(), "x"}});
    EXPECT_EQ(bad.status, Nfs3Status::BADHANDLE);
    EXPECT_FALSE(bad.dirAttributes);
    SetCaller(2, 2);
    EXPECT_EQ(Do(Lookup3Args{{HandleOf(closed), "x"}}).status, Nfs3Status::ACCES);
}

TEST_F(Nfs3Loop, CreateModes)
{
    auto made = CreateFile("f", CreateMode3::GUARDED);
    EXPECT_EQ(made.status, Nfs3Status::OK);
    EXPECT_EQ(m_transport->GetLastReplyLength(), 256U);
    EXPECT_EQ(made.attributes->mode, 0644U);
    EXPECT_TRUE(made.dirWcc.before);
    const NfsFh3 handle = *made.object;

    made = CreateFile("f", CreateMode3::GUARDED);
    EXPECT_EQ(made.status, Nfs3Status::EXIST);
    EXPECT_FALSE(made.dirWcc.before);
    EXPECT_TRUE(made.dirWcc.after);

    made = CreateFile("f", CreateMode3::UNCHECKED);
    EXPECT_EQ(made.status, Nfs3Status::OK);
    EXPECT_EQ(made.object, handle);
    EXPECT_FALSE(made.dirWcc.before);

    Create3Args truncate;
    truncate.where = {m_rootHandle, "f"};
    truncate.attributes.size = 0;
    truncate.attributes.mode = 0600;
    m_store->GetData().Write(made.attributes->fileid, 0, 10, [](uint64_t, MutableByteSpan) {}, {});
    made = Do(truncate);
    EXPECT_EQ(made.attributes->size, 0U);
    EXPECT_EQ(made.attributes->mode, 0644U) << "only the size is taken";
}

TEST_F(Nfs3Loop, CreateExclusive)
{
    Create3Args args;
    args.where = {m_rootHandle, "x"};
    args.mode = CreateMode3::EXCLUSIVE;
    args.verifier = {1, 2, 3, 4, 5, 6, 7, 8};
    const auto first = Do(args);
    EXPECT_EQ(first.status, Nfs3Status::OK);
    const auto again = Do(args);
    EXPECT_EQ(again.status, Nfs3Status::OK);
    EXPECT_EQ(again.object, first.object);
    args.verifier[0] = 9;
    EXPECT_EQ(Do(args).status, Nfs3Status::EXIST);
    args.verifier[0] = 1;
    Sattr3 mode;
    mode.mode = 0644;
    EXPECT_EQ(Do(Setattr3Args{*first.object, mode, std::nullopt}).status, Nfs3Status::OK);
    EXPECT_EQ(Do(args).status, Nfs3Status::EXIST);
}

TEST_F(Nfs3Loop, CreateErrors)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 1);
    const InodeNumber closed = m_store->AddDirectory(m_root, "c", {0755, 1, 1});
    m_store->AddDirectory(m_root, "d");
    const auto create = [&](const NfsFh3& dir, const std::string& name) {
        Create3Args args;
        args.where = {dir, name};
        return Do(args).status;
    };
    EXPECT_EQ(create(HandleOf(file), "x"), Nfs3Status::NOTDIR);
    EXPECT_EQ(create(m_rootHandle, "d"), Nfs3Status::EXIST) << "a directory is there";
    EXPECT_EQ(create(m_rootHandle, "."), Nfs3Status::EXIST);
    EXPECT_EQ(create(m_rootHandle, "a/b"), Nfs3Status::INVAL);
    EXPECT_EQ(create(NfsFh3(), "x"), Nfs3Status::BADHANDLE);
    Create3Args huge;
    huge.where = {m_rootHandle, "h"};
    huge.attributes.size = m_store->GetFileSystem().GetSettings().maxFileSize + 1;
    EXPECT_EQ(Do(huge).status, Nfs3Status::FBIG);
    SetCaller(2, 2);
    EXPECT_EQ(create(HandleOf(closed), "x"), Nfs3Status::ACCES);
    SetCaller(0, 0);
    m_store->SetAttribute("TotalFiles", UintegerValue(m_store->GetFileSystem().GetInodeCount()));
    EXPECT_EQ(create(m_rootHandle, "x"), Nfs3Status::NOSPC);
}

TEST_F(Nfs3Loop, NewObjectsBelongToTheCaller)
{
    const InodeNumber shared = m_store->AddDirectory(m_root, "s", {02777, 1, 50});
    SetCaller(7, 8);
    Create3Args args;
    args.where = {m_rootHandle, "mine"};
    args.attributes.uid = 1;
    args.attributes.mode = 0600;
    auto made = Do(args);
    EXPECT_EQ(made.attributes->uid, 7U);
    EXPECT_EQ(made.attributes->gid, 8U);
    args.where = {HandleOf(shared), "ours"};
    made = Do(args);
    EXPECT_EQ(made.attributes->gid, 50U);
    Sattr3 mode;
    mode.mode = 0755;
    const auto dir = Do(Mkdir3Args{{HandleOf(shared), "sub"}, mode});
    EXPECT_EQ(dir.attributes->gid, 50U);
    EXPECT_EQ(dir.attributes->mode, 02755U);
    SetCaller(0, 0);
    args.where = {m_rootHandle, "given"};
    EXPECT_EQ(Do(args).attributes->uid, 1U);
}

TEST_F(Nfs3Loop, MkdirAndItsErrors)
{
    Sattr3 mode;
    mode.mode = 0755;
    const auto mkdir = [&](const NfsFh3& dir, const std::string& name) {
        return Do(Mkdir3Args{{dir, name}, mode});
    };
    const auto made = mkdir(m_rootHandle, "d");
    EXPECT_EQ(made.status, Nfs3Status::OK);
    EXPECT_EQ(m_transport->GetLastReplyLength(), 256U);
    EXPECT_EQ(made.attributes->type, Ftype3::DIR);
    EXPECT_EQ(made.attributes->nlink, 2U);
    EXPECT_EQ(made.dirWcc.after->nlink, 3U);
    const auto again = mkdir(m_rootHandle, "d");
    EXPECT_EQ(again.status, Nfs3Status::EXIST);
    EXPECT_TRUE(again.dirWcc.before);
    EXPECT_EQ(mkdir(m_rootHandle, "..").status, Nfs3Status::EXIST);
    const InodeNumber file = m_store->AddFile(m_root, "f", 1);
    EXPECT_EQ(mkdir(HandleOf(file), "x").status, Nfs3Status::NOTDIR);
    EXPECT_EQ(mkdir(NfsFh3(), "x").status, Nfs3Status::BADHANDLE);
    SetCaller(2, 2);
    EXPECT_EQ(mkdir(*made.object, "x").status, Nfs3Status::ACCES);
    SetCaller(0, 0);
    m_store->SetAttribute("MaxLinks", UintegerValue(3));
    EXPECT_EQ(mkdir(m_rootHandle, "e").status, Nfs3Status::MLINK);
}

TEST_F(Nfs3Loop, SymlinkByEitherWay)
{
    for (const bool reduce : {false, true})
    {
        m_transport->SetReduction(reduce, reduce);
        const std::string target(reduce ? 3851 : 7, 'p');
        const auto made = MakeLink({m_rootHandle, reduce ? "long" : "short"}, target);
        EXPECT_EQ(made.status, Nfs3Status::OK);
        EXPECT_EQ(m_transport->GetLastReplyLength(), 256U);
        EXPECT_EQ(made.attributes->mode, 0777U);
        EXPECT_EQ(made.attributes->size, target.size());
        EXPECT_EQ(m_store->Get(made.attributes->fileid).target, target);
    }
    const auto there = MakeLink({m_rootHandle, "long"}, "x");
    EXPECT_EQ(there.status, Nfs3Status::EXIST);
    EXPECT_TRUE(there.dirWcc.before);
    const auto empty = MakeLink({m_rootHandle, "empty"}, "");
    EXPECT_EQ(empty.status, Nfs3Status::INVAL);
    EXPECT_FALSE(empty.dirWcc.after);
    EXPECT_EQ(MakeLink({m_rootHandle, "big"}, std::string(4097, 'p')).status,
              Nfs3Status::NAMETOOLONG);
    EXPECT_EQ(MakeLink({m_rootHandle, "page"}, std::string(4096, 'p')).status,
              Nfs3Status::NAMETOOLONG);
    EXPECT_EQ(MakeLink({NfsFh3(), "x"}, "y").status, Nfs3Status::BADHANDLE);
}

TEST_F(Nfs3Loop, MknodTypes)
{
    const auto mknod = [&](const std::string& name, Ftype3 type) {
        Mknod3Args args;
        args.where = {m_rootHandle, name};
        args.type = type;
        args.spec = {8, 1};
        return Do(args);
    };
    const auto device = mknod("sda1", Ftype3::BLK);
    EXPECT_EQ(device.status, Nfs3Status::OK);
    EXPECT_EQ(device.attributes->rdev, (SpecData3{8, 1}));
    EXPECT_EQ(mknod("fifo", Ftype3::FIFO).attributes->rdev, SpecData3());
    EXPECT_EQ(mknod("socket", Ftype3::SOCK).attributes->type, Ftype3::SOCK);
    const auto regular = mknod("reg", Ftype3::REG);
    EXPECT_EQ(regular.status, Nfs3Status::BADTYPE);
    EXPECT_FALSE(regular.dirWcc.after);
    EXPECT_EQ(mknod("odd", static_cast<Ftype3>(9)).status, Nfs3Status::BADTYPE);
    const auto there = mknod("fifo", Ftype3::FIFO);
    EXPECT_EQ(there.status, Nfs3Status::EXIST);
    EXPECT_TRUE(there.dirWcc.before);
    SetCaller(2, 2);
    EXPECT_EQ(mknod("c", Ftype3::CHR).status, Nfs3Status::PERM);
    EXPECT_EQ(mknod("own", Ftype3::FIFO).status, Nfs3Status::OK);
}

TEST_F(Nfs3Loop, RemoveAndItsErrors)
{
    m_store->AddFile(m_root, "f", 10000);
    m_store->AddDirectory(m_root, "d");
    const InodeNumber sticky = m_store->AddDirectory(m_root, "tmp", {01777, 0, 0});
    m_store->AddFile(sticky, "theirs", 1, {0666, 1, 1});
    const auto remove = [&](const NfsFh3& dir, const std::string& name) {
        return Do(Remove3Args{{dir, name}});
    };
    const auto removed = remove(m_rootHandle, "f");
    EXPECT_EQ(removed.status, Nfs3Status::OK);
    EXPECT_EQ(m_transport->GetLastReplyLength(), 144U);
    const auto missing = remove(m_rootHandle, "f");
    EXPECT_EQ(missing.status, Nfs3Status::NOENT);
    EXPECT_FALSE(missing.wcc.before);
    EXPECT_TRUE(missing.wcc.after);
    const auto directory = remove(m_rootHandle, "d");
    EXPECT_EQ(directory.status, Nfs3Status::ISDIR);
    EXPECT_TRUE(directory.wcc.before);
    EXPECT_EQ(remove(NfsFh3(), "f").status, Nfs3Status::BADHANDLE);
    SetCaller(2, 2);
    EXPECT_EQ(remove(HandleOf(sticky), "theirs").status, Nfs3Status::ACCES);
    SetCaller(1, 1);
    EXPECT_EQ(remove(HandleOf(sticky), "theirs").status, Nfs3Status::OK);
}

TEST_F(Nfs3Loop, RmdirAndItsErrors)
{
    const InodeNumber dir = m_store->AddDirectory(m_root, "d");
    m_store->AddFile(dir, "f", 1);
    m_store->AddFile(m_root, "g", 1);
    const auto rmdir = [&](const NfsFh3& parent, const std::string& name) {
        return Do(Rmdir3Args{{parent, name}});
    };
    const auto full = rmdir(m_rootHandle, "d");
    EXPECT_EQ(full.status, Nfs3Status::NOTEMPTY);
    EXPECT_EQ(m_transport->GetLastReplyLength(), 144U);
    EXPECT_TRUE(full.wcc.before);
    EXPECT_EQ(rmdir(m_rootHandle, "g").status, Nfs3Status::NOTDIR);
    EXPECT_EQ(rmdir(m_rootHandle, "none").status, Nfs3Status::NOENT);
    EXPECT_EQ(rmdir(m_rootHandle, ".").status, Nfs3Status::INVAL);
    EXPECT_EQ(rmdir(m_rootHandle, "..").status, Nfs3Status::EXIST);
    const NfsFh3 handle = HandleOf(dir);
    Do(Remove3Args{{handle, "f"}});
    const auto removed = rmdir(m_rootHandle, "d");
    EXPECT_EQ(removed.status, Nfs3Status::OK);
    EXPECT_EQ(removed.wcc.after->nlink, 2U);
    EXPECT_EQ(Do(Getattr3Args{handle}).status, Nfs3Status::STALE);
}

TEST_F(Nfs3Loop, RenameMovesAndReplaces)
{
    const InodeNumber a = m_store->AddDirectory(m_root, "a");
    const InodeNumber b = m_store->AddDirectory(m_root, "b");
    const InodeNumber file = m_store->AddFile(a, "f", 1);
    const InodeNumber old = m_store->AddFile(b, "g", 1);
    const InodeNumber sub = m_store->AddDirectory(a, "sub");
    const NfsFh3 oldHandle = HandleOf(old);
    const auto rename =
        [&](InodeNumber from, const std::string& name, InodeNumber to, const std::string& newName) {
            return Do(Rename3Args{{HandleOf(from), name}, {HandleOf(to), newName}});
        };
    const auto moved = rename(a, "f", b, "g");
    EXPECT_EQ(moved.status, Nfs3Status::OK);
    EXPECT_EQ(m_transport->GetLastReplyLength(), 260U);
    EXPECT_EQ(m_store->FindPath(m_root, "b/g"), file);
    EXPECT_FALSE(m_store->FindPath(m_root, "a/f"));
    EXPECT_EQ(Do(Getattr3Args{oldHandle}).status, Nfs3Status::STALE);

    const auto movedDir = rename(a, "sub", b, "sub2");
    EXPECT_EQ(movedDir.status, Nfs3Status::OK);
    EXPECT_EQ(movedDir.fromDirWcc.after->nlink, 2U);
    EXPECT_EQ(movedDir.toDirWcc.after->nlink, 3U);
    EXPECT_EQ(Do(Lookup3Args{{HandleOf(sub), ".."}}).object, HandleOf(b));

    EXPECT_EQ(rename(b, "g", b, "g").status, Nfs3Status::OK) << "onto itself";
    m_store->AddLink(b, "h", file);
    EXPECT_EQ(rename(b, "g", b, "h").status, Nfs3Status::OK) << "links of one file: nothing done";
    EXPECT_EQ(m_store->FindPath(m_root, "b/g"), file);
}

TEST_F(Nfs3Loop, RenameErrors)
{
    const InodeNumber other = m_store->CreateExport("/other");
    const InodeNumber a = m_store->AddDirectory(m_root, "a");
    const InodeNumber sub = m_store->AddDirectory(a, "sub");
    const InodeNumber full = m_store->AddDirectory(m_root, "full", {0755, 1, 1});
    m_store->AddFile(full, "x", 1);
    const InodeNumber file = m_store->AddFile(m_root, "f", 1);
    const auto rename = [&](const NfsFh3& from,
                            const std::string& name,
                            const NfsFh3& to,
                            const std::string& newName) {
        return Do(Rename3Args{{from, name}, {to, newName}});
    };
    const auto missing = rename(m_rootHandle, "none", HandleOf(a), "n");
    EXPECT_EQ(missing.status, Nfs3Status::NOENT);
    EXPECT_TRUE(missing.fromDirWcc.before);
    EXPECT_TRUE(missing.toDirWcc.before);
    EXPECT_EQ(rename(m_rootHandle, "a", m_rootHandle, "full").status, Nfs3Status::NOTEMPTY);
    EXPECT_EQ(rename(m_rootHandle, "a", m_rootHandle, "f").status, Nfs3Status::NOTDIR);
    EXPECT_EQ(rename(m_rootHandle, "f", m_rootHandle, "a").status, Nfs3Status::ISDIR);
    EXPECT_EQ(rename(m_rootHandle, "a", HandleOf(sub), "n").status, Nfs3Status::INVAL);
    EXPECT_EQ(rename(m_rootHandle, ".", HandleOf(a), "n").status, Nfs3Status::INVAL);
    EXPECT_EQ(rename(m_rootHandle, "f", HandleOf(a), "..").status, Nfs3Status::INVAL);
    EXPECT_EQ(rename(m_rootHandle, "f", HandleOf(other), "f").status, Nfs3Status::XDEV);
    EXPECT_EQ(rename(HandleOf(file), "f", HandleOf(a), "f").status, Nfs3Status::NOTDIR);
    EXPECT_EQ(rename(m_rootHandle, "f", HandleOf(file), "f").status, Nfs3Status::NOTDIR);
    const auto badSource = rename(NfsFh3(), "f", m_rootHandle, "g");
    EXPECT_EQ(badSource.status, Nfs3Status::BADHANDLE);
    EXPECT_FALSE(badSource.toDirWcc.after);
    const auto badTarget = rename(m_rootHandle, "f", NfsFh3(), "g");
    EXPECT_EQ(badTarget.status, Nfs3Status::BADHANDLE);
    EXPECT_TRUE(badTarget.fromDirWcc.after);
    SetCaller(2, 2);
    EXPECT_EQ(rename(m_rootHandle, "f", HandleOf(full), "f").status, Nfs3Status::ACCES);
    EXPECT_EQ(rename(HandleOf(full), "x", m_rootHandle, "x").status, Nfs3Status::ACCES);
}

TEST_F(Nfs3Loop, LinkAndItsErrors)
{
    const InodeNumber other = m_store->CreateExport("/other");
    const InodeNumber dir = m_store->AddDirectory(m_root, "d", {0755, 1, 1});
    const InodeNumber file = m_store->AddFile(m_root, "f", 1);
    const auto link = [&](const NfsFh3& object, const NfsFh3& to, const std::string& name) {
        return Do(Link3Args{object, {to, name}});
    };
    const auto linked = link(HandleOf(file), HandleOf(dir), "g");
    EXPECT_EQ(linked.status, Nfs3Status::OK);
    EXPECT_EQ(m_transport->GetLastReplyLength(), 232U);
    EXPECT_EQ(linked.attributes->nlink, 2U);
    const auto there = link(HandleOf(file), HandleOf(dir), "g");
    EXPECT_EQ(there.status, Nfs3Status::EXIST);
    EXPECT_TRUE(there.linkDirWcc.before);
    EXPECT_EQ(link(HandleOf(dir), m_rootHandle, "x").status, Nfs3Status::ISDIR);
    EXPECT_EQ(link(HandleOf(file), HandleOf(other), "x").status, Nfs3Status::XDEV);
    EXPECT_EQ(link(HandleOf(file), HandleOf(file), "x").status, Nfs3Status::NOTDIR);
    EXPECT_EQ(link(NfsFh3(), m_rootHandle, "x").status, Nfs3Status::BADHANDLE);
    EXPECT_EQ(link(HandleOf(file), NfsFh3(), "x").status, Nfs3Status::BADHANDLE);
    EXPECT_EQ(Do(Remove3Args{{m_rootHandle, "f"}}).status, Nfs3Status::OK);
    EXPECT_EQ(Do(Getattr3Args{HandleOf(file)}).attributes.nlink, 1U);
    m_store->SetAttribute("MaxLinks", UintegerValue(2));
    EXPECT_EQ(link(HandleOf(file), HandleOf(dir), "h").status, Nfs3Status::OK);
    EXPECT_EQ(link(HandleOf(file), HandleOf(dir), "i").status, Nfs3Status::MLINK);
    SetCaller(2, 2);
    const auto refused = link(HandleOf(file), HandleOf(dir), "j");
    EXPECT_EQ(refused.status, Nfs3Status::ACCES);
    EXPECT_FALSE(refused.attributes);
}

} // namespace ns3::nfsrdma::test
