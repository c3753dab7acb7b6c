/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/attack-messages.h"
#include "fault/adversary/connection-attack.h"
#include "mpa/marked-fpdu.h"
#include "rpcrdma/message/private-data.h"
#include "wire/crc32c.h"

#include "ns3/simulator.h"

#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t UNKNOWN_QUEUE_NUMBER = 9;
constexpr uint32_t MSN_AHEAD = 5000;
/// Message of queue 0 after the Call.
constexpr uint32_t NEXT = 2;
constexpr uint32_t PAYLOAD_SIZE = 32;
constexpr uint32_t TERMINATES = 8;
constexpr uint8_t ELSEWHERE = 8;

/// By Kind, ALL included.
const std::vector<const char*> KIND_NAMES{"bad-crc",
                                          "bad-marker",
                                          "long-ulpdu",
                                          "unknown-queue",
                                          "msn-gap",
                                          "mo-overlap",
                                          "terminate-storm",
                                          "all"};

class MalformedStream : public RawMpaStream
{
  public:
    /// What is wrong.
    enum Kind
    {
        BAD_CRC,         ///< The CRC of every FPDU is wrong; asks for CRCs at startup.
        BAD_MARKER,      ///< A marker that points elsewhere, or one that nobody asked for.
        LONG_ULPDU,      ///< ULPDU_Length says 65535, and little follows.
        UNKNOWN_QUEUE,   ///< An untagged message for queue 9.
        MSN_GAP,         ///< Message 5000 of queue 0 before the others.
        MO_OVERLAP,      ///< A second segment that begins inside the first.
        TERMINATE_STORM, ///< Terminate, again and again.
        ALL              ///< Each in its turn.
    };

    MalformedStream(ConnectionAttackRole& role, Kind kind, Time holdTime, uint32_t xid)
        : m_role(role),
          m_kind(kind),
          m_holdTime(holdTime),
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
        m_hold = Simulator::Schedule(m_holdTime, [this] { Abort(); });
        SendUlpdu(AttackMessages::MakeSend(1, AttackMessages::MakeNullMessage(m_xid)));
    }

    /// From now on the peer may send a Terminate (RFC 5044 section 7.1.2 rule 4).
    void HandleSegment(const Segment& /* segment */) override
    {
        if (!m_sent)
        {
            m_sent = true;
            m_role.Note(KIND_NAMES.at(m_kind));
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
    void SendMalformed()
    {
        switch (m_kind)
        {
        case BAD_CRC:
            SendBadCrc();
            break;
        case BAD_MARKER:
            SendBadMarker();
            break;
        case LONG_ULPDU:
            SendRaw(ByteVector{0xff, 0xff, 0x40, 0x43});
            break;
        case UNKNOWN_QUEUE:
            SendUlpdu(
                AttackMessages::MakeUntagged(MakeHeader(UNKNOWN_QUEUE_NUMBER, 1, 0), m_payload));
            break;
        case MSN_GAP:
            SendUlpdu(
                AttackMessages::MakeUntagged(MakeHeader(AttackMessages::SEND_QUEUE, MSN_AHEAD, 0),
                                             m_payload));
            break;
        case MO_OVERLAP:
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

    ConnectionAttackRole& m_role;
    Kind m_kind;
    Time m_holdTime;
    uint32_t m_xid;
    bool m_sent{false};
    ByteVector m_payload = ByteVector(PAYLOAD_SIZE, 0xa5);
    EventId m_hold;
};

/**
 * \brief Connects and makes a Call as a good client does, then sends what breaks a rule of MPA or
 * DDP; the peer's Terminate says which it saw.
 *
 * Notes each malformed thing sent ("bad-crc", ...), and each Terminate received ("told 2/0/02
 * ..."). What the peer does not end is reset after HoldTime.
 */
class MalformedSegments : public ConnectionAttackRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeRoleType<MalformedSegments, ConnectionAttackRole>("MalformedSegments",
                                                                  "Kind",
                                                                  &MalformedSegments::m_kind,
                                                                  "HoldTime",
                                                                  &MalformedSegments::m_holdTime);
        return tid;
    }

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t number) override
    {
        const int kind = m_kind == MalformedStream::ALL
                             ? static_cast<int>(number % MalformedStream::ALL)
                             : m_kind;
        auto stream = std::make_unique<MalformedStream>(*this,
                                                        static_cast<MalformedStream::Kind>(kind),
                                                        m_holdTime,
                                                        static_cast<uint32_t>(number + 1));
        Start(*stream, RpcRdmaPrivateData{}.Encode(), kind == MalformedStream::BAD_CRC);
        return stream;
    }

  private:
    int m_kind{MalformedStream::ALL};
    Time m_holdTime;
};

NS_OBJECT_ENSURE_REGISTERED(MalformedSegments);

} // namespace

} // namespace ns3::nfsrdma
