/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/reopened-file-io.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

ReopenedFileIo::ReopenedFileIo(VerifyingFileClient& client,
                               Settings settings,
                               FileRef object,
                               KeptPages& pages,
                               Factory factory)
    : m_client(client),
      m_settings(std::move(settings)),
      m_pages(pages),
      m_factory(std::move(factory)),
      m_object(std::move(object)),
      m_crashes(client.GetCrashes())
{
}

FileIo::Done
ReopenedFileIo::Track(Done done)
{
    ++m_outstanding;
    return [this, done = std::move(done)](const Result& result) {
        --m_outstanding;
        done(result);
        Continue();
    };
}

void
ReopenedFileIo::Start(std::function<void(FileIo& io)> request, Done failed)
{
    m_waiting.push_back([this, request = std::move(request), failed = std::move(failed)] {
        if (m_lost)
        {
            Simulator::ScheduleNow([failed] { failed({false, 0}); });
            return;
        }
        ++m_started;
        request(*m_io);
    });
    Continue();
}

void
ReopenedFileIo::Read(uint64_t offset, uint32_t count, Done done)
{
    Start([this, offset, count, done](FileIo& io) { io.Read(offset, count, Track(done)); }, done);
}

void
ReopenedFileIo::Write(uint64_t offset, uint32_t count, Done done, Done settled)
{
    Start([this, offset, count, done, settled](
              FileIo& io) { io.Write(offset, count, Track(done), settled); },
          [done, settled](const Result& result) {
              done(result);
              if (settled)
              {
                  settled(result);
              }
          });
}

void
ReopenedFileIo::Sync(Done done)
{
    if (m_busy || m_io == nullptr)
    {
        // Its close has written all.
        Simulator::ScheduleNow([done = std::move(done)] { done({true, 0}); });
        return;
    }
    m_io->Sync(Track(std::move(done)));
}

void
ReopenedFileIo::Close(Done done)
{
    m_close = [this, done = std::move(done)] {
        if (m_io == nullptr)
        {
            Simulator::ScheduleNow([done] { done({true, 0}); });
            return;
        }
        m_busy = true;
        m_io->Close(done);
    };
    Continue();
}

void
ReopenedFileIo::Continue()
{
    while (!m_busy && !m_waiting.empty() && m_started < m_settings.requests &&
           (m_lost || m_io != nullptr))
    {
        auto request = std::move(m_waiting.front());
        m_waiting.pop_front();
        request();
    }
    if (m_busy || m_outstanding != 0)
    {
        return;
    }
    if (m_waiting.empty() && m_close)
    {
        std::exchange(m_close, nullptr)();
    }
    else if (m_io != nullptr && m_started >= m_settings.requests)
    {
        CloseForNow();
    }
    else if (m_io == nullptr && !m_waiting.empty())
    {
        Open();
    }
}

void
ReopenedFileIo::CloseForNow()
{
    m_busy = true;
    m_io->Close([this](const Result& /* closed */) {
        Simulator::ScheduleNow([this] {
            m_io.reset();
            m_busy = false;
            m_started = 0;
            Continue();
        });
    });
}

void
ReopenedFileIo::Open()
{
    m_busy = true;
    const Time began = Simulator::Now();
    const bool current = m_client.IsCurrent(m_object);
    m_client.Run(
        FileOpen{m_settings.where, m_settings.how},
        [this, began, current](const FileOpenReply& reply) { TakeOpen(reply, began, current); });
}

void
ReopenedFileIo::TakeOpen(const FileOpenReply& reply, Time began, bool current)
{
    m_busy = false;
    const bool hasCrashed = m_crashes != m_client.GetCrashes();
    m_crashes = m_client.GetCrashes();
    m_lost = !reply.IsOk() && !hasCrashed;
    const char* item = "open";
    if (hasCrashed)
    {
        m_pages.Forget();
    }
    if (reply.IsOk())
    {
        const bool had = !m_pages.GetPages().IsEmpty();
        const bool keeps = m_pages.Open(reply.attributes) && had;
        item = keeps ? "open_kept" : (had ? "open_dropped" : item);
        if (keeps && !current)
        {
            m_client.ReportStale(m_object);
        }
        if (!keeps)
        {
            m_client.Forget(m_object);
        }
        m_io = m_factory(reply.file);
    }
    m_settings.opened(item, began, reply.IsOk());
    Continue();
}

} // namespace ns3::nfsrdma
