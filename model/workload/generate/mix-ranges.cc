/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix-ranges.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// Names by MixRanges::Kind.
constexpr std::array<const char*, 7>
    RANGE_ITEMS{"read", "write", "read_plus", "allocate", "deallocate", "copy", "clone"};

} // namespace

uint64_t
DrawIndex(UniformRandomVariable& stream, uint64_t count)
{
    constexpr uint64_t MAX = std::numeric_limits<uint32_t>::max();
    return stream.GetInteger(0, static_cast<uint32_t>(std::min(count - 1, MAX)));
}

MixRanges::MixRanges(VerifyingFileClient& client,
                     std::vector<MixFile>& files,
                     const Settings& settings,
                     const Streams& streams,
                     MixEnd end)
    : m_client(client),
      m_files(files),
      m_settings(settings),
      m_streams(streams),
      m_end(std::move(end))
{
}

std::optional<MixRanges::Kind>
MixRanges::Find(const std::string& name)
{
    const auto* const found = std::find(RANGE_ITEMS.begin(), RANGE_ITEMS.end(), name);
    return found == RANGE_ITEMS.end()
               ? std::nullopt
               : std::make_optional(static_cast<Kind>(found - RANGE_ITEMS.begin()));
}

void
MixRanges::Start(Kind kind)
{
    Io io;
    io.kind = kind;
    io.arrived = m_arrived;
    io.place.file = DrawFile();
    const uint64_t draw = DrawIndex(*m_streams.size, m_settings.choice.GetTotal());
    const uint32_t drawn = m_settings.sizes[m_settings.choice.Choose(draw)];
    const bool copies = HasSource(kind);
    const uint64_t most = copies ? m_settings.fileSize : m_client.GetTransferSize();
    const uint32_t size = copies && m_settings.copySize > 0 ? m_settings.copySize : drawn;
    io.size = static_cast<uint32_t>(std::min<uint64_t>({size, m_settings.fileSize, most}));
    io.place.offset = DrawOffset(io.size);
    if (copies)
    {
        io.source.file = DrawFile();
        io.source.offset = DrawOffset(io.size);
    }
    if (Find(io))
    {
        Issue(io);
    }
    else
    {
        m_waiting.push_back(io);
    }
}

void
MixRanges::StartSeek()
{
    const auto& file = m_files[DrawFile()].GetFile();
    const auto what = m_nextSeek++ % 2 == 0 ? DataContent4::DATA : DataContent4::HOLE;
    m_client.Run(FileSeek{file, DrawOffset(1), what},
                 [this, arrived = m_arrived](const FileSeekReply& reply) {
                     FileReply ended = reply;
                     if (reply.status == static_cast<uint32_t>(Nfs4Status::NXIO))
                     {
                         ended.status = 0;
                     }
                     m_end("seek", arrived, 0, ended);
                 });
}

bool
MixRanges::Find(Io& io) const
{
    Place place = io.place;
    Place source = io.source;
    if (!Find(place, io.size, IsWrite(io.kind), std::nullopt) ||
        (HasSource(io.kind) && !Find(source, io.size, false, place.file)))
    {
        return false;
    }
    io.place = place;
    io.source = source;
    return true;
}

bool
MixRanges::Find(Place& place, uint32_t size, bool write, std::optional<std::size_t> other) const
{
    const uint64_t places = CountPlaces(size);
    const uint64_t first = place.offset / m_settings.alignment;
    for (std::size_t i = 0; i < m_files.size(); ++i)
    {
        const std::size_t file = (place.file + i) % m_files.size();
        for (uint64_t j = 0; j < places && file != other; ++j)
        {
            const uint64_t offset = (first + j) % places * m_settings.alignment;
            if (m_settings.allowOverlap ||
                m_files[file].IsFree(OctetRange::Of(offset, size), write))
            {
                place = {file, offset};
                return true;
            }
        }
    }
    return false;
}

void
MixRanges::Issue(const Io& io)
{
    const uint64_t offset = io.place.offset;
    m_files[io.place.file].Acquire(OctetRange::Of(offset, io.size), IsWrite(io.kind));
    if (HasSource(io.kind))
    {
        m_files[io.source.file].Acquire(OctetRange::Of(io.source.offset, io.size), false);
    }
    const auto& file = m_files[io.place.file].GetFile();
    const auto& source = m_files[io.source.file].GetFile();
    const auto end = [this, io](uint64_t octets, const FileReply& reply) {
        End(io);
        m_end(RANGE_ITEMS[io.kind], io.arrived, octets, reply);
    };
    const auto endCounted = [end](const auto& reply) { end(reply.count, reply); };
    const auto endEmpty = [end](const FileReply& reply) { end(0, reply); };
    switch (io.kind)
    {
    case READ:
        m_client.Run(FileRead{file, offset, io.size}, endCounted);
        break;
    case WRITE:
        m_client.Run(FileWrite{file, offset, io.size, m_settings.stable}, endCounted);
        break;
    case READ_PLUS:
        m_client.Run(FileReadPlus{file, offset, io.size}, endCounted);
        break;
    case ALLOCATE:
        m_client.Run(FileAllocate{file, offset, io.size}, endEmpty);
        break;
    case DEALLOCATE:
        m_client.Run(FileDeallocate{file, offset, io.size}, endEmpty);
        break;
    case COPY:
        m_client.Run(FileCopy{file, offset, io.size, source, io.source.offset}, endCounted);
        break;
    case CLONE:
        m_client.Run(FileClone{file, offset, io.size, source, io.source.offset},
                     [end, size = io.size](const FileReply& reply) { end(size, reply); });
        break;
    }
}

void
MixRanges::End(const Io& io)
{
    m_files[io.place.file].Release(OctetRange::Of(io.place.offset, io.size), IsWrite(io.kind));
    if (HasSource(io.kind))
    {
        m_files[io.source.file].Release(OctetRange::Of(io.source.offset, io.size), false);
    }
    for (auto waiting = m_waiting.begin(); waiting != m_waiting.end();)
    {
        Io next = *waiting;
        if (!Find(next))
        {
            ++waiting;
            continue;
        }
        waiting = m_waiting.erase(waiting);
        Issue(next);
    }
}

std::vector<std::string>
MixRanges::DescribeWaiting() const
{
    std::vector<std::string> lines;
    for (const auto& io : m_waiting)
    {
        lines.push_back(std::string(RANGE_ITEMS[io.kind]) + " of " + std::to_string(io.size) +
                        " octets waits for a place that no outstanding WRITE overlaps");
    }
    return lines;
}

} // namespace ns3::nfsrdma
