/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_PCAP_FORMAT_H
#define NFSRDMA_HELPER_CAPTURE_PCAP_FORMAT_H

#include "helper/capture/capture-format.h"

#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief libpcap's format: 24 octets of header, then 16 before each frame.
 *
 * Either byte order, times in microseconds or nanoseconds. All frames have the link type of the
 * header's last word, whose upper bits tell the length of the frame check sequence.
 */
class PcapFormat : public CaptureFormat
{
  public:
    /// \return whether the file begins so.
    [[nodiscard]] static bool Recognizes(ByteSpan start);
    /// \param start the first four octets, already taken from \p source
    [[nodiscard]] static tl::expected<std::unique_ptr<CaptureFormat>, PcapError> Create(
        ByteSpan start,
        CaptureSource& source);

    [[nodiscard]] NextFrame Next(CaptureSource& source, uint64_t number) override;

    [[nodiscard]] uint32_t GetLinkType() const override
    {
        return m_linkType;
    }

  private:
    [[nodiscard]] uint32_t ReadWord(const uint8_t* octets) const;

    bool m_bigEndian{false};
    bool m_nanoseconds{false};
    uint32_t m_linkType{0};
    std::size_t m_fcsOctets{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_PCAP_FORMAT_H
