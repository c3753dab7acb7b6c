/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/measured-files.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FileWorkload);

TypeId
FileWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::FileWorkload").SetParent<Workload>().SetGroupName("NfsRdma");
    return tid;
}

void
FileWorkload::DoStart()
{
    const auto valid = Validate();
    NS_ABORT_MSG_UNLESS(valid, GetKind() << ": expected " << valid.error());
    SetPhase(WorkloadPhase::SETUP);
    GetMount().Mount([self = Ptr<FileWorkload>(this)](const FileReply& reply) {
        if (self->GetPhase() != WorkloadPhase::SETUP)
        {
            return;
        }
        if (reply.IsOk())
        {
            self->DoSetUp();
        }
        else
        {
            self->GiveUp(1);
        }
    });
}

void
FileWorkload::MakeFiles(std::unique_ptr<FileSetup>& layout,
                        FileSetup::Plan plan,
                        std::function<void()> done)
{
    layout = std::make_unique<FileSetup>(GetFiles(), GetMount().GetRootRef(), std::move(plan));
    layout->Start([this, setup = layout.get(), then = std::move(done)] {
        if (setup->GetErrors() != 0)
        {
            GiveUp(setup->GetErrors());
            return;
        }
        then();
    });
}

void
FileWorkload::BeginRun(Time ramp)
{
    m_runBegin = Simulator::Now();
    m_measureBegin = m_runBegin + ramp;
    SetPhase(WorkloadPhase::RUN);
}

void
FileWorkload::EndMeasurement()
{
    for (auto& [item, result] : m_results)
    {
        result.duration = Simulator::Now() - m_measureBegin;
    }
    m_measured = true;
}

void
FileWorkload::EndRun()
{
    if (!m_measured)
    {
        EndMeasurement();
    }
    SetPhase(WorkloadPhase::FINISHED);
}

void
FileWorkload::GiveUp(uint64_t errors)
{
    m_setupErrors += errors;
    SetPhase(WorkloadPhase::FINISHED);
}

void
FileWorkload::Record(const std::string& item, Time arrived, Time ended, uint64_t octets, bool ok)
{
    if (arrived < m_measureBegin)
    {
        return;
    }
    WorkloadResult& result = m_results[item];
    result.Add(ok, octets, ended - arrived);
    result.duration = Simulator::Now() - m_measureBegin;
}

void
FileWorkload::Record(const std::string& item, Time arrived, uint64_t octets, bool ok)
{
    Record(item, arrived, Simulator::Now(), octets, ok);
}

void
FileWorkload::SetSpan(const std::string& item, Time begin)
{
    m_results[item].duration = Simulator::Now() - begin;
}

std::vector<WorkloadResult>
FileWorkload::GetResults() const
{
    std::vector<WorkloadResult> results;
    for (const auto& [item, result] : m_results)
    {
        results.push_back(result);
        results.back().item = item;
    }
    return results;
}

} // namespace ns3::nfsrdma
