/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/lock-counters.h"

#include "workload/check/lock-record.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(LockWorkload);

TypeId
LockWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::LockWorkload")
            .SetParent<RequestWorkload>()
            .SetGroupName("NfsRdma")
            .AddConstructor<LockWorkload>()
            .AddAttribute("Files",
                          "Files with records, shared by all clients of a server (count)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&LockWorkload::m_fileCount),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("Records",
                          "Records of a file (count)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&LockWorkload::m_records),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddAttribute("RecordSize",
                          "Octets of a record, a multiple of 8 (octets). Default: a page, which "
                          "one READ of any version of NFS brings",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&LockWorkload::m_recordSize),
                          MakeUintegerChecker<uint32_t>(LOCK_COUNTER_OCTETS, 8192))
            .AddAttribute("SharedFraction",
                          "Probability that a request only reads, under a shared lock",
                          DoubleValue(0),
                          MakeDoubleAccessor(&LockWorkload::m_sharedFraction),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("HoldTime",
                          "Time from reading a record to reading it again under the lock (Time)",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&LockWorkload::m_holdTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Call",
                          "How processes lock: fcntl (the record) or flock (the whole file)",
                          EnumValue(FCNTL),
                          MakeEnumAccessor(&LockWorkload::m_call),
                          MakeEnumChecker(FCNTL, "fcntl", FLOCK, "flock"));
    return tid;
}

LockWorkload::LockWorkload()
    : m_choice(CreateObject<UniformRandomVariable>())
{
}

LockWorkload::~LockWorkload() = default;

tl::expected<void, std::string>
LockWorkload::Validate() const
{
    const auto settings = GetStreamSettings();
    if (settings.requests == 0 && settings.runtime.IsZero())
    {
        return tl::unexpected(std::string("Requests or Runtime above 0"));
    }
    if (m_recordSize % LOCK_COUNTER_OCTETS != 0)
    {
        return tl::unexpected(std::string("RecordSize a multiple of 8"));
    }
    return RequestWorkload::Validate();
}

void
LockWorkload::MakeStream()
{
    if (m_stream == nullptr)
    {
        m_stream = std::make_unique<RequestStream>(GetStreamSettings());
    }
}

int64_t
LockWorkload::AssignStreams(int64_t stream)
{
    MakeStream();
    m_choice->SetStream(stream);
    return 1 + m_stream->AssignStreams(stream + 1);
}

void
LockWorkload::DoDispose()
{
    m_stream.reset();
    m_files.clear();
    m_waiting.clear();
    RequestWorkload::DoDispose();
}

uint64_t
LockWorkload::GetFailed() const
{
    return RequestWorkload::GetFailed() + m_failures;
}

const std::map<LockWorkload::Place, LockWorkload::Increments>&
LockWorkload::GetIncrements() const
{
    return m_increments;
}

uint64_t
LockWorkload::GetViolations() const
{
    return m_violations;
}

uint32_t
LockWorkload::GetRecordSize() const
{
    return m_recordSize;
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
    MakeStream();
    OpenNext();
}

void
LockWorkload::OpenNext()
{
    if (m_files.size() == m_fileCount)
    {
        Run();
        return;
    }
    FileOpenHow how;
    how.write = true;
    how.create = true;
    constexpr uint32_t MODE = 0644;
    how.attributes.mode = MODE;
    GetMount().files->Run(
        FileOpen{{GetMount().GetShared(), "lock." + std::to_string(m_files.size())}, how},
        [self = Ptr<LockWorkload>(this)](const FileOpenReply& reply) {
            if (!reply.IsOk())
            {
                self->GiveUp(1);
                return;
            }
            self->m_files.push_back(reply.file);
            self->OpenNext();
        });
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
    BeginRun(GetRampTime());
    m_stream->Start(
        [this](Time arrived) {
            Begin(arrived);
            return uint64_t{m_recordSize};
        },
        [this] { CloseNext(); });
}

void
LockWorkload::Begin(Time arrived)
{
    const auto section = std::make_shared<Section>();
    section->arrived = arrived;
    section->file = m_choice->GetInteger(0, m_fileCount - 1);
    section->place = {"lock." + std::to_string(section->file),
                      uint64_t{m_choice->GetInteger(0, m_records - 1)} * m_recordSize};
    section->lock.process = m_idle.back();
    m_idle.pop_back();
    section->lock.exclusive = m_choice->GetValue(0, 1) >= m_sharedFraction;
    section->lock.offset = section->place.second;
    section->lock.length = m_recordSize;
    section->lock.flock = m_call == FLOCK;
    section->buffer = HostBuffer(GetMount().GetMemory(), m_recordSize);
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
    Record("lock", section->arrived, 0, section->ok);
    if (!section->ok)
    {
        End(section);
        return;
    }
    ReadRecord(section, &LockWorkload::HoldOn);
}

void
LockWorkload::ReadRecord(const SectionPtr& section, ReadNext next)
{
    GetMount().files->Run(
        FileRead{m_files[section->file],
                 section->place.second,
                 m_recordSize,
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
    m_heldUntil = Simulator::Now() + m_holdTime;
    Simulator::Schedule(m_holdTime, [self = Ptr<LockWorkload>(this), section] {
        self->ReadRecord(section, &LockWorkload::CheckAgain);
    });
}

Time
LockWorkload::GetHeldUntil() const
{
    return m_heldUntil;
}

void
LockWorkload::CheckAgain(const SectionPtr& section)
{
    if (section->lock.exclusive)
    {
        const ByteVector record = MakeLockRecord(section->count + 1, m_recordSize);
        section->buffer.Write(0, record);
        WriteRecord(section);
        return;
    }
    Unlock(section);
}

void
LockWorkload::WriteRecord(const SectionPtr& section)
{
    GetMount().files->Run(FileWrite{m_files[section->file],
                                    section->place.second,
                                    m_recordSize,
                                    StableHow::UNSTABLE,
                                    section->buffer.GetAddress()},
                          [self = Ptr<LockWorkload>(this), section](const FileWriteReply& reply) {
                              if (!reply.IsOk() || reply.count != self->m_recordSize)
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
    GetMount().files->Run(FileCommit{m_files[section->file], section->place.second, m_recordSize},
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
           m_recordSize,
           section->ok && !section->violated);
    m_idle.push_back(section->lock.process);
    section->buffer = HostBuffer();
    if (m_stream)
    {
        m_stream->End();
    }
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
