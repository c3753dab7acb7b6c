/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_CLOCKS_H
#define NFSRDMA_RNIC_HARDWARE_CLOCKS_H

#include "host/cpu.h"
#include "host/memory-piece.h"
#include "rnic/hardware/context-store.h"
#include "rnic/hardware/counters.h"
#include "rnic/hardware/flow-credits.h"
#include "rnic/hardware/pcie-transactions.h"
#include "rnic/hardware/profile.h"
#include "rnic/hardware/reservation-calendar.h"
#include "rnic/hardware/stage-times.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The clocks of an RNIC: its parts, which all its queue pairs share, and how their costs
 * (RnicSettings) add up.
 *
 *     HOST  | posting thread                                                    polling thread
 *           | PostCost ----+                                     InterruptLatency -> InterruptCost
 *           |              |                                            ^     -> WakeUp -> PollCost
 *     ------+--------------|--------------------------------------------|-----------------------
 *     PCIe  |           Doorbell    WQEs        payload    payload     CQEs     all share PcieRate
 *           |              |      (WqeFetch) (PcieLatency) (PcieLatency) (CqeWrite)
 *     ------+--------------|----------|------------|----------|----------|----------------------
 *     RNIC  |              +----------+            |          |          |
 *           |                         v            v          ^          ^
 *           |  [context] ----> transmit engine: TxPerWqe,     |          |
 *           |                   TxPerFpdu, CrcRate      receive engine: RxPerFpdu,
 *           |                         |                 CrcRate  <---- [context]
 *           |  memory unit            |                       |
 *     ------+-------------------------|-----------------------|---------------------------------
 *     TCP   |                         +--> FPDUs     FPDUs ---+
 *
 * One Send, all parts idle, takes from the post to the handler of the receiver:
 *
 *     PostCost + PostPerRequest + Doorbell + WqeFetch + WQE / PcieRate
 *     + TxPerWqe + TxPerFpdu + [PcieLatency + payload / PcieRate]
 *     + network + RxPerFpdu + [payload / PcieRate + PcieLatency]
 *     + CqeWrite + CQE / PcieRate + InterruptLatency + InterruptCost + WakeUp
 *
 * The bracketed stages are of payload only; of a longer message they count once, for the first FPDU
 * at the sender and for the last at the receiver. Inline data saves WqeFetch, its WQE on the bus,
 * and the first bracket. Under load a stage is a server: a thread does one thing after the other,
 * the transmit engine is occupied by an FPDU for its own time or until the payload is through the
 * bus, whichever is longer (it fetches ahead, so that the latency counts once), the receive engine
 * serves in order of arrival, the memory unit executes one registration or invalidation at a time,
 * and all that crosses the bus shares its rate (PcieTransactions). Received payload on the bus is
 * bounded by its credits (FlowCredits), which hold the receive engine up, and FPDUs between TCP and
 * host memory by a buffer (ReceiveBuffer), which holds TCP up.
 *
 * An FPDU whose queue pair's context, or STag's, is not at hand (ContextStore) waits for it, and so
 * do those behind it of that queue pair; the engines serve others meanwhile. QpRate bounds what one
 * queue pair sends.
 *
 * What lies in memory of another socket crosses to it (HostInterconnect). What the host's IOMMU
 * translates (HostIommu) waits for it on its way: a read before it is at the root complex, a write
 * before it is in memory, in the order of writes.
 *
 * With EngineOnHost the engines are threads of the host, which copy the payload instead: nothing
 * crosses the bus, and what else runs on the cores delays them.
 */
class RnicClocks
{
  public:
    /// Octets of a completion queue entry.
    static constexpr uint32_t CQE_SIZE = 64;

    /// Where octets of host memory are.
    using Pieces = std::vector<MemoryPiece>;

    /// \param settings and \param counters outlive this
    RnicClocks(const RnicSettings& settings, RnicCounters& counters);

    /// Must be called once before use.
    void SetCpu(Ptr<HostCpu> cpu)
    {
        m_cpu = cpu;
    }

    /// The host is no more.
    void Stop()
    {
        m_cpu = nullptr;
    }

    /// \p thread posts \p work now, on the send queue or on a receive queue. What is posted on a
    /// receive queue is fetched ahead of its use.
    PostTimes Post(HostThread& thread, const PostedWork& work);
    /// What Post() has announced at \p rung is more than one read of the device brings: reads
    /// \p descriptors octets more. \return when the device has them
    Time Fetch(Time rung, uint64_t descriptors);

    /// \return what lies between a work request of \p queuePair, which may start at \p released,
    /// now or later, and its first FPDU. The context of the queue pair is at hand from then on.
    /// \param pieces where the payload of that FPDU is, when NeedsPieces()
    StartCosts UseEngine(uint32_t queuePair,
                         Time released,
                         const FpduSize& first,
                         bool inlineData,
                         const Pieces& pieces);
    /// As UseEngine(), of a Read Response.
    [[nodiscard]] StartCosts GetResponseCosts(const FpduSize& first, const Pieces& pieces) const;
    /// Asks for the transmit engine now. \return now, or, with EngineOnHost and no core free, when
    /// it has done \p work, which it is given
    Time AwaitEngine(Time work);
    /// Accounts an FPDU that the transmit engine sends.
    /// \param begins when the engine begins with it: now or later, and not before it is free
    /// \param extra cost of the engine: TxPerWqe of a message's first FPDU, less what AwaitEngine()
    /// was given
    /// \param pieces where its payload is, when NeedsPieces()
    /// \return time the engine is occupied by it
    Time SendFpdu(Time begins,
                  const FpduSize& size,
                  bool inlineData,
                  Time extra,
                  const Pieces& pieces);

    /// \return whether a segment that TCP sends of itself, without payload or with \p repeated
    /// octets, costs the device nothing
    [[nodiscard]] bool IsSegmentFree(uint32_t repeated) const
    {
        return m_settings.engineOnHost || (repeated == 0 && m_settings.ackCost.IsZero());
    }

    /// Accounts such a segment, which leaves now. \return time the engine is occupied by it
    Time SendSegment(uint32_t repeated);
    /// Receive engine: accounts a segment without payload that has arrived now.
    void ReceiveSegment();

    /// A further FPDU of a message of \p queuePair is next, from \p from on. \return when its
    /// context is at hand
    Time UseContext(uint32_t queuePair, Time from)
    {
        return m_contexts.UseQueuePair(queuePair, from);
    }

    /// Receive engine: accounts one FPDU of \p queuePair that has arrived now.
    /// \param progress of that queue pair: of its FPDU before, and of this one from then on
    void ReceiveFpdu(ReceiveTimes& progress, uint32_t queuePair, uint32_t crcOctets);
    /// Receive engine: the FPDU of \p progress needs the context of an STag, and where \p octets at
    /// \p offset of it are.
    void UseStag(ReceiveTimes& progress, uint32_t stag, uint64_t offset, uint64_t octets);
    /// Receive engine: the FPDU of \p progress needs the next work request of a receive queue.
    /// \param shared whether \p number is a shared receive queue's, not a queue pair's
    void UseReceiveQueue(ReceiveTimes& progress, uint32_t number, bool shared);
    /// Accounts \p payload octets of the FPDU of \p progress on their way to host memory. The
    /// engine is held up while the bus has no credits for them.
    /// \param pieces where they go
    void PlacePayload(ReceiveTimes& progress, uint64_t payload, const Pieces& pieces);

    /// Writes an entry of the completion queue \p queue not before \p ready.
    /// \return when the host sees it
    Time WriteCompletion(uint32_t queue, Time ready);

    /// Memory unit: queues a registration of \p pages for not before \p ready; \return its end.
    Time QueueRegistration(Time ready, uint32_t pages);

    /// Memory unit: queues an invalidation for not before \p ready; \return its end.
    Time QueueInvalidation(Time ready)
    {
        return QueueMemoryWork(ready, m_settings.invalidateCost);
    }

    /// Memory unit: queues a binding of a window for not before \p ready; \return its end.
    Time QueueBinding(Time ready)
    {
        return QueueMemoryWork(ready, m_settings.bindCost);
    }

    /// \return whether it makes a difference where in host memory the device reads and writes: an
    /// IOMMU translates it, or some is of another socket.
    [[nodiscard]] bool NeedsPieces() const
    {
        return !m_settings.engineOnHost &&
               (m_cpu->GetIommu() != nullptr || m_cpu->GetInterconnect() != nullptr);
    }

    [[nodiscard]] const RnicSettings& GetSettings() const
    {
        return m_settings;
    }

    [[nodiscard]] const PcieBus& GetBus() const
    {
        return m_pcie.GetBus();
    }

    [[nodiscard]] PcieTransactions& GetPcie()
    {
        return m_pcie;
    }

    /// \return received payload on the bus, octets.
    [[nodiscard]] FlowCredits& GetPostedWrites()
    {
        return m_postedWrites;
    }

    [[nodiscard]] ContextStore& GetContexts()
    {
        return m_contexts;
    }

    [[nodiscard]] HostCpu& GetCpu() const
    {
        return *m_cpu;
    }

    /// The context of \p queuePair is no more.
    void ForgetContext(uint32_t queuePair)
    {
        m_contexts.ForgetQueuePair(queuePair);
    }

  private:
    [[nodiscard]] Time GetFpduTime(const FpduSize& size, Time perFpdu) const;
    [[nodiscard]] Time GetGatherTime(uint32_t payload, bool inlineData, const Pieces& pieces) const;
    /// Reads the payload of an FPDU that leaves at \p leaves. \return when it is at the end of the
    /// link
    [[nodiscard]] Time ReadPayload(Time leaves, uint32_t octets, const Pieces& pieces);
    /// \return how long a read of \p pieces waits for a translation, and to cross sockets, with
    /// nothing else to do.
    [[nodiscard]] Time GetDistance(const Pieces& pieces) const;
    [[nodiscard]] Time PostWrite(Time earliest, uint64_t octets, const Pieces& pieces);
    Time QueueMemoryWork(Time ready, Time cost);
    /// The FPDU of \p progress waits until \p ready.
    static void Await(ReceiveTimes& progress, Time ready);

    const RnicSettings& m_settings;
    RnicCounters& m_counters;
    Ptr<HostCpu> m_cpu;
    Ptr<HostThread> m_transmitThread; ///< With EngineOnHost.
    Ptr<HostThread> m_receiveThread;  ///< With EngineOnHost.
    PcieTransactions m_pcie;
    FlowCredits m_postedWrites;
    ContextStore m_contexts;
    ReservationCalendar m_receiveEngine; ///< In nanoseconds.
    ReservationCalendar m_memoryUnit;    ///< In nanoseconds.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_CLOCKS_H
