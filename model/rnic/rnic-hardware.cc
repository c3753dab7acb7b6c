/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-hardware.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RnicHardware);

TypeId
RnicHardware::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RnicHardware")
            .SetParent<RnicBehaviour>()
            .SetGroupName("NfsRdma")
            .AddAttribute("Doorbell",
                          "From the post to the device (time): a posted MMIO write takes 200 to "
                          "400 ns on PCIe. Default: low end, a recent host.",
                          TimeValue(NanoSeconds(200)),
                          MakeTimeAccessor(&RnicHardware::m_doorbell),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("WqeFetch",
                          "To fetch the work requests of one doorbell (time): one DMA read round "
                          "trip, 400 to 700 ns on PCIe Gen4. Default: low end, pushed or cached "
                          "descriptors.",
                          TimeValue(NanoSeconds(400)),
                          MakeTimeAccessor(&RnicHardware::m_wqeFetch),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TxPerWqe",
                          "Transmit engine per work request (time): 50 to 200 ns. Default: low end "
                          "(20 to 30 million small messages a second with TxPerFpdu hidden).",
                          TimeValue(NanoSeconds(30)),
                          MakeTimeAccessor(&RnicHardware::m_txPerWqe),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TxPerFpdu",
                          "Transmit engine per FPDU (time): 20 to 100 ns, pipelined. Default: low "
                          "end.",
                          TimeValue(NanoSeconds(20)),
                          MakeTimeAccessor(&RnicHardware::m_txPerFpdu),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PcieRate",
                          "Payload rate of the host bus, each direction (bit/s): 26 GB/s for Gen4 "
                          "x16, 13 GB/s for Gen3 x16. Default: Gen4 x16.",
                          DataRateValue(DataRate("208Gb/s")),
                          MakeDataRateAccessor(&RnicHardware::m_pcieRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "PcieLatency",
                "Of a payload transfer over the host bus, its rate apart (time): DMA read "
                "round trip 400 to 700 ns, posted write 200 to 400 ns on Gen4. Default: "
                "between both.",
                TimeValue(NanoSeconds(350)),
                MakeTimeAccessor(&RnicHardware::m_pcieLatency),
                MakeTimeChecker(Time(0)))
            .AddAttribute("RxPerFpdu",
                          "Receive engine per FPDU: checks, CRC, placement (time): 20 to 100 ns, "
                          "pipelined. Default: low end.",
                          TimeValue(NanoSeconds(20)),
                          MakeTimeAccessor(&RnicHardware::m_rxPerFpdu),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReadRequestTurnaround",
                          "From a Read Request handled to its response queued (time), before the "
                          "stages of a transmission. Default: one engine pass.",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&RnicHardware::m_readRequestTurnaround),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CqeWrite",
                          "To write a completion where the host sees it (time): 200 to 400 ns with "
                          "the poll. Default: low end.",
                          TimeValue(NanoSeconds(200)),
                          MakeTimeAccessor(&RnicHardware::m_cqeWrite),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "InterruptLatency",
                "From the completion to the notification handler (time): 2 to 5 us; 0 for "
                "a polling consumer. Default: 2 us.",
                TimeValue(MicroSeconds(2)),
                MakeTimeAccessor(&RnicHardware::m_interruptLatency),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "RegisterBase",
                "Memory unit per fast registration (time): 0.3 to 1 us. Default: low end.",
                TimeValue(NanoSeconds(300)),
                MakeTimeAccessor(&RnicHardware::m_registerBase),
                MakeTimeChecker(Time(0)))
            .AddAttribute("RegisterPerPage",
                          "Memory unit per page of a fast registration (time): 10 to 20 ns. "
                          "Default: low end.",
                          TimeValue(NanoSeconds(10)),
                          MakeTimeAccessor(&RnicHardware::m_registerPerPage),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("InvalidateCost",
                          "Memory unit per local invalidation (time): 0.3 to 2 us. Default: low "
                          "end.",
                          TimeValue(NanoSeconds(300)),
                          MakeTimeAccessor(&RnicHardware::m_invalidateCost),
                          MakeTimeChecker(Time(0)));
    return tid;
}

Time
RnicHardware::GetBusTime(uint64_t octets) const
{
    const uint64_t rate = m_pcieRate.GetBitRate();
    if (rate == 0)
    {
        return Time(0);
    }
    constexpr uint64_t BITS_PER_OCTET_NANO = 8000000000;
    return NanoSeconds((octets * BITS_PER_OCTET_NANO + rate - 1) / rate);
}

Time
RnicHardware::GetStartLatency(uint64_t payload) const
{
    Time latency = m_txPerWqe + m_txPerFpdu;
    if (payload != 0)
    {
        latency += m_pcieLatency + GetBusTime(payload);
    }
    return latency;
}

Time
RnicHardware::GetTransmitOccupancy(uint32_t payload, bool first) const
{
    const Time engine = first ? m_txPerWqe + m_txPerFpdu : m_txPerFpdu;
    return std::max(engine, GetBusTime(payload));
}

Time
RnicHardware::GetReadRequestTurnaround() const
{
    return m_readRequestTurnaround;
}

Time
RnicHardware::GetCqeWrite() const
{
    return m_cqeWrite;
}

Time
RnicHardware::GetInterruptLatency() const
{
    return m_interruptLatency;
}

void
RnicHardware::ReceiveFpdu()
{
    m_receiveBusy = std::max(m_receiveBusy, Simulator::Now()) + m_rxPerFpdu;
    m_receiveDone = std::max(m_receiveDone, m_receiveBusy);
}

void
RnicHardware::PlacePayload(uint64_t payload)
{
    if (payload == 0)
    {
        return;
    }
    m_busBusy = std::max(m_busBusy, m_receiveBusy) + GetBusTime(payload);
    m_receiveDone = std::max(m_receiveDone, m_busBusy + m_pcieLatency);
    m_counters.payloadReceived += payload;
}

Time
RnicHardware::QueueMemoryWork(Time ready, Time cost)
{
    m_memoryBusy = std::max(m_memoryBusy, ready) + cost;
    return m_memoryBusy;
}

Time
RnicHardware::QueueRegistration(Time ready, uint32_t pages)
{
    return QueueMemoryWork(ready, m_registerBase + m_registerPerPage * int64_t{pages});
}

Time
RnicHardware::QueueInvalidation(Time ready)
{
    return QueueMemoryWork(ready, m_invalidateCost);
}

} // namespace ns3::nfsrdma
