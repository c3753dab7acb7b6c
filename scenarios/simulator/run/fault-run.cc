/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/fault-run.h"

#include "fault/injector.h"
#include "scenarios/simulator/report/csv-field.h"

#include "ns3/abort.h"
#include "ns3/node.h"

namespace ns3::nfsrdma
{

namespace
{

/// Of random streams of faults: far beyond those of a cluster.
constexpr int64_t FIRST_FAULT_STREAM = int64_t{1} << 40;

} // namespace

FaultRun::FaultRun(const ClusterPlan& plan, const Cluster& cluster)
    : m_targets(MakeHostFaultTargets(cluster)),
      m_injector(CreateObject<FaultInjector>()),
      m_plan(plan.faults)
{
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        const auto name = cluster.GetHostName(host);
        m_injector->AddHost(name,
                            cluster.GetNetwork().hostPorts[host],
                            cluster.ListAddresses(host),
                            m_targets.at(name).get());
    }
    std::set<uint16_t> ports{plan.nfs.port};
    if (!plan.nfs.tcpClients.empty())
    {
        ports.insert(NFS_TCP_PORT);
    }
    m_injector->SetPlan(m_plan, plan.faultScene, ports);
    for (std::size_t index = 0; index < m_plan.size(); ++index)
    {
        NS_ABORT_MSG_UNLESS(m_injector->Refuse(index).empty(),
                            "a plan that was checked: " << m_injector->Refuse(index));
    }
    m_injector->AssignStreams(FIRST_FAULT_STREAM);
    m_injector->TraceConnectWithoutContext("Fired", MakeCallback(&FaultRun::TakeFiring, this));
}

FaultRun::~FaultRun()
{
    m_injector->TraceDisconnectWithoutContext("Fired", MakeCallback(&FaultRun::TakeFiring, this));
    m_injector->Dispose();
}

void
FaultRun::Start()
{
    m_injector->Start();
}

void
FaultRun::Stop()
{
    m_injector->Stop();
}

void
FaultRun::TakeFiring(const FaultFiring& firing)
{
    m_firings.push_back(firing);
}

FaultReport
FaultRun::GetReport() const
{
    return {m_injector->GetOutcomes(), m_injector->GetStopped()};
}

const std::vector<FaultSpec>&
FaultRun::GetPlan() const
{
    return m_plan;
}

const std::vector<FaultFiring>&
FaultRun::GetFirings() const
{
    return m_firings;
}

std::string
FaultRun::MakeCsv() const
{
    std::string text = "time_ns,name,host,event,what,until_ns\n";
    for (const auto& firing : m_firings)
    {
        text += std::to_string(firing.time.GetNanoSeconds()) + "," + firing.name + "," +
                firing.host + "," + QuoteField(firing.event) + "," + QuoteField(firing.what) + "," +
                std::to_string(firing.until.GetNanoSeconds()) + "\n";
    }
    return text;
}

} // namespace ns3::nfsrdma
