/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_DEADLINES_H
#define NFSRDMA_TOE_DEADLINES_H

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/// What a connection waits for. Of those that are due at once the first goes first.
enum class TcpTimer : uint8_t
{
    DELAYED_ACK,
    REORDERING,      ///< RACK: what is still missing then is lost.
    PACING,          ///< The next segment may leave.
    TAIL_LOSS_PROBE, ///< Silence after the end of what was sent.
    RETRANSMISSION,  ///< Of SYN, octets and FIN.
    PERSIST,         ///< The peer's window is closed: probe it.
    KEEP_ALIVE,
    PATH_MTU,     ///< A path that became narrower may be wide again.
    USER_TIMEOUT, ///< No progress for so long that the connection is given up.
    LINGER,       ///< TIME-WAIT, and FIN-WAIT-2 without an owner, end.
    COUNT
};

/// The timers of one connection: points in time, so that one event of the simulator serves all.
class TcpDeadlines
{
  public:
    void Set(TcpTimer timer, Time at)
    {
        m_at[Index(timer)] = at;
    }

    void Cancel(TcpTimer timer)
    {
        m_at[Index(timer)].reset();
    }

    void CancelAll()
    {
        m_at = {};
    }

    [[nodiscard]] const std::optional<Time>& Get(TcpTimer timer) const
    {
        return m_at[Index(timer)];
    }

    [[nodiscard]] bool IsSet(TcpTimer timer) const
    {
        return Get(timer).has_value();
    }

    /// \return when the next is due.
    [[nodiscard]] std::optional<Time> GetNext() const;
    /// \return a timer that is due at \p now, the earliest, which is set no longer.
    [[nodiscard]] std::optional<TcpTimer> Take(Time now);

  private:
    static constexpr std::size_t Index(TcpTimer timer)
    {
        return static_cast<std::size_t>(timer);
    }

    std::array<std::optional<Time>, static_cast<std::size_t>(TcpTimer::COUNT)> m_at;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_DEADLINES_H
