/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_MIX_SETUP_H
#define NFSRDMA_WORKLOAD_MIX_SETUP_H

#include "workload/mix-file.h"
#include "workload/verifying-client.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

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
};

/**
 * \brief Makes the directory, files and symbolic links of a MixWorkload by RPCs: MKDIR (LOOKUP when
 * it is there), then for each file CREATE, WRITEs in order, COMMIT; and SYMLINK for each link. The
 * large directory is made by MKDIR, and CREATE for each of its files, which stay empty.
 */
class MixSetup
{
  public:
    /// \param done called once, when all is made or nothing more can be made
    MixSetup(VerifyingClient& client,
             const NfsFh3& root,
             const MixPlan& plan,
             std::function<void()> done);

    void Start();

    /// \return the directory's handle; of length 0 when it could not be made.
    [[nodiscard]] const NfsFh3& GetDirectory() const;
    /// \return the handle of the large directory; of length 0 when there is none.
    [[nodiscard]] const NfsFh3& GetLargeDirectory() const;
    /// \return the files made, in order of their names.
    [[nodiscard]] std::vector<MixFile> GetFiles() const;
    /// \return the links' handles, in order of their names.
    [[nodiscard]] std::vector<NfsFh3> GetSymlinks() const;
    /// \return operations that failed, by name.
    [[nodiscard]] const std::map<std::string, uint64_t>& GetErrors() const;

  private:
    void LookupDirectory();
    void DirectoryKnown(const NfsFh3& handle);
    /// Starts a job on each free place; calls back when nothing is left.
    void StartJobs();
    void EndJob();
    void CreateFile(uint32_t index);
    void WriteFile(uint32_t index, uint64_t offset);
    void CommitFile(uint32_t index);
    void CreateSymlink(uint32_t index);
    void MakeLargeDirectory();
    void FillLargeDirectory(uint32_t index);
    /// \return true when the operation succeeded; counts it as an error otherwise.
    bool Check(Nfs3Procedure procedure, const RpcRecord& record, Nfs3Status status);

    VerifyingClient& m_client;
    NfsFh3 m_root;
    MixPlan m_plan;
    std::function<void()> m_done;
    NfsFh3 m_directory;
    NfsFh3 m_largeDirectory;
    std::map<uint32_t, NfsFh3> m_files;    ///< By index.
    std::map<uint32_t, NfsFh3> m_symlinks; ///< By index.
    std::map<std::string, uint64_t> m_errors;
    uint32_t m_nextJob{0};
    uint32_t m_activeJobs{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_MIX_SETUP_H
