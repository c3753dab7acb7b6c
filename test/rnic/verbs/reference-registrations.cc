/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/reference-model.h"

#include <algorithm>

namespace ns3::nfsrdma::reference
{

namespace
{

using State = QueuePairState;

} // namespace

void
ReferenceModel::Registered(uint32_t host, uint32_t stag, const TaggedMemory& registration)
{
    HostRules& rules = m_hosts.at(host);
    const auto region = rules.memory.tagged.find(stag >> 8);
    Require(region != rules.memory.tagged.end(), "a region that does not exist was registered");
    Require(!region->second.valid, "a valid region was registered");
    for (auto& [number, pair] : rules.pairs)
    {
        for (const auto& work : pair.sends)
        {
            const TaggedMemory& asked = work->registration;
            if (work->opcode == Opcode::REGISTER_MR && !work->executed &&
                work->region == stag >> 8 && asked.key == registration.key &&
                asked.range == registration.range && asked.first == registration.first &&
                asked.access == registration.access)
            {
                Require(pair.state == State::RTS && pair.domain == region->second.domain &&
                            asked.key == (stag & 0xff),
                        "a registration was executed that is not allowed");
                work->executed = true;
                TaggedMemory& memory = region->second;
                memory.valid = true;
                memory.key = asked.key;
                memory.access = asked.access;
                memory.first = asked.first;
                memory.range = asked.range;
                Evaluate();
                return;
            }
        }
    }
    throw Mismatch("a region was registered that no work request has asked for");
}

void
ReferenceModel::Bound(uint32_t host, uint32_t stag)
{
    HostRules& rules = m_hosts.at(host);
    for (auto& [number, pair] : rules.pairs)
    {
        for (const auto& work : pair.sends)
        {
            if (work->opcode != Opcode::BIND_WINDOW || work->executed ||
                work->window != stag >> 8 || work->registration.key != (stag & 0xff) ||
                pair.state != State::RTS || !MayBind(rules, pair, *work))
            {
                continue;
            }
            work->executed = true;
            const TaggedMemory& binding = work->registration;
            TaggedMemory& region = rules.memory.tagged.at(*work->region);
            TaggedMemory& window = rules.memory.tagged.at(stag >> 8);
            region.windows++;
            window.valid = true;
            window.key = binding.key;
            window.access = binding.access;
            window.boundOver = *work->region;
            window.range = {region.range.address + (binding.first - region.first),
                            binding.range.length};
            window.first = (binding.access & ZERO_BASED) != 0 ? 0 : binding.first;
            Evaluate();
            return;
        }
    }
    throw Mismatch("a window was bound that no work request has asked for, or may");
}

void
ReferenceModel::Invalidated(uint32_t host, uint32_t stag)
{
    HostRules& rules = m_hosts.at(host);
    const auto region = rules.memory.tagged.find(stag >> 8);
    Require(region != rules.memory.tagged.end() && region->second.valid &&
                region->second.key == (stag & 0xff),
            "a region was invalidated that was not valid");
    bool asked = false;
    for (auto& [number, pair] : rules.pairs)
    {
        for (const auto& work : pair.sends)
        {
            const bool local = work->opcode == Opcode::LOCAL_INVALIDATE && !work->executed &&
                               work->invalidateStag == stag && pair.state == State::RTS &&
                               pair.domain == region->second.domain;
            asked = asked || local;
        }
        if (pair.peer && pair.state == State::RTS && pair.domain == region->second.domain)
        {
            const auto peer = m_hosts.at(pair.peer->host).pairs.find(pair.peer->number);
            if (peer == m_hosts.at(pair.peer->host).pairs.end())
            {
                continue;
            }
            for (const auto& work : peer->second.messages)
            {
                const bool remote = work->opcode == Opcode::SEND_WITH_INVALIDATE &&
                                    !work->delivered && work->invalidateStag == stag;
                work->executed = work->executed || remote;
                work->mayPlace = work->mayPlace || remote;
                asked = asked || remote;
            }
        }
    }
    Require(asked, "a region was invalidated that nothing has asked for");
    rules.memory.Close(stag >> 8);
    Evaluate();
}

} // namespace ns3::nfsrdma::reference
