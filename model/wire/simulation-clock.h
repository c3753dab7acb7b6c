/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_SIMULATION_CLOCK_H
#define NFSRDMA_WIRE_SIMULATION_CLOCK_H

#include "ns3/nstime.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

/**
 * \brief The time of the simulation, for what asks for it many times for each frame or RPC: as
 * Simulator::Now(), which looks for the simulator each time, in less than half of its time. From
 * Start() on until the simulator is destroyed; before and after that, as long as Simulator::Now()
 * takes.
 */
class SimulationClock
{
  public:
    [[nodiscard]] static Time Now()
    {
        return s_simulator == nullptr ? Simulator::Now() : s_simulator->Now();
    }

    /// Finds the simulator. Called by what a host is made of, when it is made: never while a
    /// simulator is being destroyed, which no reference may be taken to any more.
    static void Start()
    {
        if (s_simulator == nullptr)
        {
            s_simulator = PeekPointer(Simulator::GetImplementation());
            Simulator::ScheduleDestroy(&SimulationClock::Forget);
        }
    }

  private:
    static void Forget()
    {
        s_simulator = nullptr;
    }

    static inline SimulatorImpl* s_simulator{nullptr}; ///< From Start() until it is destroyed.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_SIMULATION_CLOCK_H
