/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/workload.h"

#include "workload/content-verifier.h"

#include "ns3/log.h"
#include "ns3/object-factory.h"

#include <cctype>
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
GetKind(const std::string& typeName)
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
        std::string kind = GetKind(type.GetName());
        if (!kind.empty() && type.HasConstructor() && type.IsChildOf(Workload::GetTypeId()))
        {
            kinds.emplace(std::move(kind), type);
        }
    }
    return kinds;
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

} // namespace

const char*
ToString(WorkloadPhase phase)
{
    switch (phase)
    {
    case WorkloadPhase::IDLE:
        return "idle";
    case WorkloadPhase::SETUP:
        return "setup";
    case WorkloadPhase::RUN:
        return "run";
    case WorkloadPhase::FINISHED:
        return "finished";
    }
    return "unknown";
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
                            "ns3::nfsrdma::Workload::PhaseTracedCallback");
    return tid;
}

Workload::Workload() = default;

Workload::~Workload() = default;

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
Workload::SetNfsClient(Ptr<Nfs3Client> client, Ptr<HostMemory> memory, uint32_t index)
{
    NS_ASSERT_MSG(m_phase == WorkloadPhase::IDLE, "the workload has started");
    m_clientIndex = index;
    m_client = std::make_unique<VerifyingClient>(std::move(client), std::move(memory), index);
    m_client->SetCompletedHook([this](NfsOperation operation, const RpcRecord& record) {
        m_operationCompletedTrace(operation.GetName(), record);
    });
}

void
Workload::SetAclClient(const Ptr<NfsAcl3Client>& client)
{
    NS_ASSERT_MSG(m_client != nullptr, "SetNfsClient() comes first");
    m_client->SetAclClient(client);
}

void
Workload::SetExport(const NfsFh3& root, std::shared_ptr<const Tree> tree)
{
    NS_ASSERT_MSG(m_client != nullptr, "SetNfsClient() comes first");
    m_root = root;
    m_tree = std::move(tree);
    if (m_tree != nullptr)
    {
        m_client->GetModel().Load(*m_tree);
    }
    m_client->GetModel().SetRoot(root);
}

void
Workload::SetKnownHandle(const std::string& /* object */, const NfsFh3& /* handle */)
{
}

void
Workload::Start()
{
    if (m_phase != WorkloadPhase::IDLE)
    {
        return;
    }
    NS_ASSERT_MSG(m_client != nullptr, "a workload needs SetNfsClient() and SetExport()");
    DoStart();
}

void
Workload::StartApplication()
{
    Start();
}

void
Workload::DoDispose()
{
    m_client.reset();
    m_tree.reset();
    m_finished = FinishedCallback();
    Application::DoDispose();
}

WorkloadPhase
Workload::GetPhase() const
{
    return m_phase;
}

bool
Workload::IsFinished() const
{
    return m_phase == WorkloadPhase::FINISHED;
}

void
Workload::SetFinishedCallback(FinishedCallback callback)
{
    m_finished = callback;
}

void
Workload::SetPhase(WorkloadPhase phase)
{
    if (phase == m_phase)
    {
        return;
    }
    NS_LOG_INFO("client " << m_clientIndex << " " << ToString(phase));
    const WorkloadPhase before = std::exchange(m_phase, phase);
    m_phaseTrace(before, phase);
    if (phase == WorkloadPhase::FINISHED && !m_finished.IsNull())
    {
        m_finished(this);
    }
}

Workload::Counts
Workload::GetIssued() const
{
    return NameCounts(GetClient().GetIssued());
}

Workload::Counts
Workload::GetCompleted() const
{
    return NameCounts(GetClient().GetCompleted());
}

Workload::Counts
Workload::GetUnsupported() const
{
    return {};
}

uint64_t
Workload::GetFailed() const
{
    return GetClient().GetFailed();
}

uint64_t
Workload::GetPlanned() const
{
    return 0;
}

uint64_t
Workload::GetProgress() const
{
    uint64_t completed = 0;
    for (const auto count : GetClient().GetCompleted())
    {
        completed += count;
    }
    return completed;
}

std::vector<std::string>
Workload::DescribeWaiting() const
{
    return GetClient().DescribeOutstanding();
}

int64_t
Workload::AssignStreams(int64_t /* stream */)
{
    return 0;
}

const ContentCheck&
Workload::GetReadCheck() const
{
    return GetClient().GetModel().GetReadCheck();
}

ContentCheck
Workload::Verify(const FileStore& store, InodeNumber root) const
{
    return ContentVerifier(GetClient().GetModel().GetTree(), store).Verify(root);
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

const NfsFh3&
Workload::GetRoot() const
{
    return m_root;
}

uint32_t
Workload::GetClientIndex() const
{
    return m_clientIndex;
}

const Tree*
Workload::GetTree() const
{
    return m_tree.get();
}

} // namespace ns3::nfsrdma
