/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/mount-fixture.h"

namespace ns3::nfsrdma
{
namespace
{

class Mountd : public MountTest
{
};

TEST_F(Mountd, ServesAllProceduresOfVersionThree)
{
    m_store->AddFile(*m_store->GetExport("/export"), "file", 1);
    m_store->CreateExport("second");
    const auto client = MakeClient(MOUNTD_PORT, MOUNT_PROGRAM, MOUNT_V3);
    Ask<MountNull>(client, {});
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(Ask<MountMnt3>(client, {"/export"}).status, MountStatus::OK);
    EXPECT_EQ(Ask<MountMnt3>(client, {"/second"}).status, MountStatus::OK);
    EXPECT_EQ(Ask<MountMnt3>(client, {"/second"}).status, MountStatus::OK);
    EXPECT_EQ(Ask<MountMnt3>(client, {"/export/file"}).status, MountStatus::NOTDIR);
    EXPECT_EQ(Ask<MountMnt3>(client, {"/export/none"}).status, MountStatus::NOENT);
    EXPECT_EQ(Ask<MountMnt3>(client, {"/exports"}).status, MountStatus::ACCES);
    const auto list = Ask<MountDump>(client, {});
    ASSERT_EQ(list.entries.size(), 2U);
    EXPECT_EQ(list.entries.front().host, TcpPair::CLIENT_ADDRESS);
    EXPECT_EQ(list.entries.back().path, "/second");
    Ask<MountUmnt>(client, {"/export"});
    EXPECT_EQ(Ask<MountDump>(client, {}).entries.size(), 1U);
    Ask<MountUmntall>(client, {});
    EXPECT_TRUE(Ask<MountDump>(client, {}).entries.empty());
    const auto exports = Ask<MountExport>(client, {});
    ASSERT_EQ(exports.exports.size(), 2U);
    EXPECT_EQ(exports.exports.front().path, "/export");
    EXPECT_EQ(exports.exports.front().groups, std::vector<std::string>{"*"});
    ExpectDissected("mount", 26);
}

TEST_F(Mountd, VersionOneGivesHandlesOf32Octets)
{
    const auto client = MakeClient(MOUNTD_PORT, MOUNT_PROGRAM, MOUNT_V1);
    const auto results = Ask<MountMnt1>(client, {"/export"});
    EXPECT_EQ(results.status, MountStatus::OK);
    const NfsFh3 root = m_store->GetHandle(*m_store->GetExport("/export"));
    EXPECT_TRUE(
        std::equal(root.octets.begin(), root.octets.begin() + root.length, results.handle.begin()));
    EXPECT_EQ(Ask<MountMnt1>(client, {"/none"}).status, MountStatus::ACCES);
    ExpectDissected("mount", 4);
}

TEST_F(Mountd, ServesAllProceduresOfVersionTwo)
{
    m_store->AddFile(*m_store->GetExport("/export"), "file", 1);
    m_store->SetAttribute("MaxLinks", UintegerValue(1234));
    const auto client = MakeClient(MOUNTD_PORT, MOUNT_PROGRAM, MOUNT_V2);
    Ask<MountNull>(client, {});
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(Ask<MountMnt1>(client, {"/export"}).status, MountStatus::OK);
    ASSERT_EQ(Ask<MountDump>(client, {}).entries.size(), 1U);
    const auto limits = Ask<MountPathConf>(client, {"/export"});
    EXPECT_EQ(limits.linkMax, 1234U);
    EXPECT_EQ(limits.nameMax, 255U);
    EXPECT_EQ(limits.pathMax, 4096U);
    EXPECT_EQ(Ask<MountPathConf>(client, {"/other"}), Mount2PathConf());
    EXPECT_EQ(Ask<MountPathConf>(client, {"/export/file"}), Mount2PathConf());
    EXPECT_EQ(Ask<MountExport>(client, {}).exports.size(), 1U);
    EXPECT_EQ(Ask<MountExportAll>(client, {}).exports.size(), 1U);
    Ask<MountUmnt>(client, {"/export"});
    Ask<MountUmntall>(client, {});
    EXPECT_TRUE(Ask<MountDump>(client, {}).entries.empty());
    ExpectDissected("mount", 22);
    EXPECT_EQ(Tshark("-Y 'mount.procedure_v2 == 7'").size(), 6U);
    EXPECT_EQ(Tshark("-Y 'mount.pathconf.name_max == 255'").size(), 1U);
}

TEST_F(Mountd, VersionsHaveTheirProceduresAlone)
{
    const auto v1 = MakeClient(MOUNTD_PORT, MOUNT_PROGRAM, MOUNT_V1);
    EXPECT_EQ(Ask<MountExportAll>(v1, {}).exports.size(), 1U);
    Ask<MountPathConf>(v1, {"/export"});
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    const auto v3 = MakeClient(MOUNTD_PORT, MOUNT_PROGRAM, MOUNT_V3);
    Ask<MountExportAll>(v3, {});
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    Ask<MountPathConf>(v3, {"/export"});
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
}

TEST_F(Mountd, AllVersionsAreRegistered)
{
    for (const uint32_t version : {MOUNT_V1, MOUNT_V2, MOUNT_V3})
    {
        const auto client = MakeClient(RPCBIND_PORT, RPCBIND_PROGRAM, PORTMAP_V2);
        EXPECT_EQ(Ask<PortmapGetport>(client, {MOUNT_PROGRAM, version, PORTMAP_TCP, 0}).value,
                  MOUNTD_PORT);
    }
}

TEST_F(Mountd, LongHandlesDoNotFitVersionOne)
{
    m_store->SetAttribute("RootHandleOctets", UintegerValue(40));
    const auto v1 = MakeClient(MOUNTD_PORT, MOUNT_PROGRAM, MOUNT_V1);
    EXPECT_EQ(Ask<MountMnt1>(v1, {"/export"}).status, MountStatus::INVAL);
    const auto v3 = MakeClient(MOUNTD_PORT, MOUNT_PROGRAM, MOUNT_V3);
    EXPECT_EQ(Ask<MountMnt3>(v3, {"/export"}).handle.length, 40U);
}

TEST_F(Mountd, UnknownVersionsAndProceduresAreRefused)
{
    const auto v4 = MakeClient(MOUNTD_PORT, MOUNT_PROGRAM, 4);
    Ask<MountDump>(v4, {});
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    const auto v3 = MakeClient(MOUNTD_PORT, MOUNT_PROGRAM, MOUNT_V3);
    using Unknown = RpcProcedure<6U, XdrVoid, XdrVoid>;
    Ask<Unknown>(v3, {});
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    using Garbage = RpcProcedure<MountProcedure::MNT, XdrVoid, XdrVoid>;
    Ask<Garbage>(v3, {});
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
}

TEST(MountFlavors, AreThoseOfTheServer)
{
    const auto store = CreateObject<FileStore>();
    store->CreateExport("e");
    const auto server = CreateObject<MountServer>(MOUNT_V3, std::make_shared<MountTable>());
    server->SetFileStore(store);
    server->SetFlavors("krb5,krb5i,krb5p,sys");
    auto call = std::make_shared<RpcServerCall>();
    call->header.procedure = MountMnt3::NUMBER;
    XdrWriter writer;
    EncodeXdr(writer, MountPath{"/e"});
    call->message.octets = writer.Take();
    std::vector<uint32_t> flavors;
    server->Dispatch(call, [&flavors](RpcServerReply&& reply) {
        XdrReader reader(reply.results.octets);
        flavors = DecodeXdr<Mount3Res>(reader)->flavors;
    });
    EXPECT_EQ(flavors, (std::vector<uint32_t>{390003, 390004, 390005, 1}));
}

} // namespace
} // namespace ns3::nfsrdma
