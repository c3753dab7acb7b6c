/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FAULTS_LONE_PATH_H
#define NFSRDMA_TEST_FAULTS_LONE_PATH_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Two idle Ethernet links with a switch between them that takes frames whole; times in seconds.
struct LonePath
{
    double bitsPerSecond;
    double delay;   ///< Of each link.
    double latency; ///< Of the switch.

    /// \return how long a segment of \p payload octets keeps a port from sending the next one.
    [[nodiscard]] double GetSerialisation(uint32_t payload) const;
    /// \return from its first octet out to its last octet in.
    [[nodiscard]] double GetOneWay(uint32_t payload) const;
};

/**
 * One direction of a TCP connection without loss: slow start from the initial window (RFC 5681
 * section 3.1), a send buffer, acknowledgments of every second segment, or delayed. Its congestion
 * window counts on from transfer to transfer.
 */
class LoneSender
{
  public:
    static constexpr uint32_t SEGMENT = 1448;      ///< MTU 1500, timestamps.
    static constexpr uint32_t INITIAL_WINDOW = 10; ///< Segments (tcp.initial_window).
    static constexpr uint32_t BUFFER = 256 * 1024; ///< tcp.send_buffer, tcp.receive_buffer.
    static constexpr double DELAYED_ACK = 1e-3;    ///< tcp.delayed_ack.
    static constexpr std::size_t ACK_EVERY = 2;    ///< tcp.ack_every.

    /// \param countsAcks the window grows by a segment for each acknowledgment (RFC 5681), not for
    /// each segment that is acknowledged (RFC 3465)
    LoneSender(const LonePath& path, bool countsAcks);

    /// \p octets have been acknowledged by one acknowledgment.
    void Acknowledge(uint64_t octets);

    /// \return from now until the last of \p segments (payloads), all given to TCP at once, has
    /// arrived.
    double Transfer(const std::vector<uint32_t>& segments);

  private:
    struct Acknowledgment
    {
        double arrives;
        uint64_t octets;
    };

    void TakeArrived(double arrives, uint32_t octets);
    void SendAcknowledgment(double at);

    LonePath m_path;
    bool m_countsAcks;
    uint64_t m_window{uint64_t{INITIAL_WINDOW} * SEGMENT};
    uint64_t m_uncounted{0}; ///< Acknowledged, less than a segment.
    std::deque<Acknowledgment> m_acknowledgments;
    std::vector<uint32_t> m_unacknowledged; ///< At the receiver, fewer than ACK_EVERY.
    double m_oldest{0};                     ///< When the first of them arrived.
};

/// \return lengths of the FPDUs (RFC 5044 section 4) that carry \p octets as RDMA Writes or Read
/// Responses, which have 14 octets of headers (RFC 5041 section 4.2), \p request octets by each.
std::vector<uint32_t> CutIntoFpdus(uint64_t octets, uint64_t request);

/// \return payloads of the segments that carry \p fpdus, one after the other: cut as TCP likes
/// (layered), an FPDU each, or with \p packing as many as fit.
std::vector<uint32_t> CutIntoSegments(const std::vector<uint32_t>& fpdus,
                                      const std::string& transport,
                                      bool packing);

/// \return rows of a level for each factor, of which any two levels of different factors meet in a
/// row. \param levels how many each factor has
std::vector<std::vector<std::size_t>> CoverPairs(const std::vector<std::size_t>& levels);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_FAULTS_LONE_PATH_H
