/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/listing-storm.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ListingWorkload);

#define SETTINGS_OF ListingWorkload::Settings
#define SETTINGS_FILE "workload/generate/listing-storm.def"
#include "settings/rows.def"

TypeId
ListingWorkload::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::nfsrdma::ListingWorkload")
                                          .SetParent<RequestWorkload>()
                                          .SetGroupName("NfsRdma")
                                          .AddConstructor<ListingWorkload>(),
                                      Settings::GetRows(),
                                      &ListingWorkload::m_settings);
    return tid;
}

ListingWorkload::ListingWorkload()
    : m_choice(CreateObject<UniformRandomVariable>())
{
}

int64_t
ListingWorkload::AssignStreams(int64_t stream)
{
    m_choice->SetStream(stream);
    return 1 + GetStream().AssignStreams(stream + 1);
}

void
ListingWorkload::DoSetUp()
{
    MakeDirectory(0);
}

void
ListingWorkload::MakeDirectory(uint32_t index)
{
    if (index == m_settings.directories)
    {
        BecomeReady([this] { Run(); });
        return;
    }
    FileSetup::Plan plan;
    plan.directory = GetDirectory() + "." + std::to_string(index);
    plan.named = false;
    for (uint32_t i = 0; i < m_settings.entries; ++i)
    {
        plan.files.push_back("entry." + std::to_string(i));
    }
    MakeFiles(m_layouts.emplace_back(), std::move(plan), [this, index] {
        MakeDirectory(index + 1);
    });
}

void
ListingWorkload::Run()
{
    GetStream().Start(
        [this](Time arrived) {
            const auto listing = std::make_shared<Listing>();
            listing->arrived = arrived;
            listing->directory = m_choice->GetInteger(0, m_settings.directories - 1);
            NextPage(listing);
            return uint64_t{0};
        },
        [this] { SetPhase(WorkloadPhase::FINISHED); });
}

void
ListingWorkload::NextPage(const std::shared_ptr<Listing>& listing)
{
    listing->pageBegan = Simulator::Now();
    GetFiles().Run(FileList{m_layouts[listing->directory]->GetDirectory(),
                            listing->cookie,
                            listing->verifier,
                            m_settings.count,
                            m_settings.plus},
                   [this, listing](const FileListReply& reply) { TakePage(listing, reply); });
}

void
ListingWorkload::TakePage(const std::shared_ptr<Listing>& listing, const FileListReply& reply)
{
    uint64_t octets = 0;
    for (const auto& entry : reply.entries)
    {
        octets += entry.name.size();
        listing->cookie = entry.cookie;
        if (entry.name != "." && entry.name != "..")
        {
            listing->ok = listing->names.insert(entry.name).second && listing->ok;
        }
    }
    listing->verifier = reply.verifier;
    listing->octets += octets;
    Record("page", listing->pageBegan, octets, reply.IsOk());
    if (reply.IsOk() && !reply.eof && !reply.entries.empty())
    {
        NextPage(listing);
        return;
    }
    const bool whole = reply.IsOk() && reply.eof && listing->names.size() == m_settings.entries;
    Record("listing", listing->arrived, listing->octets, listing->ok && whole);
    EndRequest();
}

void
ListingWorkload::DoDispose()
{
    m_layouts.clear();
    RequestWorkload::DoDispose();
}

} // namespace ns3::nfsrdma
