/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "mpa/handshake.h"

#include <array>

namespace ns3::nfsrdma
{

namespace
{

using Outcome = MpaHandshake::Outcome;

constexpr std::size_t CONTROL_SIZE = 3;
constexpr std::size_t KEY_SIZE = 16;

MpaStartup::Policy
PolicyFrom(uint8_t first, uint8_t second)
{
    const std::array<const char*, 4> kinds{"Write Read", "", "Read Send Write", "Send"};
    return {static_cast<MpaConformance>((first & 3) % 3),
            static_cast<uint8_t>((first & 4) != 0 ? 1 : 2),
            (first & 8) != 0,
            (first & 16) != 0,
            (first & 32) != 0,
            (first & 64) != 0,
            (first & 128) != 0,
            *ParseReadyToReceiveKinds(kinds.at(second & 3)),
            static_cast<uint16_t>(second >> 2)};
}

void
CheckAgreement(const MpaStartup::Policy& policy, const MpaStartup::Agreement& agreement)
{
    const bool consortium = policy.conformance == MpaConformance::RDMA_CONSORTIUM;
    if (agreement.headerVersion == 0)
    {
        FuzzExpect(agreement.crc && agreement.sendMarkers && agreement.receiveMarkers);
        FuzzExpect(consortium || policy.conformance == MpaConformance::PERMISSIVE);
    }
    FuzzExpect(!consortium || agreement.headerVersion == 0);
    FuzzExpect(consortium || policy.markerSupport || !agreement.sendMarkers);
    FuzzExpect(agreement.rtr == ReadyToReceive::NONE ||
               (agreement.peerToPeer && Includes(policy.readyToReceive, agreement.rtr)));
}

/// \return the first outcome that is one, and how many octets were given until then.
std::pair<Outcome, std::size_t>
Feed(MpaHandshake& handshake, ByteSpan octets, std::size_t cut)
{
    std::size_t given = 0;
    while (given < octets.size())
    {
        const std::size_t size = std::min(cut, octets.size() - given);
        const Outcome outcome = handshake.Receive(octets.subspan(given, size));
        given += size;
        if (outcome != Outcome::INCOMPLETE)
        {
            return {outcome, given};
        }
    }
    return {Outcome::INCOMPLETE, given};
}

void
CheckInitiator(const MpaStartup::Policy& policy, ByteSpan octets, std::size_t cut)
{
    MpaHandshake whole;
    MpaHandshake inParts;
    const MpaStartupParameters local{1, 2, {3}};
    static_cast<void>(whole.StartInitiator(policy, local));
    static_cast<void>(inParts.StartInitiator(policy, local));
    const auto [atOnce, all] = Feed(whole, octets, octets.size());
    const auto [outcome, given] = Feed(inParts, octets, cut);
    FuzzExpect(atOnce == outcome);
    FuzzExpect(outcome != Outcome::REQUESTED && outcome != Outcome::REFUSED);
    if (outcome == Outcome::ESTABLISHED || outcome == Outcome::OBSTRUCTED)
    {
        CheckAgreement(policy, whole.GetAgreement());
        FuzzExpect(whole.GetRest().size() == inParts.GetRest().size() + all - given);
        FuzzExpect(whole.GetRest().size() + whole.GetPeerFrame()->EncodedSize() == octets.size());
        FuzzExpect(outcome == Outcome::ESTABLISHED || whole.GetError() > MpaError::INVALID_STARTUP);
    }
    if (outcome == Outcome::FAILED)
    {
        FuzzExpect(whole.GetError() == MpaError::INVALID_STARTUP);
    }
}

void
CheckResponder(const MpaStartup::Policy& policy, ByteSpan octets, std::size_t cut)
{
    MpaHandshake handshake;
    handshake.StartResponder(policy);
    const auto [outcome, given] = Feed(handshake, octets, cut);
    if (outcome == Outcome::REFUSED)
    {
        FuzzExpect(handshake.MakeRefusal().rejected);
    }
    if (outcome != Outcome::REQUESTED)
    {
        FuzzExpect(outcome == Outcome::REFUSED || outcome == Outcome::FAILED ||
                   outcome == Outcome::INCOMPLETE);
        return;
    }
    FuzzExpect(handshake.Reject({}).rejected);
    const ByteVector reply = handshake.Accept({1, 2, {3}}).Encode();
    CheckAgreement(policy, handshake.GetAgreement());
    FuzzExpect(MpaStartupFrame::Decode(reply, MpaStartupFrame::Kind::REPLY).has_value());
    if (given < octets.size())
    {
        FuzzExpect(handshake.Receive(octets.subspan(given)) == Outcome::FAILED);
    }
}

} // namespace

/// Two octets of policy, one of cutting; then what the peer sends, as it is and behind either key.
void
FuzzOne(ByteSpan input)
{
    if (input.size() <= CONTROL_SIZE)
    {
        return;
    }
    const auto policy = PolicyFrom(input[0], input[1]);
    const std::size_t cut = 1U + input[2];
    const ByteSpan octets = input.subspan(CONTROL_SIZE);
    CheckInitiator(policy, octets, cut);
    CheckResponder(policy, octets, cut);
    for (const auto kind : {MpaStartupFrame::Kind::REQUEST, MpaStartupFrame::Kind::REPLY})
    {
        MpaStartupFrame empty;
        empty.kind = kind;
        ByteVector frame = empty.Encode();
        frame.resize(KEY_SIZE);
        frame.insert(frame.end(), octets.begin(), octets.end());
        CheckInitiator(policy, frame, cut);
        CheckResponder(policy, frame, cut);
    }
}

} // namespace ns3::nfsrdma
