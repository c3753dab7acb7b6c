/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/life.h"

#include "wire/name-of.h"
#include "workload/check/content-verifier.h"

#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaWorkload");
NS_OBJECT_ENSURE_REGISTERED(Workload);

namespace
{

/// What the type names of kinds end with.
constexpr std::string_view SUFFIX = "Workload";

/// \return the kind that a type name stands for; empty when it stands for none.
std::string
ParseKind(const std::string& typeName)
{
    const auto colon = typeName.rfind(':');
    std::string kind = colon == std::string::npos ? typeName : typeName.substr(colon + 1);
    if (kind.size() <= SUFFIX.size() ||
        kind.compare(kind.size() - SUFFIX.size(), SUFFIX.size(), SUFFIX) != 0)
    {
        return {};
    }
    kind.resize(kind.size() - SUFFIX.size());
    for (auto& c : kind)
    {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return kind;
}

/// The kinds registered, by name.
std::map<std::string, TypeId>
FindKinds()
{
    std::map<std::string, TypeId> kinds;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        std::string kind = ParseKind(type.GetName());
        if (!kind.empty() && type.HasConstructor() && type.IsChildOf(Workload::GetTypeId()))
        {
            kinds.emplace(std::move(kind), type);
        }
    }
    return kinds;
}

std::vector<AddedWorkload>&
GetAdded()
{
    static std::vector<AddedWorkload> added;
    return added;
}

Workload::Counts
NameCounts(const VerifyingClient::Counters& counters)
{
    Workload::Counts counts;
    for (uint32_t i = 0; i < NfsOperation::COUNT; ++i)
    {
        if (counters[i] != 0)
        {
            counts[NfsOperation::FromIndex(i).GetName()] = counters[i];
        }
    }
    return counts;
}

void
AddCounts(const VerifyingFileClient::Counters& counters, Workload::Counts& counts)
{
    for (std::size_t i = 0; i < counters.size(); ++i)
    {
        if (counters[i] != 0)
        {
            counts[ToString(static_cast<FileOperation>(i))] += counters[i];
        }
    }
}

} // namespace

const char*
ToString(WorkloadPhase phase)
{
    return NameOf(phase,
                  {{WorkloadPhase::IDLE, "idle"},
                   {WorkloadPhase::SETUP, "setup"},
                   {WorkloadPhase::READY, "ready"},
                   {WorkloadPhase::RUN, "run"},
                   {WorkloadPhase::FINISHED, "finished"}});
}

TypeId
Workload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::Workload")
            .SetParent<Application>()
            .SetGroupName("NfsRdma")
            .AddTraceSource("OperationCompleted",
                            "An operation has completed: its name, its RPC",
                            MakeTraceSourceAccessor(&Workload::m_operationCompletedTrace),
                            "ns3::nfsrdma::Workload::OperationCompletedTracedCallback")
            .AddTraceSource("Phase",
                            "The phase left and the phase entered",
                            MakeTraceSourceAccessor(&Workload::m_phaseTrace),
                            "ns3::nfsrdma::Workload::PhaseTracedCallback")
            .AddTraceSource("FileOperation",
                            "An operation of a FileClient has completed: its name, how it ended, "
                            "when it was started",
                            MakeTraceSourceAccessor(&Workload::m_fileOperationTrace),
                            "ns3::nfsrdma::Workload::FileOperationTracedCallback")
            .AddTraceSource("RequestEnded",
                            "A request has ended: its item, when it arrived and ended, octets, "
                            "whether it succeeded",
                            MakeTraceSourceAccessor(&Workload::m_requestEndedTrace),
                            "ns3::nfsrdma::Workload::RequestEndedTracedCallback");
    return tid;
}

std::vector<std::string>
Workload::GetKinds()
{
    std::vector<std::string> names;
    for (const auto& [name, type] : FindKinds())
    {
        names.push_back(name);
    }
    return names;
}

Ptr<Workload>
Workload::Create(const std::string& kind)
{
    const auto kinds = FindKinds();
    const auto found = kinds.find(kind);
    if (found == kinds.end())
    {
        return nullptr;
    }
    ObjectFactory factory;
    factory.SetTypeId(found->second);
    return factory.Create<Workload>();
}

void
Workload::AddKind(TypeId type, std::vector<SettingRow> rows)
{
    const std::string prefix = "ns3::nfsrdma::";
    const auto kind = ParseKind(type.GetName());
    if (kind.empty() || type.GetName().rfind(prefix, 0) != 0)
    {
        throw std::invalid_argument("no name of a workload (ns3::nfsrdma::NAMEWorkload): " +
                                    type.GetName());
    }
    auto& added = GetAdded();
    const bool isTaken =
        std::any_of(added.begin(), added.end(), [&kind](const AddedWorkload& other) {
            return other.kind == kind;
        });
    if (isTaken || FindKinds().at(kind) != type)
    {
        throw std::invalid_argument("there is a workload " + kind + " already");
    }
    added.push_back({kind, type.GetName().substr(prefix.size()), std::move(rows)});
}

const std::vector<AddedWorkload>&
Workload::GetAddedKinds()
{
    return GetAdded();
}

std::string
Workload::GetKind() const
{
    return ParseKind(GetInstanceTypeId().GetName());
}

void
Workload::SetMount(std::shared_ptr<ClientMount> mount)
{
    NS_ASSERT_MSG(m_phase == WorkloadPhase::IDLE, "the workload has started");
    m_mount = std::move(mount);
    if (const auto tree = m_mount->GetSharedTree())
    {
        tree->Enroll(GetName());
    }
    if (m_mount->nfs != nullptr)
    {
        MakeClient();
    }
    if (m_mount->acl != nullptr)
    {
        m_client->SetAclClient(m_mount->acl);
    }
    if (m_mount->files != nullptr)
    {
        MakeFiles();
    }
}

void
Workload::SetNfsClient(const Ptr<Nfs3Calls>& client, const Ptr<HostMemory>& memory, uint32_t index)
{
    NS_ASSERT_MSG(m_phase == WorkloadPhase::IDLE, "the workload has started");
    m_mount = std::make_shared<ClientMount>(index, memory);
    m_mount->nfs = client;
    MakeClient();
}

void
Workload::SetAclClient(const Ptr<NfsAcl3Calls>& client)
{
    NS_ASSERT_MSG(m_client != nullptr, "SetNfsClient() comes first");
    m_mount->acl = client;
    m_client->SetAclClient(client);
}

void
Workload::SetFileClient(const Ptr<FileClient>& client)
{
    NS_ASSERT_MSG(m_mount != nullptr, "SetNfsClient() comes first");
    m_mount->files = client;
    MakeFiles();
}

void
Workload::SetExport(const NfsFh3& root, std::shared_ptr<const Tree> tree)
{
    NS_ASSERT_MSG(m_mount != nullptr, "SetNfsClient() comes first");
    m_mount->SetExport(root, std::move(tree));
}

void
Workload::MakeClient()
{
    m_client = std::make_unique<VerifyingClient>(m_mount->nfs,
                                                 m_mount->GetMemory(),
                                                 m_mount->GetContent());
    m_client->SetCompletedHook(
        [this](NfsOperation operation, const RpcRecord& record, uint64_t octets) {
            NoteCompleted(operation.GetName(), record, octets);
        });
}

void
Workload::MakeFiles()
{
    m_files = std::make_unique<VerifyingFileClient>(m_mount->files,
                                                    m_mount->GetMemory(),
                                                    m_mount->GetContent(),
                                                    m_mount->GetIndex());
    if (m_systemCalls)
    {
        m_files->MakeSystemCalls();
    }
    m_files->SetCompletedHook(
        [this](FileOperation operation, const FileReply& reply, Time started) {
            m_fileOperationTrace(ToString(operation), reply, started);
        });
}

void
Workload::Start()
{
    if (m_phase != WorkloadPhase::IDLE)
    {
        return;
    }
    NS_ASSERT_MSG(m_mount != nullptr, "a workload needs a mount");
    DoStart();
}

void
Workload::TakeTurn(const std::string& what, std::function<void()> setUp)
{
    SharedTree* const tree = GetSharedTree();
    if (tree == nullptr)
    {
        setUp();
        return;
    }
    m_needs = what;
    tree->AskToMake(what, [self = Ptr<Workload>(this), setUp = std::move(setUp)](bool made) {
        if (self->GetPhase() != WorkloadPhase::SETUP)
        {
            return;
        }
        self->m_made = made;
        self->m_making = !made;
        setUp();
    });
}

void
Workload::TellOthers(WorkloadPhase entered)
{
    SharedTree* const tree = GetSharedTree();
    const bool ends = entered == WorkloadPhase::READY || entered == WorkloadPhase::FINISHED;
    if (tree == nullptr || !ends)
    {
        return;
    }
    if (std::exchange(m_making, false))
    {
        tree->EndMaking(m_needs, entered == WorkloadPhase::READY);
    }
    if (entered == WorkloadPhase::FINISHED)
    {
        tree->Leave(GetName());
    }
}

void
Workload::BecomeReady(std::function<void()> run)
{
    m_run = std::move(run);
    SetPhase(WorkloadPhase::READY);
    if (m_ready)
    {
        m_ready();
        return;
    }
    Begin();
}

void
Workload::Begin()
{
    NS_ASSERT_MSG(m_phase == WorkloadPhase::READY, "the workload is not ready");
    SetPhase(WorkloadPhase::RUN);
    std::exchange(m_run, nullptr)();
}

void
Workload::Drain()
{
    NS_ASSERT_MSG(CanDrain(), "the workload has an end of its own only");
    if (m_phase == WorkloadPhase::RUN)
    {
        DoDrain();
    }
}

void
Workload::Record(const std::string& item, Time arrived, Time ended, uint64_t octets, bool ok)
{
    m_log.Add(item, arrived, ended, octets, ok);
    m_requestEndedTrace(item, arrived, ended, octets, ok);
}

void
Workload::Record(const std::string& item, Time arrived, uint64_t octets, bool ok)
{
    Record(item, arrived, Simulator::Now(), octets, ok);
}

void
Workload::SetSpan(const std::string& item, Time begin)
{
    m_log.SetSpan(item, begin, Simulator::Now());
}

void
Workload::EndMeasurement()
{
    m_measured = Min(m_measured, Simulator::Now());
}

void
Workload::DoDispose()
{
    m_ready = nullptr;
    m_run = nullptr;
    m_client.reset();
    m_files.reset();
    m_mount.reset();
    m_finished = FinishedCallback();
    Application::DoDispose();
}

void
Workload::SetPhase(WorkloadPhase phase)
{
    if (phase == m_phase)
    {
        return;
    }
    NS_LOG_INFO("client " << GetClientIndex() << " " << ToString(phase));
    const WorkloadPhase before = std::exchange(m_phase, phase);
    if (phase == WorkloadPhase::RUN)
    {
        m_runBegin = Simulator::Now();
    }
    if (phase == WorkloadPhase::FINISHED)
    {
        EndMeasurement();
    }
    TellOthers(phase);
    m_phaseTrace(before, phase);
    if (phase == WorkloadPhase::FINISHED && !m_finished.IsNull())
    {
        m_finished(this);
    }
}

Workload::Counts
Workload::GetIssued() const
{
    Counts counts;
    if (m_client != nullptr)
    {
        counts = NameCounts(m_client->GetIssued());
    }
    if (m_files != nullptr)
    {
        AddCounts(m_files->GetIssued(), counts);
    }
    return counts;
}

Workload::Counts
Workload::GetCompleted() const
{
    Counts counts;
    if (m_client != nullptr)
    {
        counts = NameCounts(m_client->GetCompleted());
    }
    if (m_files != nullptr)
    {
        AddCounts(m_files->GetCompleted(), counts);
    }
    return counts;
}

uint64_t
Workload::GetFailed() const
{
    return (m_client != nullptr ? m_client->GetFailed() : 0) +
           (m_files != nullptr ? m_files->GetFailed() : 0);
}

uint64_t
Workload::GetProgress() const
{
    uint64_t completed = 0;
    for (const auto& [name, count] : GetCompleted())
    {
        completed += count;
    }
    return completed;
}

std::vector<std::string>
Workload::DescribeWaiting() const
{
    std::vector<std::string> lines;
    if (m_phase == WorkloadPhase::READY)
    {
        return {GetName() + " waits until all workloads are ready"};
    }
    const SharedTree* const tree = GetSharedTree();
    if (m_phase == WorkloadPhase::SETUP && tree != nullptr && !m_making &&
        tree->IsBeingMade(m_needs))
    {
        return {GetName() + " waits until another client has made its files"};
    }
    if (m_client != nullptr)
    {
        lines = m_client->DescribeOutstanding();
    }
    if (m_files != nullptr)
    {
        const auto more = m_files->DescribeOutstanding();
        lines.insert(lines.end(), more.begin(), more.end());
    }
    return lines;
}

std::vector<WorkloadResult>
Workload::GetResults() const
{
    auto window = m_window.value_or(MeasurementWindow{m_runBegin + GetRampTime(), Time::Max()});
    window.end = Min(window.end, m_measured == Time::Max() ? Simulator::Now() : m_measured);
    return m_log.Summarize(window);
}

ContentCheck
Workload::Verify(const FileStore& store, InodeNumber root) const
{
    return ContentVerifier(m_mount->GetContent()->GetTree(), store).Verify(root);
}

void
Workload::NoteCompleted(const std::string& name, const RpcRecord& record, uint64_t octets)
{
    m_operationCompletedTrace(name, record);
    if (m_phase == WorkloadPhase::RUN)
    {
        Record(name,
               record.arrived,
               record.completed,
               octets,
               record.outcome == RpcOutcome::SUCCESS);
    }
}

VerifyingClient&
Workload::GetClient()
{
    NS_ASSERT(m_client != nullptr);
    return *m_client;
}

const VerifyingClient&
Workload::GetClient() const
{
    NS_ASSERT(m_client != nullptr);
    return *m_client;
}

VerifyingFileClient&
Workload::GetFiles()
{
    NS_ASSERT(m_files != nullptr);
    return *m_files;
}

ClientMount&
Workload::GetMount()
{
    NS_ASSERT(m_mount != nullptr);
    return *m_mount;
}

} // namespace ns3::nfsrdma
