/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_INTEGRATION_SIMULATOR_PROCESS_H
#define NFSRDMA_TEST_INTEGRATION_SIMULATOR_PROCESS_H

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a program that was run to its end left.
struct ProcessResult
{
    int status{-1};
    std::string output;
    std::string errors;
    uint64_t peakMemory{0}; ///< Octets, resident.

    [[nodiscard]] std::size_t CountErrorLines() const;
};

/// Runs \p program with \p arguments in \p directory.
ProcessResult RunProcess(const std::string& program,
                         const std::vector<std::string>& arguments,
                         const std::string& directory);

/// A directory that is gone with the object.
class TemporaryDirectory
{
  public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] const std::string& GetPath() const;
    void WriteFile(const std::string& name, const std::string& text) const;
    [[nodiscard]] std::string ReadFile(const std::string& name) const;
    [[nodiscard]] nlohmann::json ReadJson(const std::string& name) const;
    /// \return content of every file below \p folder, by its path from there.
    [[nodiscard]] std::map<std::string, std::string> ReadAll(const std::string& folder) const;

  private:
    std::string m_path;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_INTEGRATION_SIMULATOR_PROCESS_H
