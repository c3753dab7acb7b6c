/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/listing-storm.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ListingWorkload);

TypeId
ListingWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::ListingWorkload")
            .SetParent<RequestWorkload>()
            .SetGroupName("NfsRdma")
            .AddConstructor<ListingWorkload>()
            .AddAttribute("Directories",
                          "Directories to list (count)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ListingWorkload::m_directories),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddAttribute("Entries",
                          "Files in each directory (count)",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&ListingWorkload::m_entries),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("Plus",
                          "Ask for handles and attributes of the entries: READDIRPLUS",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ListingWorkload::m_plus),
                          MakeBooleanChecker())
            .AddAttribute("Count",
                          "Octets that each call may give. Default: a page, with which Linux's "
                          "client begins (fs/nfs/dir.c)",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&ListingWorkload::m_count),
                          MakeUintegerChecker<uint32_t>(512, 1048576));
    return tid;
}

ListingWorkload::ListingWorkload()
    : m_choice(CreateObject<UniformRandomVariable>())
{
}

ListingWorkload::~ListingWorkload() = default;

tl::expected<void, std::string>
ListingWorkload::Validate() const
{
    const auto settings = GetStreamSettings();
    if (settings.requests == 0 && settings.runtime.IsZero())
    {
        return tl::unexpected(std::string("Requests or Runtime above 0"));
    }
    return RequestWorkload::Validate();
}

void
ListingWorkload::MakeStream()
{
    if (m_stream == nullptr)
    {
        m_stream = std::make_unique<RequestStream>(GetStreamSettings());
    }
}

int64_t
ListingWorkload::AssignStreams(int64_t stream)
{
    MakeStream();
    m_choice->SetStream(stream);
    return 1 + m_stream->AssignStreams(stream + 1);
}

void
ListingWorkload::DoSetUp()
{
    MakeStream();
    MakeDirectory(0);
}

void
ListingWorkload::MakeDirectory(uint32_t index)
{
    if (index == m_directories)
    {
        Run();
        return;
    }
    FileSetup::Plan plan;
    plan.directory = GetName() + "." + std::to_string(index);
    for (uint32_t i = 0; i < m_entries; ++i)
    {
        plan.files.push_back("entry." + std::to_string(i));
    }
    m_layouts.push_back(
        std::make_unique<FileSetup>(GetFiles(), GetMount().GetRootRef(), std::move(plan)));
    m_layouts.back()->Start([this, index] {
        if (m_layouts.back()->GetErrors() != 0)
        {
            GiveUp(m_layouts.back()->GetErrors());
            return;
        }
        MakeDirectory(index + 1);
    });
}

void
ListingWorkload::Run()
{
    BeginRun(GetRampTime());
    m_stream->Start(
        [this](Time arrived) {
            const auto listing = std::make_shared<Listing>();
            listing->arrived = arrived;
            listing->directory = m_choice->GetInteger(0, m_directories - 1);
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
                            m_count,
                            m_plus},
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
    const bool whole = reply.IsOk() && reply.eof && listing->names.size() == m_entries;
    Record("listing", listing->arrived, listing->octets, listing->ok && whole);
    m_stream->End();
}

void
ListingWorkload::DoDispose()
{
    m_stream.reset();
    m_layouts.clear();
    RequestWorkload::DoDispose();
}

} // namespace ns3::nfsrdma
