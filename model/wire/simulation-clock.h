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
 * Simulator::Now(), which looks for the simulator each time, in less than half of its time.
 */
class SimulationClock
{
  public:
    [[nodiscard]] static Time Now()
    {
        return s_simulator == nullptr ? Find()->Now() : s_simulator->Now();
    }

  private:
    static SimulatorImpl* Find()
    {
        s_simulator = PeekPointer(Simulator::GetImplementation());
        Simulator::ScheduleDestroy(&SimulationClock::Forget);
        return s_simulator;
    }

    static void Forget()
    {
        s_simulator = nullptr;
    }

    static inline SimulatorImpl* s_simulator{nullptr}; ///< Until it is destroyed.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_SIMULATION_CLOCK_H
