/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/nfs3-loop.h"
#include "nfs/stubborn-guard.h"

namespace ns3::nfsrdma::test
{

namespace
{

class JukeboxTest : public Nfs3Loop
{
  protected:
    void SetUp() override
    {
        Nfs3Loop::SetUp();
        m_server->SetDelegationGuard(&m_guard);
        m_file = m_store->AddFile(m_root, "file", 1000, {0666, 0, 0});
        m_rpcClient->TraceConnectWithoutContext(
            "RpcCompleted",
            Callback<void, const RpcRecord&>(
                [this](const RpcRecord& record) { m_records.push_back(record); }));
    }

    StubbornGuard m_guard;
    InodeNumber m_file{0};
    std::vector<RpcRecord> m_records;
};

TEST_F(JukeboxTest, TheSameCallComesAgainUnderAnotherXid)
{
    m_guard.refusals = 2;
    const ByteVector data(600, 0x5a);
    const auto written = WriteFrom(HandleOf(m_file), 100, data, StableHow::FILE_SYNC);
    EXPECT_EQ(written.status, Nfs3Status::OK);
    EXPECT_EQ(written.count, 600U);
    EXPECT_EQ(m_guard.asked, std::set<InodeNumber>{m_file});
    EXPECT_EQ(m_guard.waits, 0U) << "WRITE keeps no thread";
    ASSERT_EQ(m_records.size(), 3U);
    std::set<uint32_t> xids;
    for (const auto& record : m_records)
    {
        xids.insert(record.xid);
    }
    EXPECT_EQ(xids.size(), 3U);
    EXPECT_EQ(m_records[1].submitted, m_records[0].completed + Seconds(5));
    EXPECT_EQ(m_records[2].submitted, m_records[1].completed + Seconds(5));
    EXPECT_EQ(m_client->GetJukeboxes(), 2U);
    ByteVector read;
    EXPECT_EQ(ReadInto(HandleOf(m_file), 100, 600, read).status, Nfs3Status::OK);
    EXPECT_EQ(read, data);
}

TEST_F(JukeboxTest, CallsThatChangeNothingAskNobody)
{
    m_guard.refusals = 100;
    EXPECT_EQ(Do(Getattr3Args{HandleOf(m_file)}).status, Nfs3Status::OK);
    ByteVector read;
    EXPECT_EQ(ReadInto(HandleOf(m_file), 0, 100, read).status, Nfs3Status::OK);
    EXPECT_EQ(CreateFile("new").status, Nfs3Status::OK);
    EXPECT_EQ(Do(Mkdir3Args{{m_rootHandle, "dir"}, {}}).status, Nfs3Status::OK);
    EXPECT_TRUE(m_guard.asked.empty());
    EXPECT_EQ(m_client->GetJukeboxes(), 0U);
}

TEST_F(JukeboxTest, NamesAreAskedForByWhatTheyStandFor)
{
    const auto other = m_store->AddFile(m_root, "other", 0, {0666, 0, 0});
    m_client->SetAttribute("JukeboxDelay", TimeValue(Time(0)));
    const auto refuse = [this] {
        m_guard.refusals = 100;
        m_guard.asked.clear();
        m_guard.waits = 0;
    };
    refuse();
    EXPECT_EQ(Do(Rename3Args{{m_rootHandle, "file"}, {m_rootHandle, "other"}}).status,
              Nfs3Status::JUKEBOX);
    EXPECT_EQ(m_guard.asked, (std::set<InodeNumber>{m_file, other}));
    EXPECT_EQ(m_guard.waits, 1U);
    refuse();
    EXPECT_EQ(Do(Remove3Args{{m_rootHandle, "other"}}).status, Nfs3Status::JUKEBOX);
    EXPECT_EQ(m_guard.asked, std::set<InodeNumber>{other});
    EXPECT_EQ(m_guard.waits, 1U);
    refuse();
    EXPECT_EQ(Do(Remove3Args{{m_rootHandle, "no"}}).status, Nfs3Status::NOENT);
    refuse();
    EXPECT_EQ(Do(Link3Args{HandleOf(m_file), {m_rootHandle, "second"}}).status,
              Nfs3Status::JUKEBOX);
    EXPECT_EQ(m_guard.waits, 0U) << "LINK keeps no thread";
    refuse();
    Create3Args cut{{m_rootHandle, "file"}, CreateMode3::UNCHECKED, {}, {}};
    cut.attributes.size = 0;
    EXPECT_EQ(Do(cut).status, Nfs3Status::JUKEBOX);
    EXPECT_EQ(m_guard.waits, 1U);
    EXPECT_EQ(m_store->Get(m_file).content->GetSize(), 1000U);
}

TEST_F(JukeboxTest, SetattrThatMayAfterTheWaitIsCarriedOut)
{
    m_guard.refusals = 1;
    Sattr3 changes;
    changes.mode = 0600;
    EXPECT_EQ(Do(Setattr3Args{HandleOf(m_file), changes, {}}).status, Nfs3Status::OK);
    EXPECT_EQ(m_guard.waits, 1U);
    EXPECT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_store->Get(m_file).attributes.mode & 0777U, 0600U);
}

TEST_F(JukeboxTest, AttributesComeWithItAsFarAsNfsdHasComeToTheLock)
{
    const auto other = m_store->AddFile(m_root, "other", 0, {0666, 0, 0});
    m_client->SetAttribute("JukeboxDelay", TimeValue(Time(0)));
    m_guard.refusals = 100;
    const WccAttr rootBefore = m_store->GetAttributes().GetWcc(m_root);
    const auto isLocked = [&](const WccData& wcc, InodeNumber number) {
        EXPECT_TRUE(wcc.after);
        EXPECT_EQ(wcc.after->fileid, m_store->Get(number).attributes.fileid);
        return wcc.before.has_value();
    };
    Sattr3 changes;
    changes.mode = 0600;
    const auto set = Do(Setattr3Args{HandleOf(m_file), changes, {}});
    EXPECT_EQ(set.status, Nfs3Status::JUKEBOX);
    EXPECT_TRUE(isLocked(set.wcc, m_file));
    EXPECT_EQ(set.wcc.before->size, 1000U);
    const auto written = WriteFrom(HandleOf(m_file), 0, ByteVector(10), StableHow::FILE_SYNC);
    EXPECT_EQ(written.status, Nfs3Status::JUKEBOX);
    EXPECT_FALSE(isLocked(written.wcc, m_file));
    Create3Args cut{{m_rootHandle, "file"}, CreateMode3::UNCHECKED, {}, {}};
    cut.attributes.size = 0;
    const auto made = Do(cut);
    EXPECT_EQ(made.status, Nfs3Status::JUKEBOX);
    EXPECT_FALSE(isLocked(made.dirWcc, m_root));
    const auto removed = Do(Remove3Args{{m_rootHandle, "file"}});
    EXPECT_EQ(removed.status, Nfs3Status::JUKEBOX);
    EXPECT_TRUE(isLocked(removed.wcc, m_root));
    EXPECT_EQ(removed.wcc.before->ctime, rootBefore.ctime);
    const auto renamed = Do(Rename3Args{{m_rootHandle, "file"}, {m_rootHandle, "other"}});
    EXPECT_EQ(renamed.status, Nfs3Status::JUKEBOX);
    EXPECT_TRUE(isLocked(renamed.fromDirWcc, m_root));
    EXPECT_TRUE(isLocked(renamed.toDirWcc, m_root));
    const auto linked = Do(Link3Args{HandleOf(other), {m_rootHandle, "second"}});
    EXPECT_EQ(linked.status, Nfs3Status::JUKEBOX);
    EXPECT_TRUE(isLocked(linked.linkDirWcc, m_root));
    EXPECT_TRUE(linked.attributes);
}

} // namespace

} // namespace ns3::nfsrdma::test
