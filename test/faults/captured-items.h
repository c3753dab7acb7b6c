/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FAULTS_CAPTURED_ITEMS_H
#define NFSRDMA_TEST_FAULTS_CAPTURED_ITEMS_H

#include "rpcrdma/message/transport-header.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What the RPC-over-RDMA messages of a capture say and carry, both directions of every connection
/// that came to full operation.
struct CapturedItems
{
    uint64_t connections{0}; ///< That came to full operation.
    /// The octets of each RPC message that was sent inline or by Position-Zero Read chunk.
    std::vector<ByteVector> messages;
    /// The octets of each Read chunk at another Position.
    std::vector<ByteVector> readChunks;
    /// Octets that replies say were written to each Write chunk that was used.
    std::vector<uint64_t> writeChunks;
    uint64_t writtenToChunks{0};   ///< Octets that replies say were written to any chunk.
    uint64_t written{0};           ///< Octets of RDMA Writes.
    uint64_t invalidatingDones{0}; ///< RDMA_DONE that came as Send with Invalidate.
    uint64_t dones{0};             ///< RDMA_DONE.
    /// STags that replies invalidated though another call named them, too.
    uint64_t sharedInvalidated{0};
    uint64_t invalidations{0}; ///< Replies that invalidated.

    /// \return what the capture file \p path has; a failure of the test when it cannot be read.
    [[nodiscard]] static CapturedItems Read(const std::string& path);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_FAULTS_CAPTURED_ITEMS_H
