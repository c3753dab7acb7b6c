/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-fixture.h"
#include "nfs/v4/server/attribute-operations.h"
#include "nfs/v4/server/client-id-operations.h"
#include "nfs/v4/server/copy-operations.h"
#include "nfs/v4/server/data-operations.h"
#include "nfs/v4/server/handle-operations.h"
#include "nfs/v4/server/layout-operations.h"
#include "nfs/v4/server/lock-operations.h"
#include "nfs/v4/server/name-operations.h"
#include "nfs/v4/server/open-operations.h"
#include "nfs/v4/server/session-operations.h"
#include "nfs/v4/server/stateid-operations.h"
#include "nfs/v4/server/xattr-operations.h"

namespace ns3::nfsrdma::test
{
namespace
{

/// Groups of operations on the state of a COMPOUND, without the COMPOUND.
class Nfs4OperationGroups : public Nfs4ServerFixture
{
  protected:
    void SetUp() override
    {
        Nfs4ServerFixture::SetUp();
        m_call.header.flavor = RpcAuthFlavor::SYS;
        m_compound.emplace(m_server->GetState(), m_call, m_memory, Simulator::Now());
        m_compound->minorVersion = 2;
    }

    void TearDown() override
    {
        m_compound.reset();
        Nfs4ServerFixture::TearDown();
    }

    /// NFSv4.0's SETCLIENTID and SETCLIENTID_CONFIRM.
    Nfs4ClientId Introduce()
    {
        m_compound->minorVersion = 0;
        SetclientidArgs4 set;
        set.id = {1, 2, 3};
        const auto known = Nfs4ClientIdOperations(*m_compound).Run(set);
        EXPECT_EQ(known.status, Nfs4Status::OK);
        SetclientidConfirmArgs4 confirm;
        confirm.clientId = known.clientId;
        confirm.confirm = known.confirm;
        EXPECT_EQ(Nfs4ClientIdOperations(*m_compound).Run(confirm).status, Nfs4Status::OK);
        return known.clientId;
    }

    OpenRes4 OpenFile()
    {
        m_client = Introduce();
        m_compound->SetCurrent(m_root);
        return Nfs4OpenOperations(*m_compound).Run(MakeOpen("file", OPEN4_SHARE_ACCESS_BOTH));
    }

    RpcServerCall m_call;
    std::optional<Nfs4CompoundState> m_compound;
};

TEST_F(Nfs4OperationGroups, HandlesGoThroughTheState)
{
    Nfs4HandleOperations handles(*m_compound);
    EXPECT_EQ(handles.Run(RestorefhArgs4()).status, Nfs4Status::NOFILEHANDLE);
    EXPECT_EQ(handles.Run(Put(m_dir)).status, Nfs4Status::OK);
    EXPECT_EQ(m_compound->current, m_dir);
    m_compound->currentStateid = Nfs4StateId{7, {}};
    EXPECT_EQ(handles.Run(SavefhArgs4()).status, Nfs4Status::OK);
    EXPECT_EQ(handles.Run(Put(m_root)).status, Nfs4Status::OK);
    EXPECT_EQ(m_compound->currentStateid, std::nullopt);
    EXPECT_EQ(handles.Run(RestorefhArgs4()).status, Nfs4Status::OK);
    EXPECT_EQ(m_compound->current, m_dir);
    EXPECT_EQ(m_compound->currentStateid, (Nfs4StateId{7, {}}));
    PutfhArgs4 stranger;
    EXPECT_NE(handles.Run(stranger).status, Nfs4Status::OK);
    EXPECT_EQ(m_compound->current, std::nullopt);
}

TEST_F(Nfs4OperationGroups, WorkIsChargedToTheCurrentObject)
{
    m_compound->SetCurrent(m_file);
    ReadArgs4 read;
    read.offset = 100;
    read.count = 50;
    const auto results = Nfs4DataOperations(*m_compound).Run(read);
    EXPECT_EQ(results.status, Nfs4Status::OK);
    EXPECT_EQ(results.data.length, 50U);
    ASSERT_EQ(m_compound->work.size(), 1U);
    EXPECT_EQ(m_compound->work[0].work, StorageWork::READ);
    EXPECT_EQ(m_compound->work[0].file, m_file);
    EXPECT_EQ(m_compound->work[0].octets, 50U);
}

TEST_F(Nfs4OperationGroups, AttributesOfTheCurrentObjectAreCompared)
{
    m_compound->SetCurrent(m_file);
    Nfs4AttributeOperations attributes(*m_compound);
    VerifyArgs4 verify;
    verify.attributes.size = 10000;
    EXPECT_EQ(attributes.Run(verify).status, Nfs4Status::OK);
    verify.attributes.size = 9999;
    EXPECT_EQ(attributes.Run(verify).status, Nfs4Status::NOT_SAME);
}

TEST_F(Nfs4OperationGroups, NamesAreMadeAndTakenAway)
{
    m_compound->SetCurrent(m_root);
    Nfs4NameOperations names(*m_compound);
    CreateArgs4 create;
    create.name = "new";
    EXPECT_EQ(names.Run(create).status, Nfs4Status::OK);
    EXPECT_NE(m_compound->current, m_root);
    m_compound->SetCurrent(m_root);
    RemoveArgs4 remove;
    remove.target = "new";
    EXPECT_EQ(names.Run(remove).status, Nfs4Status::OK);
    EXPECT_EQ(names.Run(remove).status, Nfs4Status::NOENT);
}

TEST_F(Nfs4OperationGroups, ExtendedAttributesNeedNoCompound)
{
    m_compound->SetCurrent(m_file);
    Nfs4XattrOperations xattrs(*m_compound);
    SetxattrArgs4 set;
    set.name = "colour";
    set.value = {1, 2};
    EXPECT_EQ(xattrs.Run(set).status, Nfs4Status::OK);
    GetxattrArgs4 get;
    get.name = "colour";
    EXPECT_EQ(xattrs.Run(get).value, set.value);
    get.name = "size";
    EXPECT_EQ(xattrs.Run(get).status, Nfs4Status::NOXATTR);
}

TEST_F(Nfs4OperationGroups, OpenLeavesItsOwnerForTheReplyThatIsKept)
{
    const auto opened = OpenFile();
    EXPECT_EQ(opened.status, Nfs4Status::OK);
    EXPECT_EQ(m_compound->current, m_file);
    EXPECT_EQ(m_compound->currentStateid, opened.stateid);
    ASSERT_NE(m_compound->ordered.owner, nullptr);
    EXPECT_FALSE(m_compound->ordered.replay);
    EXPECT_FALSE(m_compound->ordered.owner->confirmed);
}

TEST_F(Nfs4OperationGroups, UnconfirmedOpenIsNoGoodForWriting)
{
    const auto opened = OpenFile();
    Nfs4StateFinder finder(*m_compound);
    EXPECT_EQ(finder.CheckIo(m_file, opened.stateid, true), Nfs4Status::BAD_STATEID);
    m_compound->ordered.owner->confirmed = true;
    EXPECT_EQ(finder.CheckIo(m_file, opened.stateid, true), Nfs4Status::OK);
    EXPECT_EQ(finder.CheckIo(m_dir, opened.stateid, true), Nfs4Status::BAD_STATEID);
    EXPECT_EQ(finder.CheckIo(m_file, MakeReadBypassStateId(), false), Nfs4Status::OK);
}

TEST_F(Nfs4OperationGroups, LockIsDeniedToWhoComesSecond)
{
    m_client = Introduce();
    m_compound->SetCurrent(m_file);
    Nfs4LockOperations locks(*m_compound);
    LocktArgs4 test;
    test.owner.clientId = m_client;
    test.length = 10;
    EXPECT_EQ(locks.Run(test).status, Nfs4Status::OK);
    const auto key = m_server->GetState().GetKey(m_file);
    m_server->GetState().states.GetLocks(key).Set({99, true, *Nfs4LockRange::Make(5, 5)});
    EXPECT_EQ(locks.Run(test).status, Nfs4Status::DENIED);
    test.length = 5;
    EXPECT_EQ(locks.Run(test).status, Nfs4Status::OK);
}

TEST_F(Nfs4OperationGroups, StateidOfNobodyCannotBeFreed)
{
    FreeStateidArgs4 free;
    free.stateid = MakeReadBypassStateId();
    EXPECT_EQ(Nfs4StateidOperations(*m_compound).Run(free).status, Nfs4Status::BAD_STATEID);
}

TEST_F(Nfs4OperationGroups, CopyBetweenServersIsNotKnown)
{
    m_compound->SetCurrent(m_file);
    CopyArgs4 copy;
    Nfs4CopyOperations copies(*m_compound);
    EXPECT_EQ(copies.Run(copy).status, Nfs4Status::NOFILEHANDLE);
    copy.sourceServers.emplace_back();
    EXPECT_EQ(copies.Run(copy).status, Nfs4Status::NOTSUPP);
}

TEST_F(Nfs4OperationGroups, LayoutsAreNotGivenUnlessSetUp)
{
    m_compound->SetCurrent(m_file);
    EXPECT_EQ(Nfs4LayoutOperations(*m_compound).Run(LayoutgetArgs4()).status,
              Nfs4Status::LAYOUTUNAVAILABLE);
}

TEST_F(Nfs4OperationGroups, SequenceComesFirst)
{
    SequenceArgs4 sequence;
    Nfs4SessionOperations sessions(*m_compound);
    EXPECT_EQ(sessions.Run(sequence).status, Nfs4Status::BADSESSION);
    m_compound->reply.Begin({});
    m_compound->reply.Add(Nfs4Op::PUTROOTFH, PutrootfhRes4());
    EXPECT_EQ(sessions.Run(sequence).status, Nfs4Status::SEQUENCE_POS);
}

TEST_F(Nfs4OperationGroups, UnsupportedOperationsSaySo)
{
    Nfs4UnsupportedOperations others(*m_compound);
    EXPECT_EQ(others.Run(WriteSameArgs4()).status, Nfs4Status::NOTSUPP);
    EXPECT_EQ(others.Run(DelegpurgeArgs4()).status, Nfs4Status::NOTSUPP);
}

} // namespace
} // namespace ns3::nfsrdma::test
