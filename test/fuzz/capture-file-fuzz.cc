/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "helper/capture/capture-file.h"
#include "helper/capture/tcp-conversation.h"

#include <sys/mman.h>
#include <unistd.h>

namespace ns3::nfsrdma
{

/// Input: a file, plain or gzip, of any content: read in parts, then as a capture.
void
FuzzOne(ByteSpan input)
{
    constexpr uint8_t GZIP_FIRST = 0x1f;
    constexpr std::size_t PART = 1000;
    const int descriptor = memfd_create("capture", 0);
    FuzzExpect(descriptor >= 0);
    FuzzExpect(write(descriptor, input.data(), input.size()) == static_cast<ssize_t>(input.size()));
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    auto file = CaptureFile::Open(path);
    FuzzExpect(file.has_value());
    std::size_t octets = 0;
    for (;;)
    {
        const auto part = (*file)->Take(PART);
        if (!part)
        {
            FuzzExpect(!part.error().empty() && !input.empty() && input[0] == GZIP_FIRST);
            break;
        }
        octets += part->size();
        if (part->size() < PART)
        {
            FuzzExpect(octets == input.size() || input[0] == GZIP_FIRST);
            break;
        }
    }
    const auto capture = TcpCapture::Read(*CaptureFile::Open(path));
    FuzzExpect(capture || !capture.error().ToString().empty());
    close(descriptor);
}

} // namespace ns3::nfsrdma
