/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/settings.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MpaSettings);

TypeId
MpaSettings::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MpaSettings")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<MpaSettings>()
            .AddAttribute("Revision",
                          "Highest MPA revision spoken: 1 (RFC 5044) or 2 (RFC 6581). Default: "
                          "Linux siw.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&MpaSettings::m_revision),
                          MakeUintegerChecker<uint8_t>(1, 2))
            .AddAttribute("RevisionFallback",
                          "Connect again with revision 1 when a peer closes on a Request of "
                          "revision 2, as cxgb4 does. Default: Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MpaSettings::m_revisionFallback),
                          MakeBooleanChecker())
            .AddAttribute("Conformance",
                          "Specifications spoken (RFC 5044 appendix C): rdma-consortium is MPA "
                          "revision 0 with markers, CRCs and headers of version 0; permissive "
                          "falls back to that with such a peer. Default: Linux siw.",
                          EnumValue(static_cast<int>(MpaConformance::NON_PERMISSIVE)),
                          MakeEnumAccessor(&MpaSettings::m_conformance),
                          MakeEnumChecker(static_cast<int>(MpaConformance::RDMA_CONSORTIUM),
                                          "rdma-consortium",
                                          static_cast<int>(MpaConformance::NON_PERMISSIVE),
                                          "non-permissive",
                                          static_cast<int>(MpaConformance::PERMISSIVE),
                                          "permissive"))
            .AddAttribute("Crc",
                          "Ask for CRCs. They are used in both directions when either side asks. "
                          "Default: RFC 5044 section 4.4 (2a); Linux siw does not ask.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MpaSettings::m_crc),
                          MakeBooleanChecker())
            .AddAttribute("ResponderCrc",
                          "As responder, turn CRCs on also when only this side asks. Default: RFC "
                          "5044 section 7.1.1; Linux siw does not.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MpaSettings::m_responderCrc),
                          MakeBooleanChecker())
            .AddAttribute("Markers",
                          "Ask the peer for markers in what it sends. Default: Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MpaSettings::m_markers),
                          MakeBooleanChecker())
            .AddAttribute("MarkerSupport",
                          "Send markers to a peer that asks for them; else its Request is rejected "
                          "and its Reply closes the connection. Default: RFC 5044 section 4.3; "
                          "Linux siw has none.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MpaSettings::m_markerSupport),
                          MakeBooleanChecker())
            .AddAttribute("PeerToPeer",
                          "As initiator of revision 2, ask for the peer-to-peer model: an FPDU of "
                          "no content goes first so that the responder may send at once. Default: "
                          "Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MpaSettings::m_peerToPeer),
                          MakeBooleanChecker())
            .AddAttribute("ReadyToReceive",
                          "Kinds of that first FPDU to offer as initiator and to accept as "
                          "responder, the preferred one first, of Send, Write and Read. Default: "
                          "Linux siw.",
                          StringValue("Write Read"),
                          MakeStringAccessor(&MpaSettings::SetReadyToReceive,
                                             &MpaSettings::GetReadyToReceive),
                          MakeStringChecker())
            .AddAttribute("MaxIrd",
                          "Inbound RDMA Reads (count) to which a peer's wish may raise this "
                          "side's IRD; a device has its own. Default: Linux siw.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&MpaSettings::m_maxIrd),
                          MakeUintegerChecker<uint16_t>(0, MpaEnhancedBlock::NO_NEGOTIATION - 1))
            .AddAttribute("EmssMultiple",
                          "EMSS is rounded down to a multiple of this before MULPDU is computed "
                          "(octets). Default: RFC 5044 section 5.1; Linux siw has 8.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&MpaSettings::m_emssMultiple),
                          MakeUintegerChecker<uint32_t>(1, 128))
            .AddAttribute(
                "ReplyTimeout",
                "Time the initiator waits for the Reply (s; 0: for ever). Default: Linux siw.",
                TimeValue(Seconds(10)),
                MakeTimeAccessor(&MpaSettings::m_replyTimeout),
                MakeTimeChecker(Time(0)))
            .AddAttribute("RequestTimeout",
                          "Time the responder waits for the whole Request (s; 0: for ever). "
                          "Default: Linux siw.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&MpaSettings::m_requestTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("OutOfOrderPlacement",
                          "Have FPDUs that are whole and valid behind a gap placed at once. "
                          "Default: off, as Linux siw, which is layered on plain TCP.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MpaSettings::SetOutOfOrderPlacement,
                                              &MpaSettings::GetOutOfOrderPlacement),
                          MakeBooleanChecker())
            .AddAttribute(
                "PlaceByAlignment",
                "With OutOfOrderPlacement, CRCs and no markers: place an FPDU behind a gap "
                "also when all that tells where it begins is that a segment does. RFC 5044 "
                "section 6 names no such rule. Default: off.",
                BooleanValue(false),
                MakeBooleanAccessor(&MpaSettings::SetPlaceByAlignment,
                                    &MpaSettings::GetPlaceByAlignment),
                MakeBooleanChecker())
            .AddAttribute("DropBadSegments",
                          "Have TCP drop, before it acknowledges, a segment that wholly contains "
                          "an FPDU with a wrong CRC or marker (RFC 5044 section 8). Default: off, "
                          "as Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MpaSettings::SetDropBadSegments,
                                              &MpaSettings::GetDropBadSegments),
                          MakeBooleanChecker())
            .AddAttribute("ReassemblyLimit",
                          "With OutOfOrderPlacement or DropBadSegments: octets that may be held "
                          "until they form an FPDU; a segment out of order that would exceed it "
                          "is dropped. One segment, and 140 octets (RFC 5044 appendix A.5.2), are "
                          "always held. Default: above the receive window of TCP.",
                          UintegerValue(1U << 30),
                          MakeUintegerAccessor(&MpaSettings::SetReassemblyLimit,
                                               &MpaSettings::GetReassemblyLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("CountReassembly",
                          "Keep ReassemblyOctets also without OutOfOrderPlacement and "
                          "DropBadSegments. Default: off, for speed.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MpaSettings::SetCountReassembly,
                                              &MpaSettings::CountsReassembly),
                          MakeBooleanChecker());
    return tid;
}

MpaStartup::Policy
MpaSettings::GetPolicy() const
{
    MpaStartup::Policy policy;
    policy.conformance = static_cast<MpaConformance>(m_conformance);
    policy.revision = m_revision;
    policy.crc = m_crc;
    policy.responderCrc = m_responderCrc;
    policy.markers = m_markers;
    policy.markerSupport = m_markerSupport;
    policy.peerToPeer = m_peerToPeer;
    policy.readyToReceive = m_readyToReceive;
    policy.maxIrd = m_maxIrd;
    return policy;
}

Ptr<MpaSettings>
MpaSettings::CopyWithRevision1() const
{
    auto copy = CopyObject(Ptr<const MpaSettings>(this));
    copy->m_revision = 1;
    return copy;
}

void
MpaSettings::SetReadyToReceive(const std::string& kinds)
{
    const auto parsed = ParseReadyToReceiveKinds(kinds);
    NS_ABORT_MSG_UNLESS(parsed, "not a list of Send, Write and Read: " << kinds);
    m_readyToReceive = *parsed;
}

std::string
MpaSettings::GetReadyToReceive() const
{
    return ToString(m_readyToReceive);
}

} // namespace ns3::nfsrdma
