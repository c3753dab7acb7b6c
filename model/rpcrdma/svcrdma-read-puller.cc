/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/svcrdma-read-puller.h"

#include "rnic/host-buffer-store.h"

#include <algorithm>
#include <map>

namespace ns3::nfsrdma
{
namespace
{

/// All sinks of a connection are one slot to the registration policy.
constexpr uint32_t SINKS = 0;

uint64_t
CountMade(const std::vector<ChunkRegistrar::Registration>& sinks)
{
    return std::count_if(sinks.begin(), sinks.end(), [](const auto& sink) { return sink.made; });
}

ByteVector
ReadSink(const HostBuffer& sink, uint32_t length)
{
    ByteVector octets(length);
    sink.Read(0, octets);
    return octets;
}

} // namespace

SvcRdmaReadPuller::SvcRdmaReadPuller(Ptr<HostMemory> memory,
                                     ChunkRegistrar& registrar,
                                     SvcRdmaSendQueue& queue,
                                     std::shared_ptr<SvcRdmaStatistics> statistics)
    : m_memory(memory),
      m_registrar(registrar),
      m_queue(queue),
      m_statistics(std::move(statistics))
{
}

std::vector<SvcRdmaReadPuller::Chunk>
SvcRdmaReadPuller::Collect(const std::vector<RpcRdmaReadSegment>& readList)
{
    std::map<uint32_t, uint32_t> lengths;
    for (const RpcRdmaReadSegment& segment : readList)
    {
        lengths[segment.position] += segment.target.length;
    }
    std::vector<Chunk> chunks;
    chunks.reserve(lengths.size());
    for (const auto& [position, length] : lengths)
    {
        chunks.push_back({position, length, nullptr});
    }
    return chunks;
}

bool
SvcRdmaReadPuller::Pull(const std::vector<RpcRdmaReadSegment>& readList,
                        ByteVector&& inlineMessage,
                        Done done)
{
    auto exchange = std::make_shared<Exchange>();
    exchange->inlineMessage = std::move(inlineMessage);
    exchange->chunks = Collect(readList);
    exchange->done = std::move(done);
    std::vector<SendWorkRequest> chain;
    for (Chunk& chunk : exchange->chunks)
    {
        if (chunk.length == 0)
        {
            continue;
        }
        chunk.sink = HostBufferStore::Take(m_memory, chunk.length);
        if (!AppendReads(*exchange, chunk, readList, chain))
        {
            for (const ChunkRegistrar::Registration& sink : exchange->sinks)
            {
                m_registrar.Release(SINKS, sink);
            }
            return false;
        }
        m_statistics->readBytes += chunk.length;
    }
    if (chain.empty())
    {
        exchange->done(Assemble(*exchange));
        return true;
    }
    m_statistics->read += exchange->sinks.size();
    m_statistics->registrations += CountMade(exchange->sinks);
    m_queue.Post(std::move(chain), [this, exchange] {
        Retire(exchange);
        m_registrar.Await([exchange] { exchange->done(Assemble(*exchange)); });
    });
    return true;
}

bool
SvcRdmaReadPuller::AppendReads(Exchange& exchange,
                               const Chunk& chunk,
                               const std::vector<RpcRdmaReadSegment>& readList,
                               std::vector<SendWorkRequest>& chain)
{
    uint64_t sinkAddress = chunk.sink->GetAddress();
    for (const RpcRdmaReadSegment& segment : readList)
    {
        if (segment.position != chunk.position)
        {
            continue;
        }
        if (!AppendRead(exchange, sinkAddress, segment.target, chain))
        {
            return false;
        }
        sinkAddress += segment.target.length;
    }
    return true;
}

bool
SvcRdmaReadPuller::AppendRead(Exchange& exchange,
                              uint64_t sinkAddress,
                              const RpcRdmaSegment& source,
                              std::vector<SendWorkRequest>& chain)
{
    uint32_t done = 0;
    while (done < source.length)
    {
        const uint64_t address = sinkAddress + done;
        const uint32_t extent = m_registrar.GetExtent(address, source.length - done);
        const uint32_t access = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE;
        const auto upper = static_cast<uint32_t>(address >> 32);
        auto sink = m_registrar.Register(SINKS, address, extent, access, upper, chain);
        if (!sink && m_registrar.Grow(1) > 0)
        {
            sink = m_registrar.Register(SINKS, address, extent, access, upper, chain);
        }
        if (!sink)
        {
            return false;
        }
        exchange.sinks.push_back(*sink);
        SendWorkRequest read;
        read.opcode = WorkRequestOpcode::RDMA_READ;
        read.elements.push_back({sink->segment.offset, extent, sink->segment.handle});
        read.remoteStag = source.handle;
        read.remoteOffset = source.offset + done;
        chain.push_back(std::move(read));
        done += extent;
    }
    return true;
}

void
SvcRdmaReadPuller::Retire(const std::shared_ptr<Exchange>& exchange)
{
    std::vector<SendWorkRequest> chain;
    for (ChunkRegistrar::Registration& sink : exchange->sinks)
    {
        m_registrar.Retire(sink, sink.segment.length, chain);
    }
    m_queue.PostIfAny(std::move(chain), [this, chunks = exchange->chunks, sinks = exchange->sinks] {
        m_registrar.Await([this, sinks] {
            for (const ChunkRegistrar::Registration& sink : sinks)
            {
                m_registrar.Release(SINKS, sink);
            }
        });
    });
}

RpcReceivedMessage
SvcRdmaReadPuller::Assemble(Exchange& exchange)
{
    RpcReceivedMessage message;
    message.octets = std::move(exchange.inlineMessage);
    auto next = exchange.chunks.begin();
    if (next != exchange.chunks.end() && next->position == 0)
    {
        message.octets = next->sink ? ReadSink(*next->sink, next->length) : ByteVector();
        ++next;
    }
    message.items.reserve(exchange.chunks.size());
    for (; next != exchange.chunks.end(); ++next)
    {
        message.items.push_back(
            {next->position, next->sink ? next->sink->GetAddress() : 0, next->length, next->sink});
    }
    return message;
}

} // namespace ns3::nfsrdma
