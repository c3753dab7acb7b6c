/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "bench/read-stream.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

ReadStream::ReadStream(const NfsRdmaClient& client,
                       NfsFh3 file,
                       uint64_t total,
                       uint32_t size,
                       uint32_t depth)
    : m_client(client),
      m_file(std::move(file)),
      m_total(total),
      m_size(size)
{
    for (uint32_t i = 0; i < depth; ++i)
    {
        m_buffers.emplace_back(client.memory, size);
    }
}

void
ReadStream::Start()
{
    m_client.transport->Connect();
    for (std::size_t slot = 0; slot < m_buffers.size(); ++slot)
    {
        ReadNext(slot);
    }
}

uint64_t
ReadStream::GetReads() const
{
    return m_reads;
}

uint64_t
ReadStream::GetOctets() const
{
    return m_octets;
}

Time
ReadStream::GetEnd() const
{
    return m_end;
}

void
ReadStream::ReadNext(std::size_t slot)
{
    if (m_next >= m_total)
    {
        return;
    }
    Read3Args args;
    args.file = m_file;
    args.offset = m_next;
    args.count = m_size;
    m_next += m_size;
    m_client.nfs->Call(args,
                       m_buffers[slot].GetAddress(),
                       [this, slot](RpcRecord&, const Read3Res& result) {
                           NS_ABORT_MSG_UNLESS(result.status == Nfs3Status::OK, "READ failed");
                           ++m_reads;
                           m_octets += result.count;
                           m_end = Simulator::Now();
                           if (m_octets == m_total)
                           {
                               m_client.transport->Disconnect();
                           }
                           ReadNext(slot);
                       });
}

} // namespace ns3::nfsrdma
