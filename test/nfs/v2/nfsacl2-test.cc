/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/acl-client2.h"
#include "nfs/v2/acl-server2.h"
#include "nfs/v2/loop.h"

namespace ns3::nfsrdma::test
{
namespace
{

class NfsAcl2 : public Nfs2Loop
{
  protected:
    void SetUp() override
    {
        Nfs2Loop::SetUp();
        m_aclServer->SetFileStore(m_store);
        m_rpcServer->Register(m_aclServer);
        m_aclRpc->SetTransport(m_transport);
        m_aclRpc->SetCredential(AuthSysCredential());
        m_acl->SetRpcClient(m_aclRpc);
        m_acl->SetHostMemory(m_clientMemory);
        m_file = Handle(m_store->AddFile(m_root, "file", 10, {0640, 5, 6}));
    }

    Getacl2Res Get(uint32_t mask)
    {
        Getacl2Res results;
        m_acl->Getacl({m_file, mask}, Into(results));
        Simulator::Run();
        return results;
    }

    Attr2Res Set(const PosixAcl& access)
    {
        Attr2Res results;
        m_acl->Call<AclSetacl2>({m_file, NFS_ACL, NfsAcl::Make(access, 5, 6, true, 0), {}},
                                Into(results));
        Simulator::Run();
        return results;
    }

    Ptr<NfsAcl2Server> m_aclServer{CreateObject<NfsAcl2Server>()};
    Ptr<RpcClient> m_aclRpc{CreateObject<RpcClient>()};
    Ptr<NfsAcl2Client> m_acl{CreateObject<NfsAcl2Client>()};
    Nfs2Fh m_file;
};

TEST_F(NfsAcl2, ListsAreSetAndGot)
{
    const auto minimal = Get(NFS_ACL | NFS_ACLCNT);
    EXPECT_EQ(minimal.status, Nfs2Status::OK);
    EXPECT_EQ(minimal.access.count, 4U);
    EXPECT_EQ(minimal.attributes.uid, 5U);
    const PosixAcl list{{PosixAclTag::USER_OBJ, 0, 7},
                        {PosixAclTag::USER, 1000, 4},
                        {PosixAclTag::GROUP_OBJ, 0, 5},
                        {PosixAclTag::MASK, 0, 5},
                        {PosixAclTag::OTHER, 0, 0}};
    EXPECT_EQ(Set(list).status, Nfs2Status::OK);
    const auto got = Get(NFS_ACL).access.ToPosixAcl();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->size(), list.size());
    EXPECT_EQ(got->at(1).id, 1000U);
    EXPECT_EQ(Get(NFS_ACLCNT).access.entries.size(), 0U);
    EXPECT_EQ(Get(0x10).status, Nfs2Status::INVAL);
    m_file.octets[8] ^= 1;
    EXPECT_EQ(Get(NFS_ACL).status, Nfs2Status::STALE);
}

TEST_F(NfsAcl2, LongListsAreRefused)
{
    PosixAcl list{{PosixAclTag::USER_OBJ, 0, 7}};
    for (uint32_t user = 1; user < 400; ++user)
    {
        list.push_back({PosixAclTag::USER, user, 4});
    }
    list.push_back({PosixAclTag::GROUP_OBJ, 0, 5});
    list.push_back({PosixAclTag::MASK, 0, 5});
    list.push_back({PosixAclTag::OTHER, 0, 0});
    Set(list);
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
}

TEST_F(NfsAcl2, AttributesAndAccessAreTold)
{
    XdrVoid none;
    m_acl->Call<AclNull2>({}, Into(none));
    Simulator::Run();
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    Attr2Res attributes;
    m_acl->Call<AclGetattr2>({m_file}, Into(attributes));
    Simulator::Run();
    EXPECT_EQ(attributes.attributes.size, 10U);
    Access2Res access;
    m_acl->Call<AclAccess2>({m_file, 0x3f}, Into(access));
    Simulator::Run();
    EXPECT_EQ(access.access, ACCESS3_READ | ACCESS3_MODIFY | ACCESS3_EXTEND);
}

} // namespace
} // namespace ns3::nfsrdma::test
