/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/data-path.h"

#include "wire/byte-reader.h"
#include "wire/byte-writer.h"

#include <stdexcept>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t CACHE_LINE = 64;
constexpr uint64_t PAGE = HostMemory::PAGE_SIZE;
// A linear congruential generator of 64 bits (Knuth), whose high bits are used.
constexpr uint64_t MULTIPLIER = 6364136223846793005;
constexpr uint64_t INCREMENT = 1442695040888963407;
constexpr uint32_t HIGH_BITS = 33;

template <typename T>
T
Require(tl::expected<T, VerbsError> result, const std::string& what)
{
    if (!result)
    {
        throw std::runtime_error("the device refuses " + what + ": " + ToString(result.error()));
    }
    return std::move(*result);
}

} // namespace

DataPath::DataPath(Ptr<RnicDevice> device, const DataPathSizes& sizes)
    : m_device(device),
      m_sizes(sizes),
      m_domain(device->AllocateProtectionDomain().value())
{
    const auto number = [](uint32_t value) { return std::to_string(value); };
    m_sendQueue = Require(device->CreateCompletionQueue(sizes.pairs * sizes.sendDepth),
                          "a completion queue for " + number(sizes.pairs) + " x " +
                              number(sizes.sendDepth) + " sends");
    m_receiveQueue = Require(device->CreateCompletionQueue(sizes.pairs * sizes.receiveDepth),
                             "a completion queue for " + number(sizes.pairs) + " x " +
                                 number(sizes.receiveDepth) + " receives");
    QueuePairCapabilities capabilities;
    capabilities.sendDepth = sizes.sendDepth;
    capabilities.receiveDepth = sizes.receiveDepth;
    capabilities.maxSendElements = 1;
    capabilities.maxReceiveElements = 1;
    capabilities.maxInline = sizes.maxInline;
    for (uint32_t i = 0; i < sizes.pairs; i++)
    {
        m_pairs.push_back(
            Require(device->CreateQueuePair(m_domain, m_sendQueue, m_receiveQueue, capabilities),
                    "queue pair " + number(i + 1) + " with " + number(sizes.sendDepth) +
                        " sends, " + number(sizes.receiveDepth) + " receives and " +
                        number(sizes.maxInline) + " octets inline"));
    }
    // A test program is one thread.
    const auto thread = Create<HostThread>();
    m_sendQueue->SetThread(thread);
    m_receiveQueue->SetThread(thread);
    for (const auto& pair : m_pairs)
    {
        pair->SetThread(thread);
    }
    m_buffer = HostBuffer(device->GetHostMemory(),
                          sizes.pairs * (2 * uint64_t{sizes.maxMessage} + 2 * uint64_t{WORD}) +
                              (sizes.window == 0 ? 0 : sizes.window + 2 * PAGE));
    m_region = Require(
        device->RegisterMemory(m_domain,
                               m_buffer.GetAddress(),
                               m_buffer.GetLength(),
                               ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ,
                               m_buffer.GetAddress()),
        "a memory region of " + std::to_string(m_buffer.GetLength()) + " octets");
    m_remotes.resize(sizes.pairs);
}

void
DataPath::Start(Handler sent, Handler received)
{
    m_sendPump.Start(m_sendQueue, std::move(sent));
    m_receivePump.Start(m_receiveQueue, std::move(received));
}

Ptr<RnicDevice>
DataPath::GetDevice() const
{
    return m_device;
}

uint32_t
DataPath::GetPairCount() const
{
    return m_pairs.size();
}

Ptr<QueuePair>
DataPath::GetPair(uint32_t pair) const
{
    return m_pairs.at(pair);
}

HostBuffer&
DataPath::GetBuffer()
{
    return m_buffer;
}

Stag
DataPath::GetKey() const
{
    return m_region->GetStag();
}

const DataPathSizes&
DataPath::GetSizes() const
{
    return m_sizes;
}

uint64_t
DataPath::GetSendOffset(uint32_t pair) const
{
    return 2 * uint64_t{pair} * m_sizes.maxMessage;
}

uint64_t
DataPath::ChooseSendOffset(uint32_t pair, uint32_t size)
{
    if (m_sizes.window == 0)
    {
        return GetSendOffset(pair);
    }
    m_random = m_random * MULTIPLIER + INCREMENT;
    const uint64_t places = (m_sizes.window - size) / CACHE_LINE + 1;
    const uint64_t behind = GetCreditOffset(m_sizes.pairs);
    const uint64_t begin = (behind + PAGE - 1) / PAGE * PAGE;
    return begin + (m_random >> HIGH_BITS) % places * CACHE_LINE;
}

uint64_t
DataPath::GetReceiveOffset(uint32_t pair) const
{
    return GetSendOffset(pair) + m_sizes.maxMessage;
}

uint64_t
DataPath::GetCreditOffset(uint32_t pair) const
{
    return GetSendOffset(m_sizes.pairs) + 2 * uint64_t{pair} * WORD;
}

uint64_t
DataPath::GetGrantOffset(uint32_t pair) const
{
    return GetCreditOffset(pair) + WORD;
}

uint64_t
DataPath::ToAddress(uint64_t offset) const
{
    return m_buffer.GetAddress() + offset;
}

void
DataPath::SetRemote(uint32_t pair, const DataPathDestination& remote)
{
    m_remotes.at(pair) = remote;
}

const DataPathDestination&
DataPath::GetRemote(uint32_t pair) const
{
    return m_remotes.at(pair);
}

ByteVector
DataPathDestination::Encode() const
{
    ByteVector octets(SIZE);
    ByteWriter writer(octets);
    writer.WriteZeros(8); // LID and outstanding Reads
    writer.WriteU32(queuePair);
    writer.WriteU32(0); // PSN
    writer.WriteU32(key);
    writer.WriteU32(0);
    writer.WriteU64(address);
    writer.WriteBytes(host.GetOctets()); // GID
    writer.WriteZeros(8);                // SRQ and GID index
    return octets;
}

DataPathDestination
DataPathDestination::Decode(const ByteVector& octets)
{
    DataPathDestination destination;
    ByteReader reader(octets);
    (void)reader.ReadBytes(8);
    destination.queuePair = reader.ReadU32();
    (void)reader.ReadU32();
    destination.key = reader.ReadU32();
    (void)reader.ReadU32();
    destination.address = reader.ReadU64();
    IpAddress::Octets gid{};
    const ByteSpan read = reader.ReadBytes(gid.size());
    std::copy(read.begin(), read.end(), gid.begin());
    destination.host = IpAddress(gid);
    return destination;
}

} // namespace ns3::nfsrdma
