/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CACHED_FILE_IO_H
#define NFSRDMA_WORKLOAD_CACHED_FILE_IO_H

#include "workload/check/octet-set.h"
#include "workload/client-cache.h"
#include "workload/client-read-ahead.h"
#include "workload/file-io.h"
#include "workload/kept-pages.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief IO through the client's page cache, as Linux's NFS client has it. When it is opened the
 * file is cached as far as its pages stayed (KeptPages), and the cache keeps all until it is
 * closed.
 *
 * A read of what is cached takes no time; other pages come by READs of the transfer size, with
 * read-ahead. A write changes the cache; what is dirty goes to the server by WRITEs when there is
 * more than the background limit, with Sync() and with Close() (close-to-open), which also waits
 * for READs that are under way: on Linux they hold the open context, and the CLOSE goes when the
 * last has ended. WRITEs are UNSTABLE, but a Sync() that needs only one asks for FILE_SYNC
 * (FLUSH_COND_STABLE of fs/nfs/pagelist.c). Sync() ends with a COMMIT of what is unstable; what was
 * written under another verifier than the COMMIT's is written again.
 *
 * The cache keeps which octets it has, not the octets: those of a WRITE are made when it is sent.
 */
class CachedFileIo : public FileIo
{
  public:
    /// \param size of the file when it is opened
    /// \param pages what stays from an open to the next, and outlives this; null: nothing does
    CachedFileIo(VerifyingFileClient& client,
                 std::shared_ptr<ClientCache> cache,
                 std::shared_ptr<OpenFile> file,
                 uint64_t size,
                 KeptPages* pages = nullptr);

    void Read(uint64_t offset, uint32_t count, Done done) override;
    void Write(uint64_t offset, uint32_t count, Done done, Done settled) override;
    void Sync(Done done) override;
    void Close(Done done) override;

    /// \return octets of it that are dirty or on their way to the server.
    [[nodiscard]] uint64_t GetDirty() const
    {
        return m_dirty.GetSize() + m_writing.GetSize();
    }

  private:
    /// A read of the application that waits for pages.
    struct Reader
    {
        OctetRange range;
        Done done;
    };

    /// What was written UNSTABLE.
    struct Unstable
    {
        OctetRange range;
        uint64_t verifier{0};
    };

    /// A write of the application whose octets the server has not, by where it begins.
    struct Unsettled
    {
        uint64_t end{0};
        bool lost{false}; ///< A WRITE of some of it has failed.
        Done settled;
    };

    /// Forgets all pages and what was dirty when the host has crashed since the last time.
    void NoticeCrash();
    void TryRead(Reader reader);
    /// Uses the marks on pages of \p range that are cached.
    void UseMarks(const OctetRange& range);
    void StartWindow(const ClientReadAhead::Window& window);
    void StartRead(const OctetRange& range);
    void EndRead(const OctetRange& range, const FileReadReply& reply);
    /// Sends WRITEs of what is dirty.
    void WriteBack();
    void StartWrite(const OctetRange& range, StableHow stable);
    void EndWrite(const OctetRange& range, const FileWriteReply& reply);
    /// A WRITE of \p range has ended: tells the writes of the application that it was the last of.
    void Settle(const OctetRange& range, bool lost);
    /// \p range is to be written.
    void MakeDirty(const OctetRange& range);
    /// Goes on with Sync()s that wait.
    void ContinueSync();
    void EndCommit(const FileCommitReply& reply);
    /// Goes on with a Close() that waits for READs.
    void ContinueClose();
    [[nodiscard]] static uint64_t CountPages(const OctetRange& range);
    /// Ends a request of the application that has its pages, after what it costs.
    void EndCopy(Done done, uint64_t octets) const;
    static void EndSoon(Done done, bool ok);

    VerifyingFileClient& m_client;
    std::shared_ptr<ClientCache> m_cache;
    std::shared_ptr<OpenFile> m_file;
    uint64_t m_size;
    KeptPages* m_pages;
    uint64_t m_crashes; ///< Of the host that were noticed.
    bool m_written{false};
    ClientReadAhead m_readAhead;
    std::set<uint64_t> m_marks; ///< Pages.
    OctetSet m_cached;
    OctetSet m_reading;
    std::vector<Reader> m_readers;
    OctetSet m_dirty;   ///< Not being written.
    OctetSet m_writing; ///< In WRITEs that are outstanding.
    std::vector<Unstable> m_unstable;
    bool m_committing{false};
    std::vector<Done> m_syncs;
    bool m_failed{false}; ///< A WRITE or COMMIT since the last Sync().
    std::multimap<uint64_t, Unsettled> m_unsettled;
    uint64_t m_longestWrite{0};
    std::function<void()> m_close; ///< What is left of a Close().
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CACHED_FILE_IO_H
