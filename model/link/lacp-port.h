/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_LACP_PORT_H
#define NFSRDMA_LINK_LACP_PORT_H

#include "link/lacpdu.h"

#include "ns3/nstime.h"

#include <deque>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief The machines of LACP for one port, IEEE 802.1AX-2008 sections 5.4.12 to 5.4.16, without
 * network and events: who owns it passes on what comes, calls Advance() when it is due, and sends
 * what it offers.
 *
 * Receive machine:
 *
 *     PORT_DISABLED -- has a link --> EXPIRED: partner not in sync, asked for once a second, 3 s
 *       ^ loses it                     |  ^
 *     any state              3 s over  v  | 3 s (short) or 90 s (long) over
 *                            DEFAULTED    |
 *                   partner: none  \      |
 *                                   LACPDU, in any of the three --> CURRENT
 *
 * Mux machine, with control of its own of collecting and distributing; UNSELECTED is a port whose
 * partner has become another one:
 *
 *     DETACHED -- selected --> WAITING, 2 s --> ATTACHED: in sync
 *                                               |  ^
 *                             partner in sync   v  | not
 *                                              COLLECTING
 *                             partner collects  |  ^ not, or not in sync
 *                                               v  |
 *                                              DISTRIBUTING
 *     any state -- unselected --> DETACHED, by the states between
 *
 * Periodic machine: no LACPDUs while neither end is active, one a second while the partner wants
 * that (its TIMEOUT bit), else one every 30 s. What has changed is sent at once, but at most three
 * LACPDUs a second.
 *
 * Without a partner a port is an individual one: it gets to DISTRIBUTING alone.
 */
class LacpPort
{
  public:
    enum class ReceiveState : uint8_t
    {
        PORT_DISABLED,
        EXPIRED,
        DEFAULTED,
        CURRENT,
    };

    enum class PeriodicState : uint8_t
    {
        NO_PERIODIC,
        FAST,
        SLOW,
    };

    enum class MuxState : uint8_t
    {
        DETACHED,
        WAITING,
        ATTACHED,
        COLLECTING,
        DISTRIBUTING,
    };

    /// \param actor this end; of its state ACTIVITY, TIMEOUT and AGGREGATION as set
    explicit LacpPort(const LacpPortInfo& actor);

    /// The port has a link, or has none any more.
    void SetEnabled(bool enabled, Time now);
    void Receive(const Lacpdu& pdu, Time now);
    /// Does what is due at \p now.
    void Advance(Time now);
    /// \return what is to be sent at \p now, without source; once.
    [[nodiscard]] std::optional<Lacpdu> TakePdu(Time now);
    /// \return when Advance() or TakePdu() is due next; Time::Max(): never.
    [[nodiscard]] Time GetNext() const;

    [[nodiscard]] bool IsEnabled() const
    {
        return m_receive != ReceiveState::PORT_DISABLED;
    }

    [[nodiscard]] bool Collects() const
    {
        return m_mux >= MuxState::COLLECTING;
    }

    [[nodiscard]] bool Distributes() const
    {
        return m_mux == MuxState::DISTRIBUTING;
    }

    [[nodiscard]] ReceiveState GetReceiveState() const
    {
        return m_receive;
    }

    [[nodiscard]] PeriodicState GetPeriodicState() const
    {
        return m_periodic;
    }

    [[nodiscard]] MuxState GetMuxState() const
    {
        return m_mux;
    }

    [[nodiscard]] const LacpPortInfo& GetActor() const
    {
        return m_actor;
    }

    /// \return the other end, as far as known.
    [[nodiscard]] const LacpPortInfo& GetPartner() const
    {
        return m_partner;
    }

    /// \return whether the port can be with no other in an aggregate.
    [[nodiscard]] bool IsIndividual() const
    {
        return !m_actor.Has(LacpPortInfo::AGGREGATION) || !m_partner.Has(LacpPortInfo::AGGREGATION);
    }

  private:
    /// \return when TakePdu() offers one.
    [[nodiscard]] Time GetNextPdu() const;
    void Expire(Time now);
    void RecordDefault();
    void RecordPdu(const Lacpdu& pdu);
    void UpdateSelected(const LacpPortInfo& partner);
    void RunPeriodic(Time now);
    void RunMux(Time now);
    /// \return whether the mux machine has taken a step.
    bool StepMux(Time now);
    bool EnterMux(MuxState state, Time now);

    ReceiveState m_receive{ReceiveState::PORT_DISABLED};
    PeriodicState m_periodic{PeriodicState::NO_PERIODIC};
    MuxState m_mux{MuxState::DETACHED};
    bool m_selected{false};
    bool m_needToTransmit{false};
    LacpPortInfo m_actor;
    LacpPortInfo m_partner;
    Time m_currentUntil{Time::Max()};
    Time m_periodicAt{Time::Max()};
    Time m_waitUntil{Time::Max()};
    std::deque<Time> m_sent; ///< The latest LACPDUs, as many as may be sent in a second.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_LACP_PORT_H
