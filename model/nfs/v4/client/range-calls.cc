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

template <typename Reply, typename Make, typename Take>
void
Nfs4RangeCalls::RunOn(const OpenFilePtr& file,
                      uint32_t access,
                      Make make,
                      Take take,
                      Done<Reply> done)
{
    const auto task = std::make_shared<Nfs4Task>();
    task->open = Nfs4OpenFile::Of(file)->open;
    task->build = [this, open = task->open, access, make](Compound4Args& compound) {
        compound.Add(PutfhArgs4{open->file}, make(m_runner.SelectStateId(open, access)));
        if (access == OPEN4_SHARE_ACCESS_WRITE)
        {
            compound.Add(GetattrArgs4{MakeObjectMask()});
        }
    };
    m_runner.Run<Reply>(task, std::move(take), std::move(done));
}

template <typename Args, typename Request>
void
Nfs4RangeCalls::ChangeSpace(const Request& request, Done<FileReply> done)
{
    const auto make = [offset = request.offset, length = request.length](const Nfs4StateId& id) {
        return Args{id, offset, length};
    };
    RunOn<FileReply>(request.file, OPEN4_SHARE_ACCESS_WRITE, make, nullptr, std::move(done));
}

void
Nfs4RangeCalls::Run(const FileAllocate& request, Done<FileReply> done)
{
    ChangeSpace<AllocateArgs4>(request, std::move(done));
}

void
Nfs4RangeCalls::Run(const FileDeallocate& request, Done<FileReply> done)
{
    ChangeSpace<DeallocateArgs4>(request, std::move(done));
}

void
Nfs4RangeCalls::Run(const FileSeek& request, Done<FileSeekReply> done)
{
    const auto make = [offset = request.offset, what = request.what](const Nfs4StateId& id) {
        return SeekArgs4{id, offset, what};
    };
    RunOn<FileSeekReply>(request.file,
                         OPEN4_SHARE_ACCESS_READ,
                         make,
                         TakeFrom<SeekRes4>([](const SeekRes4& got, FileSeekReply& reply) {
                             reply.eof = got.eof;
                             reply.offset = got.offset;
                         }),
                         std::move(done));
}

void
Nfs4RangeCalls::Run(const FileReadPlus& request, Done<FileReadReply> done)
{
    const auto make = [offset = request.offset, count = request.count](const Nfs4StateId& id) {
        return ReadPlusArgs4{id, offset, count};
    };
    const auto take = [this,
                       offset = request.offset,
                       count = request.count,
                       address = request.address](const ReadPlusRes4& got, FileReadReply& reply) {
        const auto memory = m_runner.GetClient()->GetHostMemory();
        reply.eof = got.eof;
        reply.count = got.Place(offset, count, [&](uint64_t position, ByteSpan octets) {
            memory->Write(address + position, octets);
        });
        m_bytesRead += reply.count;
    };
    RunOn<FileReadReply>(request.file,
                         OPEN4_SHARE_ACCESS_READ,
                         make,
                         TakeFrom<ReadPlusRes4>(take),
                         std::move(done));
}

void
Nfs4RangeCalls::Run(const FileCopy& request, Done<FileCopyReply> done)
{
    const Nfs4CopyRange range{Nfs4OpenFile::Of(request.source)->open,
                              request.sourceOffset,
                              Nfs4OpenFile::Of(request.file),
                              request.offset,
                              request.count};
    std::make_shared<Nfs4ServerSideCopy>(m_runner, range, m_offloadStatusDelay, std::move(done))
        ->Send();
}

void
Nfs4RangeCalls::Run(const FileClone& request, Done<FileReply> done)
{
    const auto task = std::make_shared<Nfs4Task>();
    task->open = Nfs4OpenFile::Of(request.file)->open;
    task->build = [this,
                   request,
                   source = Nfs4OpenFile::Of(request.source)->open,
                   target = task->open](Compound4Args& compound) {
        compound.Add(PutfhArgs4{source->file},
                     SavefhArgs4(),
                     PutfhArgs4{target->file},
                     CloneArgs4{m_runner.SelectStateId(source, OPEN4_SHARE_ACCESS_READ),
                                m_runner.SelectStateId(target, OPEN4_SHARE_ACCESS_WRITE),
                                request.sourceOffset,
                                request.offset,
                                request.count},
                     GetattrArgs4{MakeObjectMask()});
    };
    m_runner.Run<FileReply>(task, nullptr, std::move(done));
}

} // namespace ns3::nfsrdma
