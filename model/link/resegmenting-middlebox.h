/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_RESEGMENTING_MIDDLEBOX_H
#define NFSRDMA_LINK_RESEGMENTING_MIDDLEBOX_H

#include "link/ethernet-net-device.h"
#include "link/impairment.h"
#include "link/segment-run.h"

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief A box in a link that changes how TCP streams are cut into segments, as proxies,
 * firewalls and offload engines do: RFC 5044 appendix A.4.
 *
 *     host --- port 0 [ MTU ] -> [ re-segmentation ] -> [ impairment ] -> port 1 --- switch
 *
 * and the same the other way. It has no address of its own. What is neither cut, merged, impaired
 * nor too large goes through octet for octet.
 *
 * Re-segmentation changes plain data only: segments with payload and without FIN, SYN, RST or URG.
 * Anything else of the same direction of a connection first lets out what is held of it, and so
 * does a gap, a retransmission, or a change of TCP options, so octets leave in the order they came.
 * The headers of new segments are those that SegmentRun describes; checksums are computed when
 * ns-3's ChecksumEnabled is bound to true, else left zero as ns-3 leaves them.
 *
 * Startup frames of MPA must be whole in a segment for a capture to be understood; SpareFirstOctets
 * leaves the segments that begin within the first octets of each direction as they are.
 *
 * Mtu makes the box the narrow place of a path. Larger IPv4 packets are fragmented when their DF
 * bit is clear, as a router does (RFC 791). With DF set, and over IPv6, they are dropped and their
 * sender is told (RFC 1191, RFC 8201), unless BlackHole is set.
 *
 * Aggregate it to the node that has the two ports to keep it alive.
 */
class ResegmentingMiddlebox : public Object
{
  public:
    /// What is done to the segments of a stream.
    enum Mode
    {
        NONE,  ///< Nothing.
        SPLIT, ///< Each becomes several.
        MERGE, ///< Whole ones are put together.
        RECUT  ///< The stream is cut at random places.
    };

    /// What has passed through, both directions.
    struct Counters
    {
        uint64_t frames{0};      ///< Came in.
        uint64_t segmentsIn{0};  ///< Segments of plain data that came in; only unless Mode is NONE.
        uint64_t segmentsOut{0}; ///< And went out, before impairment.
        uint64_t holdExpired{0}; ///< Times held octets were let out because HoldTime was over.
        uint64_t tooLarge{0};    ///< Packets above Mtu.
        uint64_t fragmented{0};  ///< Of them, those sent on as fragments.
        uint64_t refused{0};     ///< Of them, those answered by ICMP.
        uint64_t unsent{0};      ///< Frames that a port did not send: its queue was full, say.
    };

    static constexpr std::size_t PORTS = 2;

    static TypeId GetTypeId();

    /// Makes \p device the next port, 0 or 1; from then on it delivers nothing to its node.
    void AddPort(Ptr<EthernetNetDevice> device);

    [[nodiscard]] Ptr<EthernetNetDevice> GetPort(std::size_t port) const
    {
        return m_directions.at(port).port;
    }

    /// Sets what happens to segments that came in at \p from and are about to leave; null: nothing.
    void SetImpairment(std::size_t from, Ptr<LinkImpairment> impairment)
    {
        m_directions.at(from).impairment = impairment;
    }

    [[nodiscard]] Ptr<LinkImpairment> GetImpairment(std::size_t from) const
    {
        return m_directions.at(from).impairment;
    }

    [[nodiscard]] const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// Gives streams to CutSize and the impairments. \return streams used
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /// One direction of a connection.
    struct Stream
    {
        uint32_t firstSequence{0};
        bool started{false}; ///< Past the octets that are spared, and those cannot come again.
        SegmentRun run;
        uint32_t nextCut{0}; ///< Size of the next segment cut; 0 when not drawn yet.
        EventId flush;
    };

    /// What comes in at one port.
    struct Direction
    {
        Ptr<EthernetNetDevice> port;
        Ptr<LinkImpairment> impairment;
        std::map<TcpSegment::Flow, Stream> streams;
    };

    void Receive(std::size_t from, Ptr<Packet> frame);
    /// \return whether \p frame was too large, and has been dealt with.
    bool Narrow(std::size_t from, const Ptr<Packet>& frame);
    Stream& FindStream(std::size_t from, const TcpSegment& segment);
    /// \return whether the segment is among the first octets, which are left as they are.
    bool IsSpared(Stream& stream, const TcpSegment& segment) const;
    void Split(std::size_t from, const TcpSegment& segment);
    void Merge(std::size_t from, Stream& stream, const TcpSegment& segment);
    void Recut(std::size_t from, Stream& stream, const TcpSegment& segment);
    /// \return the largest payload of a segment with the headers of \p segment.
    uint32_t GetRoom(std::size_t from, const TcpSegment& segment) const;
    void Hold(std::size_t from, Stream& stream, const TcpSegment& segment);
    void HoldExpired(std::size_t from, TcpSegment::Flow flow);
    void Flush(std::size_t from, Stream& stream);
    /// Sends \p segment, which has just been made, or came as \p frame.
    void Emit(std::size_t from, TcpSegment segment, Ptr<Packet> frame = nullptr);
    void SendLater(std::size_t to, Ptr<Packet> frame, Time delay);
    void Send(std::size_t to, Ptr<Packet> frame);

    Mode m_mode{Mode::NONE};
    Time m_latency;
    uint32_t m_splitSize{0};
    uint32_t m_mergeSize{0};
    Time m_holdTime;
    Ptr<RandomVariableStream> m_cutSize;
    uint32_t m_spareFirstOctets{0};
    uint32_t m_mtu{0};
    bool m_blackHole{false};

    std::size_t m_ports{0};
    std::array<Direction, PORTS> m_directions;
    Counters m_counters;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_RESEGMENTING_MIDDLEBOX_H
