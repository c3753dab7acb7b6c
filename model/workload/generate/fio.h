/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_FIO_H
#define NFSRDMA_WORKLOAD_GENERATE_FIO_H

#include "workload/cached-file-io.h"
#include "workload/generate/file-setup.h"
#include "workload/generate/fio-job.h"
#include "workload/generate/requests.h"

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
 * without a Sync() that follows; "sync". A write through the cache is a success when the server has
 * taken its octets, an error when a WRITE of them failed. By IO through the client's cache (Direct
 * false) a file begins uncached.
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

  private:
    bool SetBlockSizeSplit(const std::string& text);

    [[nodiscard]] std::string GetBlockSizeSplit() const
    {
        return m_blockSizeSplit;
    }

    [[nodiscard]] bool HasReads() const;
    [[nodiscard]] bool HasWrites() const;
    [[nodiscard]] FioPattern MakePattern() const;
    void MakeJobs();
    void Run();
    [[nodiscard]] std::unique_ptr<FileIo> MakeIo(const std::shared_ptr<OpenFile>& file);

    Direction m_readWrite{READ};
    uint32_t m_rwMixRead{0};
    uint32_t m_blockSize{0};
    std::string m_blockSizeSplit;
    uint64_t m_size{0};
    uint64_t m_ioSize{0};
    uint32_t m_nrFiles{0};
    uint32_t m_numJobs{0};
    uint32_t m_fsync{0};
    bool m_endFsync{false};
    bool m_direct{false};
    double m_rateIops{0};
    double m_rate{0};

    uint32_t m_readAhead{0};
    uint64_t m_dirtyLimit{0};
    uint64_t m_dirtyBackground{0};
    Time m_cachedCost;
    DataRate m_copyRate;

    std::shared_ptr<ClientCache> m_cache; ///< Of all its files; null with Direct.
    std::unique_ptr<FileSetup> m_layout;
    std::vector<std::unique_ptr<FioJob>> m_jobs;
    uint32_t m_running{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_FIO_H
