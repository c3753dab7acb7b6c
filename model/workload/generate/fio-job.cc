/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/fio-job.h"

#include "workload/check/octet-ranges.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t MAX_DRAW = 0xffffffff;

} // namespace

FioJob::FioJob(const FioPattern& pattern)
    : m_pattern(pattern),
      m_alignment(*std::min_element(pattern.octets.begin(), pattern.octets.end())),
      m_stream(pattern.stream),
      m_direction(CreateObject<UniformRandomVariable>()),
      m_size(CreateObject<UniformRandomVariable>()),
      m_offset(CreateObject<UniformRandomVariable>())
{
}

int64_t
FioJob::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    stream += m_stream.AssignStreams(stream);
    m_direction->SetStream(stream++);
    m_size->SetStream(stream++);
    m_offset->SetStream(stream++);
    return stream - first;
}

void
FioJob::Start(std::vector<std::unique_ptr<FileIo>> files,
              Recorder recorder,
              std::function<void()> finished)
{
    m_files = std::move(files);
    m_next.resize(m_files.size());
    m_writes.resize(m_files.size());
    m_recorder = std::move(recorder);
    m_finished = std::move(finished);
    m_stream.Start([this](Time arrived) { return StartRequest(arrived); }, [this] { EndFiles(); });
}

uint64_t
FioJob::StartRequest(Time arrived)
{
    Request request;
    request.arrived = arrived;
    request.file = m_turn++ % m_files.size();
    request.write = m_pattern.readPercent == 0 ||
                    (m_pattern.readPercent < PERCENT &&
                     m_direction->GetInteger(0, PERCENT - 1) >= m_pattern.readPercent);
    const auto size =
        m_pattern.octets.size() == 1
            ? 0
            : m_pattern.sizes.Choose(
                  m_size->GetInteger(0, static_cast<uint32_t>(m_pattern.sizes.GetTotal() - 1)));
    request.count =
        static_cast<uint32_t>(std::min<uint64_t>(m_pattern.octets[size], m_pattern.fileSize));
    const uint64_t last = m_pattern.fileSize - request.count;
    if (m_pattern.random)
    {
        const uint64_t places = (last / m_alignment) + 1;
        request.offset =
            uint64_t{m_alignment} *
            m_offset->GetInteger(0, static_cast<uint32_t>(std::min(places - 1, MAX_DRAW)));
    }
    else
    {
        uint64_t& next = m_next[request.file];
        request.offset = next > last ? 0 : next;
        next = request.offset + request.count;
    }
    if (m_waiting.empty() && Place(request))
    {
        Issue(request);
    }
    else
    {
        m_waiting.push_back(request);
    }
    return request.count;
}

bool
FioJob::IsFree(const Request& request) const
{
    const auto range = OctetRange::Of(request.offset, request.count);
    return std::none_of(m_outstanding.begin(), m_outstanding.end(), [&](const Request& other) {
        return other.file == request.file && (other.write || request.write) &&
               !range.Intersect(OctetRange::Of(other.offset, other.count)).IsEmpty();
    });
}

bool
FioJob::Place(Request& request) const
{
    const uint64_t last = m_pattern.fileSize - request.count;
    const uint64_t places = m_pattern.random ? std::min<uint64_t>((last / m_alignment) + 1,
                                                                  (2 * m_outstanding.size()) + 1)
                                             : 1;
    for (uint64_t tried = 0; tried < places; ++tried)
    {
        if (IsFree(request))
        {
            return true;
        }
        request.offset += m_alignment;
        request.offset = request.offset > last ? 0 : request.offset;
    }
    return false;
}

void
FioJob::Issue(const Request& request)
{
    m_outstanding.push_back(request);
    if (!request.write)
    {
        m_files[request.file]->Read(
            request.offset,
            request.count,
            [this, request](const FileIo::Result& result) { EndRead(request, result); });
        return;
    }
    const auto write = std::make_shared<Write>();
    m_files[request.file]->Write(
        request.offset,
        request.count,
        [this, request, write](const FileIo::Result& /* result */) {
            write->ended = Simulator::Now();
            RecordWrite(request, *write);
            EndWrite(request);
        },
        [this, request, write](const FileIo::Result& result) {
            write->settled = result;
            RecordWrite(request, *write);
        });
}

void
FioJob::RecordWrite(const Request& request, const Write& write)
{
    if (write.ended && write.settled)
    {
        m_recorder("write", request.arrived, *write.ended, *write.settled);
    }
}

void
FioJob::Sync(std::size_t file, std::function<void()> done)
{
    m_files[file]->Sync(
        [this, began = Simulator::Now(), done = std::move(done)](const FileIo::Result& result) {
            m_recorder("sync", began, Simulator::Now(), result);
            done();
        });
}

bool
FioJob::CountWrite(std::size_t file)
{
    if (m_pattern.fsync == 0 || ++m_writes[file] < m_pattern.fsync)
    {
        return false;
    }
    m_writes[file] = 0;
    return true;
}

void
FioJob::EndRead(const Request& request, const FileIo::Result& result)
{
    m_recorder("read", request.arrived, Simulator::Now(), result);
    Finish(request);
}

void
FioJob::EndWrite(const Request& request)
{
    if (CountWrite(request.file))
    {
        Sync(request.file, [this, request] { Finish(request); });
        return;
    }
    Finish(request);
}

void
FioJob::Finish(const Request& request)
{
    const auto found =
        std::find_if(m_outstanding.begin(), m_outstanding.end(), [&](const Request& other) {
            return other.file == request.file && other.offset == request.offset &&
                   other.write == request.write && other.arrived == request.arrived;
        });
    m_outstanding.erase(found);
    RetryWaiting();
    m_stream.End();
}

void
FioJob::RetryWaiting()
{
    while (!m_waiting.empty() && Place(m_waiting.front()))
    {
        const Request request = m_waiting.front();
        m_waiting.pop_front();
        Issue(request);
    }
}

void
FioJob::EndFiles()
{
    m_closing = m_files.size();
    for (std::size_t file = 0; file < m_files.size(); ++file)
    {
        if (m_pattern.endFsync)
        {
            Sync(file, [this, file] { CloseFile(file); });
        }
        else
        {
            CloseFile(file);
        }
    }
}

void
FioJob::CloseFile(std::size_t file)
{
    m_files[file]->Close([this](const FileIo::Result& /* result */) {
        if (--m_closing == 0)
        {
            std::exchange(m_finished, nullptr)();
        }
    });
}

} // namespace ns3::nfsrdma
