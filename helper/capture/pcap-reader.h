/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_PCAP_READER_H
#define NFSRDMA_HELPER_CAPTURE_PCAP_READER_H

#include "helper/capture/capture-format.h"

#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief Frames of a capture file, one at a time: libpcap's format or pcapng.
 *
 * Link types: 0 and 108 loopback, 1 Ethernet, 9 PPP, 101 (and 12, 14, 228, 229) raw IP, 113 and 276
 * Linux cooked.
 */
class PcapReader
{
  public:
    /// \param file the whole file, uncompressed; outlives the reader and what it returns
    [[nodiscard]] static tl::expected<PcapReader, PcapError> Create(ByteSpan file);
    /// \param source at the start of the file
    [[nodiscard]] static tl::expected<PcapReader, PcapError> Create(
        std::unique_ptr<CaptureSource> source);

    [[nodiscard]] NextFrame Next();

    /// \return that of the file; of pcapng that of the first interface, 0 before it was read.
    [[nodiscard]] uint32_t GetLinkType() const;

  private:
    PcapReader(std::unique_ptr<CaptureSource> source, std::unique_ptr<CaptureFormat> format);

    std::unique_ptr<CaptureSource> m_source;
    std::unique_ptr<CaptureFormat> m_format;
    uint64_t m_frames{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_PCAP_READER_H
