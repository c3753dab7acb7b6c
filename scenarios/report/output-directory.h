/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_OUTPUT_DIRECTORY_H
#define NFSRDMA_SCENARIOS_OUTPUT_DIRECTORY_H

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The directory of a run's results. Files are written as NAME.part and get their names
 * together, by Commit(), so that a reader never takes half a file for a whole one.
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
    /// Gives every file its name.
    void Commit();

    /// \return names of the files, in the order in which they were added.
    [[nodiscard]] const std::vector<std::string>& GetNames() const;
    [[nodiscard]] const std::string& GetPath() const;

  private:
    std::string m_path;
    std::vector<std::string> m_names;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_OUTPUT_DIRECTORY_H
