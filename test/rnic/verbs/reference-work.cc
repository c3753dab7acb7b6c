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
ReferenceModel::MayFail(PairRules& pair)
{
    pair.mayFail = true;
    pair.mayEnd = true;
    if (pair.peer)
    {
        const auto peer = m_hosts.at(pair.peer->host).pairs.find(pair.peer->number);
        if (peer != m_hosts.at(pair.peer->host).pairs.end())
        {
            peer->second.mayFail = true;
            peer->second.mayEnd = true;
        }
    }
}

void
ReferenceModel::MayFail(const PairName& name)
{
    const auto found = m_hosts.at(name.host).pairs.find(name.number);
    if (found != m_hosts.at(name.host).pairs.end())
    {
        MayFail(found->second);
    }
}

void
ReferenceModel::Evaluate()
{
    for (HostRules& host : m_hosts)
    {
        for (auto& [number, pair] : host.pairs)
        {
            if (!pair.peer)
            {
                continue;
            }
            HostRules& peerHost = m_hosts.at(pair.peer->host);
            const auto peer = peerHost.pairs.find(pair.peer->number);
            const bool peerTakes = peer != peerHost.pairs.end() && peer->second.state == State::RTS;
            std::size_t position = 0;
            for (const auto& work : pair.messages)
            {
                if (work->delivered)
                {
                    continue;
                }
                if (!work->completed && pair.state == State::RTS)
                {
                    EvaluateOwn(host, pair, *work);
                }
                if (peerTakes && work->IsSend())
                {
                    if (peer->second.sharedQueue)
                    {
                        EvaluateSharedSend(peerHost, peer->second, *work);
                    }
                    else
                    {
                        EvaluateSend(peerHost, peer->second, *work, position++);
                    }
                }
                else if (peerTakes && !work->IsMemoryWork())
                {
                    EvaluateTagged(peerHost, peer->second, *work);
                }
                const bool mayFail =
                    work->mayBeRefused || work->mayNotScatter || work->mayNotInvalidate ||
                    (!work->outcomes.empty() && *work->outcomes.rbegin() != Status::SUCCESS);
                if (mayFail)
                {
                    MayFail(pair);
                }
            }
        }
    }
}

void
ReferenceModel::EvaluateOwn(HostRules& host, const PairRules& pair, SendWork& work)
{
    if (work.IsMemoryWork())
    {
        EvaluateMemoryWork(host, pair, work);
        return;
    }
    if (work.inlineData)
    {
        work.outcomes.insert(Status::SUCCESS);
        return;
    }
    const bool read = work.opcode == Opcode::RDMA_READ;
    const uint32_t access = read ? LOCAL_WRITE | REMOTE_WRITE : 0;
    const auto ranges = host.memory.Resolve(work.elements, pair.domain, access);
    const bool named = !read || work.GetLength() == 0 || work.elements[0].lkey != 0;
    if (!ranges || !named)
    {
        work.outcomes.insert(Status::LOC_PROT_ERR);
    }
    if (read && pair.ord == 0)
    {
        work.outcomes.insert(Status::LOC_QP_OP_ERR);
    }
    if (!ranges || !named || (read && pair.ord == 0))
    {
        return;
    }
    work.outcomes.insert(Status::SUCCESS);
    if (read && Note(work.targets, *ranges, work.ambiguous))
    {
        host.memory.Touch(*ranges);
    }
    else if (!read)
    {
        Note(work.sources, *ranges, work.ambiguous);
    }
}

void
ReferenceModel::EvaluateMemoryWork(const HostRules& host, const PairRules& pair, SendWork& work)
{
    if (work.executed)
    {
        return;
    }
    const auto& tagged = host.memory.tagged;
    if (work.opcode == Opcode::BIND_WINDOW)
    {
        work.outcomes.insert(MayBind(host, pair, work) ? Status::SUCCESS : Status::MW_BIND_ERR);
    }
    else if (work.opcode == Opcode::REGISTER_MR)
    {
        const auto region = tagged.find(*work.region);
        const bool usable =
            region != tagged.end() && !region->second.valid && region->second.domain == pair.domain;
        work.outcomes.insert(usable ? Status::SUCCESS : Status::LOC_QP_OP_ERR);
    }
    else
    {
        const auto named = tagged.find(work.invalidateStag >> 8);
        const bool covered = named != tagged.end() && named->second.windows != 0;
        work.outcomes.insert(host.memory.MayInvalidate(work.invalidateStag, pair.domain)
                                 ? Status::SUCCESS
                                 : Status::LOC_QP_OP_ERR);
        if (covered)
        {
            work.outcomes.insert(Status::MW_BIND_ERR);
        }
    }
}

bool
ReferenceModel::MayBind(const HostRules& host, const PairRules& pair, const SendWork& work)
{
    const auto& tagged = host.memory.tagged;
    const auto window = tagged.find(*work.window);
    const auto region = tagged.find(*work.region);
    if (window == tagged.end() || region == tagged.end())
    {
        return false;
    }
    const TaggedMemory& under = region->second;
    const TaggedMemory& binding = work.registration;
    const bool writes = (binding.access & (REMOTE_WRITE | REMOTE_ATOMIC)) != 0;
    const uint64_t from = binding.first - under.first;
    return !window->second.valid && window->second.domain == pair.domain && under.valid &&
           under.domain == pair.domain && (under.access & WINDOW_BIND) != 0 &&
           (!writes || (under.access & LOCAL_WRITE) != 0) && binding.first >= under.first &&
           from <= under.range.length && binding.range.length <= under.range.length - from;
}

void
ReferenceModel::EvaluateTagged(HostRules& peerHost, const PairRules& peer, SendWork& work)
{
    if (work.GetLength() == 0)
    {
        work.mayPlace = true;
        return;
    }
    const bool read = work.opcode == Opcode::RDMA_READ;
    const auto range = peerHost.memory.Resolve(work.remoteStag,
                                               peer.domain,
                                               read ? REMOTE_READ : REMOTE_WRITE,
                                               work.remoteOffset,
                                               work.GetLength());
    (range ? work.mayPlace : work.mayBeRefused) = true;
    if (!range)
    {
        const Element target{work.remoteOffset,
                             static_cast<uint32_t>(work.GetLength()),
                             work.remoteStag};
        const auto parts = peerHost.memory.ResolveParts({target}, peer.domain, REMOTE_WRITE);
        work.ambiguous = true;
        if (!read && Note(work.targets, parts, work.ambiguous))
        {
            peerHost.memory.Touch(parts);
        }
        return;
    }
    if (read)
    {
        Note(work.sources, {*range}, work.ambiguous);
    }
    else if (Note(work.targets, {*range}, work.ambiguous))
    {
        peerHost.memory.Touch({*range});
    }
}

void
ReferenceModel::EvaluateSend(HostRules& peerHost,
                             PairRules& peer,
                             SendWork& work,
                             std::size_t position)
{
    if (position >= peer.receives.size())
    {
        work.mayBeRefused = true;
        return;
    }
    const ReceiveWork& receive = peer.receives[position];
    const std::vector<Element> elements = Clip(receive.elements, work.GetLength());
    const auto ranges = peerHost.memory.Resolve(elements, peer.domain, LOCAL_WRITE);
    const bool fits = work.GetLength() <= receive.GetLength();
    const bool invalidates = work.opcode != Opcode::SEND_WITH_INVALIDATE ||
                             peerHost.memory.MayInvalidate(work.invalidateStag, peer.domain);
    work.mayBeRefused = work.mayBeRefused || !fits;
    work.mayNotInvalidate = work.mayNotInvalidate || !invalidates;
    work.mayNotScatter = work.mayNotScatter || !ranges;
    work.mayPlace = work.mayPlace || (fits && ranges && (invalidates || work.executed));
    work.ambiguous = work.ambiguous || !fits || !ranges;
    const auto parts =
        ranges ? *ranges : peerHost.memory.ResolveParts(elements, peer.domain, LOCAL_WRITE);
    if (Note(work.targets, parts, work.ambiguous))
    {
        peerHost.memory.Touch(parts);
    }
}

void
ReferenceModel::SendsPosted(const PairName& name, const std::vector<SendWork>& chain)
{
    PairRules& pair = m_hosts.at(name.host).pairs.at(name.number);
    for (const SendWork& work : chain)
    {
        auto posted = std::make_shared<SendWork>(work);
        posted->slot = pair.slotsTaken++;
        posted->late = HasLeftRts(pair);
        if (work.inlineData)
        {
            std::vector<Range> ranges;
            for (const Element& element : work.elements)
            {
                ranges.push_back({element.address, element.length});
            }
            posted->inlineOctets = m_hosts.at(name.host).memory.GetUntouched(ranges);
        }
        pair.sends.push_back(posted);
        if (pair.state == State::RTS)
        {
            pair.messages.push_back(posted);
        }
        if (pair.peer && !work.IsMemoryWork())
        {
            const auto peer = m_hosts.at(pair.peer->host).pairs.find(pair.peer->number);
            if (peer != m_hosts.at(pair.peer->host).pairs.end())
            {
                peer->second.heard = true;
            }
        }
    }
    Evaluate();
}

void
ReferenceModel::ReceivePosted(const PairName& name, const ReceiveWork& work)
{
    PairRules& pair = m_hosts.at(name.host).pairs.at(name.number);
    pair.receives.push_back(work);
    pair.receives.back().late = HasLeftRts(pair);
    Evaluate();
}

void
ReferenceModel::MemoryChanged()
{
    Evaluate();
}

void
ReferenceModel::MayEnd(const PairName& name)
{
    const auto found = m_hosts.at(name.host).pairs.find(name.number);
    if (found == m_hosts.at(name.host).pairs.end())
    {
        return;
    }
    found->second.mayEnd = true;
    if (found->second.peer)
    {
        const PairName peerName = *found->second.peer;
        const auto peer = m_hosts.at(peerName.host).pairs.find(peerName.number);
        if (peer != m_hosts.at(peerName.host).pairs.end())
        {
            peer->second.mayEnd = true;
        }
    }
}

void
ReferenceModel::Connected(const PairName& name, const PairName& peer, bool responder, uint32_t ord)
{
    PairRules& pair = m_hosts.at(name.host).pairs.at(name.number);
    pair.peer = peer;
    pair.responder = responder;
    pair.ord = ord;
}

void
ReferenceModel::StateChanged(const PairName& name, State before, State after)
{
    PairRules& pair = m_hosts.at(name.host).pairs.at(name.number);
    const std::string change =
        std::string("queue pair ") + ToString(before) + " -> " + ToString(after);
    Require(before == pair.state, change + ", but it was " + ToString(pair.state));
    switch (before)
    {
    case State::IDLE:
        Require(after == State::RTS || after == State::ERROR, change);
        break;
    case State::RTS:
        Require(after != State::IDLE, change);
        Require(after != State::TERMINATE || pair.mayFail, change + " without an error");
        Require(pair.mayEnd, change + " without a reason");
        break;
    case State::CLOSING:
    case State::TERMINATE:
        Require(after == State::ERROR, change);
        break;
    case State::ERROR:
        throw Mismatch(change);
    }
    pair.state = after;
    pair.drained = pair.drained || after == State::CLOSING;
    if (HasLeftRts(pair))
    {
        MayEnd(name);
    }
    Evaluate();
}

} // namespace ns3::nfsrdma::reference
