/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mdtest.h"

#include "wire/name-of.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MdtestWorkload);

namespace
{

constexpr uint64_t MAX_DIRECTORIES = 1'000'000;

} // namespace

#define SETTINGS_OF MdtestWorkload::Settings
#define SETTINGS_FILE "workload/generate/mdtest.def"
#include "settings/rows.def"

TypeId
MdtestWorkload::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::nfsrdma::MdtestWorkload")
                                          .SetParent<FileWorkload>()
                                          .SetGroupName("NfsRdma")
                                          .AddConstructor<MdtestWorkload>(),
                                      Settings::GetRows(),
                                      &MdtestWorkload::m_settings);
    return tid;
}

uint64_t
MdtestWorkload::CountDirectories() const
{
    uint64_t total = 1;
    uint64_t level = 1;
    for (uint32_t i = 0; i < m_settings.depth; ++i)
    {
        level *= m_settings.branch;
        total += level;
        if (total > MAX_DIRECTORIES)
        {
            return 0;
        }
    }
    return total;
}

tl::expected<void, std::string>
MdtestWorkload::Validate() const
{
    if (CountDirectories() == 0)
    {
        return tl::unexpected(
            std::string("Depth and Branch of at most 1000000 directories in a tree"));
    }
    return {};
}

const char*
MdtestWorkload::GetPhaseName(Phase phase)
{
    return NameOf(phase,
                  {{Phase::MKDIR, "mkdir"},
                   {Phase::CREATE, "create"},
                   {Phase::STAT, "stat"},
                   {Phase::READ, "read"},
                   {Phase::REMOVE, "remove"}},
                  "rmdir");
}

MdtestWorkload::Nodes
MdtestWorkload::MakeNodes(uint32_t tree) const
{
    Nodes nodes;
    const bool own = GetSharedTree() != nullptr && m_settings.uniqueDirectories;
    nodes.push_back(
        {0,
         "tree." + (own ? std::to_string(GetClientIndex()) + "." : "") + std::to_string(tree),
         {}});
    std::size_t levelBegin = 0;
    for (uint32_t level = 0; level < m_settings.depth; ++level)
    {
        const std::size_t levelEnd = nodes.size();
        for (std::size_t parent = levelBegin; parent < levelEnd; ++parent)
        {
            for (uint32_t i = 0; i < m_settings.branch; ++i)
            {
                nodes.push_back({parent, "dir." + std::to_string(i), {}});
            }
        }
        levelBegin = levelEnd;
    }
    return nodes;
}

uint64_t
MdtestWorkload::CountItems(uint32_t task, Phase phase) const
{
    const uint64_t directories = CountDirectories();
    switch (phase)
    {
    case Phase::MKDIR:
    case Phase::RMDIR:
        return m_settings.uniqueDirectories || task == 0 ? directories : 0;
    case Phase::READ:
        return m_settings.writeBytes == 0 ? 0 : directories * m_settings.items;
    default:
        return directories * m_settings.items;
    }
}

uint64_t
MdtestWorkload::GetPlanned() const
{
    uint64_t planned = 0;
    for (uint32_t task = 0; task < m_settings.tasks; ++task)
    {
        for (auto phase = Phase::MKDIR; phase != Phase::DONE;
             phase = static_cast<Phase>(static_cast<int>(phase) + 1))
        {
            planned += CountItems(task, phase);
        }
    }
    return planned;
}

void
MdtestWorkload::DoSetUp()
{
    FileSetup::Plan plan;
    plan.directory = GetDirectory();
    plan.depth = 1;
    MakeFiles(m_layout, std::move(plan), [this] {
        for (uint32_t tree = 0; tree < (m_settings.uniqueDirectories ? m_settings.tasks : 1);
             ++tree)
        {
            m_trees.push_back(MakeNodes(tree));
        }
        m_state.resize(m_settings.tasks);
        BecomeReady([this] { BeginPhase(Phase::MKDIR); });
    });
}

void
MdtestWorkload::BeginPhase(Phase phase)
{
    m_meeting = false;
    m_phase = phase;
    m_phaseBegin = Simulator::Now();
    if (phase == Phase::DONE)
    {
        SetPhase(WorkloadPhase::FINISHED);
        return;
    }
    m_working = m_settings.tasks;
    for (uint32_t task = 0; task < m_settings.tasks; ++task)
    {
        m_state[task].next = 0;
    }
    for (uint32_t task = 0; task < m_settings.tasks; ++task)
    {
        Step(task);
    }
}

void
MdtestWorkload::EndPhase()
{
    const auto next = static_cast<Phase>(static_cast<int>(m_phase) + 1);
    if (SharedTree* const tree = GetSharedTree())
    {
        m_meeting = true;
        tree->Meet(GetName(), [self = Ptr<MdtestWorkload>(this), next] { self->BeginPhase(next); });
        return;
    }
    BeginPhase(next);
}

void
MdtestWorkload::Step(uint32_t task)
{
    Task& state = m_state[task];
    const uint64_t count = CountItems(task, m_phase);
    if (state.next == count || m_draining)
    {
        if (--m_working == 0)
        {
            if (CountItems(0, m_phase) != 0)
            {
                SetSpan(GetPhaseName(m_phase), m_phaseBegin);
            }
            EndPhase();
        }
        return;
    }
    const uint64_t item = state.next++;
    state.started = Simulator::Now();
    if (m_phase == Phase::MKDIR)
    {
        MakeDirectory(task, item);
        return;
    }
    if (m_phase == Phase::RMDIR)
    {
        RemoveDirectory(task, count - 1 - item);
        return;
    }
    const FileRef& dir = GetTreeOf(task)[item / m_settings.items].object;
    const std::string rank =
        GetSharedTree() != nullptr ? std::to_string(GetClientIndex()) + "." : "";
    const std::string name =
        "file." + rank + std::to_string(task) + "." + std::to_string(item % m_settings.items);
    switch (m_phase)
    {
    case Phase::CREATE:
        CreateFile(task, dir, name);
        break;
    case Phase::STAT:
        GetFiles().Run(FileLookup{{dir, name}}, [this, task](const FileObjectReply& reply) {
            EndItem(task, reply.IsOk(), 0);
        });
        break;
    case Phase::READ:
        ReadFile(task, dir, name);
        break;
    default:
        GetFiles().Run(FileRemove{{dir, name}},
                       [this, task](const FileReply& reply) { EndItem(task, reply.IsOk(), 0); });
        break;
    }
}

void
MdtestWorkload::EndItem(uint32_t task, bool ok, uint64_t octets)
{
    ++m_completed;
    Record(GetPhaseName(m_phase), m_state[task].started, octets, ok);
    Step(task);
}

void
MdtestWorkload::MakeDirectory(uint32_t task, std::size_t index)
{
    const Nodes& nodes = GetTreeOf(task);
    const FileName where{index == 0 ? m_layout->GetDirectory() : nodes[nodes[index].parent].object,
                         nodes[index].name};
    Sattr3 attributes;
    attributes.mode = 0755;
    const auto end = [this, task, index](const FileObjectReply& reply) {
        GetTreeOf(task)[index].object = reply.object;
        EndItem(task, reply.IsOk(), 0);
    };
    GetFiles().Run(FileMakeDirectory{where, attributes},
                   [this, where, end](const FileObjectReply& reply) {
                       if (GetSharedTree() != nullptr &&
                           reply.status == static_cast<uint32_t>(Nfs3Status::EXIST))
                       {
                           GetFiles().Run(FileLookup{where}, end);
                           return;
                       }
                       end(reply);
                   });
}

std::vector<std::string>
MdtestWorkload::DescribeWaiting() const
{
    auto lines = FileWorkload::DescribeWaiting();
    if (m_meeting)
    {
        lines.push_back(GetName() + " waits until other clients have ended phase " +
                        GetPhaseName(m_phase));
    }
    return lines;
}

bool
MdtestWorkload::IsGone(const FileReply& reply) const
{
    return GetSharedTree() != nullptr && reply.outcome == RpcOutcome::SUCCESS &&
           (reply.status == static_cast<uint32_t>(Nfs3Status::NOENT) ||
            reply.status == static_cast<uint32_t>(Nfs3Status::STALE));
}

void
MdtestWorkload::RemoveDirectory(uint32_t task, std::size_t index)
{
    const Nodes& nodes = GetTreeOf(task);
    GetFiles().Run(
        FileRemoveDirectory{
            {index == 0 ? m_layout->GetDirectory() : nodes[nodes[index].parent].object,
             nodes[index].name}},
        [this, task](const FileReply& reply) { EndItem(task, reply.IsOk() || IsGone(reply), 0); });
}

void
MdtestWorkload::CreateFile(uint32_t task, const FileRef& dir, const std::string& name)
{
    FileOpenHow how;
    how.write = true;
    how.create = true;
    how.attributes.mode = 0644;
    GetFiles().Run(FileOpen{{dir, name}, how}, [this, task](const FileOpenReply& reply) {
        if (!reply.IsOk())
        {
            EndItem(task, false, 0);
            return;
        }
        Task& state = m_state[task];
        state.io = std::make_unique<DirectFileIo>(GetFiles(), reply.file);
        if (m_settings.writeBytes == 0)
        {
            CloseFile(task, {});
            return;
        }
        state.io->Write(0,
                        m_settings.writeBytes,
                        [this, task](const FileIo::Result& result) { CloseFile(task, result); },
                        {});
    });
}

void
MdtestWorkload::ReadFile(uint32_t task, const FileRef& dir, const std::string& name)
{
    GetFiles().Run(FileOpen{{dir, name}, {}}, [this, task](const FileOpenReply& reply) {
        if (!reply.IsOk())
        {
            EndItem(task, false, 0);
            return;
        }
        Task& state = m_state[task];
        state.io = std::make_unique<DirectFileIo>(GetFiles(), reply.file);
        state.io->Read(0, m_settings.writeBytes, [this, task](const FileIo::Result& result) {
            CloseFile(task, result);
        });
    });
}

void
MdtestWorkload::CloseFile(uint32_t task, const FileIo::Result& moved)
{
    m_state[task].io->Close([this, task, moved](const FileIo::Result& closed) {
        EndItem(task, moved.ok && closed.ok, moved.octets);
    });
}

void
MdtestWorkload::DoDispose()
{
    m_layout.reset();
    m_state.clear();
    FileWorkload::DoDispose();
}

} // namespace ns3::nfsrdma
