/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_PORT_AGGREGATE_H
#define NFSRDMA_LINK_PORT_AGGREGATE_H

#include "link/lacp-port.h"

#include "ns3/event-id.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <array>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// How often a port asks its partner to speak: lacp_rate of Linux.
enum class LacpRate : uint8_t
{
    SLOW, ///< Every 30 s; it is silent after 90 s.
    FAST, ///< Every second; after 3 s.
};

/// By LacpRate.
inline constexpr std::array<const char*, 2> LACP_RATES{"slow", "fast"};

/**
 * \brief One end of a link aggregation group: ports of a host's bond or of a switch that speak LACP
 * (LacpPort), and which of them are the aggregate.
 *
 * Ports of the same key whose partners are the same system with the same key, and may be
 * aggregated, are candidates together; a port without a partner is one alone. One candidate is the
 * aggregate: of those that have a port that collects, those with a partner first, then those with
 * most such ports, then the one with the best port, by priority and number (the smaller the
 * better). It stays so while it has a port that collects, and a partner if any other has one
 * (ad_select = stable of Linux's bonding). Frames pass by ports of the aggregate alone, as far as
 * their mux machines let them.
 *
 *     idle -- Start(), after Settle() --> speaks: LACPDUs and time-outs -- Stop() --> silent, and
 * as it was, but for ports that lose their link
 *
 * Its timers come again and again: it has to be stopped for a simulation to run out of events.
 */
class PortAggregate
{
  public:
    struct Settings
    {
        Mac48Address system;
        uint16_t systemPriority{0};
        uint16_t portPriority{0};
        bool active{true}; ///< Speaks unasked.
        LacpRate rate{LacpRate::SLOW};
    };

    struct Counters
    {
        uint64_t sent{0};
        uint64_t received{0};
        uint64_t illegal{0}; ///< Slow-protocol frames that are no LACPDU.
    };

    /// Sends a frame by a port.
    using SendCallback = std::function<void(std::size_t port, const Ptr<Packet>& frame)>;
    /// Ports have come into the aggregate or left it.
    using ChangeCallback = std::function<void()>;

    PortAggregate(const Settings& settings, SendCallback send, ChangeCallback changed);
    ~PortAggregate();
    PortAggregate(const PortAggregate&) = delete;
    PortAggregate& operator=(const PortAggregate&) = delete;

    /// Adds the next port, which has no link yet.
    /// \param number of the port as LACPDUs have it
    /// \param key ports of different keys are never aggregated
    /// \param address whence its LACPDUs come
    void AddPort(uint16_t number, uint16_t key, Mac48Address address);

    /// \p port has a link, or has none.
    void SetLink(std::size_t port, bool up);

    /// Takes a frame of a slow protocol that has come by \p port.
    void Receive(std::size_t port, const Ptr<const Packet>& frame);

    /// \return whether frames that come by \p port are taken.
    [[nodiscard]] bool Collects(std::size_t port) const
    {
        return IsOfAggregate(port) && m_ports[port].machine.Collects();
    }

    /// \return whether frames may be sent by \p port.
    [[nodiscard]] bool Distributes(std::size_t port) const
    {
        return IsOfAggregate(port) && m_ports[port].machine.Distributes();
    }

    [[nodiscard]] const LacpPort& GetPort(std::size_t port) const
    {
        return m_ports[port].machine;
    }

    [[nodiscard]] std::size_t GetPortCount() const
    {
        return m_ports.size();
    }

    [[nodiscard]] const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// A cable between ports of two aggregates.
    struct Cable
    {
        PortAggregate* one;
        std::size_t onePort;
        PortAggregate* other; ///< Null: a port that does not speak LACP.
        std::size_t otherPort;
    };

    /// Brings what is at the ends of \p cables into the states in which it is after some minutes
    /// before the simulation begins, in which all ports had a link and nothing was lost. Before
    /// Start(); tells of no changes and counts nothing.
    static void Settle(const std::vector<Cable>& cables);

    /// Speaks from now on; only once.
    void Start();
    /// Is silent from now on, and what it has not heard changes nothing any more.
    void Stop();

  private:
    struct Port
    {
        LacpPort machine;
        Mac48Address address;
    };

    /// What ports have in common that are candidates together: own key; the partner's system
    /// priority, system, and key; the port's own number if it is an individual one, else 0.
    using Candidate = std::tuple<uint16_t, uint16_t, std::array<uint8_t, 6>, uint16_t, uint16_t>;

    [[nodiscard]] Candidate GetCandidate(std::size_t port) const;

    [[nodiscard]] bool IsOfAggregate(std::size_t port) const
    {
        return m_aggregate && GetCandidate(port) == *m_aggregate;
    }

    /// \return how good \p candidate is; the greater the better.
    [[nodiscard]] std::tuple<bool, bool, std::size_t, int, int> Rate(
        const Candidate& candidate) const;
    void Choose();
    /// \return of each port whether it collects and distributes.
    [[nodiscard]] std::vector<std::pair<bool, bool>> ListUse() const;
    [[nodiscard]] Time GetNext() const;
    /// Has \p change happen, and what follows from it: LACPDUs, another aggregate, timers.
    template <typename F>
    void Work(F change);
    void SendPdus();
    void Schedule();
    void HandleTimer();

    Settings m_settings;
    SendCallback m_send;
    ChangeCallback m_changed;
    std::vector<Port> m_ports;
    std::optional<Candidate> m_aggregate;
    Counters m_counters;
    bool m_speaks{false};
    bool m_stopped{false};
    EventId m_timer;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_PORT_AGGREGATE_H
