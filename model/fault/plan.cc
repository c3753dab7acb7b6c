/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/plan.h"

#include "fault/nfs-status.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

void
AddHosts(const FaultScene& scene, const std::string& name, std::vector<bool>& hosts)
{
    hosts.resize(scene.servers + scene.clients);
    for (const auto host : scene.FindHosts(name))
    {
        hosts[host] = true;
    }
}

} // namespace

PlannedFault::PlannedFault(FaultSpec spec, const FaultScene& scene)
    : m_spec(std::move(spec)),
      m_chance(CreateObject<UniformRandomVariable>()),
      m_detail(CreateObject<UniformRandomVariable>()),
      m_trigger(m_spec.when, [chance = m_chance] { return chance->GetValue(); })
{
    AddHosts(scene, m_spec.where.first, m_first);
    AddHosts(scene, m_spec.where.second, m_second);
    for (std::size_t side = 0; side < 2; ++side)
    {
        m_sides[side].resize(m_first.size());
        for (const auto& name : m_spec.what.sides[side])
        {
            AddHosts(scene, name, m_sides[side]);
        }
    }
    if (m_spec.what.host.kind == HostFaultKind::ANSWER)
    {
        m_spec.what.host.statusNumber =
            FindNfsError(m_spec.what.host.status, scene.nfsVersion).value_or(0);
    }
    auto name = GetActionHost(m_spec);
    m_spec.what.host.server = scene.FindServer(name);
    if (m_spec.what.host.server)
    {
        name.erase(name.rfind('.'));
    }
    const auto hosts = scene.FindHosts(name);
    m_host = hosts.empty() ? 0 : hosts.front();
}

const FaultTrigger&
PlannedFault::GetTrigger() const
{
    return m_trigger;
}

FaultTrigger&
PlannedFault::GetTrigger()
{
    return m_trigger;
}

bool
PlannedFault::IsAbout(const FramePath& path) const
{
    const auto& where = m_spec.where;
    if (where.connection != 0 && where.connection != path.connection)
    {
        return false;
    }
    switch (where.form)
    {
    case FaultWhere::Form::ANYWHERE:
        return true;
    case FaultWhere::Form::FROM:
        return m_first[path.from];
    case FaultWhere::Form::TO:
        return m_second[path.to];
    case FaultWhere::Form::FROM_TO:
        return m_first[path.from] && m_second[path.to];
    case FaultWhere::Form::BETWEEN:
        return (m_first[path.from] && m_second[path.to]) ||
               (m_second[path.from] && m_first[path.to]);
    case FaultWhere::Form::ON:
        return m_first[path.from] || m_first[path.to];
    }
    return false;
}

DrawBelow
PlannedFault::GetDraw() const
{
    return [detail = m_detail](uint64_t bound) {
        return detail->GetInteger(0, static_cast<uint32_t>(bound - 1));
    };
}

int64_t
PlannedFault::AssignStreams(int64_t stream)
{
    m_chance->SetStream(stream);
    m_detail->SetStream(stream + 1);
    return 2;
}

} // namespace ns3::nfsrdma
