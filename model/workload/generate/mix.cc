/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix.h"

#include "settings/member-accessor.h"
#include "workload/replay/csv-fields.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MixWorkload);

namespace
{

constexpr uint64_t MAX_IO = 1048576;

tl::expected<void, std::string>
Expect(bool condition, const char* expectation)
{
    return condition ? tl::expected<void, std::string>() : tl::unexpected(std::string(expectation));
}

} // namespace

TypeId
MixWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MixWorkload")
            .SetParent<FileWorkload>()
            .SetGroupName("NfsRdma")
            .AddConstructor<MixWorkload>()
            .AddAttribute("Files",
                          "Files made beforehand (count)",
                          UintegerValue(100),
                          MakeUintegerAccessor(&MixWorkload::m_fileCount),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("FileSize",
                          "Size of each of these files (octets)",
                          UintegerValue(65536),
                          MakeSettingAccessor<UintegerValue>(&MixWorkload::m_rangeSettings,
                                                             &MixRanges::Settings::fileSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Symlinks",
                          "Symbolic links made beforehand, for readlink (count)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&MixWorkload::m_symlinkCount),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("SetupIoSize",
                          "Octets of each WRITE that makes the files, at most",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&MixWorkload::m_setupIoSize),
                          MakeUintegerChecker<uint32_t>(1, MAX_IO))
            .AddAttribute(
                "OperationMix",
                "Operations and their weights: NAME:WEIGHT,... of getattr setattr access "
                "lookup readlink read write commit create symlink remove readdir "
                "readdirplus fsstat, with NFSv4.2 also read_plus seek allocate deallocate copy "
                "clone. The default is the mix of SPECsfs2008_nfs.v3",
                StringValue("lookup:24,read:18,write:10,getattr:26,readlink:1,readdir:1,"
                            "create:1,remove:1,fsstat:1,setattr:4,readdirplus:2,"
                            "access:11"),
                MakeStringAccessor(&MixWorkload::SetOperationMix, &MixWorkload::GetOperationMix),
                MakeStringChecker())
            .AddAttribute("IoSizes",
                          "Sizes of READs and WRITEs and their weights: OCTETS:WEIGHT,... The "
                          "default is small IO on both sides of Linux's inline threshold of 4096",
                          StringValue("512:10,1024:15,2048:15,4096:30,8192:20,16384:10"),
                          MakeStringAccessor(&MixWorkload::SetIoSizes, &MixWorkload::GetIoSizes),
                          MakeStringChecker())
            .AddAttribute("IoAlignment",
                          "Offsets of READs and WRITEs are multiples of it (octets)",
                          UintegerValue(512),
                          MakeSettingAccessor<UintegerValue>(&MixWorkload::m_rangeSettings,
                                                             &MixRanges::Settings::alignment),
                          MakeUintegerChecker<uint32_t>(1, MAX_IO))
            .AddAttribute("CopySize",
                          "Octets of a copy or clone (0: as IoSizes)",
                          UintegerValue(0),
                          MakeSettingAccessor<UintegerValue>(&MixWorkload::m_rangeSettings,
                                                             &MixRanges::Settings::copySize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Stable",
                          "How stable a WRITE is asked to be",
                          EnumValue(static_cast<int>(StableHow::UNSTABLE)),
                          MakeSettingAccessor<EnumValue>(&MixWorkload::m_rangeSettings,
                                                         &MixRanges::Settings::stable),
                          MakeEnumChecker(static_cast<int>(StableHow::UNSTABLE),
                                          "unstable",
                                          static_cast<int>(StableHow::DATA_SYNC),
                                          "data-sync",
                                          static_cast<int>(StableHow::FILE_SYNC),
                                          "file-sync"))
            .AddAttribute(
                "DirectoryCount",
                "count of READDIR, dircount and maxcount of READDIRPLUS (octets). The "
                "default is one page",
                UintegerValue(4096),
                MakeSettingAccessor<UintegerValue>(&MixWorkload::m_operationSettings,
                                                   &MixOperations::Settings::directoryCount),
                MakeUintegerChecker<uint32_t>(512, MAX_IO))
            .AddAttribute("LargeDirectoryEntries",
                          "Empty files in a second directory made beforehand (count; 0: there is "
                          "none)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MixWorkload::m_largeDirectoryEntries),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute(
                "LargeDirectoryFraction",
                "Probability that a readdir or readdirplus is of the second directory",
                DoubleValue(0),
                MakeSettingAccessor<DoubleValue>(&MixWorkload::m_operationSettings,
                                                 &MixOperations::Settings::largeDirectoryFraction),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("QueueDepth",
                          "Operations outstanding at most (count)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MixWorkload::m_queueDepth),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute(
                "ThinkTime",
                "Time between a completion and the next operation of its place; the mean, "
                "when exponential (Time)",
                TimeValue(Time(0)),
                MakeTimeAccessor(&MixWorkload::m_thinkTime),
                MakeTimeChecker(Time(0)))
            .AddAttribute("ThinkTimeDistribution",
                          "How think times are distributed",
                          EnumValue(CONSTANT),
                          MakeEnumAccessor(&MixWorkload::m_thinkTimeDistribution),
                          MakeEnumChecker(CONSTANT, "constant", EXPONENTIAL, "exponential"))
            .AddAttribute("Operations",
                          "Operations of the run (count; 0: as many as Duration allows)",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&MixWorkload::m_operationCount),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Duration",
                          "No operation starts later than that after the run's begin (Time; 0: no "
                          "limit)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MixWorkload::m_duration),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "AllowOverlap",
                "READs and WRITEs may overlap outstanding WRITEs; what they leave open is "
                "counted, not verified",
                BooleanValue(false),
                MakeSettingAccessor<BooleanValue>(&MixWorkload::m_rangeSettings,
                                                  &MixRanges::Settings::allowOverlap),
                MakeBooleanChecker());
    return tid;
}

MixWorkload::MixWorkload()
    : m_operationStream(CreateObject<UniformRandomVariable>()),
      m_thinkStream(CreateObject<ExponentialRandomVariable>()),
      m_listingStream(CreateObject<UniformRandomVariable>())
{
}

MixWorkload::~MixWorkload() = default;

int64_t
MixWorkload::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    m_operationStream->SetStream(stream++);
    m_rangeStreams.file->SetStream(stream++);
    m_rangeStreams.offset->SetStream(stream++);
    m_rangeStreams.size->SetStream(stream++);
    m_thinkStream->SetStream(stream++);
    m_listingStream->SetStream(stream++);
    return stream - first;
}

tl::expected<void, std::string>
MixWorkload::CheckOperationMix(const std::string& text)
{
    const auto choice = WeightedChoice::Parse(text);
    if (!choice)
    {
        return tl::unexpected(choice.error());
    }
    for (const auto& item : choice->GetItems())
    {
        if (!MixOperations::Find(item.name))
        {
            return tl::unexpected(
                "expected getattr, setattr, access, lookup, readlink, read, write, commit, create, "
                "symlink, remove, readdir, readdirplus, fsstat, read_plus, seek, allocate, "
                "deallocate, copy or clone, found '" +
                item.name + "'");
        }
    }
    return {};
}

tl::expected<void, std::string>
MixWorkload::CheckIoSizes(const std::string& text)
{
    const auto choice = WeightedChoice::Parse(text);
    if (!choice)
    {
        return tl::unexpected(choice.error());
    }
    for (const auto& item : choice->GetItems())
    {
        if (ParseUnsigned(item.name, MAX_IO).value_or(0) == 0)
        {
            return tl::unexpected("expected a size from 1 to " + std::to_string(MAX_IO) +
                                  " octets, found '" + item.name + "'");
        }
    }
    return {};
}

bool
MixWorkload::SetOperationMix(const std::string& text)
{
    if (!CheckOperationMix(text))
    {
        return false;
    }
    m_operationMixText = text;
    m_operationMix = *WeightedChoice::Parse(text);
    m_starters.clear();
    for (const auto& item : m_operationMix.GetItems())
    {
        m_starters.push_back(MixOperations::Find(item.name));
    }
    return true;
}

std::string
MixWorkload::GetOperationMix() const
{
    return m_operationMixText;
}

bool
MixWorkload::SetIoSizes(const std::string& text)
{
    if (!CheckIoSizes(text))
    {
        return false;
    }
    m_ioSizesText = text;
    m_rangeSettings.choice = *WeightedChoice::Parse(text);
    m_rangeSettings.sizes.clear();
    for (const auto& item : m_rangeSettings.choice.GetItems())
    {
        m_rangeSettings.sizes.push_back(static_cast<uint32_t>(*ParseUnsigned(item.name, MAX_IO)));
    }
    return true;
}

std::string
MixWorkload::GetIoSizes() const
{
    return m_ioSizesText;
}

uint64_t
MixWorkload::GetWeight(const std::string& name) const
{
    uint64_t weight = 0;
    for (const auto& item : m_operationMix.GetItems())
    {
        weight += item.name == name ? item.weight : 0;
    }
    return weight;
}

tl::expected<void, std::string>
MixWorkload::Validate() const
{
    return Expect(m_operationCount != 0 || m_duration.IsStrictlyPositive(),
                  "Operations or Duration above 0")
        .and_then([this] {
            return Expect(m_symlinkCount != 0 || GetWeight("readlink") == 0,
                          "Symlinks above 0, since OperationMix has readlink");
        })
        .and_then([this] {
            return Expect(m_rangeSettings.fileSize != 0 ||
                              GetWeight("read") + GetWeight("write") == 0,
                          "FileSize above 0, since OperationMix has read or write");
        })
        .and_then([this] {
            const uint64_t ranges = GetWeight("read_plus") + GetWeight("seek") +
                                    GetWeight("allocate") + GetWeight("deallocate");
            return Expect(m_rangeSettings.fileSize != 0 || ranges == 0,
                          "FileSize above 0, since OperationMix has read_plus, seek, allocate or "
                          "deallocate");
        })
        .and_then([this] {
            const bool copies = GetWeight("copy") + GetWeight("clone") != 0;
            return Expect(!copies || (m_rangeSettings.fileSize != 0 && m_fileCount > 1),
                          "FileSize above 0 and Files above 1, since OperationMix has copy or "
                          "clone");
        })
        .and_then([this] {
            return Expect(m_operationSettings.largeDirectoryFraction == 0 ||
                              m_largeDirectoryEntries != 0,
                          "LargeDirectoryEntries above 0, since LargeDirectoryFraction is");
        });
}

void
MixWorkload::DoDispose()
{
    m_openPlaces = 0;
    m_setup.reset();
    if (m_ranges)
    {
        m_ranges->Clear();
    }
    FileWorkload::DoDispose();
}

void
MixWorkload::DoStart()
{
    if (GetFiles().KeepsOpenState())
    {
        FileWorkload::DoStart();
        return;
    }
    // Nothing is to be mounted: its first call goes before those of workloads that ask.
    NS_ABORT_MSG_UNLESS(Validate(), "MixWorkload: expected " << Validate().error());
    SetPhase(WorkloadPhase::SETUP);
    DoSetUp();
}

void
MixWorkload::DoSetUp()
{
    MixPlan plan;
    plan.directory = GetName();
    plan.files = m_fileCount;
    plan.fileSize = m_rangeSettings.fileSize;
    plan.symlinks = m_symlinkCount;
    plan.largeDirectory = m_largeDirectoryEntries;
    plan.ioSize = m_setupIoSize;
    plan.depth = m_queueDepth;
    m_setup =
        std::make_unique<MixSetup>(GetFiles(), GetMount().GetRootRef(), plan, [this] { Run(); });
    m_setup->Start();
}

void
MixWorkload::Run()
{
    m_errors = m_setup->GetErrors();
    m_tree = m_setup->GetTree();
    if (!m_errors.empty() || m_tree.files.size() != m_fileCount ||
        m_tree.symlinks.size() != m_symlinkCount)
    {
        GiveUp(1);
        return;
    }
    const MixEnd end =
        [this](const char* item, Time began, uint64_t octets, const FileReply& reply) {
            EndOperation(item, began, octets, reply);
        };
    m_ranges =
        std::make_unique<MixRanges>(GetFiles(), m_tree.files, m_rangeSettings, m_rangeStreams, end);
    m_operations = std::make_unique<MixOperations>(GetFiles(),
                                                   GetMount().GetRootRef(),
                                                   m_tree,
                                                   *m_ranges,
                                                   m_operationSettings,
                                                   m_rangeStreams.file,
                                                   m_listingStream,
                                                   end);
    BeginRun();
    m_openPlaces = m_queueDepth;
    for (uint32_t i = 0; i < m_queueDepth; ++i)
    {
        UsePlace();
    }
}

bool
MixWorkload::HasMore() const
{
    return (m_operationCount == 0 || m_started < m_operationCount) &&
           (m_duration.IsZero() || Simulator::Now() < GetRunBegin() + m_duration);
}

void
MixWorkload::UsePlace()
{
    if (m_openPlaces == 0)
    {
        return;
    }
    if (HasMore())
    {
        ++m_started;
        const uint64_t draw = DrawIndex(*m_operationStream, m_operationMix.GetTotal());
        m_starters[m_operationMix.Choose(draw)](*m_operations);
    }
    else if (--m_openPlaces == 0)
    {
        EndMeasurement();
        CloseFiles();
    }
}

void
MixWorkload::CloseFiles()
{
    if (m_tree.files.empty() || !GetFiles().KeepsOpenState())
    {
        EndRun();
        return;
    }
    const auto file = m_tree.files.back().GetFile();
    m_tree.files.pop_back();
    GetFiles().Run(FileClose{file}, [this](const FileReply& reply) {
        if (!reply.IsOk())
        {
            ++m_errors["close"];
        }
        CloseFiles();
    });
}

void
MixWorkload::EndOperation(const char* item, Time began, uint64_t octets, const FileReply& reply)
{
    ++m_completed;
    Record(item, began, octets, reply.IsOk());
    if (!reply.IsOk())
    {
        ++m_errors[item];
    }
    const Time think = DrawThinkTime();
    if (think.IsZero())
    {
        UsePlace();
        return;
    }
    Simulator::Schedule(think, &MixWorkload::UsePlace, Ptr<MixWorkload>(this));
}

Time
MixWorkload::DrawThinkTime()
{
    if (m_thinkTime.IsZero() || m_thinkTimeDistribution == CONSTANT)
    {
        return m_thinkTime;
    }
    const auto mean = static_cast<double>(m_thinkTime.GetNanoSeconds());
    return NanoSeconds(static_cast<int64_t>(m_thinkStream->GetValue(mean, 0)));
}

Workload::Counts
MixWorkload::GetErrors() const
{
    return m_errors;
}

uint64_t
MixWorkload::GetPlanned() const
{
    return m_operationCount;
}

uint64_t
MixWorkload::GetProgress() const
{
    return m_completed;
}

std::vector<std::string>
MixWorkload::DescribeWaiting() const
{
    auto lines = Workload::DescribeWaiting();
    if (m_ranges)
    {
        const auto waiting = m_ranges->DescribeWaiting();
        lines.insert(lines.end(), waiting.begin(), waiting.end());
    }
    return lines;
}

} // namespace ns3::nfsrdma
