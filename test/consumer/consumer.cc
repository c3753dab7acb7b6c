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
    DataCenterTcpPreset().Apply(1500);
    NodeContainer nodes;
    nodes.Create(2);
    const auto star = EthernetNetworkHelper().Install(nodes);

    const auto server = NfsRdmaServerHelper().Install(nodes.Get(0));
    const auto root = server.store->CreateExport("export");
    server.store->AddFile(root, "file", 0);

    const auto address = MakeSocketAddress(star.addresses[0], RpcRdmaServer::NFS_RDMA_PORT);
    const auto client = NfsRdmaClientHelper().Install(nodes.Get(1), address, AuthSysCredential{});
    const HostBuffer data(client.memory, 65536);
    Write3Args write;
    write.file = server.store->GetHandle(*server.store->FindPath(root, "file"));
    write.count = 65536;
    client.transport->Connect();
    client.nfs->Call(write, data.GetAddress(), [&](RpcRecord& record, const Write3Res& result) {
        std::cout << "WRITE of " << result.count << " octets by " << record.GetForm() << " in "
                  << (record.replied - record.sent).As(Time::US) << "\n";
        client.transport->Disconnect();
    });
    Simulator::Run();
    server.transport->Stop();
    Simulator::Destroy();
}
