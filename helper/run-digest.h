/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RUN_DIGEST_H
#define NFSRDMA_HELPER_RUN_DIGEST_H

#include "helper/sha256.h"
#include "rpc/record.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief One number for everything a run did: every frame on the link of every host, with its time,
 * and every RPC record.
 *
 * Each host has a digest of its own, so that the order of frames on different links at the same
 * time does not count; the run's digest is that over all of them in order of host.
 */
class RunDigest
{
  public:
    explicit RunDigest(std::size_t hosts);

    /// A frame that \p host sent or received at \p time.
    void AddFrame(std::size_t host, Time time, const Ptr<const Packet>& frame);
    /// An RPC of \p host that has ended.
    void AddRecord(std::size_t host, const RpcRecord& record);

    [[nodiscard]] uint64_t GetFrames() const;
    /// \return 64 hexadecimal digits; nothing may be added afterwards.
    std::string Finish();

  private:
    std::vector<Sha256> m_hosts;
    ByteVector m_buffer;
    uint64_t m_frames{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RUN_DIGEST_H
