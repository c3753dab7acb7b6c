/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_PLAN_H
#define NFSRDMA_FAULT_PLAN_H

#include "fault/scene.h"
#include "fault/segment-change.h"
#include "fault/specification.h"
#include "fault/trigger.h"
#include "wire/ip-address.h"

#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3::nfsrdma
{

/// Where a frame is on its way, as faults see it. Hosts by number.
struct FramePath
{
    std::size_t from{0};
    std::size_t to{0};
    uint64_t connection{0}; ///< Number of the connection of the two hosts, from 1; 0: none.
    IpAddress source{};     ///< Of the sender's addresses.
};

/// A fault of a plan, bound to the hosts of a run and to its random streams.
class PlannedFault
{
  public:
    /// \param spec passed CheckFault() for \p scene
    PlannedFault(FaultSpec spec, const FaultScene& scene);

    [[nodiscard]] const FaultSpec& GetSpec() const
    {
        return m_spec;
    }

    [[nodiscard]] const FaultTrigger& GetTrigger() const;
    [[nodiscard]] FaultTrigger& GetTrigger();
    /// \return whether frames on \p path are those it looks at.
    [[nodiscard]] bool IsAbout(const FramePath& path) const;

    /// \return the host that a link or host action is done to.
    [[nodiscard]] std::size_t GetHost() const
    {
        return m_host;
    }

    /// PARTITION: \return whether \p one and \p other are on its two sides.
    [[nodiscard]] bool Parts(std::size_t one, std::size_t other) const
    {
        return (m_sides[0][one] && m_sides[1][other]) || (m_sides[1][one] && m_sides[0][other]);
    }

    /// \return a source of its own for what it draws.
    [[nodiscard]] DrawBelow GetDraw() const;
    /// \return streams used.
    int64_t AssignStreams(int64_t stream);

  private:
    using HostSet = std::vector<bool>; ///< By number.

    FaultSpec m_spec;
    Ptr<UniformRandomVariable> m_chance; ///< Whether.
    Ptr<UniformRandomVariable> m_detail; ///< What exactly.
    FaultTrigger m_trigger;
    HostSet m_first;
    HostSet m_second;
    HostSet m_sides[2];
    std::size_t m_host{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_PLAN_H
