/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_CAPTURE_FILE_H
#define NFSRDMA_HELPER_CAPTURE_CAPTURE_FILE_H

#include "wire/bytes.h"

#include <string>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// \return the octets of a file, uncompressed if it is gzip; or why it cannot be read, on one line.
[[nodiscard]] tl::expected<ByteVector, std::string> ReadCaptureFile(const std::string& path);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_CAPTURE_FILE_H
