/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_FIO_H
#define NFSRDMA_WORKLOAD_GENERATE_FIO_H

#include "settings/setting.h"
#include "workload/cached-file-io.h"
#include "workload/generate/file-setup.h"
#include "workload/generate/fio-job.h"
#include "workload/generate/requests.h"
#include "workload/reopened-file-io.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Reads and writes as fio makes them: NumJobs jobs, each with NrFiles files of its own of
 * Size octets, on which FioJob runs. Attributes are called as fio's options.
 *
 * SETUP makes the files; they are written when reads are to be, else they are empty. A job ends
 * after Requests requests, after IoSize octets (the size of its files when nothing else ends it),
 * or with Runtime. Results: "read" and "write", with the latency from arrival to completion,
 * without a Sync() that follows; "sync"; with Reopen "open" of a file when nothing of it was in
 * the cache, else "open_kept" or "open_dropped". A write through the cache is a success when the
 * server has taken its octets, an error when a WRITE of them failed. By IO through the client's
 * cache (Direct false) a file begins uncached. With Reopen its pages stay from an open to the next
 * when the file has not changed.
 *
 * In a shared tree the jobs of all clients work on the same files; a request may then overlap those
 * of others.
 *
 * Attributes: ReadWrite, RwMixRead (percent), BlockSize, BlockSizeSplit, Size, IoSize (octets),
 * NrFiles, NumJobs, Fsync (count), EndFsync, Direct, RateIops, Rate (per second), ReadAhead,
 * DirtyLimit, DirtyBackground (octets), CachedCost (Time), CopyRate (without Direct).
 */
class FioWorkload : public RequestWorkload
{
  public:
    /// As fio's readwrite; RW and RANDRW mix.
    enum Direction
    {
        READ,
        WRITE,
        RANDREAD,
        RANDWRITE,
        RW,
        RANDRW
    };

    /// What can be set: fio.def has the fields.
    struct Settings
    {
#define SETTING(type, name, ...) type name{};
#include "workload/generate/fio.def"
#undef SETTING

        [[nodiscard]] static const std::vector<Setting<Settings>>& GetRows();
    };

    static TypeId GetTypeId();

    /// \return nothing when \p text can be the attribute BlockSizeSplit, else what is expected.
    [[nodiscard]] static tl::expected<void, std::string> CheckBlockSizeSplit(
        const std::string& text);

    [[nodiscard]] tl::expected<void, std::string> Validate() const override
    {
        return CheckArrivals();
    }

    int64_t AssignStreams(int64_t stream) override;
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

  protected:
    void DoSetUp() override;
    void DoDispose() override;
    void DoDrain() override;

  private:
    bool SetBlockSizeSplit(const std::string& text);

    [[nodiscard]] std::string GetBlockSizeSplit() const
    {
        return m_blockSizeSplit;
    }

    [[nodiscard]] bool HasReads() const;
    [[nodiscard]] bool HasWrites() const;
    [[nodiscard]] FioPattern MakePattern();
    void MakeJobs();
    void Run();
    [[nodiscard]] std::unique_ptr<FileIo> MakeIo(const std::shared_ptr<OpenFile>& file,
                                                 KeptPages* pages);
    /// The same, closed and opened again if need be. \param index of the file among all
    [[nodiscard]] std::unique_ptr<FileIo> MakeIo(std::size_t index);

    Settings m_settings;
    std::string m_blockSizeSplit;

    std::shared_ptr<ClientCache> m_cache; ///< Of all its files; null with Direct.
    std::unique_ptr<FileSetup> m_layout;
    std::vector<std::string> m_names;                ///< Of the files.
    std::vector<std::unique_ptr<KeptPages>> m_pages; ///< Of each file, with Reopen.
    std::vector<std::unique_ptr<FioJob>> m_jobs;
    uint32_t m_running{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_FIO_H
