/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_PCAP_READER_H
#define NFSRDMA_HELPER_CAPTURE_PCAP_READER_H

#include "wire/bytes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// Why a capture file cannot be read on.
struct PcapError
{
    enum class Kind
    {
        NOT_A_CAPTURE, ///< The file does not begin like a pcap file.
        PCAPNG,        ///< It is a pcapng file, another format.
        HEADER_CUT,    ///< It ends within the file header.
        FRAME_CUT,     ///< It ends within a frame.
        LINK_TYPE      ///< Frames of a kind that is not read.
    };

    Kind kind{Kind::NOT_A_CAPTURE};
    uint64_t frame{0};    ///< FRAME_CUT: its number, from 1.
    uint32_t linkType{0}; ///< LINK_TYPE.

    /// \return what is wrong and what would help, on one line.
    [[nodiscard]] std::string ToString() const;
};

/// One frame of a capture.
struct CapturedFrame
{
    uint64_t number{0}; ///< From 1, as Wireshark counts.
    int64_t time{0};    ///< ns since the epoch.
    uint32_t wireLength{
        0};          ///< Octets on the wire; more than octets.size() when cut by a snap length.
    ByteSpan octets; ///< Within the file.
};

/**
 * \brief Frames of a file in libpcap's format: 24 octets of header, then 16 before each frame.
 *
 * Either byte order, times in microseconds or nanoseconds. Link types: 0 loopback, 1 Ethernet, 101
 * (and 12, 14, 228, 229) raw IP, 113 and 276 Linux cooked.
 */
class PcapReader
{
  public:
    /// \param file the whole file, uncompressed; outlives the reader and what it returns
    [[nodiscard]] static tl::expected<PcapReader, PcapError> Create(ByteSpan file);

    /// \return the next frame; nothing at the end.
    [[nodiscard]] tl::expected<std::optional<CapturedFrame>, PcapError> Next();

    [[nodiscard]] uint32_t GetLinkType() const
    {
        return m_linkType;
    }

  private:
    explicit PcapReader(ByteSpan file);
    [[nodiscard]] uint32_t ReadWord(std::size_t position) const;

    ByteSpan m_file;
    std::size_t m_position;
    uint64_t m_frames{0};
    bool m_bigEndian{false};
    bool m_nanoseconds{false};
    uint32_t m_linkType{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_PCAP_READER_H
