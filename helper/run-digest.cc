/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/run-digest.h"

namespace ns3::nfsrdma
{

RunDigest::RunDigest(std::size_t hosts)
    : m_hosts(hosts)
{
}

void
RunDigest::AddFrame(std::size_t host, Time time, const Ptr<const Packet>& frame)
{
    const uint32_t size = frame->GetSize();
    if (m_buffer.size() < size)
    {
        m_buffer.resize(size);
    }
    frame->CopyData(m_buffer.data(), size);
    auto& digest = m_hosts.at(host);
    digest.Update(static_cast<uint64_t>(time.GetNanoSeconds()));
    digest.Update(ByteSpan(m_buffer.data(), size));
    ++m_frames;
}

void
RunDigest::AddRecord(std::size_t host, const RpcRecord& record)
{
    auto& digest = m_hosts.at(host);
    const auto addPair = [&digest](uint64_t high, uint64_t low) {
        digest.Update(high << 32 | low);
    };
    addPair(record.xid, record.program);
    addPair(record.version, record.procedure);
    for (const auto& time : {record.submitted, record.sent, record.replied, record.completed})
    {
        digest.Update(static_cast<uint64_t>(time.GetNanoSeconds()));
    }
    addPair(static_cast<uint64_t>(record.outcome), record.programStatus);
    addPair(record.callType, record.replyType);
    addPair(record.callInlineBytes, record.replyInlineBytes);
    addPair(record.readSegments, record.writeChunks);
    addPair(record.writeSegments, record.replySegments);
    digest.Update(record.readChunkBytes);
    digest.Update(record.writeChunkBytes);
    digest.Update(record.replyChunkBytes);
    addPair(record.registrations, record.remotelyInvalidated ? 1 : 0);
}

uint64_t
RunDigest::GetFrames() const
{
    return m_frames;
}

std::string
RunDigest::Finish()
{
    Sha256 all;
    for (auto& host : m_hosts)
    {
        const auto text = host.Finish();
        all.Update(ByteVector(text.begin(), text.end()));
    }
    return all.Finish();
}

} // namespace ns3::nfsrdma
