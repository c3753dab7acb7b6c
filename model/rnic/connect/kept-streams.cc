/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/connect/kept-streams.h"

#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

KeptStreams::~KeptStreams()
{
    Clear();
}

void
KeptStreams::Keep(const Address& peer, MpaConnection::Released stream, Time limit)
{
    Kept& kept = m_streams.emplace_back();
    kept.peer = peer;
    kept.stream = std::move(stream);
    kept.owner = this;
    kept.stream.stream->GetCallbacks().ended = MakeCallback(&Kept::HandleEnd, &kept);
    kept.close = Simulator::Schedule(limit, &KeptStreams::CloseDue, this);
}

void
KeptStreams::Kept::HandleEnd(StreamEnd /* end */)
{
    ended = true;
    close.Cancel();
    close = Simulator::ScheduleNow(&KeptStreams::CloseDue, owner);
}

std::optional<MpaConnection::Released>
KeptStreams::Take(const Address& peer)
{
    CloseDue();
    const auto found = std::find_if(m_streams.begin(), m_streams.end(), [&](const Kept& kept) {
        return kept.peer == peer;
    });
    if (found == m_streams.end())
    {
        return std::nullopt;
    }
    auto stream = Detach(*found);
    m_streams.erase(found);
    return stream;
}

MpaConnection::Released
KeptStreams::Detach(Kept& kept)
{
    kept.close.Cancel();
    kept.stream.stream->GetCallbacks() = {};
    return std::move(kept.stream);
}

void
KeptStreams::CloseDue()
{
    for (auto kept = m_streams.begin(); kept != m_streams.end();)
    {
        if (!kept->ended && IsPending(kept->close))
        {
            ++kept;
            continue;
        }
        Detach(*kept).stream->Close();
        kept = m_streams.erase(kept);
    }
}

void
KeptStreams::Abort()
{
    for (Kept& kept : m_streams)
    {
        Detach(kept).stream->Abort();
    }
    m_streams.clear();
}

void
KeptStreams::Clear()
{
    for (Kept& kept : m_streams)
    {
        (void)Detach(kept);
    }
    m_streams.clear();
}

} // namespace ns3::nfsrdma
