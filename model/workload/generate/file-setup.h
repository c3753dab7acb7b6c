/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_FILE_SETUP_H
#define NFSRDMA_WORKLOAD_GENERATE_FILE_SETUP_H

#include "workload/check/verifying-file-client.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Makes a directory in the export's root and files in it, for a workload to begin with:
 * MKDIR (LOOKUP when it is there), then for each file OPEN with create, WRITEs in order, COMMIT,
 * and CLOSE unless it is to stay open. What is there already takes a LOOKUP of the directory, and
 * of each file an OPEN if it is to stay open, or a LOOKUP.
 */
class FileSetup
{
  public:
    struct Plan
    {
        std::string directory;
        std::vector<std::string> files;
        uint64_t size{0};     ///< Octets of each file.
        uint32_t depth{8};    ///< Files made at the same time.
        bool keepOpen{false}; ///< For reading and writing.
        bool named{true};     ///< Whether the objects of files that are there are looked up.
        bool made{false};     ///< All of it is there.
    };

    FileSetup(VerifyingFileClient& client, FileRef root, Plan plan);

    /// \p done is called once, when all is made or something could not be.
    void Start(std::function<void()> done);

    /// \return operations that did not succeed.
    [[nodiscard]] uint64_t GetErrors() const
    {
        return m_errors;
    }

    [[nodiscard]] const FileRef& GetDirectory() const
    {
        return m_directory;
    }

    /// \return the objects, in the order of the plan's names; all are there without errors.
    [[nodiscard]] const std::vector<FileRef>& GetObjects() const
    {
        return m_objects;
    }

    /// \return the files, when they stay open, in the same order.
    [[nodiscard]] const std::vector<std::shared_ptr<OpenFile>>& GetFiles() const
    {
        return m_files;
    }

  private:
    void TakeDirectory(const FileObjectReply& reply);
    /// A place is free.
    void StartFile();
    void CreateFile(std::size_t index);
    /// A file that is there, unless those that made it wanted fewer.
    void FindFile(std::size_t index);
    void WriteFile(std::size_t index, uint64_t offset);
    void CommitFile(std::size_t index);
    void CloseFile(std::size_t index);
    /// \return true when the operation succeeded; counts it and ends its file otherwise.
    bool Check(const FileReply& reply);

    VerifyingFileClient& m_client;
    FileRef m_root;
    Plan m_plan;
    std::function<void()> m_done;
    FileRef m_directory;
    std::vector<FileRef> m_objects;
    std::vector<std::shared_ptr<OpenFile>> m_files;
    std::size_t m_next{0};
    uint32_t m_active{0};
    uint64_t m_errors{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_FILE_SETUP_H
