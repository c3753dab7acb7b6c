/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/fio.h"

#include "workload/replay/csv-fields.h"

#include "ns3/string.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FioWorkload);

namespace
{

constexpr uint64_t MAX_BLOCK = 64ULL * 1024 * 1024;

} // namespace

#define SETTINGS_OF FioWorkload::Settings
#define SETTINGS_FILE "workload/generate/fio.def"
#include "settings/rows.def"

TypeId
FioWorkload::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::FioWorkload")
            .SetParent<RequestWorkload>()
            .SetGroupName("NfsRdma")
            .AddConstructor<FioWorkload>()
            .AddAttribute("BlockSizeSplit",
                          "Sizes of requests and their weights in place of BlockSize: "
                          "OCTETS:WEIGHT,..., or empty",
                          StringValue(""),
                          MakeStringAccessor(&FioWorkload::SetBlockSizeSplit,
                                             &FioWorkload::GetBlockSizeSplit),
                          MakeStringChecker()),
        Settings::GetRows(),
        &FioWorkload::m_settings);
    return tid;
}

tl::expected<void, std::string>
FioWorkload::CheckBlockSizeSplit(const std::string& text)
{
    if (text.empty())
    {
        return {};
    }
    const auto choice = WeightedChoice::Parse(text);
    if (!choice)
    {
        return tl::unexpected(choice.error());
    }
    for (const auto& item : choice->GetItems())
    {
        if (ParseUnsigned(item.name, MAX_BLOCK).value_or(0) == 0)
        {
            return tl::unexpected("expected a size from 1 to " + std::to_string(MAX_BLOCK) +
                                  " octets, found '" + item.name + "'");
        }
    }
    return {};
}

bool
FioWorkload::SetBlockSizeSplit(const std::string& text)
{
    if (!CheckBlockSizeSplit(text))
    {
        return false;
    }
    m_blockSizeSplit = text;
    return true;
}

bool
FioWorkload::HasReads() const
{
    const bool mixed = m_settings.readWrite == RW || m_settings.readWrite == RANDRW;
    return m_settings.readWrite == READ || m_settings.readWrite == RANDREAD ||
           (mixed && m_settings.rwMixRead > 0);
}

bool
FioWorkload::HasWrites() const
{
    const bool mixed = m_settings.readWrite == RW || m_settings.readWrite == RANDRW;
    return m_settings.readWrite == WRITE || m_settings.readWrite == RANDWRITE ||
           (mixed && m_settings.rwMixRead < PERCENT);
}

FioPattern
FioWorkload::MakePattern()
{
    FioPattern pattern;
    pattern.random = m_settings.readWrite == RANDREAD || m_settings.readWrite == RANDWRITE ||
                     m_settings.readWrite == RANDRW;
    pattern.readPercent = !HasWrites() ? PERCENT : (HasReads() ? m_settings.rwMixRead : 0);
    const auto split =
        m_blockSizeSplit.empty() ? std::to_string(m_settings.blockSize) + ":1" : m_blockSizeSplit;
    pattern.sizes = *WeightedChoice::Parse(split);
    for (const auto& item : pattern.sizes.GetItems())
    {
        pattern.octets.push_back(static_cast<uint32_t>(*ParseUnsigned(item.name, MAX_BLOCK)));
    }
    pattern.fileSize = m_settings.size;
    pattern.fsync = m_settings.fsync;
    pattern.endFsync = m_settings.endFsync;
    pattern.stream = MakeStreamSettings();
    pattern.stream.rateRequests = m_settings.rateIops;
    pattern.stream.rateOctets = m_settings.rate;
    const bool unlimited = pattern.stream.requests == 0 && pattern.stream.runtime.IsZero();
    pattern.stream.octets = m_settings.ioSize == 0 && unlimited
                                ? m_settings.size * m_settings.nrFiles
                                : m_settings.ioSize;
    return pattern;
}

void
FioWorkload::MakeJobs()
{
    if (!m_jobs.empty())
    {
        return;
    }
    const FioPattern pattern = MakePattern();
    for (uint32_t i = 0; i < m_settings.numJobs; ++i)
    {
        m_jobs.push_back(std::make_unique<FioJob>(pattern));
    }
}

int64_t
FioWorkload::AssignStreams(int64_t stream)
{
    MakeJobs();
    const int64_t first = stream;
    for (const auto& job : m_jobs)
    {
        stream += job->AssignStreams(stream);
    }
    return stream - first;
}

void
FioWorkload::DoSetUp()
{
    MakeJobs();
    FileSetup::Plan plan;
    plan.directory = GetDirectory();
    for (uint32_t job = 0; job < m_settings.numJobs; ++job)
    {
        for (uint32_t file = 0; file < m_settings.nrFiles; ++file)
        {
            plan.files.push_back("job." + std::to_string(job) + "." + std::to_string(file));
        }
    }
    m_names = plan.files;
    plan.size = HasReads() || GetSharedTree() != nullptr ? m_settings.size : 0;
    plan.keepOpen = m_settings.reopen == 0;
    MakeFiles(m_layout, std::move(plan), [this] { BecomeReady([this] { Run(); }); });
}

std::unique_ptr<FileIo>
FioWorkload::MakeIo(const std::shared_ptr<OpenFile>& file, KeptPages* pages)
{
    if (m_settings.direct)
    {
        return std::make_unique<DirectFileIo>(GetFiles(), file);
    }
    return std::make_unique<CachedFileIo>(GetFiles(),
                                          m_cache,
                                          file,
                                          HasReads() || GetSharedTree() != nullptr ? m_settings.size
                                                                                   : 0,
                                          pages);
}

std::unique_ptr<FileIo>
FioWorkload::MakeIo(std::size_t index)
{
    if (m_settings.reopen == 0)
    {
        return MakeIo(m_layout->GetFiles()[index], nullptr);
    }
    m_pages.push_back(std::make_unique<KeptPages>());
    KeptPages* const pages = m_pages.back().get();
    ReopenedFileIo::Settings settings;
    settings.where = {m_layout->GetDirectory(), m_names[index]};
    settings.how.read = HasReads();
    settings.how.write = HasWrites();
    settings.how.direct = m_settings.direct;
    settings.requests = m_settings.reopen;
    settings.opened = [this](const char* item, Time began, bool ok) { Record(item, began, 0, ok); };
    return std::make_unique<ReopenedFileIo>(
        GetFiles(),
        std::move(settings),
        m_layout->GetObjects()[index],
        *pages,
        [this, pages](const OpenFilePtr& opened) { return MakeIo(opened, pages); });
}

void
FioWorkload::Run()
{
    m_cache = std::make_shared<ClientCache>(ClientCache::Settings{m_settings.readAhead,
                                                                  m_settings.dirtyLimit,
                                                                  m_settings.dirtyBackground,
                                                                  m_settings.cachedCost,
                                                                  m_settings.copyRate});
    m_running = m_settings.numJobs;
    for (uint32_t i = 0; i < m_settings.numJobs; ++i)
    {
        std::vector<std::unique_ptr<FileIo>> files;
        for (uint32_t file = 0; file < m_settings.nrFiles; ++file)
        {
            files.push_back(MakeIo((i * m_settings.nrFiles) + file));
        }
        m_jobs[i]->Start(
            std::move(files),
            [this](const char* item, Time arrived, Time ended, const FileIo::Result& result) {
                Record(item, arrived, ended, result.octets, result.ok);
            },
            [this] {
                if (--m_running == 0)
                {
                    SetPhase(WorkloadPhase::FINISHED);
                }
            });
    }
}

std::vector<std::string>
FioWorkload::DescribeWaiting() const
{
    auto lines = RequestWorkload::DescribeWaiting();
    for (std::size_t i = 0; i < m_jobs.size(); ++i)
    {
        if (m_jobs[i]->GetWaiting() != 0)
        {
            lines.push_back("job " + std::to_string(i) + ": " +
                            std::to_string(m_jobs[i]->GetWaiting()) +
                            " requests wait for a place that no outstanding one overlaps");
        }
    }
    return lines;
}

void
FioWorkload::DoDrain()
{
    for (const auto& job : m_jobs)
    {
        job->Drain();
    }
}

void
FioWorkload::DoDispose()
{
    m_jobs.clear();
    m_pages.clear();
    m_cache.reset();
    m_layout.reset();
    RequestWorkload::DoDispose();
}

} // namespace ns3::nfsrdma
