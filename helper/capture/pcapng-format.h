/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_PCAPNG_FORMAT_H
#define NFSRDMA_HELPER_CAPTURE_PCAPNG_FORMAT_H

#include "helper/capture/capture-format.h"

#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The pcapng format (draft-ietf-opsawg-pcapng): blocks in sections, of which each has its
 * byte order and interfaces.
 *
 * Frames come from Enhanced, Simple and (obsolete) Packet Blocks; other blocks are passed over.
 * Interfaces may differ in link type, resolution and offset of their times, and length of the frame
 * check sequence.
 */
class PcapngFormat : public CaptureFormat
{
  public:
    /// \return whether the file begins so.
    [[nodiscard]] static bool Recognizes(ByteSpan start);
    /// \param source behind the first four octets of the file
    [[nodiscard]] static tl::expected<std::unique_ptr<CaptureFormat>, PcapError> Create(
        CaptureSource& source);

    [[nodiscard]] NextFrame Next(CaptureSource& source, uint64_t number) override;
    [[nodiscard]] uint32_t GetLinkType() const override;

  private:
    struct Interface
    {
        uint32_t linkType{0};
        uint32_t snapLength{0};
        uint64_t ticks{1000000}; ///< Per second.
        int64_t offset{0};       ///< s.
        std::size_t fcsOctets{0};
    };

    /// What Read() took; nothing: the file has ended before the first octet.
    using Taken = tl::expected<std::optional<ByteSpan>, PcapError>;

    [[nodiscard]] static Taken Read(CaptureSource& source, std::size_t count, uint64_t number);
    [[nodiscard]] std::optional<PcapError> Skip(CaptureSource& source,
                                                uint64_t count,
                                                uint64_t number) const;
    [[nodiscard]] std::optional<PcapError> BeginSection(CaptureSource& source, uint64_t number);
    [[nodiscard]] std::optional<PcapError> AddInterface(ByteSpan body, uint64_t number);
    [[nodiscard]] NextFrame MakeFrame(uint32_t type, ByteSpan body, uint64_t number) const;
    [[nodiscard]] static int64_t ToNanoseconds(const Interface& interface, uint64_t time);
    [[nodiscard]] uint16_t Half(const uint8_t* octets) const;
    [[nodiscard]] uint32_t Word(const uint8_t* octets) const;

    bool m_bigEndian{false};
    uint32_t m_firstLinkType{0};
    std::vector<Interface> m_interfaces; ///< Of this section.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_PCAPNG_FORMAT_H
