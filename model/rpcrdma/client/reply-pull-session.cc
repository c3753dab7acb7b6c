/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/reply-pull-session.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

const RpcRdmaReadSegment*
FindPositionZero(const RpcRdmaHeader& header)
{
    const auto& readList = header.chunks.readList;
    const auto found =
        std::find_if(readList.begin(), readList.end(), [](const RpcRdmaReadSegment& segment) {
            return segment.position == 0;
        });
    return found == readList.end() ? nullptr : &*found;
}

uint64_t
GetLength(const RpcRdmaHeader& header)
{
    uint64_t length = 0;
    for (const RpcRdmaReadSegment& segment : header.chunks.readList)
    {
        length += segment.target.length;
    }
    return length;
}

} // namespace

ReplyPullSession::ReplyPullSession(const Resources& resources, const PullNotifier::Limits& limits)
    : m_settings(resources.settings),
      m_statistics(*resources.settings.statistics),
      m_agreed(limits.agreement.active),
      m_queue([room = &resources.room](const auto& chain) { return room->Post(chain); },
              WORK_REQUESTS,
              std::make_shared<SvcRdmaStatistics>(),
              FIRST_WORK_ID),
      m_puller(resources.memory, resources.registrar, m_queue, resources.settings.readsInvalidate),
      m_notifier(resources.memory, m_queue, resources.window, resources.settings, limits)
{
}

void
ReplyPullSession::HandleReply(RpcRdmaRequest& request, const Ended& ended)
{
    m_notifier.Confirm(request);
    if (request.checked.header && !request.checked.header->chunks.readList.empty())
    {
        Take(request, ended);
    }
    m_notifier.Pump();
}

void
ReplyPullSession::Take(RpcRdmaRequest& request, const Ended& ended)
{
    const RpcRdmaHeader& header = *request.checked.header;
    const bool pulls =
        request.checked.verdict == ReplyVerdict::PULL && GetLength(header) <= m_settings.maxBytes;
    if (pulls)
    {
        Pull(request, header, ended);
    }
    else
    {
        Refuse(header);
    }
}

void
ReplyPullSession::Refuse(const RpcRdmaHeader& header)
{
    const RpcRdmaReadSegment* segment = FindPositionZero(header);
    if (!segment)
    {
        return;
    }
    ++m_statistics.refused;
    if (Notifies())
    {
        m_notifier.Notify({header.xid, segment->target.handle});
    }
}

void
ReplyPullSession::Pull(RpcRdmaRequest& request, const RpcRdmaHeader& header, const Ended& ended)
{
    const auto& readList = header.chunks.readList;
    const PullNotice notice{header.xid, readList.front().target.handle};
    m_pulling.insert(header.xid);
    request.pullPending = true;
    request.call->record.replyReadSegments = readList.size();
    m_puller.Pull(
        request.slot,
        readList,
        [this, notice] { m_notifier.Notify(notice); },
        [this, &request, ended, segments = readList.size()](ByteVector&& octets,
                                                            uint32_t registrations) {
            ++m_statistics.replies;
            m_statistics.segments += segments;
            m_statistics.bytes += octets.size();
            m_statistics.registrations += registrations;
            m_statistics.readsInvalidate += m_puller.TakeInvalidations();
            m_pulling.erase(request.call->record.xid);
            request.pullPending = false;
            request.call->record.registrations += registrations;
            request.call->record.replyReadBytes = octets.size();
            if (m_settings.replyPulled)
            {
                m_settings.replyPulled(request.call->record.xid, segments, octets.size());
            }
            request.pulled = std::move(octets);
            ended();
        },
        [this, &request, ended] {
            m_pulling.erase(request.call->record.xid);
            request.pullPending = false;
            Refuse(*request.checked.header);
            ended();
        });
}

void
ReplyPullSession::HandleDiscarded(ByteSpan message)
{
    ByteReader reader(message);
    const auto header = RpcRdmaHeader::Decode(reader);
    if (!header || m_pulling.count(header->xid) != 0)
    {
        return;
    }
    if (const RpcRdmaReadSegment* segment = FindPositionZero(*header))
    {
        ++m_statistics.discarded;
        if (Notifies())
        {
            m_notifier.Notify({header->xid, segment->target.handle});
        }
    }
}

bool
ReplyPullSession::HandleCompletion(const WorkCompletion& completion)
{
    if (completion.id < FIRST_WORK_ID || completion.id == UINT64_MAX)
    {
        return false;
    }
    m_queue.HandleCompletion(completion);
    return true;
}

} // namespace ns3::nfsrdma
