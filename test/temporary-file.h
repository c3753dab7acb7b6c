/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_TEMPORARY_FILE_H
#define NFSRDMA_TEST_TEMPORARY_FILE_H

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace ns3::nfsrdma::test
{

/// A file of a name that no other process has, which is gone with the object: cases of one fixture
/// run side by side.
class TemporaryFile
{
  public:
    TemporaryFile()
        : m_path((std::filesystem::temp_directory_path() / "nfsrdma-XXXXXX").string())
    {
        const int descriptor = mkstemp(m_path.data());
        if (descriptor < 0)
        {
            throw std::runtime_error("no temporary file");
        }
        close(descriptor);
    }

    ~TemporaryFile()
    {
        std::remove(m_path.c_str());
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    std::string m_path;
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_TEMPORARY_FILE_H
