/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_ROLE_H
#define NFSRDMA_FAULT_ADVERSARY_ROLE_H

#include "fault/adversary/host.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief What a host does that breaks a rule of the protocols on purpose.
 *
 *     Begin() -- attribute Start --> DoStart() -- attribute Stop, or End() --> DoStop()
 *
 * A role lives on one host and knows others by their addresses only: it speaks to them in octets on
 * the link. Roles have names (AdversaryRegistry); their keys are ns-3 attributes.
 */
class AdversaryRole : public Object
{
  public:
    static TypeId GetTypeId();

    /// Once, before Begin().
    void SetHost(const AdversaryHost& host)
    {
        m_host = host;
    }

    [[nodiscard]] const AdversaryHost& GetHost() const
    {
        return m_host;
    }

    /// The run begins.
    void Begin();
    /// The work of others is done: breaks no rule any more, and gives back what it has.
    void End();

    /// \return rules broken so far.
    [[nodiscard]] uint64_t GetBroken() const
    {
        return m_broken;
    }

    /// Assigns stream numbers from \p stream on to its random variables. \return how many.
    virtual int64_t AssignStreams(int64_t /* stream */)
    {
        return 0;
    }

    /// Trace source "RuleBroken": what was done, to which host.
    typedef void (*RuleBrokenTracedCallback)(const std::string& what, const std::string& peer);

  protected:
    void DoDispose() override;

    /// Between Start and Stop.
    [[nodiscard]] bool IsActive() const
    {
        return m_active;
    }

    /// A rule is broken towards \p peer.
    void NoteBroken(const std::string& what, const std::string& peer);

    void NoteBroken(const std::string& what, Ipv4Address peer)
    {
        NoteBroken(what, m_host.GetPeerName(peer));
    }

    virtual void DoStart() = 0;
    /// Called once after DoStart(), before disposal.
    virtual void DoStop() = 0;

  private:
    void StartNow();

    AdversaryHost m_host;
    Time m_start;
    Time m_stop;
    bool m_active{false};
    EventId m_startEvent;
    EventId m_stopEvent;
    uint64_t m_broken{0};
    TracedCallback<const std::string&, const std::string&> m_ruleBrokenTrace;
};

/// \return the type of the class \p Role, to which its own attributes are added.
template <typename Role, typename Parent>
TypeId
MakeRoleType(const std::string& name)
{
    return TypeId("ns3::nfsrdma::" + name)
        .SetParent<Parent>()
        .SetGroupName("NfsRdma")
        .template AddConstructor<Role>();
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_ROLE_H
