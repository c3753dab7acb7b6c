/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_FILE_IO_H
#define NFSRDMA_WORKLOAD_FILE_IO_H

#include "workload/check/verifying-file-client.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

/// Reads and writes of an application on one open file, of any length. Each ends with its
/// completion: once, later, never from within.
class FileIo
{
  public:
    /// How a call ended.
    struct Result
    {
        bool ok{true};
        uint64_t octets{0}; ///< Read or written; 0 unless all went well.
    };

    using Done = std::function<void(const Result& result)>;

    virtual ~FileIo() = default;
    virtual void Read(uint64_t offset, uint32_t count, Done done) = 0;
    /// \param done write() has returned
    /// \param settled once, at \p done or later: whether the server has taken the octets. Of a
    /// write to a cache that is when they have been written back.
    virtual void Write(uint64_t offset, uint32_t count, Done done, Done settled) = 0;
    /// fsync(): what was written is on stable storage.
    virtual void Sync(Done done) = 0;
    /// close(); nothing may follow.
    virtual void Close(Done done) = 0;
};

/**
 * \brief Direct IO (O_DIRECT) as Linux's client does it (fs/nfs/direct.c): a request is as many
 * READs or WRITEs of the transfer size as it needs, all at once. A single WRITE is FILE_SYNC;
 * several are UNSTABLE and followed by a COMMIT, and all written again when a verifier differs from
 * the COMMIT's. So a Sync() has nothing to do. What a READ or WRITE was short of is asked for again
 * (nfs_readpage_retry(), nfs_writeback_result()), unless the file ends there.
 */
class DirectFileIo : public FileIo
{
  public:
    DirectFileIo(VerifyingFileClient& client, std::shared_ptr<OpenFile> file);

    void Read(uint64_t offset, uint32_t count, Done done) override;
    void Write(uint64_t offset, uint32_t count, Done done, Done settled) override;
    void Sync(Done done) override;
    void Close(Done done) override;

  private:
    struct Parts
    {
        uint64_t offset{0};
        uint32_t count{0};
        uint32_t left{0};
        bool ok{true};
        uint64_t octets{0}; ///< Moved.
        bool stable{true};  ///< WRITE: no COMMIT is needed.
        std::optional<uint64_t> verifier;
        bool verifierChanged{false};
        Done done;
        Done settled; ///< WRITE.
    };

    /// Calls \p start with offset and count of each part.
    template <typename Start>
    void Split(const std::shared_ptr<Parts>& parts, Start start) const;
    void ReadPart(const std::shared_ptr<Parts>& parts, uint64_t at, uint32_t length);
    void StartWrites(const std::shared_ptr<Parts>& parts);
    void WritePart(const std::shared_ptr<Parts>& parts, uint64_t at, uint32_t length);
    /// A part, or what is left of them, has ended.
    void EndPart(const std::shared_ptr<Parts>& parts);
    static void End(const std::shared_ptr<Parts>& parts, bool ok);
    void Commit(const std::shared_ptr<Parts>& parts);

    VerifyingFileClient& m_client;
    std::shared_ptr<OpenFile> m_file;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_FILE_IO_H
