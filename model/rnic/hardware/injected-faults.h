/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_INJECTED_FAULTS_H
#define NFSRDMA_RNIC_HARDWARE_INJECTED_FAULTS_H

#include "rnic/hardware/fault-budget.h"
#include "wire/ip-address.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <optional>

namespace ns3::nfsrdma
{

class CmId;
class QueuePair;
class RnicDevice;

/**
 * \brief What goes wrong in a device because somebody wants it to; nothing by default.
 *
 * A peer is the address at the other end of a connection; none: all connections. Not to be called
 * from within the device, but from a simulator event of its own.
 *
 * Where a device is gone, work in progress is flushed as a driver does that finds it out.
 */
class RnicFaults
{
  public:
    using Peer = std::optional<IpAddress>;

    explicit RnicFaults(RnicDevice& device);
    RnicFaults(const RnicFaults&) = delete;
    RnicFaults& operator=(const RnicFaults&) = delete;

    /**
     * \brief The device is gone: async event DEVICE_FATAL; every region and window is invalid,
     * every queue pair in ERROR, its TCP connection dropped by the next event (with a RST, if a
     * port still sends), connection-manager ids that connect or are connected report
     * DEVICE_REMOVAL, and listeners hear nothing. Verbs that make something return NO_DEVICE.
     *
     * It is back after as many calls of Recover(). What was made before can only be destroyed;
     * listeners listen again, as those of Linux's rdma_cm that are bound to any address.
     */
    void Fail();
    void Recover();
    /**
     * \brief The device is being removed in order, as rdma_cm does (cma_process_remove()): every
     * connection is closed, its work flushed, and its id reports DEVICE_REMOVAL; ids that connect
     * do so, too; listeners hear nothing. Verbs that make something return NO_DEVICE. What is being
     * sent still leaves, until Fail() is called, which is to come. Nothing where the device has
     * failed.
     */
    void Leave();

    /// \return whether Fail() is to come.
    [[nodiscard]] bool IsLeaving() const
    {
        return m_isLeaving;
    }

    [[nodiscard]] bool HasFailed() const
    {
        return m_failures != 0;
    }

    /// A local catastrophic error of the queue pairs connected to \p peer: Terminate 0/0/00, as
    /// QueuePair::Modify() to TERMINATE; one that connects moves to ERROR. \return how many
    uint32_t FailQueuePairs(const Peer& peer);
    /// The completion queues for receives of the queue pairs connected to \p peer overrun.
    /// \return how many
    uint32_t OverrunQueues(const Peer& peer);

    /// Fast registrations before \p end, at most \p count of them (0: any number), complete with
    /// the status of one that breaks the rules, which fails their queue pairs. Regular ones return
    /// NO_MEMORY.
    void FailRegistrations(uint64_t count, Time end)
    {
        m_registrations.Add(count, end);
    }

    /// Allocations of fast-register regions before \p end, at most \p count, return TRY_AGAIN.
    void RefuseRegions(uint64_t count, Time end)
    {
        m_regions.Add(count, end);
    }

    /// \return whether the registration that is due fails.
    [[nodiscard]] bool TakeFailedRegistration()
    {
        return !m_registrations.IsEmpty() && FailsRegistration();
    }

    /// \return whether the allocation that is asked for is refused.
    [[nodiscard]] bool TakeRefusedRegion()
    {
        return !m_regions.IsEmpty() && RefusesRegion();
    }

    /// Consumers take each completion of a receive \p delay late, on connections with \p peer, also
    /// later ones (CompletionQueue::SetLag()). Of several that hold, the longest counts.
    /// \return a handle for EndSlowReceives()
    uint32_t BeginSlowReceives(const Peer& peer, Time delay);
    void EndSlowReceives(uint32_t handle);
    /// \p id has got its queue pair.
    void Adopt(const CmId& id);

  private:
    struct SlowReceives
    {
        Peer peer;
        Time delay;
    };

    [[nodiscard]] bool FailsRegistration();
    [[nodiscard]] bool RefusesRegion();
    void SetLags() const;
    [[nodiscard]] Time GetLag(const CmId& id) const;

    RnicDevice& m_device;
    uint32_t m_failures{0};
    bool m_isLeaving{false}; ///< Fail() is to come.
    FaultBudget m_registrations;
    FaultBudget m_regions;
    std::map<uint32_t, SlowReceives> m_slow; ///< By handle.
    uint32_t m_nextSlow{1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_INJECTED_FAULTS_H
