/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/conversation-replay.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t NEVER = std::numeric_limits<std::size_t>::max();

const CapturedFpdu*
FindTerminate(const MpaDirection& direction)
{
    const auto found = std::find_if(direction.fpdus.begin(),
                                    direction.fpdus.end(),
                                    [](const auto& fpdu) { return fpdu.terminate.has_value(); });
    return found == direction.fpdus.end() ? nullptr : &*found;
}

std::size_t
FindEnd(const std::vector<TcpEvent>& events, std::size_t side)
{
    const auto found = std::find_if(events.begin(), events.end(), [side](const auto& event) {
        return event.side == side && event.kind != TcpEvent::Kind::OCTETS;
    });
    return found == events.end() ? NEVER : static_cast<std::size_t>(found - events.begin());
}

} // namespace

std::string
ReplayVerdict::Describe() const
{
    if (obstacle != nullptr)
    {
        return std::string("not played: ") + obstacle;
    }
    std::string text = outcome.operational ? "operational, " : "";
    text += ToString(outcome.ending);
    if (outcome.fault)
    {
        text += ": " + outcome.fault->reason.ToString();
    }
    return text;
}

ConversationReplay::ConversationReplay(const MpaConversation& conversation, const NamedStags& named)
    : m_conversation(conversation),
      m_initiator(conversation.IsMpa() ? conversation.GetInitiator() : 0)
{
    for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
    {
        auto played = std::make_unique<ReplaySide>(conversation, side, side == m_initiator);
        played->SetElsewhere([&conversation, &named, side](Stag stag) {
            return named.IsNamedElsewhere(conversation, side, stag);
        });
        m_verdicts[side].obstacle = played->GetObstacle();
        m_sides[side] = m_verdicts[side].obstacle == nullptr ? std::move(played) : nullptr;
    }
}

void
ConversationReplay::Run()
{
    const auto& events = m_conversation.GetTcp().GetEvents();
    if (!events.empty())
    {
        for (const auto& side : m_sides)
        {
            if (side)
            {
                side->Start();
            }
        }
        for (std::size_t index = 0; index < events.size(); ++index)
        {
            const int64_t after = std::max<int64_t>(0, events[index].time - events[0].time);
            Simulator::Schedule(NanoSeconds(after), &ConversationReplay::HandleEvent, this, index);
        }
        const int64_t last = std::max<int64_t>(0, events.back().time - events[0].time);
        Simulator::Stop(NanoSeconds(last + 1));
        Simulator::Run();
    }
    for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
    {
        if (m_sides[side])
        {
            m_verdicts[side].outcome = m_sides[side]->GetOutcome();
            Judge(side);
        }
    }
    CompareAgreements();
    m_sides = {};
    Simulator::Destroy();
}

void
ConversationReplay::HandleEvent(std::size_t index)
{
    const TcpEvent& event = m_conversation.GetTcp().GetEvents()[index];
    ReplaySide* sender = m_sides[event.side].get();
    ReplaySide* receiver = m_sides[1 - event.side].get();
    const MpaDirection& direction = m_conversation.GetDirection(event.side);
    if (event.kind != TcpEvent::Kind::OCTETS)
    {
        if (sender != nullptr)
        {
            sender->SentEnd();
        }
        if (receiver != nullptr)
        {
            receiver->ReceiveEnd(event.kind == TcpEvent::Kind::FIN ? StreamEnd::GRACEFUL
                                                                   : StreamEnd::RESET);
        }
        return;
    }
    if (sender != nullptr && direction.startup && direction.startupEvent == index)
    {
        sender->SentStartup();
    }
    std::size_t& next = m_nextFpdu[event.side];
    for (; next < direction.fpdus.size() && direction.fpdus[next].event <= index; ++next)
    {
        if (sender != nullptr)
        {
            sender->SentFpdu(direction.fpdus[next]);
        }
    }
    if (receiver != nullptr)
    {
        const ByteSpan octets(m_conversation.GetTcp().GetDirection(event.side).octets);
        receiver->Receive(octets.subspan(event.offset, event.length));
    }
}

void
ConversationReplay::Judge(std::size_t side)
{
    m_verdicts[side].captured = FindCapturedEnding(side);
    CompareStartup(side);
    CompareEnding(side);
    CompareTerminate(side);
    CompareDelivery(side);
}

ReplayEnding
ConversationReplay::FindCapturedEnding(std::size_t side) const
{
    const auto& events = m_conversation.GetTcp().GetEvents();
    const MpaDirection& own = m_conversation.GetDirection(side);
    const MpaDirection& peer = m_conversation.GetDirection(1 - side);
    const CapturedFpdu* sent = FindTerminate(own);
    const CapturedFpdu* received = FindTerminate(peer);
    const std::size_t peerEnd = FindEnd(events, 1 - side);
    const auto reply = m_conversation.GetReply();
    const bool rejected = reply != nullptr && reply->rejected;

    std::size_t first = NEVER;
    auto ending = ReplayEnding::OPEN;
    const auto consider = [&](std::size_t index, ReplayEnding candidate) {
        if (index < first)
        {
            first = index;
            ending = candidate;
        }
    };
    if (rejected)
    {
        consider(side == m_initiator ? peer.startupEvent : own.startupEvent,
                 side == m_initiator ? ReplayEnding::REJECTED : ReplayEnding::REFUSED);
    }
    consider(sent == nullptr ? NEVER : sent->event, ReplayEnding::TERMINATE_SENT);
    consider(received == nullptr ? NEVER : received->event, ReplayEnding::TERMINATE_RECEIVED);
    consider(FindEnd(events, side), ReplayEnding::CLOSED);
    consider(peerEnd,
             peerEnd != NEVER && events[peerEnd].kind == TcpEvent::Kind::FIN
                 ? ReplayEnding::PEER_CLOSED
                 : ReplayEnding::PEER_RESET);
    return ending;
}

void
ConversationReplay::CompareStartup(std::size_t side)
{
    ReplayVerdict& verdict = m_verdicts[side];
    const MpaDirection& captured = m_conversation.GetDirection(side);
    const MpaStartupFrame* request = m_conversation.GetRequest();
    const MpaStartupFrame* reply = m_conversation.GetReply();
    const bool responder = side != m_initiator;
    if (responder && request != nullptr && request->revision == 0 && reply != nullptr &&
        !verdict.outcome.operational)
    {
        verdict.explained.insert(SiwDifference::REVISION_0);
        return;
    }
    const bool reached = reply != nullptr && !reply->rejected;
    if (verdict.outcome.operational != reached)
    {
        verdict.unexplained.emplace_back(reached ? "full operation is not reached"
                                                 : "full operation is reached");
    }
    const ByteVector& model = verdict.outcome.startupFrame;
    if (model.empty() || !captured.startup)
    {
        if (model.empty() == captured.startup.has_value())
        {
            verdict.unexplained.emplace_back(model.empty() ? "no startup frame is sent"
                                                           : "a startup frame is sent");
        }
        return;
    }
    if (captured.startupReservedFlags != 0)
    {
        verdict.explained.insert(SiwDifference::RESERVED_FLAGS);
    }
    if (captured.startup->Encode() != model)
    {
        verdict.unexplained.emplace_back("the startup frame has other octets");
    }
}

void
ConversationReplay::CompareEnding(std::size_t side)
{
    ReplayVerdict& verdict = m_verdicts[side];
    const ReplayEnding model = verdict.outcome.ending;
    const ReplayEnding captured = verdict.captured;
    if (model == captured)
    {
        return;
    }
    if (model == ReplayEnding::REFUSED && captured == ReplayEnding::CLOSED &&
        !verdict.outcome.operational)
    {
        return;
    }
    if (verdict.explained.count(SiwDifference::REVISION_0) != 0)
    {
        return;
    }
    if (model == ReplayEnding::TERMINATE_SENT &&
        verdict.outcome.faultOpcode == RdmapOpcode::READ_RESPONSE &&
        verdict.outcome.fault->reason ==
            TerminateReason::From(RdmapError::OPERATION_UNEXPECTED_OPCODE) &&
        (captured == ReplayEnding::PEER_CLOSED || captured == ReplayEnding::OPEN))
    {
        verdict.explained.insert(SiwDifference::UNASKED_READ_RESPONSE);
        return;
    }
    verdict.unexplained.push_back(std::string("it ends '") + ToString(model) +
                                  "', in the capture '" + ToString(captured) + "'");
}

void
ConversationReplay::CompareTerminate(std::size_t side)
{
    ReplayVerdict& verdict = m_verdicts[side];
    const CapturedFpdu* sent = FindTerminate(m_conversation.GetDirection(side));
    if (!verdict.outcome.fault || sent == nullptr)
    {
        return; // One without the other shows in the ending.
    }
    if (verdict.outcome.consumerFault)
    {
        verdict.explained.insert(SiwDifference::CONSUMER_TERMINATES);
        return;
    }
    if (!verdict.outcome.spokeUp)
    {
        verdict.explained.insert(SiwDifference::TERMINATE_SPEAKS_FIRST);
    }
    const ByteVector captured(sent->payload.begin(), sent->payload.end());
    if (CapturedTerminate::Encode(*verdict.outcome.fault, TerminateBitOrder::RFC5040) == captured)
    {
        return;
    }
    std::set<SiwDifference> applied;
    if (EncodeTerminateAsSiw(*verdict.outcome.fault, verdict.outcome.faultOpcode, applied) ==
        captured)
    {
        verdict.explained.insert(applied.begin(), applied.end());
        return;
    }
    verdict.unexplained.push_back("the Terminate says " + verdict.outcome.fault->reason.ToString() +
                                  ", in the capture " + sent->terminate->ToString());
}

void
ConversationReplay::CompareDelivery(std::size_t side)
{
    ReplayVerdict& verdict = m_verdicts[side];
    if (verdict.outcome.ending == ReplayEnding::TERMINATE_SENT)
    {
        return;
    }
    const auto& events = m_conversation.GetTcp().GetEvents();
    const std::size_t end = FindEnd(events, side);
    uint64_t sends = 0;
    bool mayBeReadyToReceive =
        side != m_initiator && verdict.outcome.agreement.rtr != ReadyToReceive::NONE;
    for (const CapturedFpdu& fpdu : m_conversation.GetDirection(1 - side).fpdus)
    {
        const bool readyToReceive = std::exchange(mayBeReadyToReceive, false);
        sends += fpdu.event < end && fpdu.last && fpdu.IsSend() && !readyToReceive ? 1 : 0;
    }
    if (sends != verdict.outcome.sends)
    {
        verdict.unexplained.push_back(std::to_string(verdict.outcome.sends) +
                                      " Sends are delivered, in the capture " +
                                      std::to_string(sends));
    }
}

void
ConversationReplay::CompareAgreements()
{
    const ReplayOutcome& initiator = m_verdicts[m_initiator].outcome;
    const ReplayOutcome& responder = m_verdicts[1 - m_initiator].outcome;
    if (!initiator.operational || !responder.operational)
    {
        return;
    }
    const MpaStartup::Agreement& a = initiator.agreement;
    const MpaStartup::Agreement& b = responder.agreement;
    auto& unexplained = m_verdicts[m_initiator].unexplained;
    if (a.crc != b.crc || a.crc != m_conversation.GetDirection(0).framing.crc)
    {
        unexplained.emplace_back("the sides do not agree on CRCs");
    }
    if (a.sendMarkers != b.receiveMarkers || a.receiveMarkers != b.sendMarkers)
    {
        unexplained.emplace_back("the sides do not agree on markers");
    }
    if (a.peerToPeer != b.peerToPeer)
    {
        unexplained.emplace_back("the sides do not agree on the peer-to-peer model");
    }
    const bool negotiated =
        m_conversation.GetRequest()->enhanced && m_conversation.GetReply()->enhanced;
    if (negotiated && (a.ord > b.ird || b.ord > a.ird))
    {
        unexplained.emplace_back("the sides do not agree on read depths");
    }
}

} // namespace ns3::nfsrdma
