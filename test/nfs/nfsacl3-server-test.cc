/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/golden-acl-messages.h"
#include "nfs/nfs3-loop.h"
#include "nfs/v3/acl-client3.h"
#include "nfs/v3/acl-server3.h"

namespace ns3::nfsrdma::test
{
namespace
{

constexpr uint32_t ALL = NFS_ACL_MASK;

/// An NFSv3 client and server with NFSACL beside.
class NfsAcl3Loop : public Nfs3Loop
{
  protected:
    void SetUp() override
    {
        Nfs3Loop::SetUp();
        m_aclServer = CreateObject<NfsAcl3Server>();
        m_aclServer->SetFileStore(m_store);
        m_aclServer->SetStorage(m_server->GetStorage());
        m_rpcServer->Register(m_aclServer);
        m_aclRpcClient = CreateObject<RpcClient>();
        m_aclRpcClient->SetTransport(m_transport);
        m_aclClient = CreateObject<NfsAcl3Client>();
        m_aclClient->SetRpcClient(m_aclRpcClient);
        m_aclClient->SetHostMemory(m_clientMemory);
        Become(0, 0);
        m_file = m_store->AddFile(m_root, "f", 10, {0640, 100, 200});
        m_dir = m_store->AddDirectory(m_root, "d", {0755, 100, 200});
    }

    void TearDown() override
    {
        EXPECT_EQ(m_clientMemory->GetAllocationCount(), 0U);
        Nfs3Loop::TearDown();
    }

    /// Both programs' calls come from this caller.
    void Become(uint32_t uid, uint32_t gid)
    {
        SetCaller(uid, gid);
        AuthSysCredential credential;
        credential.machineName = "client";
        credential.uid = uid;
        credential.gid = gid;
        m_aclRpcClient->SetCredential(credential);
    }

    Getacl3Res Get(InodeNumber object, uint32_t mask = ALL)
    {
        return Await<Getacl3Res>([&](auto completion) {
            m_aclClient->Call(Getacl3Args{HandleOf(object), mask}, completion);
        });
    }

    Setacl3Res Set(const NfsFh3& object, const PosixAcl& access, const PosixAcl& defaults = {})
    {
        Setacl3Args args;
        args.object = object;
        args.mask = NFS_ACL | NFS_DFACL;
        args.access = NfsAcl::Make(access, 100, 200, true, 0);
        args.defaultAcl = NfsAcl::Make(defaults, 100, 200, true, NFS_ACL_DEFAULT);
        return Await<Setacl3Res>([&](auto completion) { m_aclClient->Call(args, completion); });
    }

    std::string GetText(InodeNumber object)
    {
        const auto acl = Get(object).access.ToPosixAcl();
        return acl ? ToString(*acl) : "none";
    }

    static PosixAcl Parse(const std::string& text)
    {
        return ParsePosixAcl(text).value();
    }

    /// A valid list of that many entries.
    static PosixAcl MakeLong(std::size_t entries)
    {
        PosixAcl acl = MakeMinimalAcl(0640);
        acl.insert(acl.begin() + 2, {PosixAclTag::MASK, 0, 7});
        while (acl.size() < entries)
        {
            const auto id = static_cast<uint32_t>(5000 + entries - acl.size());
            acl.insert(acl.begin() + 1, {PosixAclTag::USER, id, 4});
        }
        return acl;
    }

    Ptr<NfsAcl3Server> m_aclServer;
    Ptr<RpcClient> m_aclRpcClient;
    Ptr<NfsAcl3Client> m_aclClient;
    InodeNumber m_file{0};
    InodeNumber m_dir{0};
};

TEST_F(NfsAcl3Loop, ProgramsShareTheXids)
{
    Await<Null3Res>([&](auto completion) { m_aclClient->Call(AclNull3Args(), completion); });
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(m_record.program, NFSACL_PROGRAM);
    const uint32_t first = m_record.xid;
    Do(Getattr3Args{m_rootHandle});
    EXPECT_EQ(m_record.xid, first + 1);
    Get(m_file);
    EXPECT_EQ(m_record.xid, first + 2);
    EXPECT_EQ(m_aclServer->GetCalls(NfsAcl3Procedure::NULLPROC), 1U);
    EXPECT_EQ(m_aclServer->GetCalls(NfsAcl3Procedure::GETACL), 1U);
}

TEST_F(NfsAcl3Loop, AModeIsAMinimalListOfFourEntries)
{
    const auto result = Get(m_file, NFS_ACL | NFS_ACLCNT);
    EXPECT_EQ(result.status, Nfs3Status::OK);
    EXPECT_EQ(result.mask, NFS_ACL | NFS_ACLCNT);
    EXPECT_EQ(result.attributes->fileid, m_file);
    EXPECT_EQ(result.access.count, 4U);
    EXPECT_EQ(result.access.entries[0].id, 100U);
    EXPECT_EQ(result.access.entries[1].id, 200U);
    EXPECT_EQ(result.access.ToPosixAcl(), MakeMinimalAcl(0640));
    EXPECT_EQ(result.defaultAcl.count, 0U);
    EXPECT_EQ(m_record.programStatus, 0U);
}

// The GETACL of few, with the attributes of this store.
TEST_F(NfsAcl3Loop, AnswersTheOctetsThatLinuxAnswered)
{
    for (const auto& message : GOLDEN_ACL_MESSAGES)
    {
        if (message.procedure != NfsAcl3Procedure::GETACL || !message.isReply)
        {
            continue;
        }
        ByteVector octets;
        for (std::string_view hex = message.hex; !hex.empty(); hex.remove_prefix(2))
        {
            octets.push_back(std::stoul(std::string(hex.substr(0, 2)), nullptr, 16));
        }
        XdrReader reader(octets);
        auto golden = *DecodeXdr<Getacl3Res>(reader);
        const auto file = m_store->AddFile(m_root, "g" + std::to_string(message.frame), 0);
        m_store->GetAttributes().AddAcls(file, *golden.access.ToPosixAcl(), {});
        EXPECT_EQ(m_store->Get(file).attributes.mode, golden.attributes->mode);
        const auto ours = Get(file, golden.mask);
        golden.attributes = ours.attributes;
        XdrWriter expected;
        XdrWriter written;
        EncodeXdr(expected, golden);
        EncodeXdr(written, ours);
        EXPECT_EQ(written.GetOctets(), expected.GetOctets());
    }
}

TEST_F(NfsAcl3Loop, OnlyWhatTheMaskAsksForIsSaid)
{
    Set(HandleOf(m_dir), MakeMinimalAcl(0750), MakeMinimalAcl(0700));
    const auto counts = Get(m_dir, NFS_ACLCNT | NFS_DFACLCNT);
    EXPECT_EQ(counts.access.count, 4U);
    EXPECT_TRUE(counts.access.entries.empty());
    EXPECT_EQ(counts.defaultAcl.count, 4U);
    EXPECT_TRUE(counts.defaultAcl.entries.empty());
    const auto defaults = Get(m_dir, NFS_DFACL);
    EXPECT_EQ(defaults.access.count, 0U);
    EXPECT_EQ(defaults.defaultAcl.ToPosixAcl(), MakeMinimalAcl(0700));
    EXPECT_EQ(defaults.defaultAcl.entries[0].type, NFS_ACL_DEFAULT | 1U);
    const auto other = Get(m_dir, 0x10);
    EXPECT_EQ(other.status, Nfs3Status::INVAL);
    EXPECT_TRUE(other.attributes);
}

TEST_F(NfsAcl3Loop, SetListsAndModeFollowOneAnother)
{
    auto result = Set(HandleOf(m_file), MakeMinimalAcl(0604));
    EXPECT_EQ(result.status, Nfs3Status::OK);
    EXPECT_EQ(result.attributes->mode, 0604U);
    EXPECT_TRUE(m_store->Get(m_file).accessAcl.empty());

    result = Set(HandleOf(m_file), Parse("user::rw-,user:7:rwx,group::r--,mask::rw-,other::---"));
    EXPECT_EQ(result.attributes->mode, 0660U);
    Setattr3Args chmod;
    chmod.object = HandleOf(m_file);
    chmod.attributes.mode = 0741;
    Do(chmod);
    EXPECT_EQ(GetText(m_file), "user::rwx,user:7:rwx,group::r--,mask::r--,other::--x");

    result = Set(HandleOf(m_file), {});
    EXPECT_EQ(result.status, Nfs3Status::OK);
    EXPECT_EQ(result.attributes->mode, 0741U);
    EXPECT_EQ(GetText(m_file), "user::rwx,group::r--,other::--x");
}

TEST_F(NfsAcl3Loop, AccessGoesByTheList)
{
    Set(HandleOf(m_file), Parse("user::rw-,user:7:rw-,group::---,mask::r--,other::---"));
    const auto access = [this](uint32_t uid) {
        Become(uid, uid);
        return Do(Access3Args{HandleOf(m_file), ACCESS3_READ | ACCESS3_MODIFY}).access;
    };
    EXPECT_EQ(access(7), ACCESS3_READ);
    EXPECT_EQ(access(8), 0U);
    EXPECT_EQ(access(100), ACCESS3_READ | ACCESS3_MODIFY);
    EXPECT_EQ(access(0), ACCESS3_READ | ACCESS3_MODIFY);
}

TEST_F(NfsAcl3Loop, NewObjectsInheritTheDefaultList)
{
    const PosixAcl defaults = Parse("user::rwx,user:7:rwx,group::r-x,mask::rwx,other::---");
    Set(HandleOf(m_dir), MakeMinimalAcl(0755), defaults);
    Create3Args create;
    create.where = {HandleOf(m_dir), "f"};
    create.mode = CreateMode3::GUARDED;
    create.attributes.mode = 0644;
    const auto file = Do(create);
    EXPECT_EQ(file.attributes->mode, 0640U);
    EXPECT_EQ(GetText(*m_store->Resolve(*file.object)),
              "user::rw-,user:7:rwx,group::r-x,mask::r--,other::---");
    Mkdir3Args mkdir;
    mkdir.where = {HandleOf(m_dir), "s"};
    mkdir.attributes.mode = 0777;
    const auto made = Do(mkdir);
    const InodeNumber sub = *m_store->Resolve(*made.object);
    EXPECT_EQ(made.attributes->mode, 0770U);
    EXPECT_EQ(m_store->Get(sub).defaultAcl, defaults);
    EXPECT_EQ(Get(sub).defaultAcl.ToPosixAcl(), defaults);
    EXPECT_TRUE(m_store->Get(*m_store->Resolve(*file.object)).defaultAcl.empty());
}

TEST_F(NfsAcl3Loop, Errors)
{
    Become(7, 7);
    EXPECT_EQ(Set(HandleOf(m_file), MakeMinimalAcl(0777)).status, Nfs3Status::PERM);
    EXPECT_EQ(Get(m_file).status, Nfs3Status::OK);
    Become(100, 7);
    EXPECT_EQ(Set(HandleOf(m_file), MakeMinimalAcl(0600)).status, Nfs3Status::OK);
    EXPECT_EQ(Set(HandleOf(m_file), MakeMinimalAcl(0600), MakeMinimalAcl(0600)).status,
              Nfs3Status::ACCES);
    EXPECT_EQ(Set(HandleOf(m_file), Parse("user::rw-,group::r--")).status, Nfs3Status::INVAL);
    EXPECT_EQ(Set(HandleOf(m_dir), {}, Parse("user::rw-,group::r--")).status, Nfs3Status::INVAL);
    Become(0, 0);
    const InodeNumber link = m_store->AddSymlink(m_root, "l", "f");
    EXPECT_EQ(Set(HandleOf(link), MakeMinimalAcl(0777)).status, Nfs3Status::NOTSUPP);
    EXPECT_EQ(GetText(link), "user::rwx,group::rwx,other::rwx");
    EXPECT_EQ(Set(NfsFh3(), {}).status, Nfs3Status::BADHANDLE);
    const NfsFh3 gone = HandleOf(m_file);
    m_store->GetNames().Remove(m_root, "f", FileCredential());
    const auto stale = Await<Getacl3Res>([&](auto completion) {
        m_aclClient->Call(Getacl3Args{gone, ALL}, completion);
    });
    EXPECT_EQ(stale.status, Nfs3Status::STALE);
    EXPECT_FALSE(stale.attributes);
}

TEST_F(NfsAcl3Loop, ListsAboveAPageAreASystemError)
{
    m_store->GetAttributes().AddAcls(m_file, MakeLong(340), {});
    EXPECT_EQ(Get(m_file).access.count, 340U);
    m_store->GetAttributes().AddAcls(m_file, MakeLong(341), {});
    const auto failed = Get(m_file);
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    EXPECT_EQ(failed.status, Nfs3Status::SERVERFAULT);
    EXPECT_EQ(Get(m_file, NFS_ACLCNT).access.count, 341U);

    EXPECT_EQ(Set(HandleOf(m_file), MakeLong(340)).status, Nfs3Status::OK);
    EXPECT_EQ(GetText(m_file), ToString(MakeLong(340)));
    Set(HandleOf(m_file), MakeLong(341));
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    EXPECT_EQ(GetText(m_file), ToString(MakeLong(340)));
}

TEST_F(NfsAcl3Loop, GarbageIsRefused)
{
    const auto callRaw = [this](uint32_t procedure, const ByteVector& octets) {
        RpcOutcome outcome{};
        RpcArguments arguments;
        arguments.octets = octets;
        m_aclRpcClient->Call(procedure,
                             std::move(arguments),
                             NfsAcl3Client::EstimateReply(NfsAcl3Procedure::SETACL),
                             [&outcome](RpcRecord& record, const RpcReceivedMessage&, XdrReader&) {
                                 outcome = record.outcome;
                             });
        Simulator::Run();
        return outcome;
    };
    EXPECT_EQ(callRaw(1, {1, 2, 3, 4}), RpcOutcome::REJECTED);
    EXPECT_EQ(callRaw(2, {}), RpcOutcome::REJECTED);
    EXPECT_EQ(callRaw(3, {}), RpcOutcome::REJECTED);
    EXPECT_EQ(callRaw(0, {}), RpcOutcome::SUCCESS);
    EXPECT_EQ(m_aclServer->GetCalls(NfsAcl3Procedure::SETACL), 0U);
}

TEST_F(NfsAcl3Loop, ReplySizesAreLinuxs)
{
    const auto get = NfsAcl3Client::EstimateReply(NfsAcl3Procedure::GETACL);
    EXPECT_EQ(get.head, 256U);
    ASSERT_EQ(get.items.size(), 1U);
    EXPECT_EQ(get.items[0].maximum, 28672U);
    EXPECT_FALSE(get.items[0].ddpEligible);
    EXPECT_EQ(get.tail, 4U);
    EXPECT_EQ(NfsAcl3Client::EstimateReply(NfsAcl3Procedure::SETACL).GetTotal(), 116U);
    EXPECT_EQ(NfsAcl3Client::EstimateReply(NfsAcl3Procedure::NULLPROC).GetTotal(), 24U);
}

} // namespace

} // namespace ns3::nfsrdma::test
