/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_OUTPUT_DIRECTORY_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_OUTPUT_DIRECTORY_H

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The directory of a run's results. Files are written aside and put in place together, by
 * Commit(), so that a reader never takes half a file, or half of the files, for the whole.
 *
 * A directory that is not there, or empty, is one that is written beside it (NAME.writing) and
 * renamed. Into another one, files are moved from a folder in it (.writing) that is gone
 * afterwards, manifest.json last; files of an earlier run in it, which its manifest.json lists, are
 * then gone; others stay. What was not committed is removed.
 *
 * A directory whose files are all an earlier run's can also be replaced as a whole (Divert()):
 * there is one or the other at any moment, where the file system can exchange two directories in
 * one step. Where it cannot (NFS), the earlier one is NAME.replaced for a moment, and is put back
 * by the next run when this one is killed then.
 *
 * A symbolic link stays one: what it leads to is written. NAME.writing and NAME.partial of a run
 * that was killed are removed.
 */
class OutputDirectory
{
  public:
    enum class Placement
    {
        WHOLE,  ///< As above.
        INTO,   ///< Always into the directory that is there, or is made: somebody may hold it.
        REPLACE ///< In place of what is there, as FindOther() and CanBeReplaced() allow.
    };

    /// Makes a place to write to. Throws std::filesystem::filesystem_error.
    OutputDirectory(std::string path, Placement placement);
    ~OutputDirectory();
    OutputDirectory(const OutputDirectory&) = delete;
    OutputDirectory& operator=(const OutputDirectory&) = delete;

    /// \return where to write \p name until Commit().
    [[nodiscard]] std::string Add(const std::string& name);
    /// Writes a whole file until Commit(). Throws std::runtime_error when that fails.
    void Write(const std::string& name, const std::string& content);
    /// As Write(), of what \p write writes; in memory there is no more than a block of it.
    void Write(const std::string& name, const std::function<void(std::ostream&)>& write);
    /// Removes what an earlier run has left and puts every file in place.
    void Commit();
    /// From now on files, those that are open too, are written to another place (NAME.partial),
    /// which begins as a copy of what was written so far. For a copy of the process; with REPLACE.
    /// Throws std::runtime_error.
    void Divert();
    /// Removes what a copy of the process that has failed has left of that.
    void RemoveDiverted() const;
    /// \return whether another directory can take the place of \p path: it is neither the working
    /// directory nor a mount point. Throws std::filesystem::filesystem_error.
    [[nodiscard]] static bool CanBeReplaced(const std::string& path);
    /// \return a file in \p path that is no result of a run, and keeps it from being replaced;
    /// empty: there is none.
    [[nodiscard]] static std::string FindOther(const std::string& path);
    /// Removes what the manifest.json in \p path lists, manifest and runs of a sweep included, but
    /// not what \p keep names. Nothing without a manifest that this program has written.
    static void RemoveEarlier(const std::string& path, const std::vector<std::string>& keep);
    /// Removes the results of single runs of a sweep in \p path, unfinished ones too.
    static void RemoveRuns(const std::string& path);
    /// Removes \p path, and what was being written beside it.
    static void Remove(const std::string& path);

    /// \return names of the files, in the order in which they were added.
    [[nodiscard]] const std::vector<std::string>& GetNames() const;
    [[nodiscard]] const std::string& GetPath() const;

  private:
    std::string m_path;
    std::string m_place;   ///< That is it, where links lead.
    std::string m_aside;   ///< Where files are written until Commit().
    bool m_isWhole{false}; ///< That directory is to become this one.
    bool m_replaces;       ///< In place of what is there.
    std::vector<std::string> m_names;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_OUTPUT_DIRECTORY_H
