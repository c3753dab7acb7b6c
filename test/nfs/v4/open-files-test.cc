/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/verifier-number.h"
#include "nfs/v4/client-fixture.h"
#include "nfs/v4/client/open-files.h"

namespace ns3::nfsrdma::test
{

namespace
{

/// What Nfs4OpenFiles of a mounted client says of opens to the server.
class Nfs4OpenFilesTest : public Nfs4ClientTest
{
  protected:
    void SetUp() override
    {
        Nfs4ClientTest::SetUp();
        Mount();
    }

    FileOpenReply Run(const FileOpenHow& how)
    {
        return Await<FileOpenReply>([&](auto done) {
            m_files->Run(FileOpen{{m_files->GetRoot(), "file"}, how}, done);
        });
    }

    static FileOpenHow MakeCreation(CreateMode3 mode)
    {
        FileOpenHow how;
        how.write = true;
        how.create = true;
        how.mode = mode;
        how.verifier = 0x1122334455667788;
        how.attributes.mode = 0640;
        return how;
    }

    /// \return the one OPEN that was sent.
    [[nodiscard]] OpenArgs4 GetOpen() const
    {
        std::vector<OpenArgs4> opens;
        for (const auto& call : m_server->calls)
        {
            for (const auto& op : call.ops)
            {
                if (const auto* open = std::get_if<OpenArgs4>(&op))
                {
                    opens.push_back(*open);
                }
            }
        }
        EXPECT_EQ(opens.size(), 1U);
        return opens.empty() ? OpenArgs4() : opens.front();
    }
};

class Nfs40OpenFilesTest : public Nfs4OpenFilesTest
{
  protected:
    [[nodiscard]] uint32_t GetMinorVersion() const override
    {
        return 0;
    }
};

TEST_F(Nfs4OpenFilesTest, AnOpenForNothingIsOneForReading)
{
    FileOpenHow how;
    how.read = false;
    ASSERT_TRUE(Run(how).IsOk());
    EXPECT_EQ(GetOpen().shareAccess & OPEN4_SHARE_ACCESS_BOTH, OPEN4_SHARE_ACCESS_READ);
}

TEST_F(Nfs4OpenFilesTest, TheServersErrorIsTheOpens)
{
    m_server->errors[Nfs4Op::OPEN] = {Nfs4Status::ACCESS};
    const auto reply = Run({});
    EXPECT_EQ(reply.status, static_cast<uint32_t>(Nfs4Status::ACCESS));
    EXPECT_EQ(reply.file, nullptr);
    EXPECT_TRUE(m_client->GetHeld().GetOpens().empty());
}

TEST_F(Nfs4OpenFilesTest, AnErrorAfterTheOpenMakesTheFileNoLessOpen)
{
    m_server->errors[Nfs4Op::ACCESS] = {Nfs4Status::ACCESS};
    const auto reply = Run({});
    EXPECT_TRUE(reply.IsOk());
    ASSERT_NE(reply.file, nullptr);
    EXPECT_FALSE(reply.attributes) << "GETATTR stands behind ACCESS";
    EXPECT_TRUE(Close(reply.file).IsOk());
    EXPECT_EQ(m_server->GetStateIds(), 0U);
}

TEST_F(Nfs4OpenFilesTest, AnExclusiveCreateIsBelievedByItsVerifierAndAsksForNoRight)
{
    ASSERT_TRUE(Run(MakeCreation(CreateMode3::EXCLUSIVE)).IsOk());
    EXPECT_EQ(m_server->log, Log({"SEQUENCE PUTFH OPEN GETFH GETATTR"}));
    const OpenArgs4 open = GetOpen();
    ASSERT_TRUE(open.create);
    EXPECT_EQ(open.create->mode, CreateMode4::EXCLUSIVE4_1);
    EXPECT_EQ(open.create->verifier, ToVerifier(0x1122334455667788));
    EXPECT_EQ(open.create->attributes.mode, 0640U) << "the server sets it with the create";
}

TEST_F(Nfs40OpenFilesTest, BeforeSessionsAnExclusiveCreateLeavesAttributesToSet)
{
    ASSERT_TRUE(Run(MakeCreation(CreateMode3::EXCLUSIVE)).IsOk());
    EXPECT_EQ(m_server->log, Log({"PUTFH OPEN GETFH GETATTR", "PUTFH SETATTR GETATTR"}));
    EXPECT_EQ(GetOpen().create.value().mode, CreateMode4::EXCLUSIVE);
}

TEST_F(Nfs40OpenFilesTest, WhatItLeavesMayNotBeSet)
{
    m_server->errors[Nfs4Op::SETATTR] = {Nfs4Status::PERM};
    const auto reply = Run(MakeCreation(CreateMode3::EXCLUSIVE));
    EXPECT_EQ(reply.status, static_cast<uint32_t>(Nfs4Status::PERM));
    EXPECT_EQ(m_client->GetHeld().GetOpens().size(), 1U) << "the file is open for all that";
}

TEST_F(Nfs40OpenFilesTest, AnOpenThatIsToBeConfirmedIsBeforeItsUserKnows)
{
    m_server->confirm = true;
    const auto reply = Run({});
    ASSERT_TRUE(reply.IsOk());
    EXPECT_EQ(m_server->log.back(), "PUTFH OPEN_CONFIRM");
}

TEST_F(Nfs4OpenFilesTest, AGuardedCreateAsksForRightsAtOnce)
{
    ASSERT_TRUE(Run(MakeCreation(CreateMode3::GUARDED)).IsOk());
    EXPECT_EQ(m_server->log, Log({"SEQUENCE PUTFH OPEN GETFH ACCESS GETATTR"}));
    EXPECT_EQ(GetOpen().create.value().mode, CreateMode4::GUARDED);
}

TEST_F(Nfs4OpenFilesTest, UnderADelegationNothingIsSent)
{
    m_server->delegation = OpenDelegationType4::READ;
    const auto first = Run({});
    m_server->log.clear();
    const auto second = Run({});
    ASSERT_TRUE(second.IsOk());
    EXPECT_EQ(second.object.octets, first.object.octets);
    EXPECT_TRUE(Close(second.file).IsOk());
    EXPECT_EQ(m_server->log, Log());
}

TEST_F(Nfs4OpenFilesTest, ADelegationThatDoesNotCoverAnOpenGoesBackFirst)
{
    m_server->delegation = OpenDelegationType4::READ;
    Run({});
    m_server->log.clear();
    m_server->delegation = OpenDelegationType4::NONE;
    FileOpenHow how;
    how.write = true;
    ASSERT_TRUE(Run(how).IsOk());
    ASSERT_EQ(m_server->log.size(), 2U);
    EXPECT_NE(m_server->log[0].find("DELEGRETURN"), std::string::npos);
    EXPECT_NE(m_server->log[1].find("OPEN"), std::string::npos);
}

TEST_F(Nfs4OpenFilesTest, TheServerHearsOfTheLastCloseOnly)
{
    const auto first = Run({});
    const auto second = Run({});
    m_server->log.clear();
    EXPECT_TRUE(Close(first.file).IsOk());
    EXPECT_EQ(m_server->log, Log()) << "the other one still reads";
    EXPECT_TRUE(Close(second.file).IsOk());
    EXPECT_EQ(m_server->log, Log({"SEQUENCE PUTFH GETATTR CLOSE"}));
}

} // namespace
} // namespace ns3::nfsrdma::test
