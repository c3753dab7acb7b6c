/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/mount-fixture.h"
#include "nfs/v2/client2.h"
#include "nfs/v2/server2.h"

namespace ns3::nfsrdma
{
namespace
{

/// NFSv2 over TCP, to be seen by tshark.
class Nfs2Capture : public MountTest
{
  protected:
    static constexpr uint16_t NFS_PORT = 2049;
};

TEST_F(Nfs2Capture, EveryProcedureIsDissected)
{
    const auto memory = CreateObject<HostMemory>();
    const auto server = CreateObject<Nfs2Server>();
    server->SetFileStore(m_store);
    server->SetHostMemory(memory);
    const auto rpcServer = CreateObject<RpcServer>();
    rpcServer->Register(server);
    const auto tcp = CreateObject<RpcTcpServer>();
    tcp->SetNode(m_pair->nodes[TcpPair::SERVER]);
    tcp->SetRpcServer(rpcServer);
    tcp->SetHostMemory(memory);
    ASSERT_TRUE(tcp->Listen(NFS_PORT));

    const auto clientMemory = CreateObject<HostMemory>();
    const auto rpc = MakeClient(NFS_PORT, NFS_PROGRAM, NFS_V2);
    rpc->SetCredential(GetRoot());
    DynamicCast<RpcTcpClient>(rpc->GetTransport())->SetHostMemory(clientMemory);
    const auto client = CreateObject<Nfs2Client>();
    client->SetRpcClient(rpc);
    client->SetHostMemory(clientMemory);
    HostBuffer buffer(clientMemory, NFS2_MAXDATA);
    const Nfs2Fh root(m_store->GetHandle(*m_store->GetExport("/export")));
    uint32_t ended = 0;
    const auto done = [&ended](RpcRecord& record, const auto&) {
        EXPECT_EQ(record.outcome, RpcOutcome::SUCCESS);
        EXPECT_EQ(record.programStatus, 0U) << record.procedure;
        ++ended;
    };
    Create2Args create;
    create.where = {root, "file"};
    DirOp2Res file;
    client->Call<Nfs2Create>(create, [&](RpcRecord& record, const DirOp2Res& results) {
        done(record, results);
        file = results;
    });
    Symlink2Args symlink;
    symlink.where = {root, "link"};
    symlink.path.length = 6;
    buffer.Write(0, ByteVector{'t', 'a', 'r', 'g', 'e', 't'});
    client->Symlink(symlink, buffer.GetAddress(), done);
    Simulator::Run();
    create.where.name = "dir";
    client->Call<Nfs2Mkdir>(create, done);
    client->Call<Nfs2Null>({}, done);
    client->Call<Nfs2Getattr>({file.object}, done);
    Setattr2Args set;
    set.object = file.object;
    set.attributes.mode = 0600;
    client->Call<Nfs2Setattr>(set, done);
    DirOp2Res link;
    client->Call<Nfs2Lookup>({root, "link"}, [&](RpcRecord& record, const DirOp2Res& results) {
        done(record, results);
        link = results;
    });
    Write2Args write;
    write.file = file.object;
    write.data.length = 4001;
    client->Write(write, buffer.GetAddress(), done);
    Simulator::Run();
    client->Readlink({link.object}, done);
    client->Read({file.object, 0, NFS2_MAXDATA, 0}, buffer.GetAddress(), done);
    client->Readdir({root, 0, 1000}, done);
    client->Call<Nfs2Statfs>({root}, done);
    client->Call<Nfs2Link>({file.object, {root, "second"}}, done);
    Simulator::Run();
    client->Call<Nfs2Rename>({{root, "second"}, {root, "third"}}, done);
    Simulator::Run();
    client->Call<Nfs2Remove>({root, "third"}, done);
    client->Call<Nfs2Rmdir>({root, "dir"}, done);
    Simulator::Run();
    EXPECT_EQ(ended, 16U);
    ExpectDissected("nfs", 32);
    tcp->Dispose();
}

} // namespace
} // namespace ns3::nfsrdma
