/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"

namespace ns3::nfsrdma::test
{
namespace
{

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

} // namespace
} // namespace ns3::nfsrdma::test
