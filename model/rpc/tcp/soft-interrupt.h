/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_SOFT_INTERRUPT_H
#define NFSRDMA_RPC_TCP_SOFT_INTERRUPT_H

#include "host/cpu.h"
#include "mpa/segment-stage.h"

#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// A receive queue of an Ethernet adapter, and the soft interrupt of a core that empties it (NAPI).
struct PacketQueue
{
    HostThread thread;
    Time begin;        ///< Of the poll under way, or the latest.
    uint64_t polls{0}; ///< Begun so far.

    explicit PacketQueue(uint32_t core)
        : thread(HostContext::SOFT_INTERRUPT, core)
    {
    }

    /// A packet has come. \return whether an interrupt is raised for it: the queue was empty.
    [[nodiscard]] bool Raise(Time now, Time moderation);
};

/**
 * \brief The soft interrupt that the packets of one connection pass: TCP in software.
 *
 * A packet that finds its queue empty raises an interrupt HostCosts::tcpModeration later; those
 * that come before the queue is empty again are taken by the same poll. Packets of one poll that
 * follow each other are one segment for TCP, up to HostCosts::tcpReceiveAggregation octets (GRO).
 * Acknowledgments that TCP sends, and what it repeats, are sent from here.
 */
class TcpSoftInterrupt : public TcpSegmentStage
{
  public:
    TcpSoftInterrupt(const Ptr<HostCpu>& cpu, std::shared_ptr<PacketQueue> queue)
        : m_cpu(cpu),
          m_queue(std::move(queue))
    {
    }

    [[nodiscard]] bool Admit(uint32_t repeated) override;
    void Defer(uint32_t repeated, bool isMade, std::function<void()> leave) override;
    [[nodiscard]] std::optional<Time> Arrive(uint32_t octets, bool hasPayload) override;

    /// Does \p work, for what has come, in the soft interrupt.
    void Run(const HostWork& work);

    /// \return the core of the soft interrupt.
    [[nodiscard]] uint32_t GetCore() const
    {
        return m_queue->thread.GetCore().value_or(0);
    }

  private:
    Ptr<HostCpu> m_cpu;
    std::shared_ptr<PacketQueue> m_queue;
    uint64_t m_poll{0};       ///< That the latest packet came with.
    uint32_t m_aggregated{0}; ///< Octets of the segment that packets are added to.
};

/// The receive queues of a host's adapter: connections have them in turn.
class TcpSoftInterrupts : public TcpSegmentStage
{
  public:
    /// As many queues as HostCosts::completionVectors says, or one a core.
    explicit TcpSoftInterrupts(const Ptr<HostCpu>& cpu);

    [[nodiscard]] Ptr<TcpSegmentStage> MakeForConnection() override;

    // Of what belongs to no connection: costs nothing.

    [[nodiscard]] bool Admit(uint32_t /* repeated */) override
    {
        return true;
    }

    void Defer(uint32_t repeated, bool isMade, std::function<void()> leave) override;
    [[nodiscard]] std::optional<Time> Arrive(uint32_t octets, bool hasPayload) override;

  private:
    Ptr<HostCpu> m_cpu;
    std::vector<std::shared_ptr<PacketQueue>> m_queues;
    std::size_t m_next{0};
};

/// \return the share of \p perPage, what 4 KiB cost, that \p octets cost.
[[nodiscard]] Time GetOctetCost(Time perPage, uint64_t octets);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_SOFT_INTERRUPT_H
