/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/fio.h"

#include "workload/replay/csv-fields.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FioWorkload);

namespace
{

constexpr uint64_t MAX_BLOCK = 64ULL * 1024 * 1024;

} // namespace

TypeId
FioWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::FioWorkload")
            .SetParent<RequestWorkload>()
            .SetGroupName("NfsRdma")
            .AddConstructor<FioWorkload>()
            .AddAttribute("ReadWrite",
                          "Direction and order of requests, fio's readwrite",
                          EnumValue(READ),
                          MakeEnumAccessor(&FioWorkload::m_readWrite),
                          MakeEnumChecker(READ,
                                          "read",
                                          WRITE,
                                          "write",
                                          RANDREAD,
                                          "randread",
                                          RANDWRITE,
                                          "randwrite",
                                          RW,
                                          "rw",
                                          RANDRW,
                                          "randrw"))
            .AddAttribute("RwMixRead",
                          "Of rw and randrw: percentage of requests that are reads. Default: fio's",
                          UintegerValue(50),
                          MakeUintegerAccessor(&FioWorkload::m_rwMixRead),
                          MakeUintegerChecker<uint32_t>(0, PERCENT))
            .AddAttribute("BlockSize",
                          "Size of each request, fio's bs (octets). Default: fio's",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&FioWorkload::m_blockSize),
                          MakeUintegerChecker<uint32_t>(1, MAX_BLOCK))
            .AddAttribute("BlockSizeSplit",
                          "Sizes of requests and their weights in place of BlockSize: "
                          "OCTETS:WEIGHT,..., or empty",
                          StringValue(""),
                          MakeStringAccessor(&FioWorkload::SetBlockSizeSplit,
                                             &FioWorkload::GetBlockSizeSplit),
                          MakeStringChecker())
            .AddAttribute("Size",
                          "Size of each file (octets)",
                          UintegerValue(1048576),
                          MakeUintegerAccessor(&FioWorkload::m_size),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("IoSize",
                          "Octets that a job moves (octets; 0: all its files once, unless Requests "
                          "or Runtime ends it)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FioWorkload::m_ioSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("NrFiles",
                          "Files of each job, used in turn (count)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FioWorkload::m_nrFiles),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("NumJobs",
                          "Jobs, each with files of its own (count)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FioWorkload::m_numJobs),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("Fsync",
                          "An fsync after so many writes to a file (count; 0: none)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FioWorkload::m_fsync),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("EndFsync",
                          "An fsync of each file when its job is through",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FioWorkload::m_endFsync),
                          MakeBooleanChecker())
            .AddAttribute("Direct",
                          "O_DIRECT, or through the client's cache. Default: fio's",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FioWorkload::m_direct),
                          MakeBooleanChecker())
            .AddAttribute("RateIops",
                          "Most requests of a job in a second (per second; 0: no limit)",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FioWorkload::m_rateIops),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute("Rate",
                          "Most octets of a job in a second (octets per second; 0: no limit)",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FioWorkload::m_rate),
                          MakeDoubleChecker<double>(0, 1e15))
            .AddAttribute("ReadAhead",
                          "Cache: most octets read ahead at a time (octets; 0: none). Default: "
                          "Linux's (VM_READAHEAD_PAGES)",
                          UintegerValue(131072),
                          MakeUintegerAccessor(&FioWorkload::m_readAhead),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("DirtyLimit",
                          "Cache: writers wait when so much is not written back (octets). Default: "
                          "20 percent of 1 GiB, Linux's vm.dirty_ratio",
                          UintegerValue(214748364),
                          MakeUintegerAccessor(&FioWorkload::m_dirtyLimit),
                          MakeUintegerChecker<uint64_t>(4096))
            .AddAttribute("DirtyBackground",
                          "Cache: files are written back when more is not yet (octets). Default: "
                          "10 percent of 1 GiB, Linux's vm.dirty_background_ratio",
                          UintegerValue(107374182),
                          MakeUintegerAccessor(&FioWorkload::m_dirtyBackground),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "CachedCost",
                "Cache: time of each read or write that finds its pages, beside the copy. "
                "Default: a system call of a present-day server (assumed)",
                TimeValue(NanoSeconds(500)),
                MakeTimeAccessor(&FioWorkload::m_cachedCost),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("CopyRate",
                          "Cache: rate of the copy between pages and the application (bit/s; 0: no "
                          "time). Default: 10 GB/s, one core of a present-day server (assumed)",
                          DataRateValue(DataRate("80Gbps")),
                          MakeDataRateAccessor(&FioWorkload::m_copyRate),
                          MakeDataRateChecker());
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
    const bool mixed = m_readWrite == RW || m_readWrite == RANDRW;
    return m_readWrite == READ || m_readWrite == RANDREAD || (mixed && m_rwMixRead > 0);
}

bool
FioWorkload::HasWrites() const
{
    const bool mixed = m_readWrite == RW || m_readWrite == RANDRW;
    return m_readWrite == WRITE || m_readWrite == RANDWRITE || (mixed && m_rwMixRead < PERCENT);
}

FioPattern
FioWorkload::MakePattern() const
{
    FioPattern pattern;
    pattern.random = m_readWrite == RANDREAD || m_readWrite == RANDWRITE || m_readWrite == RANDRW;
    pattern.readPercent = !HasWrites() ? PERCENT : (HasReads() ? m_rwMixRead : 0);
    const auto split =
        m_blockSizeSplit.empty() ? std::to_string(m_blockSize) + ":1" : m_blockSizeSplit;
    pattern.sizes = *WeightedChoice::Parse(split);
    for (const auto& item : pattern.sizes.GetItems())
    {
        pattern.octets.push_back(static_cast<uint32_t>(*ParseUnsigned(item.name, MAX_BLOCK)));
    }
    pattern.fileSize = m_size;
    pattern.fsync = m_fsync;
    pattern.endFsync = m_endFsync;
    pattern.stream = GetStreamSettings();
    pattern.stream.rateRequests = m_rateIops;
    pattern.stream.rateOctets = m_rate;
    const bool unlimited = pattern.stream.requests == 0 && pattern.stream.runtime.IsZero();
    pattern.stream.octets = m_ioSize == 0 && unlimited ? m_size * m_nrFiles : m_ioSize;
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
    for (uint32_t i = 0; i < m_numJobs; ++i)
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
    plan.directory = GetName();
    for (uint32_t job = 0; job < m_numJobs; ++job)
    {
        for (uint32_t file = 0; file < m_nrFiles; ++file)
        {
            plan.files.push_back("job." + std::to_string(job) + "." + std::to_string(file));
        }
    }
    plan.size = HasReads() ? m_size : 0;
    plan.keepOpen = true;
    MakeFiles(m_layout, std::move(plan), [this] { Run(); });
}

std::unique_ptr<FileIo>
FioWorkload::MakeIo(const std::shared_ptr<OpenFile>& file)
{
    if (m_direct)
    {
        return std::make_unique<DirectFileIo>(GetFiles(), file);
    }
    return std::make_unique<CachedFileIo>(GetFiles(), m_cache, file, HasReads() ? m_size : 0);
}

void
FioWorkload::Run()
{
    m_cache = std::make_shared<ClientCache>(ClientCache::Settings{m_readAhead,
                                                                  m_dirtyLimit,
                                                                  m_dirtyBackground,
                                                                  m_cachedCost,
                                                                  m_copyRate});
    BeginRun(GetRampTime());
    m_running = m_numJobs;
    for (uint32_t i = 0; i < m_numJobs; ++i)
    {
        std::vector<std::unique_ptr<FileIo>> files;
        for (uint32_t file = 0; file < m_nrFiles; ++file)
        {
            files.push_back(MakeIo(m_layout->GetFiles()[(i * m_nrFiles) + file]));
        }
        m_jobs[i]->Start(
            std::move(files),
            [this](const char* item, Time arrived, Time ended, const FileIo::Result& result) {
                Record(item, arrived, ended, result.octets, result.ok);
            },
            [this] {
                if (--m_running == 0)
                {
                    EndRun();
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
FioWorkload::DoDispose()
{
    m_jobs.clear();
    m_cache.reset();
    m_layout.reset();
    RequestWorkload::DoDispose();
}

} // namespace ns3::nfsrdma
