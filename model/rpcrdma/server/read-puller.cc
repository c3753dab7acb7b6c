/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/read-puller.h"

#include "host/buffer-store.h"

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
                                     std::shared_ptr<SvcRdmaStatistics> statistics,
                                     HostMemoryAccount account)
    : m_memory(memory),
      m_account(account),
      m_registrar(registrar),
      m_queue(queue),
      m_statistics(std::move(statistics))
{
}

SvcRdmaReadPuller::~SvcRdmaReadPuller()
{
    m_registrar.GetBroker()->Cancel(this);
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

void
SvcRdmaReadPuller::Pull(const std::vector<RpcRdmaReadSegment>& readList,
                        ByteVector&& inlineMessage,
                        Done done,
                        Failed failed)
{
    auto exchange = std::make_shared<Exchange>();
    exchange->inlineMessage = std::move(inlineMessage);
    exchange->chunks = Collect(readList);
    exchange->done = std::move(done);
    exchange->failed = std::move(failed);
    for (Chunk& chunk : exchange->chunks)
    {
        if (chunk.length == 0)
        {
            continue;
        }
        chunk.sink =
            HostBufferStore::Take(m_memory, chunk.length, {HostMemoryUse::READ_SINKS, m_account});
        ListReads(chunk, readList, exchange->rest);
        m_statistics->readBytes += chunk.length;
    }
    if (exchange->rest.empty())
    {
        exchange->done(Assemble(*exchange));
    }
    else if (!PullSome(exchange))
    {
        AwaitRegion(exchange);
    }
}

void
SvcRdmaReadPuller::ListReads(const Chunk& chunk,
                             const std::vector<RpcRdmaReadSegment>& readList,
                             std::deque<Rest>& rest)
{
    uint64_t sinkAddress = chunk.sink->GetAddress();
    for (const RpcRdmaReadSegment& segment : readList)
    {
        if (segment.position == chunk.position && segment.target.length > 0)
        {
            rest.push_back({sinkAddress, segment.target});
            sinkAddress += segment.target.length;
        }
    }
}

bool
SvcRdmaReadPuller::PullSome(const ExchangePointer& exchange)
{
    Sinks sinks;
    std::vector<SendWorkRequest> chain;
    while (!exchange->rest.empty() && AppendRead(*exchange, sinks, chain))
    {
    }
    if (sinks.empty())
    {
        return false;
    }
    m_statistics->read += sinks.size();
    m_statistics->registrations += CountMade(sinks);
    m_queue.Begin();
    m_queue.Post(std::move(chain), [this, exchange, sinks]() mutable {
        const bool hasAll = exchange->rest.empty();
        Retire(exchange, std::move(sinks));
        if (hasAll)
        {
            m_registrar.Await([exchange] { exchange->done(Assemble(*exchange)); });
        }
    });
    return true;
}

bool
SvcRdmaReadPuller::AppendRead(Exchange& exchange, Sinks& sinks, std::vector<SendWorkRequest>& chain)
{
    Rest& rest = exchange.rest.front();
    ChunkRegistrar::Request request;
    request.use = RegionUse::SINK;
    request.slot = SINKS;
    request.access = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE;
    request.iova = static_cast<uint32_t>(rest.sinkAddress >> 32);
    const auto sink = m_registrar.TakeSome(request, rest.sinkAddress, rest.source.length, chain);
    if (!sink)
    {
        return false;
    }
    const uint32_t extent = sink->segment.length;
    sinks.push_back(*sink);
    SendWorkRequest read;
    read.opcode = WorkRequestOpcode::RDMA_READ;
    read.elements.push_back({sink->segment.offset, extent, sink->segment.handle});
    read.remoteStag = rest.source.handle;
    read.remoteOffset = rest.source.offset;
    chain.push_back(std::move(read));
    rest.sinkAddress += extent;
    rest.source.offset += extent;
    rest.source.length -= extent;
    if (rest.source.length == 0)
    {
        exchange.rest.pop_front();
    }
    return true;
}

void
SvcRdmaReadPuller::AwaitRegion(const ExchangePointer& exchange)
{
    ++m_waiting;
    ++m_statistics->regionWaits;
    RegionBroker::Waiter waiter;
    waiter.owner = this;
    waiter.registrar = &m_registrar;
    waiter.attempt = [this, exchange] {
        if (PullSome(exchange))
        {
            --m_waiting;
            return RegionBroker::Attempt::SERVED;
        }
        return m_registrar.IsShortForNow() ? RegionBroker::Attempt::DELAYED
                                           : RegionBroker::Attempt::SHORT;
    };
    waiter.never = [this, exchange] {
        --m_waiting;
        exchange->failed(m_registrar.DescribeShortage());
    };
    m_registrar.GetBroker()->Wait(RegionUse::SINK, std::move(waiter));
}

void
SvcRdmaReadPuller::Continue(const ExchangePointer& exchange)
{
    if (!exchange->rest.empty() && !PullSome(exchange))
    {
        AwaitRegion(exchange);
    }
}

void
SvcRdmaReadPuller::Retire(const ExchangePointer& exchange, Sinks&& sinks)
{
    std::vector<SendWorkRequest> chain;
    for (ChunkRegistrar::Registration& sink : sinks)
    {
        m_registrar.Retire(sink, sink.segment.length, chain);
    }
    m_queue.PostIfAny(std::move(chain), [this, exchange, sinks] {
        m_registrar.Await([this, exchange, sinks] {
            for (const ChunkRegistrar::Registration& sink : sinks)
            {
                m_registrar.GiveUp(SINKS, sink);
            }
            Continue(exchange);
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
