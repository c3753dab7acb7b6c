/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REOPENED_FILE_IO_H
#define NFSRDMA_WORKLOAD_REOPENED_FILE_IO_H

#include "workload/file-io.h"
#include "workload/kept-pages.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief IO on a file that is closed after so many requests, and opened again with the next, so
 * that what this client has written comes to others and what they have written to this one
 * (close-to-open).
 *
 * Requests that come while it is closed or opened wait. When the pages of a file stay (KeptPages)
 * although the server has had a WRITE of another client before the OPEN began, the client has a
 * stale cache: that is counted as a mismatch.
 */
class ReopenedFileIo : public FileIo
{
  public:
    /// Makes the IO of a file that has been opened.
    using Factory = std::function<std::unique_ptr<FileIo>(const OpenFilePtr& file)>;

    struct Settings
    {
        FileName where;
        FileOpenHow how;
        uint32_t requests{0}; ///< After so many it is closed.
        /// Told of each open: "open" when nothing was kept of the file, else "open_kept" or
        /// "open_dropped"; when it began and whether it succeeded.
        std::function<void(const char* item, Time began, bool ok)> opened;
    };

    /// \param object the file, which is not open yet
    /// \param pages what is kept of it; outlives this
    ReopenedFileIo(VerifyingFileClient& client,
                   Settings settings,
                   FileRef object,
                   KeptPages& pages,
                   Factory factory);

    void Read(uint64_t offset, uint32_t count, Done done) override;
    void Write(uint64_t offset, uint32_t count, Done done, Done settled) override;
    void Sync(Done done) override;
    void Close(Done done) override;

  private:
    /// Calls \p request now, or when the file is open.
    void Start(std::function<void(FileIo& io)> request, Done failed);
    /// \return \p done, after which the file may have to be closed.
    [[nodiscard]] Done Track(Done done);
    /// Does what is due: closes the file, or opens it.
    void Continue();
    void CloseForNow();
    void Open();
    void TakeOpen(const FileOpenReply& reply, Time began, bool current);

    VerifyingFileClient& m_client;
    Settings m_settings;
    KeptPages& m_pages;
    Factory m_factory;
    FileRef m_object;
    std::unique_ptr<FileIo> m_io; ///< Null while it is not open.
    uint64_t m_crashes;           ///< Of the host that were noticed.
    uint32_t m_started{0};        ///< Requests since it was opened.
    uint32_t m_outstanding{0};
    bool m_busy{false}; ///< It is being closed or opened.
    bool m_lost{false}; ///< It could not be opened.
    std::deque<std::function<void()>> m_waiting;
    std::function<void()> m_close; ///< What is left of Close().
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REOPENED_FILE_IO_H
