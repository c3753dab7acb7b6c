/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/file-io.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

DirectFileIo::DirectFileIo(VerifyingFileClient& client, std::shared_ptr<OpenFile> file)
    : m_client(client),
      m_file(std::move(file))
{
}

template <typename Start>
void
DirectFileIo::Split(const std::shared_ptr<Parts>& parts, Start start) const
{
    const uint32_t most = m_client.GetTransferSize();
    parts->left = (parts->count / most) + (parts->count % most == 0 ? 0 : 1);
    for (uint32_t done = 0; done < parts->count;)
    {
        const uint32_t count = std::min(most, parts->count - done);
        start(parts->offset + done, count);
        done += count;
    }
}

void
DirectFileIo::End(const std::shared_ptr<Parts>& parts, bool ok)
{
    const Result result{ok, ok ? parts->octets : 0};
    if (parts->settled)
    {
        parts->settled(result);
    }
    parts->done(result);
}

void
DirectFileIo::Read(uint64_t offset, uint32_t count, Done done)
{
    const auto parts = std::make_shared<Parts>();
    parts->offset = offset;
    parts->count = count;
    parts->done = std::move(done);
    Split(parts, [this, &parts](uint64_t at, uint32_t length) { ReadPart(parts, at, length); });
}

void
DirectFileIo::ReadPart(const std::shared_ptr<Parts>& parts, uint64_t at, uint32_t length)
{
    m_client.Run(FileRead{m_file, at, length},
                 [this, parts, at, length](const FileReadReply& reply) {
                     const uint32_t got = reply.IsOk() ? std::min(reply.count, length) : 0;
                     parts->octets += got;
                     parts->ok = parts->ok && reply.IsOk() && (got != 0 || reply.eof);
                     if (parts->ok && got < length && !reply.eof)
                     {
                         ReadPart(parts, at + got, length - got);
                     }
                     else if (--parts->left == 0)
                     {
                         End(parts, parts->ok);
                     }
                 });
}

void
DirectFileIo::Write(uint64_t offset, uint32_t count, Done done, Done settled)
{
    const auto parts = std::make_shared<Parts>();
    parts->offset = offset;
    parts->count = count;
    parts->done = std::move(done);
    parts->settled = std::move(settled);
    StartWrites(parts);
}

void
DirectFileIo::StartWrites(const std::shared_ptr<Parts>& parts)
{
    parts->octets = 0;
    parts->verifier.reset();
    parts->verifierChanged = false;
    Split(parts, [this, &parts](uint64_t at, uint32_t length) { WritePart(parts, at, length); });
}

void
DirectFileIo::WritePart(const std::shared_ptr<Parts>& parts, uint64_t at, uint32_t length)
{
    const bool single = parts->count <= m_client.GetTransferSize();
    m_client.Run(FileWrite{m_file, at, length, single ? StableHow::FILE_SYNC : StableHow::UNSTABLE},
                 [this, parts, at, length](const FileWriteReply& reply) {
                     const uint32_t taken = reply.IsOk() ? std::min(reply.count, length) : 0;
                     parts->octets += taken;
                     parts->ok = parts->ok && taken != 0;
                     if (reply.IsOk() && reply.committed == StableHow::UNSTABLE)
                     {
                         parts->stable = false;
                         parts->verifierChanged =
                             parts->verifierChanged ||
                             (parts->verifier && *parts->verifier != reply.verifier);
                         parts->verifier = reply.verifier;
                     }
                     if (parts->ok && taken < length)
                     {
                         WritePart(parts, at + taken, length - taken);
                     }
                     else
                     {
                         EndPart(parts);
                     }
                 });
}

void
DirectFileIo::EndPart(const std::shared_ptr<Parts>& parts)
{
    if (--parts->left != 0)
    {
        return;
    }
    if (!parts->ok || parts->stable)
    {
        End(parts, parts->ok);
        return;
    }
    Commit(parts);
}

void
DirectFileIo::Commit(const std::shared_ptr<Parts>& parts)
{
    m_client.Run(FileCommit{m_file, parts->offset, parts->count},
                 [this, parts](const FileCommitReply& reply) {
                     if (reply.IsOk() &&
                         (parts->verifierChanged || parts->verifier != reply.verifier))
                     {
                         StartWrites(parts);
                         return;
                     }
                     End(parts, reply.IsOk());
                 });
}

void
DirectFileIo::Sync(Done done)
{
    Simulator::ScheduleNow([done = std::move(done)] { done({}); });
}

void
DirectFileIo::Close(Done done)
{
    m_client.Run(FileClose{std::exchange(m_file, nullptr)},
                 [done = std::move(done)](const FileReply& reply) {
                     done({reply.IsOk(), 0});
                 });
}

} // namespace ns3::nfsrdma
