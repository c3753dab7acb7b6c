/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A client writes a file on a server over NFS/RDMA and reads it back, in a simulation of your own:
//
//     n0 (server 10.77.0.1) ---- switch ---- n1 (client 10.77.0.2)

#include "helper/ethernet-network-helper.h"
#include "helper/nfs-rdma-client-helper.h"
#include "helper/nfs-rdma-server-helper.h"
#include "mpa/internet-address.h"
#include "mpa/tcp-preset.h"

#include "ns3/simulator.h"

#include <iostream>

using namespace ns3;
using namespace ns3::nfsrdma;

int
main()
{
    constexpr uint16_t MTU = 1500;
    constexpr uint32_t OCTETS = 65536;
    DataCenterTcpPreset().Apply(MTU);

    NodeContainer nodes;
    nodes.Create(2);
    const auto star = EthernetNetworkHelper().Install(nodes);

    const auto server = NfsRdmaServerHelper().Install(nodes.Get(0));
    const auto root = server.store->CreateExport("export");
    server.store->AddFile(root, "file", 0);
    const auto file = server.store->GetHandle(*server.store->FindPath(root, "file"));

    const Address address = MakeSocketAddress(star.addresses[0], RpcRdmaServer::NFS_RDMA_PORT);
    const auto client = NfsRdmaClientHelper().Install(nodes.Get(1), address, AuthSysCredential{});

    HostBuffer source(client.memory, OCTETS);
    source.Write(0, ByteVector(OCTETS, 'x'));
    HostBuffer target(client.memory, OCTETS);
    Write3Args write;
    write.file = file;
    write.count = OCTETS;
    write.stable = StableHow::FILE_SYNC;
    Read3Args read;
    read.file = file;
    read.count = OCTETS;

    client.transport->Connect();
    client.nfs->Call(write, source.GetAddress(), [&](RpcRecord& record, const Write3Res& result) {
        std::cout << "WRITE " << result.count << " octets, " << record.GetForm() << ", "
                  << (record.replied - record.sent).As(Time::US) << "\n";
        client.nfs->Call(read, target.GetAddress(), [&](RpcRecord& reply, const Read3Res& data) {
            std::cout << "READ  " << data.count << " octets, " << reply.GetForm() << ", "
                      << (reply.replied - reply.sent).As(Time::US) << "\n";
            client.transport->Disconnect();
        });
    });
    Simulator::Run();

    ByteVector octets(OCTETS);
    target.Read(0, octets);
    const bool same = octets == ByteVector(OCTETS, 'x');
    std::cout << "read back " << (same ? "as written" : "something else") << "\n";
    server.transport->Stop();
    Simulator::Destroy();
    return same ? 0 : 1;
}
