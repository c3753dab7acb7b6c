/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_UTILISATION_WATCH_H
#define NFSRDMA_HELPER_UTILISATION_WATCH_H

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

class Cluster;
class FlowCredits;
class HostCpu;
class OccupancyMeter;
class RnicDevice;
struct NfsRdmaClient;
struct NfsRdmaServer;

/// How busy one thing was over a span of time.
struct Utilisation
{
    std::string place;              ///< The host, or the switch and what is behind its port.
    std::string_view resource;      ///< "link", "transmit_engine", "receive_engine", "memory_unit",
                                    ///< "bus_to_device", "bus_to_host", "bus_reads",
                                    ///< "posted_writes" (octets),
                                    ///< "context_port", "context_fetches", "cores",
                                    ///< ToString(HostContext) of those that work in it, "core",
                                    ///< "threads", "thread", "thread_queue", "storage", "credits".
    std::optional<uint32_t> number; ///< Of several, from 0: cores, threads, connections.
    uint32_t places{1};             ///< What it can do at a time; 0: a queue without bound.
    double mean{0};                 ///< Number of places occupied, over time.
    /// Most places occupied at the same time since the run began; none of what does one thing after
    /// the other.
    std::optional<uint64_t> peak;

    /// \return share of the time of all places, 0 to 1; none of a queue.
    [[nodiscard]] std::optional<double> GetShare() const
    {
        return places == 0 ? std::nullopt : std::optional(mean / places);
    }

    /// \return the resource, and which of several.
    [[nodiscard]] std::string GetName() const
    {
        std::string name(resource);
        return number ? name + " " + std::to_string(*number) : name;
    }
};

/**
 * \brief How busy links, engines, buses, cores, threads, devices and credits of a cluster are: the
 * share of the time that each was occupied, from the times that the models keep books of; and how
 * many calls waited for a thread.
 */
class UtilisationWatch
{
  public:
    /// Begins at once. \param cluster outlives this
    explicit UtilisationWatch(const Cluster& cluster);

    /// Begins anew.
    void Restart();
    /// \return of the time since the beginning; hosts first, then switches.
    [[nodiscard]] std::vector<Utilisation> GetUtilisations() const;

  private:
    struct Resource
    {
        uint32_t place{0}; ///< In m_places.
        uint32_t places{1};
        std::string_view name;
        std::optional<uint32_t> number;
        std::function<Time()> busy;     ///< Sum over the places, so far.
        std::function<uint64_t()> peak; ///< Empty: it has none.
        Time before;
    };

    void Add(const std::string& place,
             std::string_view resource,
             uint32_t places,
             std::function<Time()> busy,
             std::optional<uint32_t> number = std::nullopt,
             std::function<uint64_t()> peak = nullptr);
    void AddCredits(const std::string& place,
                    std::string_view resource,
                    uint32_t places,
                    FlowCredits& credits);
    void AddMeter(const std::string& place,
                  std::string_view resource,
                  uint32_t places,
                  const std::function<const OccupancyMeter&()>& meter,
                  std::optional<uint32_t> number = std::nullopt);
    void AddDevice(const std::string& place, RnicDevice* device);
    void AddCores(const std::string& place, HostCpu* cpu);
    void AddServer(const std::string& place, const NfsRdmaServer& server);
    void AddClient(const std::string& place, const NfsRdmaClient& client);

    const Cluster& m_cluster;
    std::vector<std::string> m_places;              ///< In order.
    std::vector<Resource> m_resources;              ///< By place.
    std::vector<std::vector<Time>> m_threadsBefore; ///< By server.
    Time m_began;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_UTILISATION_WATCH_H
