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
ReferenceModel::DropSilentlyDone(PairRules& pair, const HostRules& host)
{
    // What a dead completion queue has lost may have told of a failure.
    const bool told = !host.completionQueues.at(pair.sendQueue).dead;
    while (!pair.sends.empty() && !pair.sends.front()->signaled &&
           pair.sends.front()->outcomes.count(Status::SUCCESS) != 0)
    {
        pair.sends.front()->completed = told;
        pair.sends.pop_front();
    }
}

void
ReferenceModel::ExpectFlushed(const PairName& name)
{
    PairRules* pair = FindPair(name);
    if (pair == nullptr)
    {
        return;
    }
    Require(pair->state == State::ERROR, "the connection is over, the queue pair is not in ERROR");
    const HostRules& host = m_hosts.at(name.host);
    const auto& queues = host.completionQueues;
    DropSilentlyDone(*pair, host);
    Require(pair->sends.empty() || pair->sends.front()->late || queues.at(pair->sendQueue).dead,
            "the connection is over, sends are not flushed");
    Require(pair->receives.empty() || pair->receives.front().late ||
                queues.at(pair->receiveQueue).dead,
            "the connection is over, receives are not flushed");
}

bool
ReferenceModel::MayBeOutstanding(const PairName& name, uint32_t sends, uint32_t receives) const
{
    const PairRules& pair = m_hosts.at(name.host).pairs.at(name.number);
    const std::size_t held =
        pair.sharedQueue ? m_hosts.at(name.host).sharedQueues.at(*pair.sharedQueue).taken.size()
                         : pair.receives.size();
    return sends <= pair.sends.size() && receives <= held;
}

void
ReferenceModel::SettlePair(PairRules& pair, const HostRules& host)
{
    const bool deaf = pair.state == State::RTS && pair.responder && !pair.heard;
    const PairRules* peer = pair.peer ? FindPair(*pair.peer) : nullptr;
    const bool together = pair.state == State::RTS && peer != nullptr && peer->state == State::RTS;
    // A peer that could not be told may wait for ever.
    const bool lost = pair.state == State::RTS && !together && pair.mayEnd;
    if (deaf || lost)
    {
        return;
    }
    Require(pair.state != State::RTS || together, "a queue pair without a peer");
    Require(pair.state != State::CLOSING && pair.state != State::TERMINATE,
            "a queue pair has not come to the end of its connection");
    DropSilentlyDone(pair, host);
    Require(pair.sends.empty() || host.completionQueues.at(pair.sendQueue).dead,
            "a send work request has not completed");
    Require(pair.state != State::ERROR || pair.receives.empty() ||
                host.completionQueues.at(pair.receiveQueue).dead,
            "a receive has not been flushed");
    if (together)
    {
        for (const auto& work : pair.messages)
        {
            Require(!work->IsSend() || work->delivered, "a Send has not been received");
            Require(work->IsMemoryWork() || work->mayPlace,
                    "an operation that the peer must refuse was tolerated");
        }
    }
}

void
ReferenceModel::SettleMessages(HostRules& host, PairRules& pair)
{
    if (!pair.peer)
    {
        return;
    }
    HostRules& peerHost = m_hosts.at(pair.peer->host);
    const PairRules* peer = FindPair(*pair.peer);
    const bool together = peer != nullptr && peer->state == State::RTS && pair.state == State::RTS;
    for (const auto& work : pair.messages)
    {
        const bool read = work->opcode == Opcode::RDMA_READ;
        const bool done = work->IsSend()                       ? work->delivered
                          : read                               ? work->completed
                          : work->opcode == Opcode::RDMA_WRITE ? together && work->completed
                                                               : false;
        if (!done || work->ambiguous)
        {
            continue;
        }
        ReferenceMemory& from = (read ? peerHost : host).memory;
        ReferenceMemory& into = (read ? host : peerHost).memory;
        const auto octets =
            work->inlineData ? work->inlineOctets : from.GetUntouched(work->sources);
        if (octets && octets->size() == work->GetLength())
        {
            into.Determine(work->targets, *octets);
        }
    }
}

void
ReferenceModel::Settle()
{
    for (HostRules& host : m_hosts)
    {
        for (auto& [number, pair] : host.pairs)
        {
            if (!pair.destroyed)
            {
                SettlePair(pair, host);
            }
        }
        for (const auto& [number, queue] : host.completionQueues)
        {
            Require(!queue.interrupting, "a notification has not come");
        }
        SettleShared(host);
    }
    for (HostRules& host : m_hosts)
    {
        for (auto& [number, pair] : host.pairs)
        {
            SettleMessages(host, pair);
        }
    }
    for (HostRules& host : m_hosts)
    {
        for (auto pair = host.pairs.begin(); pair != host.pairs.end();)
        {
            const bool over = pair->second.state != State::RTS;
            pair->second.messages.remove_if(
                [over](const auto& work) { return over || work->completed || work->delivered; });
            for (const auto& work : pair->second.messages)
            {
                work->sources.clear();
                work->targets.clear();
            }
            pair = pair->second.destroyed ? host.pairs.erase(pair) : std::next(pair);
        }
    }
}

} // namespace ns3::nfsrdma::reference
