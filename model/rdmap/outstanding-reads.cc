/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/outstanding-reads.h"

namespace ns3::nfsrdma
{

namespace
{

/// Octets of a tagged buffer, from a TO on.
struct TaggedRange
{
    Stag stag;
    uint64_t offset;
    uint32_t length;
};

bool
Contains(const TaggedRange& outer, const TaggedRange& inner)
{
    const uint64_t from = inner.offset - outer.offset;
    return outer.stag == inner.stag && from <= outer.length && inner.length <= outer.length - from;
}

bool
Overlap(const TaggedRange& one, const TaggedRange& other)
{
    return one.stag == other.stag &&
           (one.offset - other.offset < other.length || other.offset - one.offset < one.length);
}

} // namespace

tl::expected<void, TerminateReason>
OutstandingReads::Accept(const DdpTaggedHeader& header, uint32_t payloadLength)
{
    if (m_requests.empty() || m_requests.front().kind == Kind::ATOMIC)
    {
        return tl::make_unexpected(TerminateReason::From(RdmapError::OPERATION_UNEXPECTED_OPCODE));
    }
    const RdmaReadRequest& oldest = m_requests.front().read;
    if (oldest.length == 0 && payloadLength == 0 && header.last)
    {
        return {};
    }
    if (header.stag != oldest.sinkStag)
    {
        return tl::make_unexpected(TerminateReason::From(DdpError::TAGGED_INVALID_STAG));
    }
    const uint32_t left = oldest.length - m_received;
    const bool continues = header.taggedOffset == oldest.sinkOffset + m_received;
    const bool fits = header.last ? payloadLength == left : payloadLength <= left;
    if (!continues || !fits)
    {
        return tl::make_unexpected(TerminateReason::From(DdpError::TAGGED_BOUNDS));
    }
    m_received += payloadLength;
    return {};
}

tl::expected<void, TerminateReason>
OutstandingReads::AcceptAtomic(uint32_t identifier) const
{
    if (m_requests.empty() || m_requests.front().kind != Kind::ATOMIC)
    {
        return tl::make_unexpected(TerminateReason::From(RdmapError::OPERATION_UNEXPECTED_OPCODE));
    }
    if (m_requests.front().identifier != identifier)
    {
        return tl::make_unexpected(TerminateReason::From(RdmapError::OPERATION_UNSPECIFIED));
    }
    return {};
}

bool
OutstandingReads::Covers(const DdpTaggedHeader& header, uint32_t payloadLength) const
{
    const TaggedRange segment{header.stag, header.taggedOffset, payloadLength};
    bool covered = false;
    uint32_t received = m_received;
    for (const Request& request : m_requests)
    {
        const RdmaReadRequest& read = request.read;
        if (request.kind == Kind::READ &&
            Overlap(segment, {read.sinkStag, read.sinkOffset, read.length}))
        {
            const TaggedRange toCome{read.sinkStag,
                                     read.sinkOffset + received,
                                     read.length - received};
            if (covered || !Contains(toCome, segment))
            {
                return false;
            }
            covered = true;
        }
        received = 0;
    }
    return covered;
}

void
OutstandingReads::Complete()
{
    m_requests.pop_front();
    m_received = 0;
}

} // namespace ns3::nfsrdma
