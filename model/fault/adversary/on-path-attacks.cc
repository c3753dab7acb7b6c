/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/attack-messages.h"
#include "fault/adversary/on-path-role.h"
#include "fault/segment-change.h"
#include "mpa/fpdu.h"
#include "rpc/message.h"
#include "rpc/tcp/record-marking.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <list>
#include <string>
#include <string_view>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t ESP_SEQUENCE = 4; ///< Offset in the header of ESP.
constexpr std::size_t ESP_HEADER = 8;
constexpr uint32_t ALL_OCTETS = 255;
constexpr uint32_t ALL_NUMBERS = 0xffffffff;

std::string
Describe(const char* deed, const FaultEvent& event)
{
    return std::string(deed).append(" ").append(ToString(event.kind));
}

/// Whether \p event brings data or a message of RPC, once for each.
bool
IsMessage(const FaultEvent& event)
{
    return event.kind == FaultEventKind::RPC_CALL || event.kind == FaultEventKind::RPC_REPLY ||
           event.kind == FaultEventKind::RDMA_WRITE || event.kind == FaultEventKind::READ_RESPONSE;
}

/// Reads calls, replies, and data that passes by RDMA. The attribute Probability has no say.
class OnPathReader : public OnPathRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<OnPathReader, OnPathRole>("OnPathReader");
        return tid;
    }

  protected:
    Fate MeetSegment(const Sight& sight, TcpSegment& segment) override
    {
        for (const auto& event : sight.content.events)
        {
            if (IsActive() && IsMessage(event))
            {
                Note(Describe("read", event), segment.source);
            }
        }
        return Fate::PASSES;
    }

    Fate MeetSealed(const LinkTap::Passage& /* passage */, ByteVector& /* packet */) override
    {
        return Fate::PASSES;
    }
};

/**
 * \brief Changes a bit of the data of an FPDU, and its CRC; of a record of RPC over TCP, any bit of
 * a segment that brings the end of one; of TLS, any bit of a segment; of ESP, any bit behind its
 * header.
 */
class OnPathAlterer : public OnPathRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<OnPathAlterer, OnPathRole>("OnPathAlterer");
        return tid;
    }

  protected:
    Fate MeetSegment(const Sight& sight, TcpSegment& segment) override
    {
        if (sight.content.isTls && Chooses())
        {
            const auto last = static_cast<uint32_t>(segment.payload.size() - 1);
            segment.payload[GetRandom().GetInteger(0, last)] ^= 1U;
            Note("altered TLS", segment.source);
            return Fate::CHANGED;
        }
        for (const auto& event : sight.content.events)
        {
            if (!IsMessage(event) || !Chooses())
            {
                continue;
            }
            FaultWhat what;
            what.beforeCrc = event.fpdu.has_value();
            what.field = event.fpdu ? FindFpduField("data") : nullptr;
            const auto* const fpdu = event.fpdu ? &sight.content.fpdus[*event.fpdu] : nullptr;
            const auto draw = [this](uint64_t bound) {
                return GetRandom().GetInteger(0, static_cast<uint32_t>(bound - 1));
            };
            if (CorruptSegment(segment, what, fpdu, draw) > 0)
            {
                Note(Describe("altered", event), segment.source);
                return Fate::CHANGED;
            }
        }
        return Fate::PASSES;
    }

    Fate MeetSealed(const LinkTap::Passage& /* passage */, ByteVector& packet) override
    {
        const auto begin = static_cast<uint32_t>(FindEsp(packet) + ESP_HEADER);
        if (packet.size() <= begin || !Chooses())
        {
            return Fate::PASSES;
        }
        const auto last = static_cast<uint32_t>(packet.size() - 1);
        packet[GetRandom().GetInteger(begin, last)] ^= 1U;
        Note("altered sealed packet", GetSender(packet));
        return Fate::CHANGED;
    }
};

/**
 * \brief Puts an RDMA Write of its own into the stream before a reply, to memory that the call
 * offered: the requester finds the adversary's octets where the responder's should be (RFC 5042
 * section 6.2.2). Into TLS it puts a record of its own. Of ESP it sends a packet of its own with
 * the SPI that it has seen and a later sequence number.
 */
class OnPathInjector : public OnPathRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<OnPathInjector, OnPathRole>("OnPathInjector",
                                                                     "Octets",
                                                                     &OnPathInjector::m_octets);
        return tid;
    }

  protected:
    Fate MeetSegment(const Sight& sight, TcpSegment& segment) override
    {
        Fate fate = Fate::PASSES;
        if (sight.content.isTls && sight.isInOrder && Chooses())
        {
            constexpr uint8_t APPLICATION_DATA = 23;
            constexpr uint8_t SIZE = 64;
            ByteVector forged{APPLICATION_DATA, 3, 3, 0, SIZE};
            forged.resize(forged.size() + SIZE, FORGED);
            sight.connection.directions[sight.side].splice.Insert(segment.sequence, forged);
            Note("injected TLS record", segment.source);
            return Fate::CHANGED;
        }
        for (const auto& event : sight.content.events)
        {
            if (event.kind != FaultEventKind::RPC_REPLY || !event.fpdu)
            {
                continue;
            }
            const auto offered = sight.connection.offered.find(*event.xid);
            if (offered == sight.connection.offered.end())
            {
                continue;
            }
            const auto& fpdu = sight.content.fpdus[*event.fpdu];
            if (sight.isInOrder && fpdu.begin >= 0 && !fpdu.framing.markers && Chooses())
            {
                const auto size = std::min<uint64_t>(m_octets, offered->second.length);
                const auto write = AttackMessages::MakeWrite(offered->second.handle,
                                                             offered->second.offset,
                                                             ByteVector(size, FORGED));
                sight.connection.directions[sight.side].splice.Insert(
                    segment.sequence + static_cast<uint32_t>(fpdu.begin),
                    Fpdu::Encode(write, fpdu.framing.crc));
                Note("injected rdma-write", segment.source);
                fate = Fate::CHANGED;
            }
            sight.connection.offered.erase(offered);
        }
        return fate;
    }

    Fate MeetSealed(const LinkTap::Passage& passage, ByteVector& packet) override
    {
        const std::size_t esp = FindEsp(packet);
        if (packet.size() <= esp + ESP_HEADER || !Chooses())
        {
            return Fate::PASSES;
        }
        ByteVector forged = packet;
        auto* const sequence = &forged[esp + ESP_SEQUENCE];
        boost::endian::store_big_u32(sequence, boost::endian::load_big_u32(sequence) + 1);
        for (std::size_t at = esp + ESP_HEADER; at < forged.size(); ++at)
        {
            forged[at] = static_cast<uint8_t>(GetRandom().GetInteger(0, ALL_OCTETS));
        }
        Send(passage, forged);
        Note("injected sealed packet", GetSender(packet));
        return Fate::PASSES;
    }

  private:
    static constexpr uint8_t FORGED = 0xee;

    uint64_t m_octets{0};
};

/// Sends a frame of TCP with payload, or of ESP, again after a time.
class OnPathReplayer : public OnPathRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<OnPathReplayer, OnPathRole>("OnPathReplayer",
                                                                     "Delay",
                                                                     &OnPathReplayer::m_delay);
        return tid;
    }

  protected:
    Fate MeetSegment(const Sight& sight, TcpSegment& segment) override
    {
        if (!segment.payload.empty() && Chooses())
        {
            Record(sight.passage, segment.Encode(Node::ChecksumEnabled()));
            Note("replayed segment", segment.source);
        }
        return Fate::PASSES;
    }

    Fate MeetSealed(const LinkTap::Passage& passage, ByteVector& packet) override
    {
        if (Chooses())
        {
            Record(passage, packet);
            Note("replayed sealed packet", GetSender(packet));
        }
        return Fate::PASSES;
    }

    void DoStop() override
    {
        for (auto& recording : m_recordings)
        {
            recording.due.Cancel();
        }
        m_recordings.clear();
    }

    void DoDispose() override
    {
        DoStop();
        OnPathRole::DoDispose();
    }

  private:
    struct Recording
    {
        LinkTap::Passage passage;
        ByteVector frame;
        EventId due;
    };

    void Record(const LinkTap::Passage& passage, ByteVector frame)
    {
        m_recordings.push_back({{passage.way, passage.port, Time(0)},
                                std::move(frame),
                                Simulator::Schedule(m_delay, &OnPathReplayer::Play, this)});
    }

    /// All wait for as long, so the first to be due was recorded first.
    void Play()
    {
        const Recording recording = std::move(m_recordings.front());
        m_recordings.pop_front();
        Send(recording.passage, recording.frame);
    }

    Time m_delay;
    std::list<Recording> m_recordings;
};

/**
 * \brief Resets a connection towards both its ends, in the name of the other, with the sequence
 * numbers that are expected (RFC 9293 section 3.10.7.4). Of ESP it does not see the ports: it
 * guesses them and the numbers, in clear.
 */
class OnPathResetter : public OnPathRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<OnPathResetter, OnPathRole>("OnPathResetter");
        return tid;
    }

  protected:
    Fate MeetSegment(const Sight& sight, TcpSegment& segment) override
    {
        const bool isData = segment.IsPlainData() && (segment.flags & TcpSegment::ACK) != 0;
        if (!isData || !sight.isInOrder || !Chooses())
        {
            return Fate::PASSES;
        }
        TcpSegment reset = segment;
        reset.flags = TcpSegment::RST;
        reset.acknowledgment = 0;
        reset.payload.clear();
        reset.options.clear();
        Send(sight.passage, reset.Encode(Node::ChecksumEnabled()));
        reset = Turn(reset);
        reset.sequence = segment.acknowledgment;
        Send(sight.passage.Reverse(), reset.Encode(Node::ChecksumEnabled()));
        Note("reset connection", segment.source);
        return Fate::PASSES;
    }

    Fate MeetSealed(const LinkTap::Passage& passage, ByteVector& packet) override
    {
        if (!Chooses())
        {
            return Fate::PASSES;
        }
        TcpSegment reset;
        std::copy_n(packet.begin(), reset.ethernet.size(), reset.ethernet.begin());
        reset.source = GetSender(packet);
        reset.destination = GetReceiver(packet);
        reset.flags = TcpSegment::RST;
        reset.sourcePort = static_cast<uint16_t>(GetRandom().GetInteger(LEAST_PORT, MOST_PORT));
        reset.destinationPort = NFS_RDMA_PORT;
        reset.sequence = GetRandom().GetInteger(0, ALL_NUMBERS);
        Send(passage, reset.Encode(Node::ChecksumEnabled()));
        Note("guessed reset", reset.source);
        return Fate::PASSES;
    }

  private:
    static constexpr uint32_t LEAST_PORT = 32768;
    static constexpr uint32_t MOST_PORT = 65535;
    static constexpr uint16_t NFS_RDMA_PORT = 20049;

    /// \return \p segment as from its receiver to its sender.
    static TcpSegment Turn(TcpSegment segment)
    {
        constexpr std::size_t ADDRESS = 6;
        auto& ethernet = segment.ethernet;
        std::swap_ranges(ethernet.begin(), ethernet.begin() + ADDRESS, ethernet.begin() + ADDRESS);
        std::swap(segment.source, segment.destination);
        std::swap(segment.sourcePort, segment.destinationPort);
        return segment;
    }
};

/// Keeps segments with payload, or packets of ESP.
class OnPathDropper : public OnPathRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<OnPathDropper, OnPathRole>("OnPathDropper");
        return tid;
    }

  protected:
    Fate MeetSegment(const Sight& /* sight */, TcpSegment& segment) override
    {
        if (segment.payload.empty() || !Chooses())
        {
            return Fate::PASSES;
        }
        Note("dropped segment", segment.source);
        return Fate::STOPPED;
    }

    Fate MeetSealed(const LinkTap::Passage& /* passage */, ByteVector& packet) override
    {
        if (!Chooses())
        {
            return Fate::PASSES;
        }
        Note("dropped sealed packet", GetSender(packet));
        return Fate::STOPPED;
    }
};

/// Turns a call that asks for TLS (AUTH_TLS, RFC 9289 section 4.1) into one without a credential,
/// which the server answers as any NULL call: the client learns of no TLS, and the server of no
/// request. Every such call is changed, whatever the attributes Probability and Count.
class OnPathTlsStripper : public OnPathRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<OnPathTlsStripper, OnPathRole>("OnPathTlsStripper");
        return tid;
    }

  protected:
    Fate MeetSegment(const Sight& sight, TcpSegment& segment) override
    {
        constexpr std::size_t TYPE = 8; ///< Behind the record's header and the XID.
        constexpr std::size_t PROCEDURE = 24;
        constexpr std::size_t FLAVOUR = 28;
        constexpr std::size_t CREDENTIAL_LENGTH = 32;
        constexpr uint32_t AUTH_TLS = 7;
        auto& octets = segment.payload;
        const auto word = [&octets](std::size_t at) {
            return boost::endian::load_big_u32(octets.data() + at);
        };
        const bool isProbe = sight.isInOrder && !sight.content.isTls &&
                             octets.size() >= CREDENTIAL_LENGTH && word(TYPE) == 0 &&
                             word(PROCEDURE) == 0 && word(FLAVOUR) == AUTH_TLS;
        if (!isProbe || !IsActive())
        {
            return Fate::PASSES;
        }
        boost::endian::store_big_u32(octets.data() + FLAVOUR, 0);
        Note("stripped AUTH_TLS", segment.source);
        return Fate::CHANGED;
    }

    Fate MeetSealed(const LinkTap::Passage& /* passage */, ByteVector& /* packet */) override
    {
        return Fate::PASSES;
    }
};

/// Puts a reply in clear before each one that says STARTTLS.
class OnPathClearInjector : public OnPathRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<OnPathClearInjector, OnPathRole>("OnPathClearInjector");
        return tid;
    }

  protected:
    Fate MeetSegment(const Sight& sight, TcpSegment& segment) override
    {
        constexpr std::size_t XID = 4; ///< Behind the record's header.
        constexpr std::size_t TYPE = 8;
        constexpr uint32_t REPLY = 1;
        constexpr std::size_t TOKEN = 24;
        constexpr std::string_view STARTTLS = "STARTTLS";
        const auto& octets = segment.payload;
        const bool isOffer = sight.isInOrder && octets.size() >= TOKEN + STARTTLS.size() &&
                             boost::endian::load_big_u32(octets.data() + TYPE) == REPLY &&
                             std::equal(STARTTLS.begin(), STARTTLS.end(), octets.begin() + TOKEN);
        if (!isOffer || !IsActive())
        {
            return Fate::PASSES;
        }
        RpcReplyHeader header;
        header.xid = boost::endian::load_big_u32(octets.data() + XID) - 1;
        XdrWriter writer;
        header.Encode(writer);
        sight.connection.directions[sight.side].splice.Insert(
            segment.sequence,
            MarkRecord(writer.Take(), RpcFragmentHeader::MAX_LENGTH));
        Note("injected reply in clear", segment.source);
        return Fate::CHANGED;
    }

    Fate MeetSealed(const LinkTap::Passage& /* passage */, ByteVector& /* packet */) override
    {
        return Fate::PASSES;
    }
};

NS_OBJECT_ENSURE_REGISTERED(OnPathClearInjector);
NS_OBJECT_ENSURE_REGISTERED(OnPathReader);
NS_OBJECT_ENSURE_REGISTERED(OnPathTlsStripper);
NS_OBJECT_ENSURE_REGISTERED(OnPathAlterer);
NS_OBJECT_ENSURE_REGISTERED(OnPathInjector);
NS_OBJECT_ENSURE_REGISTERED(OnPathReplayer);
NS_OBJECT_ENSURE_REGISTERED(OnPathResetter);
NS_OBJECT_ENSURE_REGISTERED(OnPathDropper);

} // namespace

} // namespace ns3::nfsrdma
