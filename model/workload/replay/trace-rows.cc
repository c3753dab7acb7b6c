/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/trace-rows.h"

#include "nfs/v2/types2.h"
#include "nfs/v4/client/mounted-files.h"
#include "wire/ns3-version.h"
#include "workload/check/content-model.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ReplayWorkload);

namespace
{

/// A verifier for each exclusive CREATE of a trace.
Nfs3Verifier
MakeCreateVerifier(uint32_t client, uint32_t line)
{
    XdrWriter writer;
    writer.WriteU32(client);
    writer.WriteU32(line);
    Nfs3Verifier verifier{};
    std::copy(writer.GetOctets().begin(), writer.GetOctets().end(), verifier.begin());
    return verifier;
}

template <typename Result>
constexpr bool IsMake = std::is_same_v<Result, Make3Res>;

template <typename Result>
constexpr bool IsDirectory =
    std::is_same_v<Result, Readdir3Res> || std::is_same_v<Result, Readdirplus3Res>;

template <typename Result>
constexpr bool HasAttributes =
    std::is_same_v<Result, Access3Res> || std::is_same_v<Result, Read3Res> ||
    std::is_same_v<Result, Getacl3Res> || std::is_same_v<Result, Setacl3Res> ||
    std::is_same_v<Result, Readlink3Res>;

template <typename Result>
constexpr bool HasWcc = std::is_same_v<Result, Write3Res> || std::is_same_v<Result, Commit3Res>;

} // namespace

TypeId
ReplayWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::ReplayWorkload")
            .SetParent<Workload>()
            .SetGroupName("NfsRdma")
            .AddConstructor<ReplayWorkload>()
            .AddAttribute("Pace",
                          "Recorded: an operation starts at its recorded time, or when those it "
                          "waited for have completed, whichever is later. Closed: as soon as "
                          "those have completed",
                          EnumValue(PACE_RECORDED),
                          MakeEnumFieldAccessor(&ReplayWorkload::m_pace),
                          MakeEnumChecker(PACE_RECORDED, "recorded", PACE_CLOSED, "closed"))
            .AddAttribute("TimeScale",
                          "Factor on recorded times, for the recorded pace (1: as recorded)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&ReplayWorkload::m_timeScale),
                          MakeDoubleChecker<double>(0));
    return tid;
}

ReplayWorkload::ReplayWorkload()
    : m_compounds(*this,
                  m_report,
                  {[this](const std::string& name, const RpcRecord& record, uint64_t octets) {
                       NoteCompleted(name, record, octets);
                   },
                   [this] { Advance(); }})
{
}

void
ReplayWorkload::DoDispose()
{
    m_gates.clear();
    m_dueEvent.Cancel();
    m_compounds.Dispose();
    m_unmounted = nullptr;
    m_schedule.reset();
    m_objects.reset();
    m_trace.reset();
    Workload::DoDispose();
}

void
ReplayWorkload::DoStart()
{
    NS_ASSERT_MSG(m_trace != nullptr, "a ReplayWorkload needs SetTrace()");
    m_schedule =
        std::make_unique<ReplaySchedule>(m_trace, m_trace->GetTraceClient(GetClientIndex()));
    m_objects = std::make_unique<ReplayObjects>(*m_trace, GetTree());
    for (const auto& [object, handle] : m_knownHandles)
    {
        // Replies of version 2 have handles of the full length.
        m_objects->SetHandle(object,
                             m_trace->version == TraceVersion::V2 ? NfsFh3(Nfs2Fh(handle).octets)
                                                                  : handle);
    }
    m_objects->SetHandle(ROOT_OBJECT, GetRoot());
    BindContent();
    m_end = m_schedule->GetCount();
    if (m_trace->GetMinorVersion())
    {
        StartCompounds();
    }
    BecomeReady([this] {
        m_began = Simulator::Now();
        Advance();
    });
}

void
ReplayWorkload::StartCompounds()
{
    const auto files = DynamicCast<Nfs4FileClient>(GetMount().files);
    if (files == nullptr)
    {
        return;
    }
    const auto client = files->GetClient();
    auto replay = std::make_unique<CompoundReplay>(client->GetRpcClient(), client->GetHostMemory());
    replay->SetContent(GetMount().GetContent());
    CompoundReplay::Identity identity;
    const auto recorded = static_cast<uint32_t>(std::max<std::size_t>(m_trace->clients.size(), 1));
    identity.copy = GetClientIndex() / recorded;
    identity.exportName = GetMount().exportName;
    if (!client->HasSessions())
    {
        identity.callbackAddress = client->GetIdentity().callbackAddress;
    }
    BooleanValue reduceReadlink;
    client->GetAttribute("ReduceReadlink", reduceReadlink);
    identity.reduceReadlink = reduceReadlink.Get();
    replay->SetIdentity(std::move(identity));
    m_compounds.Start(std::move(replay), client->GetCallbackProgram(), *m_schedule, *m_objects);
    m_end = FindUnmount();
    GetMount().SetUnmount([this](std::function<void()> done) { Unmount(std::move(done)); });
}

std::size_t
ReplayWorkload::FindUnmount() const
{
    return m_compounds.IsStarted() ? CompoundRows::FindUnmount(*m_schedule)
                                   : m_schedule->GetCount();
}

void
ReplayWorkload::Unmount(std::function<void()> done)
{
    m_end = m_schedule->GetCount();
    if (m_next == m_end)
    {
        done();
        return;
    }
    m_unmounted = std::move(done);
    const Time due = GetDueTime(m_schedule->GetRow(m_next));
    if (m_pace == PACE_RECORDED)
    {
        m_began += Simulator::Now() - due;
    }
    Advance();
}

void
ReplayWorkload::BindContent()
{
    if (GetTree() == nullptr || GetMount().GetContent() == nullptr)
    {
        return;
    }
    ContentModel& content = *GetMount().GetContent();
    for (const TreeRow& row : GetTree()->rows)
    {
        const auto dir = m_objects->FindHandle(row.parent);
        const auto object = m_objects->FindHandle(row.object);
        if (dir && object && !row.name.empty())
        {
            content.Bind(*dir, row.name, *object);
        }
    }
}

Time
ReplayWorkload::GetDueTime(const TraceRow& row) const
{
    if (m_pace == PACE_CLOSED)
    {
        return m_began;
    }
    const double scaled = static_cast<double>(row.time.GetNanoSeconds()) * m_timeScale;
    return m_began + NanoSeconds(std::llround(scaled));
}

void
ReplayWorkload::Advance()
{
    while (m_next < m_end && m_schedule->MayStart(m_next))
    {
        const Time due = GetDueTime(m_schedule->GetRow(m_next));
        if (due > Simulator::Now())
        {
            if (!IsPending(m_dueEvent))
            {
                m_dueEvent =
                    Simulator::Schedule(due - Simulator::Now(), &ReplayWorkload::Advance, this);
            }
            return;
        }
        if (IsHeld(m_schedule->GetRow(m_next)))
        {
            return;
        }
        StartRow(m_next++);
    }
    if (m_schedule->GetCompleted() != m_end)
    {
        return;
    }
    SetPhase(WorkloadPhase::FINISHED);
    if (m_unmounted && m_end == m_schedule->GetCount())
    {
        std::exchange(m_unmounted, nullptr)();
    }
}

bool
ReplayWorkload::IsHeld(const TraceRow& row)
{
    const auto found = m_gates.find(row.line);
    if (found == m_gates.end())
    {
        return false;
    }
    if (const Gate gate = std::exchange(found->second, nullptr))
    {
        gate([self = Ptr<ReplayWorkload>(this), line = row.line] {
            if (self->m_gates.erase(line) != 0)
            {
                self->Advance();
            }
        });
    }
    return true;
}

void
ReplayWorkload::StartRow(std::size_t index)
{
    const TraceRow& row = m_schedule->GetRow(index);
    const bool isCompound = row.compound != nullptr && m_compounds.IsStarted();
    const bool isAcl = row.procedure && row.procedure->GetNfsAcl3();
    if (!isCompound && (!row.procedure || (isAcl && !GetClient().HasAclClient())))
    {
        ++m_unsupported[row.GetName()];
        m_schedule->Complete(index);
    }
    else if (!(isCompound ? m_compounds.Issue(index) : IssueRow(index, row)))
    {
        ++m_unsupported[row.GetName() + " without handle"];
        m_schedule->Complete(index);
    }
}

void
ReplayWorkload::CompleteRow(std::size_t index)
{
    m_schedule->Complete(index);
    Advance();
}

template <typename Args>
bool
ReplayWorkload::Issue(std::size_t index, const Args& args)
{
    GetClient().Issue(args, [this, index](RpcRecord& record, const typename Args::Result& result) {
        const TraceRow& row = m_schedule->GetRow(index);
        if (record.outcome == RpcOutcome::SUCCESS && result.status == Nfs3Status::OK)
        {
            Learn(row, result);
        }
        if (m_report.CompareStatus(row, record, result.status))
        {
            Compare(row, result);
        }
        CompleteRow(index);
    });
    return true;
}

bool
ReplayWorkload::IssueRow(std::size_t index, const TraceRow& row)
{
    if (row.procedure == Nfs3Procedure::NULLPROC)
    {
        return Issue(index, Null3Args{});
    }
    if (row.procedure == NfsAcl3Procedure::NULLPROC)
    {
        return Issue(index, AclNull3Args{});
    }
    const auto object = m_objects->FindHandle(row.object);
    if (!object)
    {
        return false;
    }
    if (const auto acl = row.procedure->GetNfsAcl3())
    {
        return IssueAcl(index, row, *acl, *object);
    }
    return row.name.empty() && row.object2.empty() ? IssueOnObject(index, row, *object)
                                                   : IssueOnDirectory(index, row, *object);
}

bool
ReplayWorkload::IssueAcl(std::size_t index,
                         const TraceRow& row,
                         NfsAcl3Procedure procedure,
                         const NfsFh3& object)
{
    if (procedure == NfsAcl3Procedure::GETACL)
    {
        return Issue(index, Getacl3Args{object, row.mask});
    }
    const uint32_t uid = row.attributes.uid.value_or(0);
    const uint32_t gid = row.attributes.gid.value_or(0);
    return Issue(index,
                 Setacl3Args{object,
                             row.mask,
                             NfsAcl::Make(row.acl, uid, gid, true, 0),
                             NfsAcl::Make(row.defaultAcl, uid, gid, true, NFS_ACL_DEFAULT)});
}

bool
ReplayWorkload::IssueOnObject(std::size_t index, const TraceRow& row, const NfsFh3& object)
{
    const auto cursor = m_objects->GetCursor(row);
    switch (*row.procedure->GetNfs3())
    {
    case Nfs3Procedure::GETATTR:
        return Issue(index, Getattr3Args{object});
    case Nfs3Procedure::SETATTR:
        return Issue(index, Setattr3Args{object, row.attributes, m_objects->GetGuard(row)});
    case Nfs3Procedure::ACCESS:
        return Issue(index, Access3Args{object, row.access});
    case Nfs3Procedure::READLINK:
        return Issue(index, Readlink3Args{object});
    case Nfs3Procedure::READ:
        return Issue(index, Read3Args{object, row.offset, row.count});
    case Nfs3Procedure::WRITE:
        return Issue(index, Write3Args{object, row.offset, row.count, row.stable, {}});
    case Nfs3Procedure::COMMIT:
        return Issue(index, Commit3Args{object, row.offset, row.count});
    case Nfs3Procedure::READDIR:
        return Issue(index, Readdir3Args{object, cursor.cookie, cursor.verifier, row.maxcount});
    case Nfs3Procedure::READDIRPLUS:
        return Issue(
            index,
            Readdirplus3Args{object, cursor.cookie, cursor.verifier, row.dircount, row.maxcount});
    case Nfs3Procedure::FSSTAT:
        return Issue(index, Fsstat3Args{object});
    case Nfs3Procedure::FSINFO:
        return Issue(index, Fsinfo3Args{object});
    case Nfs3Procedure::PATHCONF:
        return Issue(index, Pathconf3Args{object});
    default:
        return false;
    }
}

bool
ReplayWorkload::IssueOnDirectory(std::size_t index, const TraceRow& row, const NfsFh3& dir)
{
    const DirOpArgs3 where{dir, row.name};
    switch (*row.procedure->GetNfs3())
    {
    case Nfs3Procedure::LOOKUP:
        return Issue(index, Lookup3Args{where});
    case Nfs3Procedure::CREATE:
        return Issue(index,
                     Create3Args{where,
                                 row.how,
                                 row.attributes,
                                 MakeCreateVerifier(GetClientIndex(), row.line)});
    case Nfs3Procedure::MKDIR:
        return Issue(index, Mkdir3Args{where, row.attributes});
    case Nfs3Procedure::SYMLINK: {
        const ByteVector target(row.target.begin(), row.target.end());
        return Issue(index, Symlink3Args{where, row.attributes, Nfs3Data(target)});
    }
    case Nfs3Procedure::MKNOD:
        return Issue(index, Mknod3Args{where, row.type, row.attributes, row.spec});
    case Nfs3Procedure::REMOVE:
        return Issue(index, Remove3Args{where});
    case Nfs3Procedure::RMDIR:
        return Issue(index, Rmdir3Args{where});
    default:
        break;
    }
    const auto dir2 = m_objects->FindHandle(row.object2);
    if (!dir2)
    {
        return false;
    }
    const DirOpArgs3 to{*dir2, row.name2};
    return row.procedure == Nfs3Procedure::RENAME ? Issue(index, Rename3Args{where, to})
                                                  : Issue(index, Link3Args{dir, to});
}

template <typename Result>
void
ReplayWorkload::Learn(const TraceRow& row, const Result& result)
{
    if constexpr (std::is_same_v<Result, Lookup3Res>)
    {
        if (!m_objects->LearnHandle(row, result.object))
        {
            m_report.Add(row, "another file handle than before for " + row.resultObject);
        }
        m_objects->LearnAttributes(row.resultObject, result.objectAttributes);
    }
    else if constexpr (IsMake<Result>)
    {
        if (result.object && !m_objects->LearnHandle(row, *result.object))
        {
            m_report.Add(row, "another file handle than before for " + row.resultObject);
        }
        m_objects->LearnAttributes(row.resultObject, result.attributes);
    }
    else if constexpr (IsDirectory<Result>)
    {
        m_objects->LearnEntries(row, result);
    }
    else if constexpr (HasAttributes<Result> || std::is_same_v<Result, Getattr3Res>)
    {
        m_objects->LearnAttributes(row.object, result.attributes);
    }
    else if constexpr (HasWcc<Result> || std::is_same_v<Result, Wcc3Res>)
    {
        m_objects->LearnAttributes(row.object, result.wcc.after);
    }
}

template <typename Result>
void
ReplayWorkload::Compare(const TraceRow& row, const Result& result)
{
    if constexpr (std::is_same_v<Result, Read3Res>)
    {
        m_report.CompareCount(row, result.count);
        m_report.CompareEof(row, result.eof);
    }
    else if constexpr (std::is_same_v<Result, Write3Res>)
    {
        m_report.CompareCount(row, result.count);
    }
    else if constexpr (std::is_same_v<Result, Getacl3Res>)
    {
        m_report.CompareAcl(row, "access list", row.resultAcl, result.access);
        m_report.CompareAcl(row, "default list", row.resultDefaultAcl, result.defaultAcl);
    }
    else if constexpr (IsDirectory<Result>)
    {
        m_report.CompareEntries(row, result.entries.size());
        m_report.CompareEof(row, result.eof);
    }
}

Workload::Counts
ReplayWorkload::GetIssued() const
{
    Counts counts = Workload::GetIssued();
    counts.insert(m_compounds.GetIssued().begin(), m_compounds.GetIssued().end());
    return counts;
}

Workload::Counts
ReplayWorkload::GetCompleted() const
{
    Counts counts = Workload::GetCompleted();
    counts.insert(m_compounds.GetCompleted().begin(), m_compounds.GetCompleted().end());
    return counts;
}

uint64_t
ReplayWorkload::GetProgress() const
{
    return m_schedule ? std::min(m_schedule->GetCompleted(), FindUnmount()) : 0;
}

std::vector<std::string>
ReplayWorkload::DescribeWaiting() const
{
    auto lines = Workload::DescribeWaiting();
    m_compounds.Describe(lines);
    if (m_schedule && m_next < m_end)
    {
        const TraceRow& row = m_schedule->GetRow(m_next);
        std::string line =
            "line " + std::to_string(row.line) + " of the trace, " + row.GetName() + ", waits for ";
        line += m_schedule->MayStart(m_next)
                    ? "its time"
                    : "line " + std::to_string(m_schedule->GetBlocker(m_next).line);
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace ns3::nfsrdma
