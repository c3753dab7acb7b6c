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
    AdversaryRole();
    ~AdversaryRole() override;

    /// Once, before Begin().
    void SetHost(const AdversaryHost& host);
    [[nodiscard]] const AdversaryHost& GetHost() const;

    /// The run begins.
    void Begin();
    /// The work of others is done: breaks no rule any more, and gives back what it has.
    void End();
    /// \return rules broken so far.
    [[nodiscard]] uint64_t GetBroken() const;
    /// Assigns stream numbers from \p stream on to its random variables. \return how many.
    virtual int64_t AssignStreams(int64_t stream);

    /// Trace source "RuleBroken": what was done, to which host.
    typedef void (*RuleBrokenTracedCallback)(const std::string& what, const std::string& peer);

  protected:
    void DoDispose() override;

    /// Between Start and Stop.
    [[nodiscard]] bool IsActive() const;
    /// A rule is broken towards \p peer.
    void NoteBroken(const std::string& what, const std::string& peer);
    void NoteBroken(const std::string& what, Ipv4Address peer);

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

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_ROLE_H
