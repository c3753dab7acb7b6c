/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_HELPER_CAPTURE_CAPTURE_BUILDER_H
#define NFSRDMA_TEST_HELPER_CAPTURE_CAPTURE_BUILDER_H

#include "wire/byte-writer.h"
#include "wire/bytes.h"

#include <array>
#include <string_view>

namespace ns3::nfsrdma
{

/// \return the octets of \p text.
inline ByteVector
TextOctets(std::string_view text)
{
    return {text.begin(), text.end()};
}

/// Octets put one after the other in network order.
class OctetBuilder
{
  public:
    OctetBuilder& U8(uint8_t value)
    {
        m_octets.push_back(value);
        return *this;
    }

    OctetBuilder& U16(uint16_t value)
    {
        return U8(static_cast<uint8_t>(value >> 8)).U8(static_cast<uint8_t>(value));
    }

    OctetBuilder& U32(uint32_t value)
    {
        return U16(static_cast<uint16_t>(value >> 16)).U16(static_cast<uint16_t>(value));
    }

    OctetBuilder& Octets(ByteSpan octets)
    {
        m_octets.insert(m_octets.end(), octets.begin(), octets.end());
        return *this;
    }

    OctetBuilder& Zeros(std::size_t count)
    {
        m_octets.resize(m_octets.size() + count);
        return *this;
    }

    [[nodiscard]] const ByteVector& Get() const
    {
        return m_octets;
    }

  private:
    ByteVector m_octets;
};

/// A TCP segment between 10.0.0.1:1000 (side 0) and 10.0.0.2:20049 (side 1).
struct SegmentSpec
{
    static constexpr uint8_t FIN = 0x01;
    static constexpr uint8_t SYN = 0x02;
    static constexpr uint8_t RST = 0x04;
    static constexpr uint8_t ACK = 0x10;

    std::size_t side{0};
    uint32_t sequence{0};
    uint8_t flags{ACK};
    ByteVector payload;
    bool ipv6{false};

    /// \return the IP packet.
    [[nodiscard]] ByteVector Encode() const
    {
        constexpr uint16_t CLIENT_PORT = 1000;
        constexpr uint16_t SERVER_PORT = 20049;
        OctetBuilder tcp;
        tcp.U16(side == 0 ? CLIENT_PORT : SERVER_PORT).U16(side == 0 ? SERVER_PORT : CLIENT_PORT);
        tcp.U32(sequence).U32(0).U8(0x50).U8(flags).U16(0xffff).U32(0).Octets(payload);
        const auto length = static_cast<uint16_t>(tcp.Get().size());
        const auto source = static_cast<uint8_t>(1 + side);
        const auto destination = static_cast<uint8_t>(2 - side);
        OctetBuilder ip;
        if (ipv6)
        {
            ip.U32(0x60000000).U16(length).U8(6).U8(64);
            ip.U8(0xfd).Zeros(14).U8(source).U8(0xfd).Zeros(14).U8(destination);
        }
        else
        {
            ip.U16(0x4500).U16(static_cast<uint16_t>(20 + length)).U32(0).U8(64).U8(6).U16(0);
            ip.U8(10).U16(0).U8(source).U8(10).U16(0).U8(destination);
        }
        return ip.Octets(tcp.Get()).Get();
    }
};

/// A capture file, frame by frame.
class PcapBuilder
{
  public:
    struct Format
    {
        bool bigEndian{false};
        bool nanoseconds{false};
        uint32_t linkType{1};
    };

    PcapBuilder()
        : PcapBuilder(Format{})
    {
    }

    explicit PcapBuilder(Format format)
        : m_format(format)
    {
        Word(format.nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4);
        m_format.bigEndian ? m_file.U16(2).U16(4) : m_file.U16(0x0200).U16(0x0400);
        Word(0);
        Word(0);
        Word(262144);
        Word(format.linkType);
    }

    /// A frame \p time ticks after the start.
    void Frame(ByteSpan octets, uint32_t time, uint32_t wireLength)
    {
        Word(1000);
        Word(time);
        Word(static_cast<uint32_t>(octets.size()));
        Word(wireLength);
        m_file.Octets(octets);
    }

    void Frame(ByteSpan octets, uint32_t time = 0)
    {
        Frame(octets, time, static_cast<uint32_t>(octets.size()));
    }

    /// An Ethernet frame, one tick after the one before.
    void Segment(const SegmentSpec& segment)
    {
        OctetBuilder frame;
        frame.Zeros(12).U16(segment.ipv6 ? 0x86dd : 0x0800).Octets(segment.Encode());
        Frame(frame.Get(), m_time++);
    }

    [[nodiscard]] const ByteVector& Get() const
    {
        return m_file.Get();
    }

  private:
    void Word(uint32_t value)
    {
        if (!m_format.bigEndian)
        {
            value =
                (value & 0xff) << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
        }
        m_file.U32(value);
    }

    Format m_format;
    OctetBuilder m_file;
    uint32_t m_time{0};
};

/// A capture of one TCP connection: what each side says, in segments as told.
class ConnectionBuilder
{
  public:
    static constexpr uint32_t FIRST_SEQUENCE = 0xfffffff0; ///< Wraps soon.

    /// \param handshake whether the capture has the SYNs
    explicit ConnectionBuilder(bool handshake = true)
    {
        if (handshake)
        {
            m_file.Segment({0, FIRST_SEQUENCE - 1, SegmentSpec::SYN, {}});
            m_file.Segment({1, FIRST_SEQUENCE - 1, SegmentSpec::SYN | SegmentSpec::ACK, {}});
        }
    }

    void Say(std::size_t side, ByteSpan octets, uint8_t flags = SegmentSpec::ACK)
    {
        m_file.Segment(
            {side, m_sequences.at(side), flags, ByteVector(octets.begin(), octets.end())});
        m_sequences.at(side) += static_cast<uint32_t>(octets.size());
    }

    /// Octets that the side sends and the capture misses.
    void Lose(std::size_t side, uint32_t octets)
    {
        m_sequences.at(side) += octets;
    }

    void Finish(std::size_t side)
    {
        Say(side, {}, SegmentSpec::FIN | SegmentSpec::ACK);
    }

    [[nodiscard]] const ByteVector& Get() const
    {
        return m_file.Get();
    }

  private:
    PcapBuilder m_file;
    std::array<uint32_t, 2> m_sequences{FIRST_SEQUENCE, FIRST_SEQUENCE};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_HELPER_CAPTURE_CAPTURE_BUILDER_H
