/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/range-calls.h"

#include "nfs/v4/client/masks.h"

#include <utility>

namespace ns3::nfsrdma
{

Nfs4RangeCalls::Nfs4RangeCalls(Nfs4OperationRunner& runner)
    : m_runner(runner)
{
}

void
Nfs4RangeCalls::SetOffloadStatusDelay(Time delay)
{
    m_offloadStatusDelay = delay;
}

Time
Nfs4RangeCalls::GetOffloadStatusDelay() const
{
    return m_offloadStatusDelay;
}

uint64_t
Nfs4RangeCalls::GetBytesRead() const
{
    return m_bytesRead;
}

template <typename Args>
void
Nfs4RangeCalls::ChangeSpace(const std::shared_ptr<OpenFile>& file,
                            uint64_t offset,
                            uint64_t length,
                            Done<FileReply> done)
{
    const auto task = std::make_shared<Nfs4Task>();
    task->open = Nfs4OpenFile::Of(file)->open;
    task->build = [this, open = task->open, offset, length](Compound4Args& compound) {
        const auto stateid = m_runner.SelectStateId(open, OPEN4_SHARE_ACCESS_WRITE);
        compound.Add(PutfhArgs4{open->file},
                     Args{stateid, offset, length},
                     GetattrArgs4{MakeObjectMask()});
    };
    m_runner.Run<FileReply>(task, nullptr, std::move(done));
}

void
Nfs4RangeCalls::Allocate(const std::shared_ptr<OpenFile>& file,
                         uint64_t offset,
                         uint64_t length,
                         Done<FileReply> done)
{
    ChangeSpace<AllocateArgs4>(file, offset, length, std::move(done));
}

void
Nfs4RangeCalls::Deallocate(const std::shared_ptr<OpenFile>& file,
                           uint64_t offset,
                           uint64_t length,
                           Done<FileReply> done)
{
    ChangeSpace<DeallocateArgs4>(file, offset, length, std::move(done));
}

void
Nfs4RangeCalls::Seek(const std::shared_ptr<OpenFile>& file,
                     uint64_t offset,
                     DataContent4 what,
                     Done<FileSeekReply> done)
{
    const auto task = std::make_shared<Nfs4Task>();
    task->open = Nfs4OpenFile::Of(file)->open;
    task->build = [this, open = task->open, offset, what](Compound4Args& compound) {
        const auto stateid = m_runner.SelectStateId(open, OPEN4_SHARE_ACCESS_READ);
        compound.Add(PutfhArgs4{open->file}, SeekArgs4{stateid, offset, what});
    };
    m_runner.Run<FileSeekReply>(task,
                                TakeFrom<SeekRes4>([](const SeekRes4& got, FileSeekReply& reply) {
                                    reply.eof = got.eof;
                                    reply.offset = got.offset;
                                }),
                                std::move(done));
}

void
Nfs4RangeCalls::ReadPlus(const std::shared_ptr<OpenFile>& file,
                         uint64_t offset,
                         uint32_t count,
                         uint64_t address,
                         Done<FileReadReply> done)
{
    const auto task = std::make_shared<Nfs4Task>();
    task->open = Nfs4OpenFile::Of(file)->open;
    task->build = [this, open = task->open, offset, count](Compound4Args& compound) {
        const auto stateid = m_runner.SelectStateId(open, OPEN4_SHARE_ACCESS_READ);
        compound.Add(PutfhArgs4{open->file}, ReadPlusArgs4{stateid, offset, count});
    };
    m_runner.Run<FileReadReply>(
        task,
        TakeFrom<ReadPlusRes4>(
            [this, offset, count, address](const ReadPlusRes4& got, FileReadReply& reply) {
                const auto memory = m_runner.GetClient()->GetHostMemory();
                reply.eof = got.eof;
                reply.count = got.Place(offset, count, [&](uint64_t position, ByteSpan octets) {
                    memory->Write(address + position, octets);
                });
                m_bytesRead += reply.count;
            }),
        std::move(done));
}

void
Nfs4RangeCalls::Copy(const std::shared_ptr<OpenFile>& from,
                     uint64_t fromOffset,
                     const std::shared_ptr<OpenFile>& to,
                     uint64_t toOffset,
                     uint64_t count,
                     Done<FileCopyReply> done)
{
    const Nfs4CopyRange range{Nfs4OpenFile::Of(from)->open,
                              fromOffset,
                              Nfs4OpenFile::Of(to),
                              toOffset,
                              count};
    std::make_shared<Nfs4ServerSideCopy>(m_runner, range, m_offloadStatusDelay, std::move(done))
        ->Send();
}

void
Nfs4RangeCalls::Clone(const std::shared_ptr<OpenFile>& from,
                      uint64_t fromOffset,
                      const std::shared_ptr<OpenFile>& to,
                      uint64_t toOffset,
                      uint64_t count,
                      Done<FileReply> done)
{
    const auto task = std::make_shared<Nfs4Task>();
    task->open = Nfs4OpenFile::Of(to)->open;
    task->build = [this,
                   source = Nfs4OpenFile::Of(from)->open,
                   target = task->open,
                   fromOffset,
                   toOffset,
                   count](Compound4Args& compound) {
        compound.Add(PutfhArgs4{source->file},
                     SavefhArgs4(),
                     PutfhArgs4{target->file},
                     CloneArgs4{m_runner.SelectStateId(source, OPEN4_SHARE_ACCESS_READ),
                                m_runner.SelectStateId(target, OPEN4_SHARE_ACCESS_WRITE),
                                fromOffset,
                                toOffset,
                                count},
                     GetattrArgs4{MakeObjectMask()});
    };
    m_runner.Run<FileReply>(task, nullptr, std::move(done));
}

} // namespace ns3::nfsrdma
