/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_BENCH_READ_STREAM_H
#define NFSRDMA_TEST_BENCH_READ_STREAM_H

#include "helper/nfs-rdma-client-helper.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Reads a file from end to end once, several READs at a time: the load of the benchmarks.
 */
class ReadStream
{
  public:
    /**
     * \param client not yet connected
     * \param file handle of a file of at least \p total octets
     * \param total octets to read, a multiple of \p size
     * \param size octets of one READ
     * \param depth READs outstanding
     */
    ReadStream(const NfsRdmaClient& client,
               NfsFh3 file,
               uint64_t total,
               uint32_t size,
               uint32_t depth);

    void Start();
    [[nodiscard]] uint64_t GetReads() const;
    [[nodiscard]] uint64_t GetOctets() const;
    /// \return simulated time at which the last READ completed.
    [[nodiscard]] Time GetEnd() const;

  private:
    void ReadNext(std::size_t slot);

    NfsRdmaClient m_client;
    NfsFh3 m_file;
    uint64_t m_total;
    uint32_t m_size;
    uint64_t m_next{0};
    uint64_t m_reads{0};
    uint64_t m_octets{0};
    Time m_end;
    std::vector<HostBuffer> m_buffers;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_BENCH_READ_STREAM_H
