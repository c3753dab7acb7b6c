/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client-fixture.h"
#include "nfs/v4/client/mount-walk.h"

namespace ns3::nfsrdma::test
{

namespace
{

/// A walk for a client that has a lease already.
class Nfs4MountWalkTest : public Nfs4ClientTest
{
  protected:
    void SetUp() override
    {
        Nfs4ClientTest::SetUp();
        m_runner.emplace(*m_files);
        m_runner->SetClient(m_client);
        m_walk.emplace(*m_runner);
        Mount();
    }

    void TearDown() override
    {
        m_walk.reset();
        m_runner.reset();
        Nfs4ClientTest::TearDown();
    }

    FileReply Walk(const std::string& path)
    {
        m_server->log.clear();
        m_server->calls.clear();
        m_walk->SetExport(path);
        return Await<FileReply>([this](auto done) { m_walk->Start(done); });
    }

    /// \return what was looked up, each with the handle that it was looked up in.
    [[nodiscard]] Log GetLookups() const
    {
        Log lookups;
        for (const auto& call : m_server->calls)
        {
            std::string in;
            for (const auto& op : call.ops)
            {
                if (const auto* put = std::get_if<PutfhArgs4>(&op))
                {
                    const ByteSpan octets = put->object.AsSpan();
                    in.assign(octets.begin(), octets.end());
                }
                if (const auto* lookup = std::get_if<LookupArgs4>(&op))
                {
                    lookups.push_back(in + " " + static_cast<const std::string&>(lookup->name));
                }
            }
        }
        return lookups;
    }

    [[nodiscard]] std::string GetRoot() const
    {
        const ByteVector& octets = m_walk->GetRoot().octets;
        return std::string(octets.begin(), octets.end());
    }

    std::optional<Nfs4OperationRunner> m_runner;
    std::optional<Nfs4MountWalk> m_walk;
};

class Nfs40MountWalkTest : public Nfs4MountWalkTest
{
  protected:
    [[nodiscard]] uint32_t GetMinorVersion() const override
    {
        return 0;
    }
};

TEST_F(Nfs4MountWalkTest, WithoutAPathTheRootOfTheServerIsMounted)
{
    ASSERT_TRUE(Walk("").IsOk());
    EXPECT_EQ(GetRoot(), "/");
    EXPECT_EQ(GetLookups(), Log());
    EXPECT_EQ(m_server->log.front(), "SEQUENCE PUTROOTFH SECINFO_NO_NAME");
}

TEST_F(Nfs4MountWalkTest, EachNameIsLookedUpTwiceInTheOneBefore)
{
    ASSERT_TRUE(Walk("//a/bc/").IsOk());
    EXPECT_EQ(GetLookups(), Log({"/ a", "/ a", "a bc", "a bc"}));
    EXPECT_EQ(GetRoot(), "bc");
}

TEST_F(Nfs4MountWalkTest, APathTakesThePlaceOfTheOneBefore)
{
    ASSERT_TRUE(Walk("a/b").IsOk());
    ASSERT_TRUE(Walk("c").IsOk());
    EXPECT_EQ(GetLookups(), Log({"/ c", "/ c"}));
    EXPECT_EQ(GetRoot(), "c");
}

TEST_F(Nfs4MountWalkTest, AnErrorEndsTheWalk)
{
    m_server->errors[Nfs4Op::LOOKUP] = {Nfs4Status::OK, Nfs4Status::NOENT};
    const FileReply reply = Walk("a/b");
    EXPECT_EQ(reply.status, static_cast<uint32_t>(Nfs4Status::NOENT));
    EXPECT_EQ(GetLookups(), Log({"/ a", "/ a"}));
    EXPECT_EQ(m_server->log.back(), "SEQUENCE PUTFH LOOKUP GETFH GETATTR");
    EXPECT_EQ(GetRoot(), "") << "nothing is mounted";
}

TEST_F(Nfs4MountWalkTest, WhatTheServerCanDoIsTaken)
{
    m_server->leaseSeconds = 42;
    EXPECT_EQ(m_walk->GetMaxTransfer(), 0U);
    ASSERT_TRUE(Walk("a").IsOk());
    EXPECT_EQ(m_walk->GetMaxTransfer(), 65536U);
    EXPECT_EQ(m_client->GetRenewal().GetLease().GetPeriod(), Seconds(42));
}

TEST_F(Nfs40MountWalkTest, BeforeSessionsTheRootIsNotAskedForItsSecurity)
{
    ASSERT_TRUE(Walk("a").IsOk());
    EXPECT_EQ(m_server->log.front(), "PUTROOTFH GETFH GETATTR");
    EXPECT_EQ(GetRoot(), "a");
}

} // namespace
} // namespace ns3::nfsrdma::test
