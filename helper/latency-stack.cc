/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/latency-stack.h"

#include "helper/rpc-operation.h"

#include <algorithm>

namespace ns3::nfsrdma
{

const char*
ToString(LatencyStage stage)
{
    static constexpr std::array<const char*, LATENCY_STAGES> NAMES{
        "application",  "session_slot",  "earlier_attempts", "client_call",    "slot",
        "connection",   "credit",        "registration",     "retransmission", "call_network",
        "call_receive", "call_chunks",   "thread",           "server_call",    "storage",
        "server_reply", "reply_network", "invalidation",     "client_reply",   "server_unknown"};
    return NAMES.at(static_cast<std::size_t>(stage));
}

LatencySplit
SplitLatency(const RpcRecord& record, const RpcServiceTimes* service)
{
    LatencySplit split{};
    Time latest = record.arrived;
    const auto mark = [&](LatencyStage stage, Time until) {
        const Time bounded = std::min(until, record.completed);
        if (bounded > latest)
        {
            split[static_cast<std::size_t>(stage)] += bounded - latest;
            latest = bounded;
        }
    };
    mark(LatencyStage::APPLICATION, record.asked);
    mark(LatencyStage::SESSION_SLOT, record.submitted);
    mark(LatencyStage::EARLIER_ATTEMPTS, record.begun);
    mark(LatencyStage::CLIENT_CALL, record.handed);
    mark(LatencyStage::SLOT, record.slot);
    mark(LatencyStage::CONNECTION, record.connected);
    mark(LatencyStage::CREDIT, record.credit);
    mark(LatencyStage::REGISTRATION, record.firstSent);
    mark(LatencyStage::RETRANSMISSION, record.sent);
    if (service == nullptr)
    {
        mark(LatencyStage::SERVER_UNKNOWN, record.replied);
    }
    else
    {
        mark(LatencyStage::CALL_NETWORK, service->arrived);
        mark(LatencyStage::CALL_RECEIVE, service->received);
        if (service->started < service->queued)
        {
            mark(LatencyStage::THREAD, service->started);
        }
        mark(LatencyStage::CALL_CHUNKS, service->queued);
        mark(LatencyStage::THREAD, service->started);
        mark(LatencyStage::SERVER_CALL, service->storageBegan);
        mark(LatencyStage::STORAGE, service->storageEnded);
        mark(LatencyStage::SERVER_REPLY, service->posted);
        mark(LatencyStage::REPLY_NETWORK, record.replied);
    }
    mark(LatencyStage::INVALIDATION, record.ended);
    mark(LatencyStage::CLIENT_REPLY, record.completed);
    return split;
}

void
LatencyStack::Add(Time took, const LatencySplit& split)
{
    ++rpcs;
    whole += took;
    for (std::size_t stage = 0; stage < LATENCY_STAGES; ++stage)
    {
        stages[stage] += split[stage];
        met[stage] += split[stage].IsZero() ? 0 : 1;
    }
}

void
LatencyStack::Add(const LatencyStack& other)
{
    rpcs += other.rpcs;
    whole += other.whole;
    for (std::size_t stage = 0; stage < LATENCY_STAGES; ++stage)
    {
        stages[stage] += other.stages[stage];
        met[stage] += other.met[stage];
    }
}

void
LatencyStacks::Add(const RpcRecord& record, const RpcServiceTimes* service)
{
    if (!IsError(record))
    {
        m_stacks[{GetOperationName(record), record.GetForm()}].Add(record.completed -
                                                                       record.arrived,
                                                                   SplitLatency(record, service));
    }
}

const std::map<LatencyStacks::Key, LatencyStack>&
LatencyStacks::GetStacks() const
{
    return m_stacks;
}

LatencyStack
LatencyStacks::GetTotal() const
{
    LatencyStack total;
    for (const auto& [key, stack] : m_stacks)
    {
        total.Add(stack);
    }
    return total;
}

} // namespace ns3::nfsrdma
