/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "capture-file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <zlib.h>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t STEP = std::size_t{1} << 20;

struct GzipCloser
{
    void operator()(gzFile_s* file) const
    {
        gzclose(file);
    }
};

} // namespace

tl::expected<ByteVector, std::string>
ReadCaptureFile(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        return tl::make_unexpected(std::string("is a directory"));
    }
    errno = 0;
    const std::unique_ptr<gzFile_s, GzipCloser> file(gzopen(path.c_str(), "rb"));
    if (!file)
    {
        return tl::make_unexpected(std::string(std::strerror(errno != 0 ? errno : ENOMEM)));
    }
    ByteVector octets;
    for (;;)
    {
        const std::size_t before = octets.size();
        octets.resize(before + STEP);
        const int got = gzread(file.get(), octets.data() + before, STEP);
        octets.resize(before + (got > 0 ? static_cast<std::size_t>(got) : 0));
        if (got <= 0)
        {
            break;
        }
    }
    int status = Z_OK;
    const char* message = gzerror(file.get(), &status);
    if (status == Z_ERRNO)
    {
        return tl::make_unexpected(std::string(std::strerror(errno)));
    }
    if (status != Z_OK)
    {
        return tl::make_unexpected(std::string("damaged gzip file: ") + message);
    }
    return octets;
}

} // namespace ns3::nfsrdma
