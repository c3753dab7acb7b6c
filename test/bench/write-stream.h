/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_BENCH_WRITE_STREAM_H
#define NFSRDMA_TEST_BENCH_WRITE_STREAM_H

#include "rnic/connect/cm-id.h"
#include "rnic/hardware/device.h"
#include "wire/ip-address.h"

#include "ns3/ipv4-address.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// RDMA Writes of one size from one device to another over one queue pair, a number of them
/// outstanding, until all octets are written.
class WriteStream
{
  public:
    struct Plan
    {
        uint64_t total; ///< Octets, a multiple of size.
        uint32_t size;
        uint32_t depth; ///< Writes outstanding.
    };

    WriteStream(const Ptr<RnicDevice>& from,
                const Ptr<RnicDevice>& to,
                IpAddress address,
                const Plan& plan);

    /// Connects; the Writes follow.
    void Start();

    /// \return octets of Writes that have completed.
    [[nodiscard]] uint64_t GetOctets() const
    {
        return m_octets;
    }

    /// \return when the last has completed.
    [[nodiscard]] Time GetEnd() const
    {
        return m_end;
    }

  private:
    struct Side
    {
        explicit Side(const Ptr<RnicDevice>& device, uint64_t octets);

        Ptr<RnicDevice> device;
        HostBuffer buffer;
        Ptr<ProtectionDomain> domain;
        Ptr<CompletionQueue> completions;
        Ptr<QueuePair> pair;
        Ptr<MemoryRegion> region;
    };

    void HandleEvent(Ptr<CmId> id, const CmEvent& event);
    void HandleCompletions(Ptr<CompletionQueue> queue);
    void WriteNext();

    Plan m_plan;
    Side m_from;
    Side m_to;
    IpAddress m_address;
    Ptr<CmId> m_listener;
    Ptr<CmId> m_id;
    uint64_t m_posted{0};
    uint64_t m_octets{0};
    Time m_end;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_BENCH_WRITE_STREAM_H
