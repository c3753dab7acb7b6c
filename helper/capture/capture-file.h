/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_CAPTURE_FILE_H
#define NFSRDMA_HELPER_CAPTURE_CAPTURE_FILE_H

#include "helper/capture/capture-source.h"

#include <memory>

struct gzFile_s;

namespace ns3::nfsrdma
{

/// A file, uncompressed on the way if it is gzip; no more of it is in memory than Take() returned.
class CaptureFile : public CaptureSource
{
  public:
    /// \return the file from its start; or why it cannot be opened, on one line.
    [[nodiscard]] static tl::expected<std::unique_ptr<CaptureSource>, std::string> Open(
        const std::string& path);

    [[nodiscard]] tl::expected<ByteSpan, std::string> Take(std::size_t count) override;

  private:
    struct Closer
    {
        void operator()(gzFile_s* file) const;
    };

    CaptureFile(std::string path, std::unique_ptr<gzFile_s, Closer> file);

    std::string m_path;
    std::unique_ptr<gzFile_s, Closer> m_file;
    ByteVector m_taken;
};

/// Octets of a file that ReadCaptureFile() keeps at most.
constexpr std::size_t MAX_CAPTURE_IN_MEMORY = std::size_t{256} << 20;

/// \return the octets of a file, uncompressed if it is gzip, MAX_CAPTURE_IN_MEMORY at most; or why
/// it cannot be read, on one line.
[[nodiscard]] tl::expected<ByteVector, std::string> ReadCaptureFile(const std::string& path);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_CAPTURE_FILE_H
