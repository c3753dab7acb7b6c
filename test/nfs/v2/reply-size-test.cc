/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/loop.h"

#include <random>

namespace ns3::nfsrdma::test
{
namespace
{

TEST(Nfs2ReplySize, SizesAreXdrs)
{
    EXPECT_EQ(EstimateNfs2Reply(Nfs2Procedure::NULLPROC).GetTotal(), 24U);
    EXPECT_EQ(EstimateNfs2Reply(Nfs2Procedure::GETATTR).GetTotal(), 24U + 72);
    EXPECT_EQ(EstimateNfs2Reply(Nfs2Procedure::LOOKUP).GetTotal(), 24U + 104);
    EXPECT_EQ(EstimateNfs2Reply(Nfs2Procedure::RENAME).GetTotal(), 24U + 4);
    EXPECT_EQ(EstimateNfs2Reply(Nfs2Procedure::STATFS).GetTotal(), 24U + 24);
    const auto read = EstimateNfs2Reply(Nfs2Procedure::READ, 5);
    EXPECT_EQ(read.minimum, 24U + 76);
    EXPECT_EQ(read.GetTotal(), 24U + 76 + 8);
    EXPECT_TRUE(read.items.at(0).ddpEligible);
    EXPECT_FALSE(EstimateNfs2Reply(Nfs2Procedure::READLINK, 8).items.at(0).ddpEligible);
    EXPECT_TRUE(EstimateNfs2Reply(Nfs2Procedure::READLINK, 8, true).items.at(0).ddpEligible);
    EXPECT_FALSE(EstimateNfs2Reply(Nfs2Procedure::READDIR, 8).items.at(0).ddpEligible);
}

/// 100,000 operations at random on a tree that they change; the transport checks each reply.
class Nfs2RandomReplies : public Nfs2Loop
{
  protected:
    uint32_t Below(uint32_t limit)
    {
        return static_cast<uint32_t>(m_random() % limit);
    }

    std::string Name()
    {
        const std::string name = std::to_string(Below(40));
        return Below(8) == 0 ? name + std::string(Below(250), 'n') : name;
    }

    Nfs2Fh Any()
    {
        const uint32_t pick = Below(20);
        if (pick == 0)
        {
            Nfs2Fh broken = m_handles[Below(m_handles.size())];
            broken.octets[Below(NFS2_FHSIZE)] ^= 1 + Below(255);
            return broken;
        }
        return pick < 8 ? m_handles.front() : m_handles[Below(m_handles.size())];
    }

    DirOp2Args AnyName()
    {
        return {Any(), Name()};
    }

    Sattr2 Attributes()
    {
        Sattr2 attributes;
        attributes.mode = Below(2) == 0 ? Sattr2::UNSET : 0700 + Below(64);
        if (Below(10) == 0)
        {
            attributes.mode = Below(0200000);
        }
        attributes.size = Below(3) == 0 ? Below(30000) : Sattr2::UNSET;
        return attributes;
    }

    void Keep(const DirOp2Res& results)
    {
        if (results.status == Nfs2Status::OK && m_handles.size() < 200)
        {
            m_handles.push_back(results.object);
        }
    }

    void Step(Nfs2Procedure procedure)
    {
        switch (procedure)
        {
        case Nfs2Procedure::NULLPROC:
            Do<Nfs2Null>({});
            break;
        case Nfs2Procedure::GETATTR:
            Do<Nfs2Getattr>({Any()});
            break;
        case Nfs2Procedure::SETATTR:
            Do<Nfs2Setattr>({Any(), Attributes()});
            break;
        case Nfs2Procedure::ROOT:
            Do<Nfs2Root>({});
            break;
        case Nfs2Procedure::LOOKUP:
            Keep(Do<Nfs2Lookup>(AnyName()));
            break;
        case Nfs2Procedure::READLINK:
            DoReadlink(Any());
            break;
        case Nfs2Procedure::READ:
            DoRead(Any(), Below(30000), Below(10000));
            break;
        case Nfs2Procedure::WRITECACHE:
            Do<Nfs2Writecache>({});
            break;
        case Nfs2Procedure::WRITE:
            DoWrite(Any(), Below(30000), ByteVector(Below(NFS2_MAXDATA + 1)));
            break;
        case Nfs2Procedure::CREATE:
            Keep(Do<Nfs2Create>({AnyName(), Attributes()}));
            break;
        case Nfs2Procedure::REMOVE:
            Do<Nfs2Remove>(AnyName());
            break;
        case Nfs2Procedure::RENAME:
            Do<Nfs2Rename>({AnyName(), AnyName()});
            break;
        case Nfs2Procedure::LINK:
            Do<Nfs2Link>({Any(), AnyName()});
            break;
        case Nfs2Procedure::SYMLINK:
            DoSymlink(AnyName(), std::string(Below(NFS2_MAXPATHLEN), 't'));
            break;
        case Nfs2Procedure::MKDIR:
            Keep(Do<Nfs2Mkdir>({AnyName(), Attributes()}));
            break;
        case Nfs2Procedure::RMDIR:
            Do<Nfs2Rmdir>(AnyName());
            break;
        case Nfs2Procedure::READDIR:
            DoReaddir(Any(), Below(20), Below(2000));
            break;
        case Nfs2Procedure::STATFS:
            Do<Nfs2Statfs>({Any()});
            break;
        }
    }

    std::mt19937_64 m_random{1094};
    std::vector<Nfs2Fh> m_handles;
};

TEST_F(Nfs2RandomReplies, NoReplyIsLongerThanEstimated)
{
    constexpr uint64_t OPERATIONS = 100'000;
    m_handles.push_back(Handle(m_root));
    for (uint64_t i = 0; i < OPERATIONS && !HasFailure(); ++i)
    {
        m_transport->reduceCalls = Below(2) == 0;
        m_transport->reduceReplies = Below(2) == 0;
        m_client->SetReduceReadlink(Below(2) == 0);
        Step(static_cast<Nfs2Procedure>(Below(NFS2_PROCEDURES)));
    }
    EXPECT_EQ(m_transport->replies, OPERATIONS);
    EXPECT_EQ(m_client->GetPending(), 0U);
    for (uint32_t procedure = 1; procedure < NFS2_PROCEDURES; ++procedure)
    {
        EXPECT_GT(m_server->GetCalls(static_cast<Nfs2Procedure>(procedure)), OPERATIONS / 50);
    }
}

} // namespace
} // namespace ns3::nfsrdma::test
