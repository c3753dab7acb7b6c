/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/lock-counters.h"

#include "workload/check/lock-record.h"

#include "ns3/simulator.h"

#include <sstream>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(LockWorkload);

#define SETTINGS_OF LockWorkload::Settings
#define SETTINGS_FILE "workload/generate/lock-counters.def"
#include "settings/rows.def"

TypeId
LockWorkload::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::nfsrdma::LockWorkload")
                                          .SetParent<RequestWorkload>()
                                          .SetGroupName("NfsRdma")
                                          .AddConstructor<LockWorkload>(),
                                      Settings::GetRows(),
                                      &LockWorkload::m_settings);
    return tid;
}

LockWorkload::LockWorkload()
    : m_choice(CreateObject<UniformRandomVariable>())
{
}

tl::expected<void, std::string>
LockWorkload::Validate() const
{
    const bool hasLimit =
        GetStreamSettings().requests != 0 || !GetStreamSettings().runtime.IsZero();
    if (hasLimit && m_settings.recordSize % LOCK_COUNTER_OCTETS != 0)
    {
        return tl::unexpected(std::string("RecordSize a multiple of 8"));
    }
    return RequestWorkload::Validate();
}

int64_t
LockWorkload::AssignStreams(int64_t stream)
{
    m_choice->SetStream(stream);
    return 1 + GetStream().AssignStreams(stream + 1);
}

void
LockWorkload::DoDispose()
{
    m_files.clear();
    m_waiting.clear();
    RequestWorkload::DoDispose();
}

std::vector<std::string>
LockWorkload::DescribeWaiting() const
{
    auto lines = RequestWorkload::DescribeWaiting();
    for (const auto& [process, section] : m_waiting)
    {
        std::ostringstream line;
        line << "process " << process << " waits for a lock of " << section->place.first
             << " offset " << section->place.second << " since " << section->arrived.As(Time::S);
        lines.push_back(line.str());
    }
    return lines;
}

void
LockWorkload::DoSetUp()
{
    OpenNext();
}

void
LockWorkload::OpenNext()
{
    if (m_files.size() == m_settings.files)
    {
        BecomeReady([this] { Run(); });
        return;
    }
    FileOpenHow how;
    how.write = true;
    how.create = !IsMade();
    constexpr uint32_t MODE = 0644;
    how.attributes.mode = MODE;
    const auto opened = [self = Ptr<LockWorkload>(this)](const FileOpenReply& reply) {
        if (!reply.IsOk())
        {
            self->GiveUp(1);
            return;
        }
        self->GetMount().GetContent()->GetOctets().Disregard(reply.object);
        self->m_files.push_back(reply.file);
        self->OpenNext();
    };
    const FileOpen open{{GetMount().GetShared(), "lock." + std::to_string(m_files.size())}, how};
    if (GetSharedTree() != nullptr)
    {
        GetFiles().Run(open, opened);
    }
    else
    {
        GetMount().files->Run(open, opened);
    }
}

void
LockWorkload::Run()
{
    const uint32_t depth = GetStreamSettings().depth;
    const uint32_t first = GetMount().TakeProcesses(depth);
    for (uint32_t i = 0; i < depth; ++i)
    {
        m_idle.push_back(first + depth - 1 - i);
    }
    GetStream().Start(
        [this](Time arrived) {
            Begin(arrived);
            return uint64_t{m_settings.recordSize};
        },
        [this] { CloseNext(); });
}

void
LockWorkload::Begin(Time arrived)
{
    const auto section = std::make_shared<Section>();
    section->arrived = arrived;
    section->file = m_choice->GetInteger(0, m_settings.files - 1);
    section->place = {"lock." + std::to_string(section->file),
                      uint64_t{m_choice->GetInteger(0, m_settings.records - 1)} *
                          m_settings.recordSize};
    section->lock.process = m_idle.back();
    m_idle.pop_back();
    section->lock.exclusive = m_choice->GetValue(0, 1) >= m_settings.sharedFraction;
    section->lock.offset = section->place.second;
    section->lock.length = m_settings.recordSize;
    section->lock.flock = m_settings.call == FLOCK;
    section->buffer = HostBuffer(GetMount().GetMemory(), m_settings.recordSize);
    m_waiting.emplace(section->lock.process, section);
    GetMount().files->LockFile(m_files[section->file],
                               section->lock,
                               true,
                               [self = Ptr<LockWorkload>(this), section](
                                   const FileLockReply& reply) { self->Locked(section, reply); });
}

void
LockWorkload::Locked(const SectionPtr& section, const FileLockReply& reply)
{
    m_waiting.erase(section->lock.process);
    section->ok = reply.IsOk() && reply.granted;
    section->crashes = GetMount().files->GetCrashes();
    Record("lock", section->arrived, 0, section->ok);
    if (!section->ok)
    {
        End(section);
        return;
    }
    ReadRecord(section, &LockWorkload::HoldOn);
}

bool
LockWorkload::EndWithHost(const SectionPtr& section)
{
    if (section->crashes == GetMount().files->GetCrashes())
    {
        return false;
    }
    section->ok = false;
    Unlock(section);
    return true;
}

void
LockWorkload::ReadRecord(const SectionPtr& section, ReadNext next)
{
    if (EndWithHost(section))
    {
        return;
    }
    GetMount().files->Run(
        FileRead{m_files[section->file],
                 section->place.second,
                 m_settings.recordSize,
                 section->buffer.GetAddress()},
        [self = Ptr<LockWorkload>(this), section, next](const FileReadReply& reply) {
            if (!reply.IsOk())
            {
                section->ok = false;
                self->Unlock(section);
                return;
            }
            ByteVector octets(reply.count);
            section->buffer.Read(0, octets);
            const auto count = ReadLockRecord(octets);
            const bool again = next == &LockWorkload::CheckAgain;
            if (!count || (again && *count != section->count))
            {
                ++self->m_violations;
                section->violated = true;
            }
            section->count = count.value_or(section->count);
            (PeekPointer(self)->*next)(section);
        });
}

void
LockWorkload::HoldOn(const SectionPtr& section)
{
    m_heldUntil = Simulator::Now() + m_settings.holdTime;
    Simulator::Schedule(m_settings.holdTime, [self = Ptr<LockWorkload>(this), section] {
        self->ReadRecord(section, &LockWorkload::CheckAgain);
    });
}

void
LockWorkload::CheckAgain(const SectionPtr& section)
{
    if (section->lock.exclusive)
    {
        const ByteVector record = MakeLockRecord(section->count + 1, m_settings.recordSize);
        section->buffer.Write(0, record);
        WriteRecord(section);
        return;
    }
    Unlock(section);
}

void
LockWorkload::WriteRecord(const SectionPtr& section)
{
    if (EndWithHost(section))
    {
        return;
    }
    GetMount().files->Run(FileWrite{m_files[section->file],
                                    section->place.second,
                                    m_settings.recordSize,
                                    StableHow::UNSTABLE,
                                    section->buffer.GetAddress()},
                          [self = Ptr<LockWorkload>(this), section](const FileWriteReply& reply) {
                              if (!reply.IsOk() || reply.count != self->m_settings.recordSize)
                              {
                                  section->ok = false;
                                  ++self->m_increments[section->place].uncertain;
                                  self->Unlock(section);
                                  return;
                              }
                              section->verifier = reply.verifier;
                              if (reply.committed == StableHow::UNSTABLE)
                              {
                                  self->CommitRecord(section);
                                  return;
                              }
                              ++self->m_increments[section->place].done;
                              self->Unlock(section);
                          });
}

void
LockWorkload::CommitRecord(const SectionPtr& section)
{
    GetMount().files->Run(
        FileCommit{m_files[section->file], section->place.second, m_settings.recordSize},
        [self = Ptr<LockWorkload>(this), section](const FileCommitReply& reply) {
            if (reply.IsOk() && reply.verifier != section->verifier)
            {
                self->WriteRecord(section); // The server has restarted.
                return;
            }
            section->ok = section->ok && reply.IsOk();
            auto& increments = self->m_increments[section->place];
            ++(reply.IsOk() ? increments.done : increments.uncertain);
            self->Unlock(section);
        });
}

void
LockWorkload::Unlock(const SectionPtr& section)
{
    GetMount().files->UnlockFile(m_files[section->file],
                                 section->lock,
                                 [self = Ptr<LockWorkload>(this), section](const FileReply& reply) {
                                     section->ok = section->ok && reply.IsOk();
                                     self->End(section);
                                 });
}

void
LockWorkload::End(const SectionPtr& section)
{
    m_failures += section->ok ? 0 : 1;
    Record(section->lock.exclusive ? "exclusive" : "shared",
           section->arrived,
           m_settings.recordSize,
           section->ok && !section->violated);
    m_idle.push_back(section->lock.process);
    section->buffer = HostBuffer();
    EndRequest();
}

void
LockWorkload::CloseNext()
{
    if (m_files.empty())
    {
        SetPhase(WorkloadPhase::FINISHED);
        return;
    }
    const auto file = m_files.back();
    m_files.pop_back();
    GetMount().files->Run(FileClose{file},
                          [self = Ptr<LockWorkload>(this)](const FileReply& reply) {
                              self->m_failures += reply.IsOk() ? 0 : 1;
                              self->CloseNext();
                          });
}

} // namespace ns3::nfsrdma
