/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/malformed-segments.h"

#include "fault/adversary/attack-messages.h"
#include "mpa/marked-fpdu.h"
#include "rpcrdma/message/private-data.h"
#include "wire/crc32c.h"

#include "ns3/enum.h"
#include "ns3/simulator.h"

#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MalformedSegments);

namespace
{

constexpr uint32_t UNKNOWN_QUEUE_NUMBER = 9;
constexpr uint32_t MSN_AHEAD = 5000;
/// Message of queue 0 after the Call.
constexpr uint32_t NEXT = 2;
constexpr uint32_t PAYLOAD_SIZE = 32;
constexpr uint32_t TERMINATES = 8;
constexpr uint8_t ELSEWHERE = 8;

const char*
GetKindName(MalformedSegments::Kind kind)
{
    switch (kind)
    {
    case MalformedSegments::BAD_CRC:
        return "bad-crc";
    case MalformedSegments::BAD_MARKER:
        return "bad-marker";
    case MalformedSegments::LONG_ULPDU:
        return "long-ulpdu";
    case MalformedSegments::UNKNOWN_QUEUE:
        return "unknown-queue";
    case MalformedSegments::MSN_GAP:
        return "msn-gap";
    case MalformedSegments::MO_OVERLAP:
        return "mo-overlap";
    default:
        return "terminate-storm";
    }
}

class MalformedStream : public RawMpaStream
{
  public:
    MalformedStream(MalformedSegments& role, MalformedSegments::Kind kind, uint32_t xid)
        : m_role(role),
          m_kind(kind),
          m_xid(xid)
    {
    }

    ~MalformedStream() override
    {
        m_hold.Cancel();
    }

    MalformedStream(const MalformedStream&) = delete;
    MalformedStream& operator=(const MalformedStream&) = delete;

  protected:
    void HandleOperational() override
    {
        m_hold = Simulator::Schedule(m_role.GetHoldTime(), &MalformedStream::GiveUp, this);
        SendUlpdu(AttackMessages::MakeSend(1, AttackMessages::MakeNullMessage(m_xid)));
    }

    /// From now on the peer may send a Terminate (RFC 5044 section 7.1.2 rule 4).
    void HandleSegment(const Segment& /* segment */) override
    {
        if (!m_sent)
        {
            m_sent = true;
            m_role.Note(GetKindName(m_kind));
            SendMalformed();
        }
    }

    void HandleTerminate(TerminateReason reason) override
    {
        m_role.Note("told " + reason.ToString());
    }

    void HandleEnd() override
    {
        m_hold.Cancel();
        m_role.Retire();
    }

  private:
    void GiveUp()
    {
        Abort();
    }

    void SendMalformed()
    {
        switch (m_kind)
        {
        case MalformedSegments::BAD_CRC:
            SendBadCrc();
            break;
        case MalformedSegments::BAD_MARKER:
            SendBadMarker();
            break;
        case MalformedSegments::LONG_ULPDU:
            SendRaw(ByteVector{0xff, 0xff, 0x40, 0x43});
            break;
        case MalformedSegments::UNKNOWN_QUEUE:
            SendUlpdu(
                AttackMessages::MakeUntagged(MakeHeader(UNKNOWN_QUEUE_NUMBER, 1, 0), m_payload));
            break;
        case MalformedSegments::MSN_GAP:
            SendUlpdu(
                AttackMessages::MakeUntagged(MakeHeader(AttackMessages::SEND_QUEUE, MSN_AHEAD, 0),
                                             m_payload));
            break;
        case MalformedSegments::MO_OVERLAP:
            SendOverlap();
            break;
        default:
            for (uint32_t i = 0; i < TERMINATES; ++i)
            {
                SendUlpdu(AttackMessages::MakeTerminate(
                    TerminateReason::From(RdmapError::OPERATION_CATASTROPHIC_STREAM)));
            }
            break;
        }
    }

    [[nodiscard]] static DdpUntaggedHeader MakeHeader(uint32_t queue, uint32_t msn, uint32_t offset)
    {
        DdpUntaggedHeader header;
        header.last = true;
        header.rsvdUlp = EncodeRdmapControl(RdmapOpcode::SEND);
        header.queueNumber = queue;
        header.messageSequenceNumber = msn;
        header.messageOffset = offset;
        return header;
    }

    [[nodiscard]] ByteVector MakeFpdu(ByteSpan payload) const
    {
        const ByteVector ulpdu = AttackMessages::MakeSend(NEXT, payload);
        return GetFraming().markers ? MarkedFpdu::Encode(ulpdu, GetPosition(), GetFraming().crc)
                                    : Fpdu::Encode(ulpdu, GetFraming().crc);
    }

    void SendBadCrc()
    {
        ByteVector fpdu = MakeFpdu(m_payload);
        fpdu.back() ^= 1;
        SendRaw(fpdu);
    }

    /// One that points elsewhere, under a CRC that is right; where none was asked for, one all the
    /// same.
    void SendBadMarker()
    {
        ByteVector octets(Marker::SIZE);
        if (GetFraming().markers)
        {
            octets = MakeFpdu(ByteVector(Marker::INTERVAL));
            const std::size_t at = Marker::NextPosition(GetPosition()) - GetPosition();
            octets.at(at + Marker::SIZE - 1) ^= ELSEWHERE;
            const std::size_t crcStart = octets.size() - Fpdu::CRC_SIZE;
            if (GetFraming().crc)
            {
                boost::endian::store_little_u32(octets.data() + crcStart,
                                                Crc32c(ByteSpan(octets).first(crcStart)));
            }
        }
        SendRaw(octets);
    }

    void SendOverlap()
    {
        DdpUntaggedHeader first = MakeHeader(AttackMessages::SEND_QUEUE, NEXT, 0);
        first.last = false;
        SendUlpdu(AttackMessages::MakeUntagged(first, m_payload));
        SendUlpdu(AttackMessages::MakeUntagged(
            MakeHeader(AttackMessages::SEND_QUEUE, NEXT, PAYLOAD_SIZE / 2),
            m_payload));
    }

    MalformedSegments& m_role;
    MalformedSegments::Kind m_kind;
    uint32_t m_xid;
    bool m_sent{false};
    ByteVector m_payload = ByteVector(PAYLOAD_SIZE, 0xa5);
    EventId m_hold;
};

} // namespace

TypeId
MalformedSegments::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MalformedSegments")
            .SetParent<ConnectionAttackRole>()
            .SetGroupName("NfsRdma")
            .AddConstructor<MalformedSegments>()
            .AddAttribute("Kind",
                          "What is wrong: bad-crc, bad-marker, long-ulpdu, unknown-queue, msn-gap, "
                          "mo-overlap, terminate-storm, or all in turn. Default: all.",
                          EnumValue(ALL),
                          MakeEnumAccessor(&MalformedSegments::m_kind),
                          MakeEnumChecker(BAD_CRC,
                                          "bad-crc",
                                          BAD_MARKER,
                                          "bad-marker",
                                          LONG_ULPDU,
                                          "long-ulpdu",
                                          UNKNOWN_QUEUE,
                                          "unknown-queue",
                                          MSN_GAP,
                                          "msn-gap",
                                          MO_OVERLAP,
                                          "mo-overlap",
                                          TERMINATE_STORM,
                                          "terminate-storm",
                                          ALL,
                                          "all"))
            .AddAttribute("HoldTime",
                          "Time after which a connection that the peer has not ended is reset "
                          "(Time). Default: 1 ms.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&MalformedSegments::m_holdTime),
                          MakeTimeChecker(Time(0)));
    return tid;
}

std::unique_ptr<RawStream>
MalformedSegments::MakeAttempt(uint64_t number)
{
    const int kind = m_kind == ALL ? static_cast<int>(number % ALL) : m_kind;
    auto stream = std::make_unique<MalformedStream>(*this,
                                                    static_cast<MalformedSegments::Kind>(kind),
                                                    static_cast<uint32_t>(number + 1));
    Start(*stream, RpcRdmaPrivateData{}.Encode(), kind == BAD_CRC);
    return stream;
}

} // namespace ns3::nfsrdma
