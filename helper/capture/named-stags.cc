/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/named-stags.h"

#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

NamedStags::NamedStags(const std::vector<MpaConversation>& all)
    : m_all(all)
{
    for (const MpaConversation& conversation : all)
    {
        for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
        {
            for (const CapturedFpdu& fpdu : conversation.GetDirection(side).fpdus)
            {
                if (fpdu.readRequest)
                {
                    m_searched.insert(fpdu.readRequest->sourceStag);
                }
                if (fpdu.header && std::holds_alternative<DdpTaggedHeader>(*fpdu.header))
                {
                    m_searched.insert(std::get<DdpTaggedHeader>(*fpdu.header).stag);
                }
                else if (fpdu.header)
                {
                    m_searched.insert(std::get<DdpUntaggedHeader>(*fpdu.header).rsvdUlpWord);
                }
            }
        }
    }
    Search(m_searched);
}

NamedStags::Naming
NamedStags::MakeNaming(const MpaConversation& conversation, std::size_t side, Stag stag)
{
    const TcpConversation& tcp = conversation.GetTcp();
    return {tcp.GetDirection(side).source.address, tcp.GetDirection(1 - side).source.address, stag};
}

bool
NamedStags::IsNamedElsewhere(const MpaConversation& conversation, std::size_t side, Stag stag) const
{
    if (m_searched.insert(stag).second)
    {
        Search({stag});
    }
    const auto found = m_places.find(MakeNaming(conversation, side, stag));
    return found != m_places.end() &&
           (found->second.first != &conversation || found->second.isElsewhereToo);
}

void
NamedStags::Search(const std::unordered_set<Stag>& wanted) const
{
    for (const MpaConversation& conversation : m_all)
    {
        for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
        {
            for (const CapturedFpdu& fpdu : conversation.GetDirection(side).fpdus)
            {
                if (fpdu.IsSend())
                {
                    SearchSend(fpdu.payload, wanted, conversation, side);
                }
            }
        }
    }
}

void
NamedStags::SearchSend(ByteSpan payload,
                       const std::unordered_set<Stag>& wanted,
                       const MpaConversation& conversation,
                       std::size_t side) const
{
    m_octetsSearched += payload.size();
    for (std::size_t at = 0; at + sizeof(Stag) <= payload.size(); ++at)
    {
        const Stag stag = boost::endian::load_big_u32(payload.data() + at);
        if (wanted.count(stag) == 0)
        {
            continue;
        }
        Place& place = m_places[MakeNaming(conversation, side, stag)];
        place.isElsewhereToo =
            place.isElsewhereToo || (place.first != nullptr && place.first != &conversation);
        place.first = place.first == nullptr ? &conversation : place.first;
    }
}

} // namespace ns3::nfsrdma
