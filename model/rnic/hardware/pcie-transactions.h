/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_PCIE_TRANSACTIONS_H
#define NFSRDMA_RNIC_HARDWARE_PCIE_TRANSACTIONS_H

#include "rnic/hardware/flow-credits.h"
#include "rnic/hardware/pcie-bus.h"
#include "rnic/hardware/profile.h"
#include "rnic/hardware/reservation-calendar.h"
#include "wire/ring.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief What a device writes to its host and reads from it, as packets of the transaction layer
 * (TLPs) of PCI Express.
 *
 *     device                          link                        root complex, memory
 *     write    MWr, at most pcieMps octets each ------------------> pcieCommit each, pcieWrite
 *     read     MRd, at most pcieMrrs octets each, a tag each -----> behind earlier writes
 *              dmaLatency, dmaRate <------- CplD, at most pcieRcb octets each; latency, pcieTail
 *
 * Each TLP has pcieHeader octets besides its data (header of four double words, framing, sequence
 * number and LCRC; a completion's header has three). A read holds a tag and room for its
 * completions from its request until its data are stored: so many octets in flight bound the rate
 * of reads by their latency. A read is served when what was written before it is in memory
 * (PCI Express Base Specification section 2.4.1: a read never passes a posted write). Switches on
 * the way add pcieSwitch each way.
 *
 * A read may be asked for in the past: by an engine that has fetched ahead.
 */
class PcieTransactions
{
  public:
    /// \param settings outlive this
    explicit PcieTransactions(const RnicSettings& settings);

    /// \return streams used: 1, that of the tail of reads
    int64_t AssignStreams(int64_t stream);

    /// Writes \p octets, not before \p earliest, now or later. \return when the last is through the
    /// link
    Time Write(Time now, Time earliest, uint64_t octets);
    /// \p octets written are at the root complex at \p arrived, now or later. \return when they are
    /// in memory
    Time Commit(Time now, Time arrived, uint64_t octets);
    /// Reads \p octets that are asked for at \p asked. \param latency from the request at the root
    /// complex to the first data on the link \return when the device has all of them, not before
    /// \p now
    Time Read(Time now, Time asked, uint64_t octets, Time latency);

    /// \return octets of all reads so far.
    [[nodiscard]] uint64_t GetOctetsAsked() const
    {
        return m_octetsAsked;
    }

    /// \return how long before its data are at the link's end an engine asks for \p octets.
    [[nodiscard]] Time GetLead(uint64_t octets, Time latency) const;
    /// \return from when data are at the link's end until they are stored, with nothing else to do.
    [[nodiscard]] Time GetStoreTime(uint64_t octets) const;
    /// \return the time of a read of \p octets with nothing else to do, the median.
    [[nodiscard]] Time GetReadTime(uint64_t octets, Time latency) const;
    /// \return the rate of TLPs on the link, each direction: PcieRate, or that of PcieLanes of
    /// PcieGeneration less what the data link layer takes.
    [[nodiscard]] DataRate GetRate() const;

    [[nodiscard]] const PcieBus& GetBus() const
    {
        return m_bus;
    }

    /// \return read requests that wait for their data.
    [[nodiscard]] FlowCredits& GetTags()
    {
        return m_tags;
    }

    /// \return octets that these asked for.
    [[nodiscard]] FlowCredits& GetCompletions()
    {
        return m_completions;
    }

  private:
    [[nodiscard]] Time ReadPiece(Time now, Time asked, uint64_t octets, Time latency);
    [[nodiscard]] uint64_t GetRequests(uint64_t octets) const;
    [[nodiscard]] uint64_t GetCompletionOctets(uint64_t octets) const;
    /// \return when a read that comes at \p issued is served.
    [[nodiscard]] Time GetBehindWrites(Time issued);
    [[nodiscard]] Time DrawLatency(Time median);

    const RnicSettings& m_settings;
    PcieBus m_bus;
    uint64_t m_octetsAsked{0};
    FlowCredits m_tags;
    FlowCredits m_completions;
    ReservationCalendar m_store;      ///< In nanoseconds.
    ReservationCalendar m_commits;    ///< In nanoseconds.
    Ring<Time> m_writes;              ///< When the latest ones were through; with pcieWrite only.
    Ptr<NormalRandomVariable> m_tail; ///< Once it is needed.
    int64_t m_tailStream{-1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_PCIE_TRANSACTIONS_H
