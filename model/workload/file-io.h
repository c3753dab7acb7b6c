/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_FILE_IO_H
#define NFSRDMA_WORKLOAD_FILE_IO_H

#include "workload/verifying-file-client.h"

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
    /// \param ok all went well
    using Done = std::function<void(bool ok)>;

    virtual ~FileIo() = default;
    virtual void Read(uint64_t offset, uint32_t count, Done done) = 0;
    virtual void Write(uint64_t offset, uint32_t count, Done done) = 0;
    /// fsync(): what was written is on stable storage.
    virtual void Sync(Done done) = 0;
    /// close(); nothing may follow.
    virtual void Close(Done done) = 0;
};

/**
 * \brief Direct IO (O_DIRECT) as Linux's client does it (fs/nfs/direct.c): a request is as many
 * READs or WRITEs of the transfer size as it needs, all at once. A single WRITE is FILE_SYNC;
 * several are UNSTABLE and followed by a COMMIT, and all written again when a verifier differs from
 * the COMMIT's. So a Sync() has nothing to do.
 */
class DirectFileIo : public FileIo
{
  public:
    DirectFileIo(VerifyingFileClient& client, std::shared_ptr<OpenFile> file);

    void Read(uint64_t offset, uint32_t count, Done done) override;
    void Write(uint64_t offset, uint32_t count, Done done) override;
    void Sync(Done done) override;
    void Close(Done done) override;

  private:
    struct Parts
    {
        uint64_t offset{0};
        uint32_t count{0};
        uint32_t left{0};
        bool ok{true};
        bool stable{true}; ///< WRITE: no COMMIT is needed.
        std::optional<uint64_t> verifier;
        bool verifierChanged{false};
        Done done;
    };

    /// Calls \p start with offset and count of each part.
    template <typename Start>
    void Split(const std::shared_ptr<Parts>& parts, Start start) const;
    void StartWrites(const std::shared_ptr<Parts>& parts);
    void EndPart(const std::shared_ptr<Parts>& parts, const FileWriteReply& reply);
    void Commit(const std::shared_ptr<Parts>& parts);

    VerifyingFileClient& m_client;
    std::shared_ptr<OpenFile> m_file;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_FILE_IO_H
