/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_CAPTURE_FORMAT_H
#define NFSRDMA_HELPER_CAPTURE_CAPTURE_FORMAT_H

#include "helper/capture/capture-source.h"
#include "helper/capture/captured-frame.h"

namespace ns3::nfsrdma
{

/// How a capture file holds its frames.
class CaptureFormat
{
  public:
    CaptureFormat() = default;
    virtual ~CaptureFormat() = default;
    CaptureFormat(const CaptureFormat&) = delete;
    CaptureFormat& operator=(const CaptureFormat&) = delete;

    /// \param number of the frame to be read, from 1
    [[nodiscard]] virtual NextFrame Next(CaptureSource& source, uint64_t number) = 0;
    /// \return that of the first interface; 0 when none is known yet.
    [[nodiscard]] virtual uint32_t GetLinkType() const = 0;
};

/// An error without more than its kind and frame.
[[nodiscard]] PcapError MakePcapError(PcapError::Kind kind,
                                      uint64_t frame = 0,
                                      std::string reason = "");

/// \return an error when no frame can have such lengths: more than MAX_FRAME_OCTETS, or none at
/// all.
[[nodiscard]] std::optional<PcapError> CheckFrameLengths(uint64_t number,
                                                         uint32_t captured,
                                                         uint32_t onWire);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_CAPTURE_FORMAT_H
