/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

void
MixWorkload::StartReadPlus()
{
    DrawIo(IoKind::READ_PLUS);
}

void
MixWorkload::StartAllocate()
{
    DrawIo(IoKind::ALLOCATE);
}

void
MixWorkload::StartDeallocate()
{
    DrawIo(IoKind::DEALLOCATE);
}

void
MixWorkload::StartCopy()
{
    DrawIo(IoKind::COPY);
}

void
MixWorkload::StartClone()
{
    DrawIo(IoKind::CLONE);
}

void
MixWorkload::StartSeek()
{
    const Place place = DrawPlace(1);
    const auto what = m_nextSeek++ % 2 == 0 ? DataContent4::DATA : DataContent4::HOLE;
    GetFiles().Seek(m_files[place.file].GetFile(),
                    place.offset,
                    what,
                    [this, began = Simulator::Now()](const FileSeekReply& reply) {
                        FileReply ended = reply;
                        if (reply.status == static_cast<uint32_t>(Nfs4Status::NXIO))
                        {
                            ended.status = 0;
                        }
                        EndOperation("seek", began, 0, ended);
                    });
}

bool
MixWorkload::IsWrite(IoKind kind)
{
    return kind != IoKind::READ && kind != IoKind::READ_PLUS;
}

bool
MixWorkload::HasSource(IoKind kind)
{
    return kind == IoKind::COPY || kind == IoKind::CLONE;
}

const char*
MixWorkload::GetItem(IoKind kind)
{
    switch (kind)
    {
    case IoKind::READ:
        return "read";
    case IoKind::READ_PLUS:
        return "read_plus";
    case IoKind::WRITE:
        return "write";
    case IoKind::ALLOCATE:
        return "allocate";
    case IoKind::DEALLOCATE:
        return "deallocate";
    case IoKind::COPY:
        return "copy";
    case IoKind::CLONE:
        return "clone";
    }
    return "?";
}

void
MixWorkload::DrawIo(IoKind kind)
{
    Io io;
    io.kind = kind;
    io.place.file = Draw(m_fileStream, m_files.size());
    const uint32_t size = m_sizes[m_ioSizes.Choose(Draw(m_sizeStream, m_ioSizes.GetTotal()))];
    const uint64_t most = HasSource(kind) ? m_fileSize : GetFiles().GetTransferSize();
    io.size = static_cast<uint32_t>(std::min<uint64_t>(
        {HasSource(kind) && m_copySize > 0 ? m_copySize : size, m_fileSize, most}));
    io.place.offset = Draw(m_offsetStream, CountPlaces(io.size)) * m_ioAlignment;
    if (HasSource(kind))
    {
        io.source = DrawPlace(io.size);
    }
    if (PlaceIo(io))
    {
        IssueIo(io);
    }
    else
    {
        m_waitingIos.push_back(io);
    }
}

uint64_t
MixWorkload::CountPlaces(uint32_t size) const
{
    return (m_fileSize - size) / m_ioAlignment + 1;
}

MixWorkload::Place
MixWorkload::DrawPlace(uint32_t size)
{
    Place place;
    place.file = Draw(m_fileStream, m_files.size());
    place.offset = Draw(m_offsetStream, CountPlaces(size)) * m_ioAlignment;
    return place;
}

bool
MixWorkload::PlaceIo(Io& io) const
{
    Place place = io.place;
    Place source = io.source;
    if (!FindPlace(place, io.size, IsWrite(io.kind), std::nullopt) ||
        (HasSource(io.kind) && !FindPlace(source, io.size, false, place.file)))
    {
        return false;
    }
    io.place = place;
    io.source = source;
    return true;
}

bool
MixWorkload::FindPlace(Place& place,
                       uint32_t size,
                       bool write,
                       std::optional<std::size_t> other) const
{
    const uint64_t places = CountPlaces(size);
    const uint64_t first = place.offset / m_ioAlignment;
    for (std::size_t i = 0; i < m_files.size(); ++i)
    {
        const std::size_t file = (place.file + i) % m_files.size();
        for (uint64_t j = 0; j < places && file != other; ++j)
        {
            const uint64_t offset = (first + j) % places * m_ioAlignment;
            if (m_allowOverlap || m_files[file].IsFree(OctetRange::Of(offset, size), write))
            {
                place = {file, offset};
                return true;
            }
        }
    }
    return false;
}

template <typename Reply>
FileClient::Done<Reply>
MixWorkload::EndOf(const Io& io, std::function<uint64_t(const Reply&)> octets)
{
    return [this, io, octets = std::move(octets), began = Simulator::Now()](const Reply& reply) {
        EndIo(io);
        EndOperation(GetItem(io.kind), began, octets(reply), reply);
    };
}

void
MixWorkload::IssueIo(const Io& io)
{
    MixFile& file = m_files[io.place.file];
    file.Acquire(OctetRange::Of(io.place.offset, io.size), IsWrite(io.kind));
    if (HasSource(io.kind))
    {
        m_files[io.source.file].Acquire(OctetRange::Of(io.source.offset, io.size), false);
    }
    if (io.kind == IoKind::WRITE)
    {
        GetFiles().Write(
            file.GetFile(),
            io.place.offset,
            io.size,
            static_cast<StableHow>(m_stable),
            EndOf<FileWriteReply>(io, [](const FileWriteReply& reply) { return reply.count; }));
    }
    else if (io.kind == IoKind::READ)
    {
        GetFiles().Read(
            file.GetFile(),
            io.place.offset,
            io.size,
            EndOf<FileReadReply>(io, [](const FileReadReply& reply) { return reply.count; }));
    }
    else
    {
        IssueRange(io);
    }
}

void
MixWorkload::IssueRange(const Io& io)
{
    const auto& file = m_files[io.place.file].GetFile();
    const auto none = [](const FileReply&) { return uint64_t{0}; };
    switch (io.kind)
    {
    case IoKind::READ_PLUS:
        GetFiles().ReadPlus(
            file,
            io.place.offset,
            io.size,
            EndOf<FileReadReply>(io, [](const FileReadReply& reply) { return reply.count; }));
        break;
    case IoKind::ALLOCATE:
        GetFiles().Allocate(file, io.place.offset, io.size, EndOf<FileReply>(io, none));
        break;
    case IoKind::DEALLOCATE:
        GetFiles().Deallocate(file, io.place.offset, io.size, EndOf<FileReply>(io, none));
        break;
    case IoKind::COPY:
        GetFiles().Copy(
            m_files[io.source.file].GetFile(),
            io.source.offset,
            file,
            io.place.offset,
            io.size,
            EndOf<FileCopyReply>(io, [](const FileCopyReply& reply) { return reply.count; }));
        break;
    case IoKind::CLONE:
        GetFiles().Clone(m_files[io.source.file].GetFile(),
                         io.source.offset,
                         file,
                         io.place.offset,
                         io.size,
                         EndOf<FileReply>(io, [io](const FileReply&) { return io.size; }));
        break;
    default:
        break;
    }
}

void
MixWorkload::EndIo(const Io& io)
{
    m_files[io.place.file].Release(OctetRange::Of(io.place.offset, io.size), IsWrite(io.kind));
    if (HasSource(io.kind))
    {
        m_files[io.source.file].Release(OctetRange::Of(io.source.offset, io.size), false);
    }
    for (auto waiting = m_waitingIos.begin(); waiting != m_waitingIos.end();)
    {
        Io next = *waiting;
        if (!PlaceIo(next))
        {
            ++waiting;
            continue;
        }
        waiting = m_waitingIos.erase(waiting);
        IssueIo(next);
    }
}

} // namespace ns3::nfsrdma
