/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/message-follower.h"

#include "mpa/fpdu.h"
#include "mpa/marked-fpdu.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

MessageFollower::MessageFollower()
    : m_follower(false)
{
}

std::vector<WireMessage>
MessageFollower::Take(std::size_t side, const TcpSegment& segment, Time now)
{
    std::vector<WireMessage> done;
    auto followed = m_follower.Take(side, segment);
    for (auto& fpdu : followed.fpdus)
    {
        if (fpdu.framing.markers)
        {
            TakeUlpdu(side, MarkedFpdu::Strip(fpdu.octets, fpdu.position), now, done);
        }
        else if (const auto ulpdu = Fpdu::Decode(fpdu.octets, false))
        {
            TakeUlpdu(side, *ulpdu, now, done);
        }
    }
    return done;
}

void
MessageFollower::TakeUlpdu(std::size_t side,
                           ByteSpan ulpdu,
                           Time now,
                           std::vector<WireMessage>& done)
{
    ByteReader reader(ulpdu);
    const auto header = DecodeAnyDdpHeader(reader);
    if (!header)
    {
        return;
    }
    const auto [last, control, version] = std::visit(
        [](const auto& form) { return std::make_tuple(form.last, form.rsvdUlp, form.version); },
        *header);
    const auto opcode = DecodeRdmapControl(control, version, true);
    if (!opcode)
    {
        return;
    }
    auto& direction = m_directions.at(side);
    auto [entry, isNew] = direction.open.try_emplace(*opcode);
    auto& message = entry->second;
    if (isNew)
    {
        message.side = side;
        message.number = direction.messages++;
        message.opcode = *opcode;
        message.begin = now;
    }
    const auto payload = reader.Rest();
    message.end = now;
    message.length += payload.size();
    if (const auto* const tagged = std::get_if<DdpTaggedHeader>(&*header))
    {
        message.stag = tagged->stag;
    }
    else
    {
        message.stag = std::get<DdpUntaggedHeader>(*header).rsvdUlpWord;
        const auto room = WireMessage::MAX_KEPT - message.octets.size();
        const auto kept = payload.first(std::min(room, payload.size()));
        message.octets.insert(message.octets.end(), kept.begin(), kept.end());
    }
    if (last)
    {
        done.push_back(std::move(message));
        direction.open.erase(entry);
    }
}

} // namespace ns3::nfsrdma
