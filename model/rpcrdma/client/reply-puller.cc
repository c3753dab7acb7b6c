/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/reply-puller.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ReplyPuller::ReplyPuller(Ptr<HostMemory> memory,
                         ChunkRegistrar& registrar,
                         SvcRdmaSendQueue& queue,
                         bool invalidates)
    : m_memory(memory),
      m_registrar(registrar),
      m_queue(queue),
      m_invalidates(invalidates && registrar.AllowsRemoteInvalidation())
{
}

ReplyPuller::~ReplyPuller()
{
    m_registrar.GetBroker()->Cancel(this);
}

void
ReplyPuller::Pull(uint32_t slot,
                  const std::vector<RpcRdmaReadSegment>& source,
                  Pulled pulled,
                  Done done,
                  Failed failed)
{
    const auto exchange = std::make_shared<Exchange>();
    exchange->slot = slot;
    for (const RpcRdmaReadSegment& segment : source)
    {
        exchange->length += segment.target.length;
        exchange->source.push_back(segment.target);
    }
    exchange->buffer = HostBuffer(m_memory, exchange->length);
    exchange->pulled = std::move(pulled);
    exchange->done = std::move(done);
    exchange->failed = std::move(failed);
    if (!PullSome(exchange))
    {
        AwaitRegion(exchange);
    }
}

bool
ReplyPuller::PullSome(const ExchangePointer& exchange)
{
    Chain chain;
    Sinks sinks = TakeSinks(*exchange, chain);
    if (sinks.empty())
    {
        return false;
    }
    AppendReads(*exchange, sinks, chain);
    m_queue.Post(std::move(chain),
                 [this, exchange, sinks]() mutable { Retire(exchange, std::move(sinks)); });
    return true;
}

void
ReplyPuller::AwaitRegion(const ExchangePointer& exchange)
{
    RegionBroker::Waiter waiter;
    waiter.owner = this;
    waiter.registrar = &m_registrar;
    waiter.attempt = [this, exchange] {
        if (PullSome(exchange))
        {
            return RegionBroker::Attempt::SERVED;
        }
        return m_registrar.IsShortForNow() ? RegionBroker::Attempt::DELAYED
                                           : RegionBroker::Attempt::SHORT;
    };
    waiter.never = [exchange] { exchange->failed(); };
    m_registrar.GetBroker()->Wait(RegionUse::SINK, std::move(waiter));
}

ReplyPuller::Sinks
ReplyPuller::TakeSinks(Exchange& exchange, Chain& chain)
{
    Sinks sinks;
    while (exchange.taken < exchange.length)
    {
        const uint64_t address = exchange.buffer.GetAddress() + exchange.taken;
        ChunkRegistrar::Request request;
        request.use = RegionUse::SINK;
        request.slot = exchange.slot;
        request.access = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE;
        request.iova = static_cast<uint32_t>(address >> 32);
        const auto sink =
            m_registrar.TakeSome(request, address, exchange.length - exchange.taken, chain);
        if (!sink)
        {
            break;
        }
        exchange.registrations += sink->made ? 1 : 0;
        exchange.taken += sink->segment.length;
        sinks.push_back(*sink);
    }
    return sinks;
}

void
ReplyPuller::AppendReads(Exchange& exchange, const Sinks& sinks, Chain& chain)
{
    for (const ChunkRegistrar::Registration& sink : sinks)
    {
        uint32_t used = 0;
        while (used < sink.segment.length)
        {
            RpcRdmaSegment& source = exchange.source.front();
            const uint32_t length = std::min(source.length, sink.segment.length - used);
            if (length > 0)
            {
                SendWorkRequest read;
                read.opcode = WorkRequestOpcode::RDMA_READ;
                read.elements.push_back({sink.segment.offset + used, length, sink.segment.handle});
                read.remoteStag = source.handle;
                read.remoteOffset = source.offset;
                chain.push_back(std::move(read));
            }
            used += length;
            source.offset += length;
            source.length -= length;
            if (source.length == 0)
            {
                exchange.source.pop_front();
            }
        }
        if (m_invalidates)
        {
            chain.back().invalidatesSink = true;
            ++m_invalidations;
        }
    }
}

void
ReplyPuller::Retire(const ExchangePointer& exchange, Sinks&& sinks)
{
    Chain chain;
    for (ChunkRegistrar::Registration& sink : sinks)
    {
        if (!m_invalidates)
        {
            m_registrar.Retire(sink, sink.segment.length, chain);
        }
    }
    const bool last = exchange->taken == exchange->length;
    m_queue.PostIfAny(std::move(chain), [this, exchange, sinks] {
        m_registrar.Await([this, exchange, sinks] { Finish(exchange, sinks); });
    });
    if (last)
    {
        exchange->pulled();
    }
}

void
ReplyPuller::Finish(const ExchangePointer& exchange, const Sinks& sinks)
{
    for (const ChunkRegistrar::Registration& sink : sinks)
    {
        m_registrar.GiveUp(exchange->slot, sink);
    }
    if (exchange->taken < exchange->length)
    {
        if (!PullSome(exchange))
        {
            AwaitRegion(exchange);
        }
        return;
    }
    ByteVector octets(exchange->length);
    exchange->buffer.Read(0, octets);
    exchange->buffer = HostBuffer();
    exchange->done(std::move(octets), exchange->registrations);
}

} // namespace ns3::nfsrdma
