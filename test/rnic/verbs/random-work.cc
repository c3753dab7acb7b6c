/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/random-verbs.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3::nfsrdma::reference
{

namespace
{

/// \return true when \p memory gives \p access to \p length octets for queue pairs of \p domain.
bool
IsFit(const TaggedMemory& memory, uint32_t domain, uint64_t length, uint32_t access)
{
    return memory.valid && memory.domain == domain && memory.range.length >= length &&
           (memory.access & access) == access;
}

/// \return true when an element does not name memory by its host address.
bool
IsTagged(const std::vector<Element>& elements)
{
    return std::any_of(elements.begin(), elements.end(), [](const Element& element) {
        return element.lkey != 0;
    });
}

std::string
Describe(const std::vector<Element>& elements)
{
    std::ostringstream text;
    for (const Element& element : elements)
    {
        text << " [" << element.address << "+" << element.length;
        if (element.lkey != 0)
        {
            text << " of 0x" << std::hex << element.lkey << std::dec;
        }
        text << "]";
    }
    return text.str();
}

std::string
Describe(const SendWork& work)
{
    std::ostringstream text;
    text << " " << work.id << " " << ToString(work.opcode) << (work.signaled ? "" : " unsignaled")
         << (work.fence ? " fenced" : "") << Describe(work.elements);
    if (work.inlineData)
    {
        text << " inline";
    }
    if (work.IsMemoryWork() && work.opcode != Opcode::LOCAL_INVALIDATE)
    {
        const TaggedMemory& registration = work.registration;
        text << " window " << work.window.value_or(0) << " region " << work.region.value_or(0)
             << " key " << int{registration.key} << " " << registration.range.address << "+"
             << registration.range.length << " from " << registration.first << " access "
             << registration.access;
    }
    else if (work.remoteStag != 0 || work.invalidateStag != 0)
    {
        text << " 0x" << std::hex << (work.remoteStag | work.invalidateStag) << std::dec << " at "
             << work.remoteOffset;
    }
    return text.str();
}

} // namespace

std::optional<PairName>
RandomVerbs::ChooseConnectedPair()
{
    std::vector<PairName> connected;
    std::vector<PairName> others;
    for (uint32_t host = 0; host < m_hosts.size(); host++)
    {
        for (const auto& [number, pair] : m_model->GetHost(host).pairs)
        {
            const bool full = pair.slotsTaken - pair.slotsReleased + 1 >= pair.sendDepth;
            if (!pair.destroyed && (!full || Chance(10)))
            {
                (pair.state == QueuePairState::RTS ? connected : others).push_back({host, number});
            }
        }
    }
    const bool wrong = Chance(4);
    const auto& choice = wrong ? others : connected;
    return choice.empty() ? std::nullopt : std::optional<PairName>(Choose(choice));
}

void
RandomVerbs::Spoil(std::vector<Element>& elements)
{
    if (elements.empty())
    {
        return;
    }
    Element& element = elements[Below(elements.size())];
    switch (Below(4))
    {
    case 0:
        element.lkey = static_cast<uint32_t>(m_random());
        break;
    case 1:
        element.lkey ^= 1;
        break;
    case 2:
        element.address += 1 + Below(10000);
        break;
    default:
        element.address -= 1 + Below(10000);
        break;
    }
}

std::optional<Element>
RandomVerbs::ChooseTagged(uint32_t host,
                          uint32_t domain,
                          uint64_t length,
                          uint32_t access,
                          bool local)
{
    std::vector<uint32_t> indices;
    for (const auto& [index, memory] : m_model->GetHost(host).memory.tagged)
    {
        if (IsFit(memory, domain, length, access) &&
            (!local || !memory.window || Chance(FAULT_PERCENT)))
        {
            indices.push_back(index);
        }
    }
    if (indices.empty())
    {
        return std::nullopt;
    }
    const uint32_t index = Choose(indices);
    const TaggedMemory& memory = m_model->GetHost(host).memory.tagged.at(index);
    const uint64_t room = memory.range.length - length;
    const uint64_t offset = Chance(20) ? room : Below(room + 1);
    return Element{memory.first + offset, static_cast<uint32_t>(length), index << 8 | memory.key};
}

std::vector<Element>
RandomVerbs::ChooseElements(uint32_t host, uint32_t domain, uint64_t length, uint32_t access)
{
    std::vector<Element> elements;
    const uint64_t count = Chance(60) ? 1 : Below(m_model->GetHost(host).limits.elements + 1);
    for (uint64_t i = 0; i < count; i++)
    {
        const uint64_t part = i + 1 == count ? length : Below(length + 1);
        const auto tagged =
            Chance(50) ? ChooseTagged(host, domain, part, access, true) : std::nullopt;
        if (tagged)
        {
            elements.push_back(*tagged);
            length -= part;
            continue;
        }
        const auto& buffers = m_hosts[host].buffers;
        if (buffers.empty())
        {
            break;
        }
        const Range& buffer = Choose(buffers);
        const uint64_t cut = std::min(part, buffer.length);
        const uint64_t offset = Below(buffer.length - cut + 1);
        elements.push_back({buffer.address + offset, static_cast<uint32_t>(cut), 0});
        length -= part;
    }
    if (Chance(FAULT_PERCENT))
    {
        Spoil(elements);
    }
    if (Chance(1))
    {
        elements.resize(m_model->GetHost(host).limits.elements + 1);
    }
    if (Chance(1) && !elements.empty())
    {
        elements[0].length = m_model->GetHost(host).limits.message + Below(2);
    }
    return elements;
}

SendWork
RandomVerbs::ChooseTransfer(const PairName& name)
{
    const PairRules& pair = *m_model->FindPair(name);
    SendWork work;
    work.signaled = Chance(70);
    work.fence = Chance(15);
    work.solicited = Chance(20);
    const uint64_t length = Chance(10)   ? 0
                            : Chance(50) ? Below(200)
                                         : Below(m_model->GetHost(name.host).limits.message);
    const PairRules* peer = pair.peer ? m_model->FindPair(*pair.peer) : nullptr;
    const uint32_t kind = Below(10);
    if (peer != nullptr && kind < 6)
    {
        const bool read = kind < 3;
        auto remote = ChooseTagged(pair.peer->host,
                                   peer->domain,
                                   length,
                                   read ? REMOTE_READ : REMOTE_WRITE,
                                   false);
        auto sink = ChooseTagged(name.host, pair.domain, length, LOCAL_WRITE | REMOTE_WRITE, true);
        if (remote && (!read || (sink && (pair.ord != 0 || Chance(5)))))
        {
            work.opcode = read ? Opcode::RDMA_READ : Opcode::RDMA_WRITE;
            work.elements = read ? std::vector<Element>{*sink}
                                 : ChooseElements(name.host, pair.domain, length, 0);
            if (!read && work.GetLength() > length && !Chance(FAULT_PERCENT))
            {
                work.elements.clear();
            }
            std::vector<Element> target{*remote};
            if (Chance(FAULT_PERCENT))
            {
                Spoil(target);
            }
            if (read && Chance(FAULT_PERCENT))
            {
                Spoil(work.elements);
            }
            work.remoteStag = target[0].lkey;
            work.remoteOffset = target[0].address;
            return work;
        }
    }
    work.elements = ChooseElements(name.host, pair.domain, length, 0);
    if (peer != nullptr)
    {
        const auto remote = ChooseTagged(pair.peer->host, peer->domain, 0, 0, false);
        if (remote && Chance(15))
        {
            work.opcode = Opcode::SEND_WITH_INVALIDATE;
            work.invalidateStag = remote->lkey ^ (Chance(FAULT_PERCENT) ? Below(512) : 0);
        }
        if (peer->sharedQueue)
        {
            PrepareShared(*pair.peer, work);
        }
        else if (!Chance(FAULT_PERCENT))
        {
            const auto undelivered =
                std::count_if(pair.messages.begin(), pair.messages.end(), [](const auto& item) {
                    return item->IsSend() && !item->delivered;
                });
            const auto position = static_cast<std::size_t>(undelivered);
            if (position >= peer->receives.size())
            {
                PostReceive(pair.peer->host, pair.peer->number, work.GetLength());
            }
            if (position >= peer->receives.size() ||
                peer->receives[position].GetLength() < work.GetLength())
            {
                work.elements.clear();
            }
            if (position >= peer->receives.size())
            {
                work.opcode = Opcode::LOCAL_INVALIDATE;
                work.invalidateStag = ChooseInvalidation(name).invalidateStag;
            }
        }
    }
    return work;
}

SendWorkRequest
RandomVerbs::ToRequest(uint32_t host, const SendWork& work)
{
    SendWorkRequest request;
    request.id = work.id;
    request.opcode = work.opcode;
    request.signaled = work.signaled;
    request.solicited = work.solicited;
    request.fence = work.fence;
    request.inlineData = work.inlineData;
    for (const Element& element : work.elements)
    {
        request.elements.push_back({element.address, element.length, element.lkey});
    }
    request.remoteStag = work.remoteStag;
    request.remoteOffset = work.remoteOffset;
    request.invalidateStag = work.invalidateStag;
    if (work.region)
    {
        const auto& regions = m_hosts[host].regions;
        const auto region = std::find_if(regions.begin(), regions.end(), [&](const auto& item) {
            return item->GetIndex() == *work.region;
        });
        request.region = region == regions.end() ? nullptr : *region;
    }
    if (work.opcode == Opcode::BIND_WINDOW)
    {
        const auto& windows = m_hosts[host].windows;
        const auto window = std::find_if(windows.begin(), windows.end(), [&](const auto& item) {
            return item->GetIndex() == *work.window;
        });
        request.window = *window;
        request.binding = {work.registration.key,
                           request.region,
                           work.registration.first,
                           work.registration.range.length,
                           work.registration.access};
        request.region = nullptr;
        return request;
    }
    request.registration.key = work.registration.key;
    request.registration.address = work.registration.range.address;
    request.registration.length = work.registration.range.length;
    request.registration.iova = work.registration.first;
    request.registration.access = work.registration.access;
    return request;
}

void
RandomVerbs::PostSends(const PairName& name, std::vector<SendWork> chain)
{
    std::vector<SendWorkRequest> requests;
    std::string described;
    for (SendWork& work : chain)
    {
        work.id = m_nextWork++;
        const PairRules* rules = m_model->FindPair(name);
        work.inlineData = rules != nullptr && !work.IsMemoryWork() &&
                          work.opcode != Opcode::RDMA_READ &&
                          work.GetLength() <= rules->maxInline + (Chance(2) ? 10 : 0) && Chance(50);
        if (work.inlineData && IsTagged(work.elements))
        {
            work.inlineData = Chance(FAULT_PERCENT);
        }
        requests.push_back(ToRequest(name.host, work));
        described += Describe(work);
    }
    const auto& pairs = m_hosts[name.host].pairs;
    const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const auto& item) {
        return item->GetNumber() == name.number;
    });
    const Ptr<QueuePair> pair = *found;
    const Refusals refusals = m_model->PostSend(name, chain);
    if (refusals.empty())
    {
        m_model->SendsPosted(name, chain);
    }
    const auto result = chain.size() == 1 ? pair->PostSend(requests[0]) : pair->PostSend(requests);
    Check("post send: queue pair " + std::to_string(name.number) + " of host " +
              std::to_string(name.host) + described,
          refusals,
          result ? std::nullopt : std::optional<VerbsError>(result.error()));
}

void
RandomVerbs::PostOne()
{
    if (const auto name = ChooseConnectedPair())
    {
        PostSends(*name, {ChooseTransfer(*name)});
    }
}

void
RandomVerbs::PostChain()
{
    const auto name = ChooseConnectedPair();
    if (!name)
    {
        return;
    }
    std::vector<SendWork> chain;
    const uint64_t length = Below(6);
    for (uint64_t i = 0; i < length; i++)
    {
        const uint64_t kind = Below(10);
        SendWork work = kind == 0   ? ChooseRegistration(*name)
                        : kind == 2 ? ChooseBinding(*name)
                        : kind == 1 ? ChooseInvalidation(*name)
                                    : ChooseTransfer(*name);
        if (work.IsSend() && i != 0 && !Chance(FAULT_PERCENT))
        {
            // The model counts receives for Sends already posted only.
            work = ChooseInvalidation(*name);
        }
        chain.push_back(work);
    }
    PostSends(*name, chain);
}

void
RandomVerbs::PostRegistration()
{
    if (const auto name = ChooseConnectedPair())
    {
        PostSends(*name, {ChooseRegistration(*name)});
    }
}

void
RandomVerbs::PostInvalidation()
{
    if (const auto name = ChooseConnectedPair())
    {
        PostSends(*name, {ChooseInvalidation(*name)});
    }
}

void
RandomVerbs::PostBinding()
{
    if (const auto name = ChooseConnectedPair())
    {
        PostSends(*name, {ChooseBinding(*name)});
    }
}

void
RandomVerbs::PostReceive()
{
    const uint32_t host = ChooseHost();
    const auto pair = ChooseObject(&VerbsHost::pairs, host);
    if (!pair || ToAlive(host, pair) == 0 ||
        (pair->GetState() == QueuePairState::ERROR && !Chance(10)))
    {
        return;
    }
    PostReceive(host, pair->GetNumber(), Chance(50) ? 200 : 6000);
}

void
RandomVerbs::PostReceive(uint32_t host, uint32_t number, uint64_t length)
{
    const PairName name{host, number};
    const PairRules* rules = m_model->FindPair(name);
    const auto& pairs = m_hosts[host].pairs;
    const auto found = std::find_if(pairs.begin(), pairs.end(), [number](const auto& item) {
        return item->GetNumber() == number;
    });
    const Ptr<QueuePair> pair = *found;
    ReceiveWork work;
    work.id = m_nextWork++;
    work.elements = ChooseElements(host, rules != nullptr ? rules->domain : 0, length, LOCAL_WRITE);
    ReceiveWorkRequest request;
    request.id = work.id;
    for (const Element& element : work.elements)
    {
        request.elements.push_back({element.address, element.length, element.lkey});
    }
    const Refusals refusals = m_model->PostReceive(name, work, pair->GetPostedReceives());
    if (refusals.empty())
    {
        m_model->ReceivePosted(name, work);
    }
    const auto result = pair->PostReceive(request);
    Check("post receive: queue pair " + std::to_string(number) + " of host " +
              std::to_string(host) + " " + std::to_string(work.id) + Describe(work.elements),
          refusals,
          result ? std::nullopt : std::optional<VerbsError>(result.error()));
}

} // namespace ns3::nfsrdma::reference
