/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/adversary-run.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

namespace
{

/// Of random streams of adversaries: beyond those of a cluster and of faults.
constexpr int64_t FIRST_ADVERSARY_STREAM = int64_t{1} << 41;

} // namespace

/// A role on one host.
class AdversaryRun::Actor
{
  public:
    Actor(const AdversarySection& section,
          const Ptr<AdversaryRole>& played,
          const AdversaryHost& host,
          std::string& rows)
        : role(played),
          m_rows(rows)
    {
        outcome.name = section.name;
        outcome.role = section.entry->name;
        outcome.host = host.name;
        role->SetHost(host);
        role->TraceConnectWithoutContext("RuleBroken", MakeCallback(&Actor::TakeBroken, this));
    }

    ~Actor()
    {
        role->TraceDisconnectWithoutContext("RuleBroken", MakeCallback(&Actor::TakeBroken, this));
        role->Dispose();
    }

    Actor(const Actor&) = delete;
    Actor& operator=(const Actor&) = delete;

    Ptr<AdversaryRole> role;
    AdversaryOutcome outcome;

  private:
    void TakeBroken(const std::string& what, const std::string& peer)
    {
        ++outcome.broken[what];
        m_rows.append(std::to_string(Simulator::Now().GetNanoSeconds()))
            .append(",")
            .append(outcome.name)
            .append(",")
            .append(outcome.host)
            .append(",")
            .append(peer)
            .append(",")
            .append(what)
            .append("\n");
    }

    std::string& m_rows;
};

AdversaryRun::AdversaryRun(const std::vector<AdversarySection>& sections, const Cluster& cluster)
    : m_victims(cluster)
{
    int64_t stream = FIRST_ADVERSARY_STREAM;
    for (const auto& section : sections)
    {
        for (const uint32_t host : section.hosts)
        {
            m_actors.push_back(
                std::make_unique<Actor>(section,
                                        section.MakeRole(),
                                        MakeAdversaryHost(cluster, host, section.entry->side),
                                        m_rows));
            stream += m_actors.back()->role->AssignStreams(stream);
        }
    }
}

AdversaryRun::~AdversaryRun() = default;

void
AdversaryRun::Start()
{
    for (const auto& actor : m_actors)
    {
        actor->role->Begin();
    }
}

void
AdversaryRun::TakeRpc(uint32_t client, const RpcRecord& record)
{
    m_victims.TakeRpc(client, record);
}

AdversaryReport
AdversaryRun::Stop()
{
    AdversaryReport report;
    report.victims = m_victims.TakeReports();
    for (const auto& actor : m_actors)
    {
        actor->role->End();
        report.outcomes.push_back(actor->outcome);
    }
    return report;
}

std::string
AdversaryRun::MakeCsv() const
{
    return "time_ns,name,host,peer,what\n" + m_rows;
}

} // namespace ns3::nfsrdma
