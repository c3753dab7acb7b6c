/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_LOCK_H
#define NFSRDMA_HOST_LOCK_H

#include "wire/ring.h"

#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace ns3::nfsrdma
{

/// What the locks of a class have counted, as /proc/lock_stat.
struct HostLockStatistics
{
    uint64_t acquisitions{0};
    uint64_t contentions{0}; ///< Of them, those that had to wait.
    Time waitTotal;
    Time waitMax;
    Time holdTotal;
};

/**
 * \brief A spin lock of a host: whoever wants it waits on its core, and gets it in the order in
 * which it is wanted.
 *
 * It is a calendar of the times when it is held or handed over, which is nobody else's time either.
 * A holder that is known ahead of the time, because its core is busy until then, leaves what is
 * free before it to others.
 */
class HostLock : public SimpleRefCount<HostLock>
{
  public:
    /// \param statistics of its class
    /// \param handover for a lock that is waited for to go to another core of the socket
    /// \param remoteHandover to a core of another socket
    HostLock(std::shared_ptr<HostLockStatistics> statistics, Time handover, Time remoteHandover)
        : m_statistics(std::move(statistics)),
          m_handover(handover),
          m_remoteHandover(remoteHandover)
    {
    }

    /// A core of \p socket wants it at \p wanted, and holds it for \p hold. \return from when on
    Time Acquire(Time wanted, Time hold, uint32_t socket);

  private:
    struct Holder
    {
        Time begin; ///< When it is handed over to this one, or taken.
        Time end;
        uint32_t socket{0};
    };

    std::shared_ptr<HostLockStatistics> m_statistics;
    Time m_handover;
    Time m_remoteHandover;
    Ring<Holder> m_holders; ///< In the order of time, of those that are not past.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_LOCK_H
