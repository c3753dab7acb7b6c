/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/pcie-transactions.h"

#include "host/transfer-time.h"

#include "ns3/double.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3::nfsrdma
{

namespace
{

/// Bits a second of a lane of each generation, less line coding (sections 4.2.1, 4.2.2).
constexpr std::array<double, 7> LANE_RATES{0,
                                           2.5e9 * 8 / 10,
                                           5e9 * 8 / 10,
                                           8e9 * 128 / 130,
                                           16e9 * 128 / 130,
                                           32e9 * 128 / 130,
                                           64e9 * 242 / 256};
/// Share that acknowledgements, flow control and ordered sets leave: 57.88 of 62.96 Gb/s of Gen3 x8
/// (Neugebauer et al., SIGCOMM 2018, section 3).
constexpr double DATA_LINK_SHARE = 0.919;
constexpr uint32_t THREE_DOUBLE_WORDS_LESS = 4;
constexpr std::size_t WRITES_KEPT = 64;
constexpr double Z_OF_999_PER_MILLE = 3.0902;

uint64_t
CountPieces(uint64_t octets, uint64_t most)
{
    return most == 0 ? 1 : (octets + most - 1) / most;
}

} // namespace

PcieTransactions::PcieTransactions(const RnicSettings& settings)
    : m_settings(settings)
{
}

int64_t
PcieTransactions::AssignStreams(int64_t stream)
{
    m_tailStream = stream;
    return 1;
}

DataRate
PcieTransactions::GetRate() const
{
    if (m_settings.pcieGeneration == 0)
    {
        return m_settings.pcieRate;
    }
    return DataRate(static_cast<uint64_t>(LANE_RATES.at(m_settings.pcieGeneration) *
                                          m_settings.pcieLanes * DATA_LINK_SHARE));
}

uint64_t
PcieTransactions::GetRequests(uint64_t octets) const
{
    return CountPieces(octets, m_settings.pcieMrrs);
}

uint64_t
PcieTransactions::GetCompletionOctets(uint64_t octets) const
{
    const uint64_t header =
        m_settings.pcieHeader - std::min(m_settings.pcieHeader, THREE_DOUBLE_WORDS_LESS);
    return octets + header * CountPieces(octets, m_settings.pcieRcb);
}

Time
PcieTransactions::Write(Time now, Time earliest, uint64_t octets)
{
    const uint64_t headers = m_settings.pcieHeader * CountPieces(octets, m_settings.pcieMps);
    Time through =
        m_bus.Transfer(PcieBus::Direction::TO_HOST, now, earliest, octets + headers, GetRate());
    if (!m_settings.pcieWrite.IsZero())
    {
        m_writes.push_back(through);
        if (m_writes.size() > WRITES_KEPT)
        {
            m_writes.pop_front();
        }
    }
    return through;
}

Time
PcieTransactions::Commit(Time now, Time arrived, uint64_t octets)
{
    if (m_settings.pcieRelaxed || m_settings.pcieCommit.IsZero())
    {
        return arrived;
    }
    const auto pieces = static_cast<int64_t>(CountPieces(octets, m_settings.pcieMps));
    return NanoSeconds(m_commits.Reserve(now.GetNanoSeconds(),
                                         arrived.GetNanoSeconds(),
                                         m_settings.pcieCommit.GetNanoSeconds() * pieces));
}

Time
PcieTransactions::GetBehindWrites(Time issued)
{
    Time served = issued;
    for (const Time& through : m_writes)
    {
        if (through <= issued)
        {
            served = std::max(served, through + m_settings.pcieWrite);
        }
    }
    return served;
}

Time
PcieTransactions::DrawLatency(Time median)
{
    if (m_settings.pcieTail.IsZero() || median.IsZero())
    {
        return median;
    }
    if (!m_tail)
    {
        m_tail = CreateObjectWithAttributes<NormalRandomVariable>("Mean",
                                                                  DoubleValue(0),
                                                                  "Variance",
                                                                  DoubleValue(1));
        m_tail->SetStream(m_tailStream);
    }
    const double spread =
        std::log1p(m_settings.pcieTail.GetDouble() / median.GetDouble()) / Z_OF_999_PER_MILLE;
    return NanoSeconds(std::llround(static_cast<double>(median.GetNanoSeconds()) *
                                    std::exp(spread * m_tail->GetValue())));
}

Time
PcieTransactions::ReadPiece(Time now, Time asked, uint64_t octets, Time latency)
{
    const uint64_t requests = GetRequests(octets);
    const Time tagged = m_tags.GetStart(now, asked, requests, m_settings.pcieTags);
    const Time start = m_completions.GetStart(now, tagged, octets, m_settings.pcieReadBuffer);
    const Time sent = m_bus.Transfer(PcieBus::Direction::TO_HOST,
                                     now,
                                     start,
                                     m_settings.pcieHeader * requests,
                                     GetRate());
    const Time issued = start + (sent - std::max(now, start));
    const Time served = GetBehindWrites(issued) + DrawLatency(latency) + 2 * m_settings.pcieSwitch;
    Time end = m_bus.Transfer(PcieBus::Direction::TO_DEVICE,
                              now,
                              served,
                              GetCompletionOctets(octets),
                              GetRate());
    m_tags.Add(requests, start, end + m_settings.dmaLatency);
    m_completions.Add(octets, start, end + m_settings.dmaLatency);
    return end;
}

Time
PcieTransactions::Read(Time now, Time asked, uint64_t octets, Time latency)
{
    const bool bounded = m_settings.pcieTags != 0 || m_settings.pcieReadBuffer != 0;
    const uint64_t most = bounded && m_settings.pcieMrrs != 0 ? m_settings.pcieMrrs : octets;
    m_octetsAsked += octets;
    Time through = now;
    for (uint64_t left = octets; left > 0;)
    {
        const uint64_t piece = std::min(left, most);
        through = std::max(through, ReadPiece(now, asked, piece, latency));
        left -= piece;
    }
    const Time stored =
        NanoSeconds(m_store.Reserve(now.GetNanoSeconds(),
                                    through.GetNanoSeconds(),
                                    GetTransferTime(octets, m_settings.dmaRate).GetNanoSeconds()));
    return stored + m_settings.dmaLatency;
}

Time
PcieTransactions::GetStoreTime(uint64_t octets) const
{
    return GetTransferTime(octets, m_settings.dmaRate) + m_settings.dmaLatency;
}

Time
PcieTransactions::GetLead(uint64_t octets, Time latency) const
{
    return GetTransferTime(m_settings.pcieHeader * GetRequests(octets), GetRate()) + latency +
           2 * m_settings.pcieSwitch + GetStoreTime(octets);
}

Time
PcieTransactions::GetReadTime(uint64_t octets, Time latency) const
{
    return GetLead(octets, latency) + GetTransferTime(GetCompletionOctets(octets), GetRate());
}

} // namespace ns3::nfsrdma
