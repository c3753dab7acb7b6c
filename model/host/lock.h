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
#include <optional>
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
 *
 * The lock and what it protects are cache lines, which the core that held it last has. Another core
 * fetches them before it holds the lock, whether it had to wait or found the lock free. The core
 * that held it last has it at once. Only who finds it held is counted as having waited, as
 * /proc/lock_stat does; the time to fetch the lines is part of that wait.
 */
class HostLock : public SimpleRefCount<HostLock>
{
  public:
    /// \param statistics of its class
    /// \param handover for the lines of the lock to go to another core of the socket
    /// \param remoteHandover to a core of another socket
    HostLock(std::shared_ptr<HostLockStatistics> statistics, Time handover, Time remoteHandover)
        : m_statistics(std::move(statistics)),
          m_handover(handover),
          m_remoteHandover(remoteHandover)
    {
    }

    /// Core \p core of \p socket wants it at \p wanted, and holds it for \p hold. \return from when
    /// on
    Time Acquire(Time wanted, Time hold, uint32_t core, uint32_t socket);

  private:
    struct Holder
    {
        Time begin; ///< When it is handed over to this one, or taken.
        Time end;
        uint32_t core{0};
        uint32_t socket{0};
    };

    /// \return what the lines take from \p holder to \p core of \p socket.
    [[nodiscard]] Time GetHandover(const Holder& holder, uint32_t core, uint32_t socket) const;

    std::shared_ptr<HostLockStatistics> m_statistics;
    Time m_handover;
    Time m_remoteHandover;
    Ring<Holder> m_holders;       ///< In the order of time, of those that are not past.
    std::optional<Holder> m_past; ///< The last of those that are.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_LOCK_H
