/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_REASSEMBLING_BYTE_STREAM_H
#define NFSRDMA_TEST_MPA_REASSEMBLING_BYTE_STREAM_H

#include "mpa/fake-byte-stream.h"
#include "mpa/receive-queue.h"

#include <optional>

namespace ns3::nfsrdma
{

/// A FakeByteStream to which segments arrive in any order, and that can pack units.
class ReassemblingByteStream : public FakeByteStream
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::nfsrdma::ReassemblingByteStream")
                                .SetParent<FakeByteStream>()
                                .SetGroupName("NfsRdma");
        return tid;
    }

    Ptr<Packet> ReceiveAtMost(uint32_t limit) override
    {
        const ByteVector octets = queue.Take(limit);
        return octets.empty() ? nullptr
                              : Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()));
    }

    uint64_t GetReceivedOctets() const override
    {
        return queue.GetTakenOffset();
    }

    uint32_t GetOutOfOrderOctets() const override
    {
        return queue.GetOutOfOrderOctets();
    }

    uint32_t GetUnitRoom() const override
    {
        return unitRoom.value_or(emss);
    }

    /// A segment arrives. \return false when its owner had it dropped
    bool ArriveAt(uint64_t offset, ByteSpan octets)
    {
        const auto segment = Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()));
        if (!m_segment.IsNull() && !m_segment(offset, segment))
        {
            return false;
        }
        queue.Add(offset, octets);
        if (queue.HasOrdered() && !m_callbacks.receive.IsNull())
        {
            m_callbacks.receive();
        }
        return true;
    }

    void ChangeEmss(uint32_t octets)
    {
        emss = octets;
        m_callbacks.emss();
    }

    ReceiveQueue queue;
    std::optional<uint32_t> unitRoom;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_REASSEMBLING_BYTE_STREAM_H
