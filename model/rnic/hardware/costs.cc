/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/costs.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RnicCosts);

TypeId
RnicCosts::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RnicCosts")
            .SetParent<RnicBehaviour>()
            .SetGroupName("NfsRdma")
            .AddAttribute("Doorbell",
                          "From the post to the device (time): a posted MMIO write takes 200 to "
                          "400 ns on PCIe. Default: low end, a recent host.",
                          TimeValue(NanoSeconds(200)),
                          MakeTimeAccessor(&RnicCosts::m_doorbell),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("WqeFetch",
                          "To fetch the work requests of one doorbell (time), their octets on the "
                          "bus apart: one DMA read round trip, 400 to 700 ns on PCIe Gen4. Not for "
                          "inline data, which is pushed. Default: low end.",
                          TimeValue(NanoSeconds(400)),
                          MakeTimeAccessor(&RnicCosts::m_wqeFetch),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TxPerWqe",
                          "Transmit engine per work request (time): 50 to 200 ns. Default: low end "
                          "(20 to 30 million small messages a second with TxPerFpdu hidden).",
                          TimeValue(NanoSeconds(30)),
                          MakeTimeAccessor(&RnicCosts::m_txPerWqe),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TxPerFpdu",
                          "Transmit engine per FPDU (time): 20 to 100 ns, pipelined. Default: low "
                          "end.",
                          TimeValue(NanoSeconds(20)),
                          MakeTimeAccessor(&RnicCosts::m_txPerFpdu),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PcieRate",
                          "Payload rate of the host bus, each direction (bit/s): 26 GB/s for Gen4 "
                          "x16, 13 GB/s for Gen3 x16. Default: Gen4 x16.",
                          DataRateValue(DataRate("208Gb/s")),
                          MakeDataRateAccessor(&RnicCosts::m_pcieRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "PcieLatency",
                "Of a payload transfer over the host bus, its rate apart (time): DMA read "
                "round trip 400 to 700 ns, posted write 200 to 400 ns on Gen4. Default: "
                "between both.",
                TimeValue(NanoSeconds(350)),
                MakeTimeAccessor(&RnicCosts::m_pcieLatency),
                MakeTimeChecker(Time(0)))
            .AddAttribute("RxPerFpdu",
                          "Receive engine per FPDU: checks, CRC, placement (time): 20 to 100 ns, "
                          "pipelined. Default: low end.",
                          TimeValue(NanoSeconds(20)),
                          MakeTimeAccessor(&RnicCosts::m_rxPerFpdu),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ContextCacheSize",
                          "Queue pairs whose contexts are on the device (count), those used last; "
                          "0: all. Default: 0, as published only for single products.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RnicCosts::m_contextCacheSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("StagCacheSize",
                          "STags whose contexts are on the device (count), those used last by "
                          "arriving Writes, Read Requests and Read Responses; 0: all. Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RnicCosts::m_stagCacheSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ContextMiss",
                          "To fetch a context that is not on the device (time), while its engine "
                          "waits: 0.5 to 1 us, a DMA read. Default: low end.",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&RnicCosts::m_contextMiss),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CrcRate",
                          "Rate at which an engine makes or checks CRCs (bit/s), of connections "
                          "that use them: 5 to 20 GB/s for a core with SSE 4.2; 0: in line, no "
                          "time. Default: 0, as in hardware.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&RnicCosts::m_crcRate),
                          MakeDataRateChecker())
            .AddAttribute("EngineOnHost",
                          "Whether there is no device: two threads of the host are the engines, "
                          "and copy the payload (HostCpu's CopyRate); nothing crosses the bus. "
                          "Default: false.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicCosts::m_engineOnHost),
                          MakeBooleanChecker())
            .AddAttribute("ReadRequestTurnaround",
                          "From a Read Request handled to its response queued (time), before the "
                          "stages of a transmission. Default: one engine pass.",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&RnicCosts::m_readRequestTurnaround),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CqeWrite",
                          "To write a completion where the host sees it (time), its octets on the "
                          "bus apart: 200 to 400 ns with the poll. Default: low end.",
                          TimeValue(NanoSeconds(200)),
                          MakeTimeAccessor(&RnicCosts::m_cqeWrite),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "InterruptLatency",
                "From the completion to the notification handler (time): 2 to 5 us; 0 for "
                "a polling consumer. Default: 2 us.",
                TimeValue(MicroSeconds(2)),
                MakeTimeAccessor(&RnicCosts::m_interruptLatency),
                MakeTimeChecker(Time(0)))
            .AddAttribute("ModerationCount",
                          "Completions that raise one interrupt (count), or fewer after "
                          "ModerationPeriod; 0 and 1: no moderation. A completion queue may have "
                          "its own. Default: 1, lowest latency.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RnicCosts::m_moderationCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ModerationPeriod",
                          "How long an interrupt is held back at most (time): 8 to 16 us are "
                          "common. 0: no moderation. Default: 0, lowest latency.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RnicCosts::m_moderationPeriod),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Polling",
                          "Whether consumers poll their completion queues all the time instead of "
                          "sleeping until an interrupt. A completion queue may differ. Default: "
                          "false.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicCosts::m_polling),
                          MakeBooleanChecker())
            .AddAttribute(
                "RegisterBase",
                "Memory unit per fast registration (time): 0.3 to 1 us. Default: low end.",
                TimeValue(NanoSeconds(300)),
                MakeTimeAccessor(&RnicCosts::m_registerBase),
                MakeTimeChecker(Time(0)))
            .AddAttribute("RegisterPerPage",
                          "Memory unit per page of a fast registration (time): 10 to 20 ns. "
                          "Default: low end.",
                          TimeValue(NanoSeconds(10)),
                          MakeTimeAccessor(&RnicCosts::m_registerPerPage),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("InvalidateCost",
                          "Memory unit per local invalidation (time): 0.3 to 2 us. Default: low "
                          "end.",
                          TimeValue(NanoSeconds(300)),
                          MakeTimeAccessor(&RnicCosts::m_invalidateCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("BindCost",
                          "Memory unit per binding of a window (time). Default: that of a fast "
                          "registration without pages.",
                          TimeValue(NanoSeconds(300)),
                          MakeTimeAccessor(&RnicCosts::m_bindCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HostRegisterBase",
                          "Host thread per registration of a regular region (time): 10 to 100 us. "
                          "Default: low end.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&RnicCosts::m_hostRegisterBase),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HostRegisterPerPage",
                          "Host thread per page of such a registration, to pin and map it (time): "
                          "0.1 to 0.5 us. Default: low end.",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&RnicCosts::m_hostRegisterPerPage),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HostDeregisterBase",
                          "Host thread per destruction of a regular region (time). Default: as a "
                          "registration, which makes the same way through kernel and device.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&RnicCosts::m_hostDeregisterBase),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HostDeregisterPerPage",
                          "Host thread per page of such a destruction, to unpin it (time). "
                          "Default: half of pinning, as nothing is looked up or allocated.",
                          TimeValue(NanoSeconds(50)),
                          MakeTimeAccessor(&RnicCosts::m_hostDeregisterPerPage),
                          MakeTimeChecker(Time(0)));
    return tid;
}

Time
RnicCosts::GetHostRegistration(uint64_t pages) const
{
    return m_hostRegisterBase + m_hostRegisterPerPage * static_cast<int64_t>(pages);
}

Time
RnicCosts::GetHostDeregistration(uint64_t pages) const
{
    return m_hostDeregisterBase + m_hostDeregisterPerPage * static_cast<int64_t>(pages);
}

} // namespace ns3::nfsrdma
