/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_RECEIVE_ENGINE_H
#define NFSRDMA_RNIC_HARDWARE_RECEIVE_ENGINE_H

#include "ns3/nstime.h"

#include <algorithm>

namespace ns3::nfsrdma
{

/**
 * \brief The receive engine of a device: FPDUs one after the other, in order of arrival, and behind
 * it their payload on its way to host memory.
 */
class ReceiveEngine
{
  public:
    /// \return when it can handle an FPDU that has arrived at \p now.
    [[nodiscard]] Time GetFree(Time now) const
    {
        return std::max(m_handled, now);
    }

    /// The engine is through with an FPDU at \p until, \p miss of it for a fetched context.
    void Handle(Time until, Time miss)
    {
        m_handled = until;
        m_miss = miss;
        m_done = std::max(m_done, until);
    }

    /// Payload of the latest FPDU is in host memory at \p until.
    void Place(Time until)
    {
        m_done = std::max(m_done, until);
    }

    /// \return when the engine is through with the latest FPDU.
    [[nodiscard]] Time GetHandled() const
    {
        return m_handled;
    }

    /// \return for how long the engine has fetched contexts for the latest FPDU.
    [[nodiscard]] Time GetMiss() const
    {
        return m_miss;
    }

    /// \return when the latest FPDU, and all before it, are in host memory.
    [[nodiscard]] Time GetDone() const
    {
        return m_done;
    }

  private:
    Time m_handled;
    Time m_miss;
    Time m_done;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_RECEIVE_ENGINE_H
