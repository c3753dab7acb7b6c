/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/message-filler.h"
#include "nfs/message-types.h"
#include "nfs/nfs3-loop.h"
#include "nfs/v3/reply-size3.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma::test
{

namespace
{

/// The greatest result of a procedure with all that may follow.
template <typename Result>
uint32_t
LengthOf(const Result& result)
{
    XdrWriter writer;
    EncodeXdr(writer, result);
    return RpcReplyHeader::ACCEPTED_SIZE + writer.GetSize();
}

} // namespace

TEST(Nfs3ReplySize, HeadsAreLinuxs)
{
    const auto read = EstimateNfs3Reply(Nfs3Procedure::READ, 65536);
    EXPECT_EQ(read.head, 128U);
    EXPECT_EQ(read.items.at(0).maximum, 65536U);
    EXPECT_EQ(read.tail, 4U);
    EXPECT_TRUE(read.items.at(0).ddpEligible);
    const auto readlink = EstimateNfs3Reply(Nfs3Procedure::READLINK, 4096);
    EXPECT_EQ(readlink.head, 120U);
    EXPECT_EQ(readlink.items.at(0).maximum, 4096U);
    EXPECT_EQ(readlink.tail, 4U);
    EXPECT_FALSE(readlink.items.at(0).ddpEligible);
    EXPECT_TRUE(EstimateNfs3Reply(Nfs3Procedure::READLINK, 4096, true).items.at(0).ddpEligible);
    for (const auto procedure : {Nfs3Procedure::READDIR, Nfs3Procedure::READDIRPLUS})
    {
        const auto readdir = EstimateNfs3Reply(procedure, 65536);
        EXPECT_EQ(readdir.head, 124U);
        EXPECT_EQ(readdir.items.at(0).maximum, 65536U);
        EXPECT_EQ(readdir.tail, 4U);
        EXPECT_FALSE(readdir.items.at(0).ddpEligible);
    }
}

TEST(Nfs3ReplySize, ReadOf3072FitsInlineAndReadOf4096DoesNot)
{
    constexpr uint32_t MAX_INLINE_REPLY = 3996;
    EXPECT_LE(EstimateNfs3Reply(Nfs3Procedure::READ, 3072).GetTotal(), MAX_INLINE_REPLY);
    EXPECT_GT(EstimateNfs3Reply(Nfs3Procedure::READ, 4096).GetTotal(), MAX_INLINE_REPLY);
}

TEST(Nfs3ReplySize, MaximaAreExactWhereXdrMakesThemExact)
{
    MessageGenerator generator(3);
    NfsFh3 handle(generator.Octets(NFS3_FHSIZE));
    const Fattr3 attributes = generator.Make<Fattr3>();
    const WccData wcc{WccAttr(), attributes};
    const auto total = [](Nfs3Procedure procedure) {
        return EstimateNfs3Reply(procedure).GetTotal();
    };
    EXPECT_EQ(total(Nfs3Procedure::NULLPROC), 24U);
    EXPECT_EQ(total(Nfs3Procedure::GETATTR), LengthOf(Getattr3Res()));
    Wcc3Res changed;
    changed.wcc = wcc;
    EXPECT_EQ(total(Nfs3Procedure::SETATTR), LengthOf(changed));
    EXPECT_EQ(total(Nfs3Procedure::REMOVE), LengthOf(changed));
    EXPECT_EQ(total(Nfs3Procedure::RMDIR), LengthOf(changed));
    Lookup3Res lookup;
    lookup.object = handle;
    lookup.objectAttributes = attributes;
    lookup.dirAttributes = attributes;
    EXPECT_EQ(total(Nfs3Procedure::LOOKUP), LengthOf(lookup));
    Access3Res access;
    access.attributes = attributes;
    EXPECT_EQ(total(Nfs3Procedure::ACCESS), LengthOf(access));
    Write3Res write;
    write.wcc = wcc;
    EXPECT_EQ(total(Nfs3Procedure::WRITE), LengthOf(write));
    Make3Res made;
    made.object = handle;
    made.attributes = attributes;
    made.dirWcc = wcc;
    for (const auto procedure : {Nfs3Procedure::CREATE,
                                 Nfs3Procedure::MKDIR,
                                 Nfs3Procedure::SYMLINK,
                                 Nfs3Procedure::MKNOD})
    {
        EXPECT_EQ(total(procedure), LengthOf(made));
    }
    EXPECT_EQ(total(Nfs3Procedure::RENAME), LengthOf(Rename3Res{Nfs3Status::OK, wcc, wcc}));
    EXPECT_EQ(total(Nfs3Procedure::LINK), LengthOf(Link3Res{Nfs3Status::OK, attributes, wcc}));
    Fsstat3Res fsstat;
    fsstat.attributes = attributes;
    EXPECT_EQ(total(Nfs3Procedure::FSSTAT), LengthOf(fsstat));
    Fsinfo3Res fsinfo;
    fsinfo.attributes = attributes;
    EXPECT_EQ(total(Nfs3Procedure::FSINFO), LengthOf(fsinfo));
    Pathconf3Res pathconf;
    pathconf.attributes = attributes;
    EXPECT_EQ(total(Nfs3Procedure::PATHCONF), LengthOf(pathconf));
    EXPECT_EQ(total(Nfs3Procedure::COMMIT), LengthOf(Commit3Res{Nfs3Status::OK, wcc, {}}));
}

TEST(Nfs3ReplySize, MinimaAreThoseOfEmptyResults)
{
    ForEachType<Nfs3ArgTypes>([](auto args) {
        using Args = decltype(args);
        const auto estimate = EstimateNfs3Reply(Args::PROCEDURE, 4096);
        EXPECT_EQ(estimate.minimum, LengthOf(typename Args::Result())) << ToString(Args::PROCEDURE);
        EXPECT_LE(estimate.minimum, estimate.head + estimate.tail + 8);
        EXPECT_TRUE(estimate.bounded);
    });
}

/// Random operations on a small tree; the transport of the fixture checks each estimate.
class Nfs3RandomOperations : public Nfs3Loop
{
  protected:
    static constexpr int OPERATIONS = 100000;
    static constexpr uint32_t NAMES = 12;

    void SetUp() override
    {
        Nfs3Loop::SetUp();
        m_handles.push_back(m_rootHandle);
        m_handles.emplace_back();
    }

    NfsFh3 AnyHandle()
    {
        return m_handles[m_generator.Below(m_handles.size())];
    }

    DirOpArgs3 AnyName()
    {
        return {AnyHandle(),
                std::string(1 + m_generator.Below(200), 'a' + m_generator.Below(NAMES))};
    }

    void Keep(const PostOpFh3& handle)
    {
        if (handle && m_handles.size() < 40)
        {
            m_handles.push_back(*handle);
        }
        else if (handle)
        {
            m_handles[2 + m_generator.Below(38)] = *handle;
        }
    }

    void Count(Nfs3Status status)
    {
        EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
        EXPECT_EQ(m_record.programStatus, static_cast<uint32_t>(status));
        ++(status == Nfs3Status::OK ? m_succeeded : m_failed);
    }

    template <typename Args>
    void Submit(const Args& args)
    {
        Count(Do(args).status);
    }

    void DoOne()
    {
        Sattr3 changes;
        changes.mode = 0777;
        ByteVector octets;
        std::string path;
        switch (static_cast<Nfs3Procedure>(m_generator.Below(NFS3_PROCEDURES)))
        {
        case Nfs3Procedure::NULLPROC:
            Count(Await<Null3Res>([&](auto done) { m_client->Call(Null3Args(), done); }).status);
            break;
        case Nfs3Procedure::GETATTR:
            Submit(Getattr3Args{AnyHandle()});
            break;
        case Nfs3Procedure::SETATTR:
            changes.mtime.how = TimeHow::SET_TO_SERVER_TIME;
            Submit(Setattr3Args{AnyHandle(), changes, std::nullopt});
            break;
        case Nfs3Procedure::LOOKUP:
            Submit(Lookup3Args{AnyName()});
            break;
        case Nfs3Procedure::ACCESS:
            Submit(Access3Args{AnyHandle(), m_generator.Below(64)});
            break;
        case Nfs3Procedure::READLINK:
            Count(ReadPath(AnyHandle(), path).status);
            break;
        case Nfs3Procedure::READ:
            Count(ReadInto(AnyHandle(), m_generator.Below(9000), m_generator.Below(9000), octets)
                      .status);
            break;
        case Nfs3Procedure::WRITE:
            octets = m_generator.Octets(m_generator.Below(6000));
            Count(WriteFrom(AnyHandle(), m_generator.Below(9000), octets).status);
            break;
        case Nfs3Procedure::CREATE: {
            Create3Args args;
            args.where = AnyName();
            args.mode = static_cast<CreateMode3>(m_generator.Below(3));
            args.attributes = changes;
            const auto made = Do(args);
            Count(made.status);
            Keep(made.object);
            break;
        }
        case Nfs3Procedure::MKDIR: {
            const auto made = Do(Mkdir3Args{AnyName(), changes});
            Count(made.status);
            Keep(made.object);
            break;
        }
        case Nfs3Procedure::SYMLINK: {
            const auto made = MakeLink(AnyName(), m_generator.Name(4000));
            Count(made.status);
            Keep(made.object);
            break;
        }
        case Nfs3Procedure::MKNOD: {
            const auto type = static_cast<Ftype3>(1 + m_generator.Below(7));
            const auto made = Do(Mknod3Args{AnyName(), type, changes, {1, 2}});
            Count(made.status);
            Keep(made.object);
            break;
        }
        case Nfs3Procedure::REMOVE:
            Submit(Remove3Args{AnyName()});
            break;
        case Nfs3Procedure::RMDIR:
            Submit(Rmdir3Args{AnyName()});
            break;
        case Nfs3Procedure::RENAME:
            Submit(Rename3Args{AnyName(), AnyName()});
            break;
        case Nfs3Procedure::LINK:
            Submit(Link3Args{AnyHandle(), AnyName()});
            break;
        case Nfs3Procedure::READDIR:
            Submit(Readdir3Args{AnyHandle(), 0, {}, m_generator.Below(5000)});
            break;
        case Nfs3Procedure::READDIRPLUS:
            Submit(Readdirplus3Args{AnyHandle(), 0, {}, 512, m_generator.Below(5000)});
            break;
        case Nfs3Procedure::FSSTAT:
            Submit(Fsstat3Args{AnyHandle()});
            break;
        case Nfs3Procedure::FSINFO:
            Submit(Fsinfo3Args{AnyHandle()});
            break;
        case Nfs3Procedure::PATHCONF:
            Submit(Pathconf3Args{AnyHandle()});
            break;
        case Nfs3Procedure::COMMIT:
            Submit(Commit3Args{AnyHandle(), 0, 0});
            break;
        }
    }

    MessageGenerator m_generator{8267};
    std::vector<NfsFh3> m_handles;
    uint32_t m_succeeded{0};
    uint32_t m_failed{0};
};

TEST_F(Nfs3RandomOperations, NeverPassTheirEstimates)
{
    m_store->SetAttribute("RootHandleOctets", UintegerValue(NFS3_FHSIZE));
    m_store->SetAttribute("HandleOctets", UintegerValue(NFS3_FHSIZE));
    m_handles[0] = m_store->GetHandle(m_root);
    for (int i = 0; i < OPERATIONS; ++i)
    {
        m_transport->SetReduction(m_generator.Coin(), m_generator.Coin());
        DoOne();
    }
    EXPECT_EQ(m_succeeded + m_failed, static_cast<uint32_t>(OPERATIONS));
    EXPECT_GT(m_succeeded, static_cast<uint32_t>(OPERATIONS) / 5);
    EXPECT_GT(m_failed, static_cast<uint32_t>(OPERATIONS) / 5);
    for (uint32_t number = 0; number < NFS3_PROCEDURES; ++number)
    {
        EXPECT_GT(m_server->GetCalls(static_cast<Nfs3Procedure>(number)), 3000U);
    }
    EXPECT_EQ(m_server->GetGarbageCalls(), 0U);
}

} // namespace ns3::nfsrdma::test
