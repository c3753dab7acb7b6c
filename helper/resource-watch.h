/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RESOURCE_WATCH_H
#define NFSRDMA_HELPER_RESOURCE_WATCH_H

#include "helper/nfs-rdma-client-helper.h"
#include "helper/nfs-rdma-server-helper.h"
#include "helper/resource-meter.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Meters on what limits servers and clients: "threads" and "thread-queue" of a server
 * (calls that wait for a thread), "storage" (places of its device), "credits" of a client (places:
 * its slots, which it asks credits for). Where Read chunks of the server are set, "exposed" of the
 * server (replies that a client may read and has not given notice of), and "notices" of a client
 * (RDMA_DONE that hold a Receive of the server, as far as the client knows).
 *
 *     ResourceWatch watch;
 *     watch.AddServer("server-0", server);
 *     watch.AddClient("client-0", client);
 *     Simulator::Run();
 *     for (const auto& resource : watch.GetResources()) { resource.meter->GetUse(Simulator::Now())
 * }
 *
 * It must outlive the simulation, and be made before the first call.
 */
class ResourceWatch
{
  public:
    struct Resource
    {
        std::string host;
        std::string name;
        std::unique_ptr<ResourceMeter> meter;
    };

    void AddServer(const std::string& host, const NfsRdmaServer& server);
    void AddClient(const std::string& host, const NfsRdmaClient& client);

    /// Every meter begins anew.
    void Restart();
    /// \return in the order in which they were added.
    [[nodiscard]] const std::vector<Resource>& GetResources() const;

  private:
    ResourceMeter* Add(const std::string& host, const std::string& name, uint32_t places);
    static void WatchNumber(const Ptr<Object>& object, const char* source, ResourceMeter* meter);
    void WatchExposure(const std::string& host, const Ptr<RpcRdmaServer>& server);
    void WatchNotices(const std::string& host,
                      const std::string& name,
                      const Ptr<RpcRdmaClient>& client);

    std::vector<Resource> m_resources;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RESOURCE_WATCH_H
