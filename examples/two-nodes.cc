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

#include "ns3/command-line.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <iostream>

using namespace ns3;
using namespace ns3::nfsrdma;

int
main(int argc, char* argv[])
{
    constexpr uint16_t MIN_MTU = 576;
    constexpr uint16_t MAX_MTU = 9000;
    constexpr uint32_t MAX_OCTETS = 262144;
    uint16_t mtu = 1500;
    uint32_t octets = 65536;
    CommandLine command(__FILE__);
    command.AddValue("mtu", "MTU of the network, octets", mtu);
    command.AddValue("octets", "How much is written and read, octets", octets);
    command.Parse(argc, argv);
    if (mtu < MIN_MTU || mtu > MAX_MTU)
    {
        std::cerr << "two-nodes: --mtu=" << mtu << ": expected " << MIN_MTU << " to " << MAX_MTU
                  << "\n";
        return 2;
    }
    if (octets == 0 || octets > MAX_OCTETS)
    {
        std::cerr << "two-nodes: --octets=" << octets << ": expected 1 to " << MAX_OCTETS << "\n";
        return 2;
    }
    DataCenterTcpPreset().Apply(mtu);

    NodeContainer nodes;
    nodes.Create(2);
    EthernetNetworkHelper network;
    network.SetDeviceAttribute("Mtu", UintegerValue(mtu));
    const auto star = network.Install(nodes);

    const auto server = NfsRdmaServerHelper().Install(nodes.Get(0));
    const auto root = server.store->CreateExport("export");
    server.store->AddFile(root, "file", 0);
    const auto file = server.store->GetHandle(*server.store->FindPath(root, "file"));

    const Address address = MakeSocketAddress(star.addresses[0], RpcRdmaServer::NFS_RDMA_PORT);
    const auto client = NfsRdmaClientHelper().Install(nodes.Get(1), address, AuthSysCredential{});

    HostBuffer source(client.memory, octets);
    source.Write(0, ByteVector(octets, 'x'));
    HostBuffer target(client.memory, octets);
    Write3Args write;
    write.file = file;
    write.count = octets;
    write.stable = StableHow::FILE_SYNC;
    Read3Args read;
    read.file = file;
    read.count = octets;

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

    ByteVector found(octets);
    target.Read(0, found);
    const bool same = found == ByteVector(octets, 'x');
    std::cout << "read back " << (same ? "as written" : "something else") << "\n";
    server.transport->Stop();
    Simulator::Destroy();
    return same ? 0 : 1;
}
