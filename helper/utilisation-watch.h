/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_UTILISATION_WATCH_H
#define NFSRDMA_HELPER_UTILISATION_WATCH_H

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class Cluster;

/// How busy one thing was over a span of time.
struct Utilisation
{
    std::string place;    ///< The host, or the switch and what is behind its port.
    std::string resource; ///< "link", "transmit_engine", "receive_engine", "memory_unit",
                          ///< "bus_to_device", "bus_to_host", "cores", "threads", "thread",
                          ///< "storage".
    uint32_t number{0};   ///< Of several, from 0: threads.
    uint32_t places{1};   ///< What it can do at a time: its cores, its threads, ...
    double share{0};      ///< Of the time of all places: 0 to 1.
};

/**
 * \brief How busy links, engines, buses, cores, threads and devices of a cluster are: the share of
 * the time that each was occupied, from the times that the models keep books of.
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
        Utilisation what;
        std::function<Time()> busy; ///< Sum over the places, so far.
        Time before;
    };

    void Add(const std::string& place,
             const std::string& resource,
             uint32_t places,
             std::function<Time()> busy);

    const Cluster& m_cluster;
    std::vector<Resource> m_resources;
    std::vector<std::vector<Time>> m_threadsBefore; ///< By server.
    Time m_began;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_UTILISATION_WATCH_H
