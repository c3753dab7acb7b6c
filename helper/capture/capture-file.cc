/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "capture-file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <zlib.h>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t STEP = std::size_t{1} << 20;

} // namespace

void
CaptureFile::Closer::operator()(gzFile_s* file) const
{
    gzclose(file);
}

CaptureFile::CaptureFile(std::string path, std::unique_ptr<gzFile_s, Closer> file)
    : m_path(std::move(path)),
      m_file(std::move(file))
{
}

tl::expected<std::unique_ptr<CaptureSource>, std::string>
CaptureFile::Open(const std::string& path)
{
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(status))
    {
        return tl::make_unexpected(std::string("is a directory"));
    }
    errno = 0;
    std::unique_ptr<gzFile_s, Closer> file(gzopen(path.c_str(), "rb"));
    if (!file)
    {
        return tl::make_unexpected(std::string(std::strerror(errno != 0 ? errno : ENOMEM)));
    }
    return std::unique_ptr<CaptureSource>(new CaptureFile(path, std::move(file)));
}

tl::expected<ByteSpan, std::string>
CaptureFile::Take(std::size_t count)
{
    m_taken.resize(count);
    std::size_t filled = 0;
    while (filled < count)
    {
        errno = 0;
        const auto part = static_cast<unsigned>(std::min(count - filled, STEP));
        const int got = gzread(m_file.get(), m_taken.data() + filled, part);
        filled += got > 0 ? static_cast<std::size_t>(got) : 0;
        if (got == static_cast<int>(part))
        {
            continue;
        }
        int status = Z_OK;
        const char* message = gzerror(m_file.get(), &status);
        if (status == Z_ERRNO)
        {
            return tl::make_unexpected(std::string(std::strerror(errno)));
        }
        if (status != Z_OK)
        {
            std::string text(message);
            const std::string prefix = m_path + ": ";
            text.erase(0, text.rfind(prefix, 0) == 0 ? prefix.size() : 0);
            return tl::make_unexpected("damaged gzip file: " + text);
        }
        break;
    }
    return ByteSpan(m_taken).first(filled);
}

tl::expected<ByteVector, std::string>
ReadCaptureFile(const std::string& path)
{
    const auto file = CaptureFile::Open(path);
    if (!file)
    {
        return tl::make_unexpected(file.error());
    }
    ByteVector octets;
    for (;;)
    {
        const auto part = (*file)->Take(STEP);
        if (!part)
        {
            return tl::make_unexpected(part.error());
        }
        if (octets.size() + part->size() > MAX_CAPTURE_IN_MEMORY)
        {
            return tl::make_unexpected("holds more than " +
                                       std::to_string(MAX_CAPTURE_IN_MEMORY / STEP) +
                                       " MiB: cut it with editcap -c");
        }
        octets.insert(octets.end(), part->begin(), part->end());
        if (part->size() < STEP)
        {
            return octets;
        }
    }
}

} // namespace ns3::nfsrdma
