/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_OUTPUT_DIRECTORY_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_OUTPUT_DIRECTORY_H

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The directory of a run's results. Files are written as NAME.part and get their names
 * together, by Commit(), so that a reader never takes half a file for a whole one. Files of an
 * earlier run in the same directory, which its manifest.json lists, are then gone; others stay.
 */
class OutputDirectory
{
  public:
    /// Makes the directory. Throws std::filesystem::filesystem_error.
    explicit OutputDirectory(std::string path);

    /// \return where to write \p name until Commit().
    [[nodiscard]] std::string Add(const std::string& name);
    /// Writes a whole file until Commit(). Throws std::runtime_error when that fails.
    void Write(const std::string& name, const std::string& content);
    /// Removes what an earlier run has left and gives every file its name.
    void Commit();
    /// Removes what the manifest.json in \p path lists, manifest and runs of a sweep included, but
    /// not what \p keep names. Nothing without a manifest that this program has written.
    static void RemoveEarlier(const std::string& path, const std::vector<std::string>& keep);
    /// Removes the results of single runs of a sweep in \p path.
    static void RemoveRuns(const std::string& path);

    /// \return names of the files, in the order in which they were added.
    [[nodiscard]] const std::vector<std::string>& GetNames() const;
    [[nodiscard]] const std::string& GetPath() const;

  private:
    std::string m_path;
    std::vector<std::string> m_names;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_OUTPUT_DIRECTORY_H
