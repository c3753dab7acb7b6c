/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_MIX_SETUP_H
#define NFSRDMA_WORKLOAD_GENERATE_MIX_SETUP_H

#include "workload/check/verifying-file-client.h"
#include "workload/generate/mix-file.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Modes that the files and links of a mix are made with.
constexpr uint32_t MIX_FILE_MODE = 0644;
constexpr uint32_t MIX_LINK_MODE = 0777;

/// What a MixWorkload needs before it can run.
struct MixPlan
{
    std::string directory; ///< Made in the export's root.
    uint32_t files{0};
    uint64_t fileSize{0}; ///< Octets.
    uint32_t symlinks{0};
    uint32_t largeDirectory{0}; ///< Files in a directory of its own, besides; 0: no such directory.
    uint32_t ioSize{0};         ///< Octets of a WRITE at most.
    uint32_t depth{1};          ///< Files and links made at the same time.
    bool made{false};           ///< All of it is there.
};

/// What a MixWorkload works on.
struct MixTree
{
    FileRef directory;             ///< Without octets when it could not be made.
    FileRef largeDirectory;        ///< Without octets when there is none.
    std::vector<MixFile> files;    ///< In order of their names.
    std::vector<FileRef> symlinks; ///< In order of their names.
};

/**
 * \brief Makes the directory, files and symbolic links of a MixWorkload: MKDIR (LOOKUP when it is
 * there), then for each file OPEN with create (CREATE before NFSv4), WRITEs in order, COMMIT; and
 * SYMLINK for each link. The files stay open. The large directory is made by MKDIR, and OPEN with
 * create and CLOSE of each of its files, which stay empty. Of what is there already, directories
 * and links take a LOOKUP each, files an OPEN.
 */
class MixSetup
{
  public:
    /// \param done called once, when all is made or nothing more can be made
    MixSetup(VerifyingFileClient& client, FileRef root, MixPlan plan, std::function<void()> done);

    void Start();

    /// \return what has been made.
    [[nodiscard]] MixTree GetTree() const;

    /// \return operations that failed, by name.
    [[nodiscard]] const std::map<std::string, uint64_t>& GetErrors() const
    {
        return m_errors;
    }

  private:
    void TakeDirectory(FileOperation operation, const FileObjectReply& reply);
    /// Starts a job on each free place; calls back when nothing is left.
    void StartJobs();
    void EndJob();
    /// LOOKUP of the large directory, which is there.
    void FindLargeDirectory();
    void CreateFile(uint32_t index);
    void WriteFile(uint32_t index, uint64_t offset);
    void CommitFile(uint32_t index);
    void CreateSymlink(uint32_t index);
    void MakeLargeDirectory();
    void FillLargeDirectory(uint32_t index);
    /// \return true when the operation succeeded; counts it as an error otherwise.
    bool Check(FileOperation operation, const FileReply& reply);

    VerifyingFileClient& m_client;
    FileRef m_root;
    MixPlan m_plan;
    std::function<void()> m_done;
    FileRef m_directory;
    FileRef m_largeDirectory;
    std::map<uint32_t, std::shared_ptr<OpenFile>> m_files; ///< By index.
    std::map<uint32_t, FileRef> m_symlinks;                ///< By index.
    std::map<std::string, uint64_t> m_errors;
    uint32_t m_nextJob{0};
    uint32_t m_activeJobs{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_MIX_SETUP_H
