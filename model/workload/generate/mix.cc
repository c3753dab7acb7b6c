/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix.h"

#include "workload/replay/csv-fields.h"

#include "ns3/string.h"

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

#define SETTINGS_OF MixWorkload::Settings
#define SETTINGS_FILE "workload/generate/mix.def"
#include "settings/rows.def"

TypeId
MixWorkload::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::MixWorkload")
            .SetParent<FileWorkload>()
            .SetGroupName("NfsRdma")
            .AddConstructor<MixWorkload>()
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
                          MakeStringChecker()),
        Settings::GetRows(),
        &MixWorkload::m_settings);
    return tid;
}

MixWorkload::MixWorkload()
    : m_operationStream(CreateObject<UniformRandomVariable>()),
      m_thinkStream(CreateObject<ExponentialRandomVariable>()),
      m_listingStream(CreateObject<UniformRandomVariable>())
{
}

int64_t
MixWorkload::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    m_operationStream->SetStream(stream++);
    m_rangeStreams.file->SetStream(stream++);
    m_rangeStreams.offset->SetStream(stream++);
    m_rangeStreams.size->SetStream(stream++);
    // A closed loop has think times, an open one arrivals.
    m_arrivalStream = stream;
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

bool
MixWorkload::SetIoSizes(const std::string& text)
{
    if (!CheckIoSizes(text))
    {
        return false;
    }
    m_ioSizesText = text;
    m_settings.ranges.choice = *WeightedChoice::Parse(text);
    m_settings.ranges.sizes.clear();
    for (const auto& item : m_settings.ranges.choice.GetItems())
    {
        m_settings.ranges.sizes.push_back(static_cast<uint32_t>(*ParseUnsigned(item.name, MAX_IO)));
    }
    return true;
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
    return Expect(m_settings.operations != 0 || m_settings.duration.IsStrictlyPositive(),
                  "Operations or Duration above 0")
        .and_then([this] {
            return Expect(m_settings.symlinks != 0 || GetWeight("readlink") == 0,
                          "Symlinks above 0, since OperationMix has readlink");
        })
        .and_then([this] {
            return Expect(m_settings.ranges.fileSize != 0 ||
                              GetWeight("read") + GetWeight("write") == 0,
                          "FileSize above 0, since OperationMix has read or write");
        })
        .and_then([this] {
            const uint64_t ranges = GetWeight("read_plus") + GetWeight("seek") +
                                    GetWeight("allocate") + GetWeight("deallocate");
            return Expect(m_settings.ranges.fileSize != 0 || ranges == 0,
                          "FileSize above 0, since OperationMix has read_plus, seek, allocate or "
                          "deallocate");
        })
        .and_then([this] {
            const bool copies = GetWeight("copy") + GetWeight("clone") != 0;
            return Expect(!copies || (m_settings.ranges.fileSize != 0 && m_settings.files > 1),
                          "FileSize above 0 and Files above 1, since OperationMix has copy or "
                          "clone");
        })
        .and_then([this] { return ArrivalProcess::Check(m_settings.arrivals); })
        .and_then([this] {
            return Expect(m_settings.listings.largeDirectoryFraction == 0 ||
                              m_settings.largeDirectoryEntries != 0,
                          "LargeDirectoryEntries above 0, since LargeDirectoryFraction is");
        });
}

void
MixWorkload::DoDispose()
{
    m_stream.reset();
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
    TakeTurn(GetKind() + " " + GetDirectory(), [this] { DoSetUp(); });
}

void
MixWorkload::DoSetUp()
{
    MixPlan plan;
    plan.directory = GetDirectory();
    plan.files = m_settings.files;
    plan.fileSize = m_settings.ranges.fileSize;
    plan.symlinks = m_settings.symlinks;
    plan.largeDirectory = m_settings.largeDirectoryEntries;
    plan.ioSize = m_settings.setupIoSize;
    plan.depth = m_settings.queueDepth;
    plan.made = IsMade();
    m_setup = std::make_unique<MixSetup>(GetFiles(), GetMount().GetRootRef(), plan, [this] {
        EndSetup();
    });
    m_setup->Start();
}

void
MixWorkload::EndSetup()
{
    m_errors = m_setup->GetErrors();
    m_tree = m_setup->GetTree();
    if (!m_errors.empty() || m_tree.files.size() != m_settings.files ||
        m_tree.symlinks.size() != m_settings.symlinks)
    {
        GiveUp(1);
        return;
    }
    BecomeReady([this] { Run(); });
}

void
MixWorkload::Run()
{
    const MixEnd end =
        [this](const char* item, Time arrived, uint64_t octets, const FileReply& reply) {
            EndOperation(item, arrived, octets, reply);
        };
    m_ranges = std::make_unique<MixRanges>(GetFiles(),
                                           m_tree.files,
                                           m_settings.ranges,
                                           m_rangeStreams,
                                           end);
    m_operations = std::make_unique<MixOperations>(GetFiles(),
                                                   GetMount().GetRootRef(),
                                                   m_tree,
                                                   *m_ranges,
                                                   m_settings.listings,
                                                   m_rangeStreams.file,
                                                   m_listingStream,
                                                   end);
    if (SharedTree* const tree = GetSharedTree())
    {
        m_operations->ShareNames(std::to_string(GetClientIndex()) + ".",
                                 tree->GetSpares(GetDirectory()));
    }
    m_stream = std::make_unique<RequestStream>(GetStreamSettings());
    if (m_arrivalStream)
    {
        m_stream->AssignStreams(*m_arrivalStream);
    }
    m_stream->Start(
        [this](Time arrived) {
            StartOperation(arrived);
            return uint64_t{0};
        },
        [this] {
            EndMeasurement();
            CloseFiles();
        });
}

RequestStream::Settings
MixWorkload::GetStreamSettings()
{
    RequestStream::Settings settings;
    settings.arrivals = m_settings.arrivals;
    settings.depth = m_settings.queueDepth;
    settings.requests = m_settings.operations;
    settings.runtime = m_settings.duration;
    settings.drawThinkTime = [this] { return DrawThinkTime(); };
    settings.setArrival = [this](std::optional<Time> time) { GetMount().SetArrival(time); };
    settings.setSubmitter = [this](const Ptr<HostThread>& thread) {
        GetMount().SetSubmitter(thread);
    };
    return settings;
}

void
MixWorkload::StartOperation(Time arrived)
{
    m_ranges->SetArrival(arrived);
    m_operations->SetArrival(arrived);
    const uint64_t draw = DrawIndex(*m_operationStream, m_operationMix.GetTotal());
    m_starters[m_operationMix.Choose(draw)](*m_operations);
}

void
MixWorkload::DoDrain()
{
    m_stream->Drain();
}

void
MixWorkload::CloseFiles()
{
    if (m_tree.files.empty() || !GetFiles().KeepsOpenState())
    {
        SetPhase(WorkloadPhase::FINISHED);
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
MixWorkload::EndOperation(const char* item, Time arrived, uint64_t octets, const FileReply& reply)
{
    ++m_completed;
    Record(item, arrived, octets, reply.IsOk());
    if (!reply.IsOk())
    {
        ++m_errors[item];
    }
    if (m_stream)
    {
        m_stream->End();
    }
}

Time
MixWorkload::DrawThinkTime()
{
    if (m_settings.thinkTime.IsZero() || m_settings.thinkTimeDistribution == CONSTANT)
    {
        return m_settings.thinkTime;
    }
    const auto mean = static_cast<double>(m_settings.thinkTime.GetNanoSeconds());
    return NanoSeconds(static_cast<int64_t>(m_thinkStream->GetValue(mean, 0)));
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
