/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RDMAP_PLACEMENT_CONSUMER_H
#define NFSRDMA_TEST_RDMAP_PLACEMENT_CONSUMER_H

#include "rdmap/rdmap-stream-fixture.h"

namespace ns3::nfsrdma
{

/// A consumer with receive buffers: message n goes into the n-th, if it is posted and not consumed.
class PlacementConsumer : public RecordingConsumer
{
  public:
    std::map<uint32_t, ByteVector> buffers; ///< Posted, by MSN.
    uint32_t nextMsn{1};                    ///< Of the next Send to deliver.
    std::vector<ByteVector> delivered;      ///< Octets of the Sends delivered.
    uint32_t refusals{0};

    /// Posts \p count buffers of \p length octets.
    void Post(uint32_t count, std::size_t length)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            buffers[m_posted++] = ByteVector(length);
        }
    }

    tl::expected<void, DdpError> PlaceSend(uint32_t msn,
                                           uint32_t messageOffset,
                                           ByteSpan payload) override
    {
        events.push_back("send " + std::to_string(msn) + "@" + std::to_string(messageOffset) + "+" +
                         std::to_string(payload.size()));
        const auto buffer = buffers.find(msn);
        if (buffer == buffers.end())
        {
            return tl::make_unexpected(DdpError::UNTAGGED_NO_BUFFER);
        }
        if (uint64_t{messageOffset} + payload.size() > buffer->second.size())
        {
            return tl::make_unexpected(DdpError::UNTAGGED_TOO_LONG);
        }
        std::copy(payload.begin(), payload.end(), buffer->second.begin() + messageOffset);
        return {};
    }

    tl::expected<void, RdmapError> DeliverSend(const SendDelivery& delivery) override
    {
        ByteVector& buffer = buffers.at(nextMsn);
        delivered.emplace_back(buffer.begin(), buffer.begin() + delivery.length);
        buffers.erase(nextMsn++);
        memory.erase(delivery.invalidateStag);
        return RecordingConsumer::DeliverSend(delivery);
    }

    void SegmentRefused(RdmapOpcode /*opcode*/, DdpError /*error*/) override
    {
        ++refusals;
    }

  private:
    uint32_t m_posted{1};
};

/// One stream over a PlacementConsumer with STag 0xa1 of 16 octets and four buffers of 8.
class PlacementFixture : public testing::Test
{
  protected:
    using Events = std::vector<std::string>;

    void SetUp() override
    {
        m_consumer.memory[0xa1] = ByteVector(16);
        m_consumer.Post(4, 8);
    }

    /// \return whether the ULPDU was placed ahead of its turn.
    bool Place(std::string_view ulpdu)
    {
        return m_stream.PlaceUlpdu(HexBytes(ulpdu));
    }

    void Receive(std::string_view ulpdu, bool placed = false)
    {
        m_stream.ReceiveUlpdu(HexBytes(ulpdu), placed);
    }

    /// Sends a Read Request for \p length octets into 0xa1 from \p offset on.
    void RequestRead(uint64_t offset, uint32_t length)
    {
        m_stream.StartReadRequest({0xa1, offset, length, 1, 0});
        m_stream.EmitSegment();
    }

    RecordingUlpduStream m_lower;
    PlacementConsumer m_consumer;
    RdmapStream m_stream{m_lower, m_consumer, {4}};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RDMAP_PLACEMENT_CONSUMER_H
