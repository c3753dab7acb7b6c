/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/reply-puller.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ReplyPuller::ReplyPuller(Ptr<HostMemory> memory, ChunkRegistrar& registrar, SvcRdmaSendQueue& queue)
    : m_memory(memory),
      m_registrar(registrar),
      m_queue(queue)
{
}

std::optional<uint32_t>
ReplyPuller::Pull(uint32_t slot,
                  const std::vector<RpcRdmaReadSegment>& source,
                  Pulled pulled,
                  Done done)
{
    const auto exchange = std::make_shared<Exchange>();
    exchange->slot = slot;
    for (const RpcRdmaReadSegment& segment : source)
    {
        exchange->length += segment.target.length;
    }
    exchange->buffer = HostBuffer(m_memory, exchange->length);
    exchange->pulled = std::move(pulled);
    exchange->done = std::move(done);
    Chain chain;
    if (!RegisterSinks(*exchange, chain))
    {
        for (const ChunkRegistrar::Registration& sink : exchange->sinks)
        {
            m_registrar.Release(slot, sink);
        }
        return std::nullopt;
    }
    AppendReads(*exchange, source, chain);
    m_queue.Post(std::move(chain), [this, exchange] { Retire(exchange); });
    return std::count_if(exchange->sinks.begin(), exchange->sinks.end(), [](const auto& sink) {
        return sink.made;
    });
}

bool
ReplyPuller::RegisterSinks(Exchange& exchange, Chain& chain)
{
    uint32_t registered = 0;
    while (registered < exchange.length)
    {
        const uint64_t address = exchange.buffer.GetAddress() + registered;
        const uint32_t extent = m_registrar.GetExtent(address, exchange.length - registered);
        const auto attempt = [this, &exchange, address, extent, &chain] {
            return m_registrar.Register(exchange.slot,
                                        address,
                                        extent,
                                        ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                                        static_cast<uint32_t>(address >> 32),
                                        chain);
        };
        auto sink = attempt();
        if (!sink && m_registrar.Grow(1) > 0)
        {
            sink = attempt();
        }
        if (!sink)
        {
            return false;
        }
        exchange.sinks.push_back(*sink);
        registered += extent;
    }
    return true;
}

void
ReplyPuller::AppendReads(const Exchange& exchange,
                         const std::vector<RpcRdmaReadSegment>& source,
                         Chain& chain)
{
    auto sink = exchange.sinks.begin();
    uint32_t used = 0;
    for (const RpcRdmaReadSegment& segment : source)
    {
        uint32_t taken = 0;
        while (taken < segment.target.length)
        {
            if (used == sink->segment.length)
            {
                ++sink;
                used = 0;
            }
            const uint32_t length =
                std::min(segment.target.length - taken, sink->segment.length - used);
            SendWorkRequest read;
            read.opcode = WorkRequestOpcode::RDMA_READ;
            read.elements.push_back({sink->segment.offset + used, length, sink->segment.handle});
            read.remoteStag = segment.target.handle;
            read.remoteOffset = segment.target.offset + taken;
            chain.push_back(std::move(read));
            used += length;
            taken += length;
        }
    }
}

void
ReplyPuller::Retire(const std::shared_ptr<Exchange>& exchange)
{
    Chain chain;
    for (ChunkRegistrar::Registration& sink : exchange->sinks)
    {
        m_registrar.Retire(sink, sink.segment.length, chain);
    }
    m_queue.PostIfAny(std::move(chain), [this, exchange] {
        m_registrar.Await([this, exchange] { Finish(*exchange); });
    });
    exchange->pulled();
}

void
ReplyPuller::Finish(Exchange& exchange)
{
    for (const ChunkRegistrar::Registration& sink : exchange.sinks)
    {
        m_registrar.Release(exchange.slot, sink);
    }
    ByteVector octets(exchange.length);
    exchange.buffer.Read(0, octets);
    exchange.buffer = HostBuffer();
    exchange.done(std::move(octets));
}

} // namespace ns3::nfsrdma
