/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_ROLE_H
#define NFSRDMA_FAULT_ADVERSARY_ROLE_H

#include "fault/adversary/host.h"
#include "settings/setting.h"
#include "wire/ns3-version.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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
        HandleHost();
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

    void NoteBroken(const std::string& what, IpAddress peer)
    {
        NoteBroken(what, m_host.GetPeerName(peer));
    }

    /// The host is known; the run has not begun.
    virtual void HandleHost()
    {
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

/// What can be set of one class of roles: an attribute, and a key of [adversary NAME].
struct RoleSetting
{
    std::string type; ///< Of the class, without the namespace.
    SettingRow row;
};

/// \return what can be set of single classes, in the order of the keys; rows of
/// roles.def.
[[nodiscard]] const std::vector<RoleSetting>& GetRoleSettings();
/// \return the row of \p attribute of class \p type, which has one.
[[nodiscard]] const SettingRow& GetRoleSetting(const std::string& type,
                                               const std::string& attribute);

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

/**
 * \brief The same with an attribute that is a row of GetRoleSettings(), and with those that follow.
 * \param field that holds the value; one of several words is an int, its place among them
 */
template <typename Role, typename Parent, typename T, typename... More>
TypeId
MakeRoleType(const std::string& name, const std::string& attribute, T Role::*field, More... more)
{
    using Value = std::conditional_t<std::is_same_v<T, int>,
                                     EnumValueOf<int>,
                                     decltype(ToAttributeValue(std::declval<T>()))>;
    const auto& row = GetRoleSetting(name, attribute);
    return MakeRoleType<Role, Parent>(name, more...)
        .AddAttribute(attribute,
                      row.GetHelp(),
                      *row.MakeDefault(),
                      MakeAccessorHelper<Value>(field),
                      row.MakeChecker());
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_ROLE_H
