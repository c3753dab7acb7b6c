/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/stubborn-guard.h"
#include "nfs/v2/loop.h"

namespace ns3::nfsrdma::test
{
namespace
{

/// Calls of version 2 with delegations in their way.
class Jukebox2Test : public Nfs2Loop
{
  protected:
    void SetUp() override
    {
        Nfs2Loop::SetUp();
        m_server->SetDelegationGuard(&m_guard);
        m_file = m_store->AddFile(m_root, "file", 1000, {0666, 0, 0});
    }

    void Refuse()
    {
        m_guard.refusals = 100;
        m_guard.asked.clear();
        m_guard.waits = 0;
    }

    StubbornGuard m_guard;
    InodeNumber m_file{0};
};

TEST_F(Jukebox2Test, WriteIsNotAnsweredUntilItIsSentAgain)
{
    m_guard.refusals = 2;
    const ByteVector data(600, 0x5a);
    EXPECT_EQ(DoWrite(Handle(m_file), 100, data), Nfs2Status::OK);
    EXPECT_EQ(m_guard.asked, std::set<InodeNumber>{m_file});
    EXPECT_EQ(m_guard.waits, 0U) << "WRITE keeps no thread";
    EXPECT_EQ(m_transport->drops, 2U);
    EXPECT_EQ(m_server->GetDroppedCalls(), 2U);
    EXPECT_EQ(m_rpcServer->GetStatistics().dropped, 2U);
    EXPECT_EQ(m_rpcServer->GetDuplicateRequestCache().GetStatistics().hits, 0U);
    EXPECT_EQ(m_rpcServer->GetBusyThreads(), 0U);
    EXPECT_GE(Simulator::Now(), Seconds(2 * Nfs2LoopTransport::RETRANSMIT));
    EXPECT_EQ(DoRead(Handle(m_file), 100, 600), data);
}

TEST_F(Jukebox2Test, TheOthersAreAnsweredWithTheStatusOfVersion3)
{
    const auto other = m_store->AddFile(m_root, "other", 0, {0666, 0, 0});
    const Nfs2Fh root = Handle(m_root);
    Refuse();
    Setattr2Args set;
    set.object = Handle(m_file);
    set.attributes.mode = 0600;
    EXPECT_EQ(Do<Nfs2Setattr>(set).status, Nfs2Status::JUKEBOX);
    EXPECT_EQ(m_record.programStatus, 10008U);
    EXPECT_EQ(m_guard.waits, 1U);
    Refuse();
    EXPECT_EQ(Do<Nfs2Rename>({{root, "file"}, {root, "other"}}).status, Nfs2Status::JUKEBOX);
    EXPECT_EQ(m_guard.asked, (std::set<InodeNumber>{m_file, other}));
    EXPECT_EQ(m_guard.waits, 1U);
    Refuse();
    EXPECT_EQ(Do<Nfs2Remove>({root, "other"}).status, Nfs2Status::JUKEBOX);
    EXPECT_EQ(m_guard.asked, std::set<InodeNumber>{other});
    EXPECT_EQ(m_guard.waits, 1U);
    Refuse();
    EXPECT_EQ(Do<Nfs2Link>({Handle(m_file), {root, "second"}}).status, Nfs2Status::JUKEBOX);
    EXPECT_EQ(m_guard.waits, 0U) << "LINK keeps no thread";
    Refuse();
    Create2Args cut;
    cut.where = {root, "file"};
    cut.attributes.size = 0;
    EXPECT_EQ(Do<Nfs2Create>(cut).status, Nfs2Status::JUKEBOX);
    EXPECT_EQ(m_guard.waits, 1U);
    EXPECT_EQ(m_store->Get(m_file).content->GetSize(), 1000U);
    EXPECT_EQ(m_server->GetDroppedCalls(), 0U);
}

TEST_F(Jukebox2Test, SetattrThatMayAfterTheWaitIsCarriedOut)
{
    m_guard.refusals = 1;
    Setattr2Args set;
    set.object = Handle(m_file);
    set.attributes.mode = 0600;
    EXPECT_EQ(Do<Nfs2Setattr>(set).attributes.mode, MODE2_REG | 0600);
    EXPECT_EQ(m_guard.waits, 1U);
    EXPECT_EQ(m_server->GetCalls(Nfs2Procedure::SETATTR), 1U);
}

TEST_F(Jukebox2Test, CallsThatChangeNothingAskNobody)
{
    Refuse();
    const Nfs2Fh root = Handle(m_root);
    EXPECT_EQ(Do<Nfs2Getattr>({Handle(m_file)}).status, Nfs2Status::OK);
    EXPECT_EQ(DoRead(Handle(m_file), 0, 100).size(), 100U);
    Create2Args create;
    create.where = {root, "file"};
    EXPECT_EQ(Do<Nfs2Create>(create).status, Nfs2Status::OK);
    create.where = {root, "fifo"};
    create.attributes.mode = MODE2_FIFO | 0600;
    create.attributes.size = 5;
    EXPECT_EQ(Do<Nfs2Create>(create).status, Nfs2Status::OK);
    EXPECT_TRUE(m_guard.asked.empty());
}

} // namespace
} // namespace ns3::nfsrdma::test
