/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RDMAP_RDMAP_STREAM_FIXTURE_H
#define NFSRDMA_TEST_RDMAP_RDMAP_STREAM_FIXTURE_H

#include "rdmap/stream.h"
#include "wire/hex-bytes.h"

#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/// Keeps the ULPDUs committed.
class RecordingUlpduStream : public UlpduStream
{
  public:
    uint32_t mulpdu{1442};
    std::deque<ByteVector> ulpdus;

    uint32_t GetMulpdu() const override
    {
        return mulpdu;
    }

    bool CanSend() const override
    {
        return true;
    }

    MutableByteSpan BeginUlpdu(uint32_t length) override
    {
        EXPECT_GE(length, 1U);
        EXPECT_LE(length, mulpdu);
        m_lent.assign(length, 0xee);
        return m_lent;
    }

    void CommitUlpdu() override
    {
        ulpdus.push_back(m_lent);
    }

  private:
    ByteVector m_lent;
};

/// Memory by STag, one Send at a time, and a line of text for each event.
class RecordingConsumer : public RdmapConsumer
{
  public:
    std::map<Stag, ByteVector> memory;
    ByteVector send; ///< Octets of the Send under way or last delivered.
    std::vector<SendDelivery> sends;
    std::vector<std::string> events;
    std::optional<TerminateMessage> failure;
    std::optional<TerminateMessage> peerTerminate;
    uint32_t segments{0};
    uint32_t emissionsReady{0};

    tl::expected<void, DdpError> PlaceWrite(Stag stag, uint64_t offset, ByteSpan payload) override
    {
        events.push_back("write " + std::to_string(offset) + "+" + std::to_string(payload.size()));
        return Place(stag, offset, payload);
    }

    tl::expected<void, DdpError> PlaceReadResponse(Stag stag,
                                                   uint64_t offset,
                                                   ByteSpan payload) override
    {
        events.push_back("response " + std::to_string(offset) + "+" +
                         std::to_string(payload.size()));
        return Place(stag, offset, payload);
    }

    void DeliverReadResponse() override
    {
        events.emplace_back("read done");
    }

    tl::expected<void, DdpError> PlaceSend(uint32_t msn,
                                           uint32_t messageOffset,
                                           ByteSpan payload) override
    {
        events.push_back("send " + std::to_string(msn) + "@" + std::to_string(messageOffset) + "+" +
                         std::to_string(payload.size()));
        send.resize(messageOffset);
        send.insert(send.end(), payload.begin(), payload.end());
        return {};
    }

    tl::expected<void, RdmapError> DeliverSend(const SendDelivery& delivery) override
    {
        events.emplace_back("send done");
        sends.push_back(delivery);
        return {};
    }

    tl::expected<PayloadSource, RdmapError> OpenReadSource(Stag stag,
                                                           uint64_t offset,
                                                           uint32_t length) override
    {
        events.push_back("open " + std::to_string(offset) + "+" + std::to_string(length));
        const auto region = memory.find(stag);
        if (region == memory.end())
        {
            return tl::make_unexpected(RdmapError::PROTECTION_INVALID_STAG);
        }
        if (offset > region->second.size() || length > region->second.size() - offset)
        {
            return tl::make_unexpected(RdmapError::PROTECTION_BOUNDS);
        }
        const ByteSpan octets = ByteSpan(region->second).subspan(offset, length);
        return [octets](uint32_t from, MutableByteSpan out) {
            const ByteSpan part = octets.subspan(from, out.size());
            std::copy(part.begin(), part.end(), out.begin());
            return true;
        };
    }

    void SegmentReceived(RdmapOpcode /*opcode*/, bool /*isLast*/) override
    {
        ++segments;
    }

    void EmissionReady() override
    {
        ++emissionsReady;
    }

    void StreamFailed(const TerminateMessage& message) override
    {
        events.emplace_back("failed");
        failure = message;
    }

    void TerminateReceived(const TerminateMessage& message) override
    {
        events.emplace_back("terminated");
        peerTerminate = message;
    }

  private:
    tl::expected<void, DdpError> Place(Stag stag, uint64_t offset, ByteSpan payload)
    {
        const auto region = memory.find(stag);
        if (region == memory.end())
        {
            return tl::make_unexpected(DdpError::TAGGED_INVALID_STAG);
        }
        if (offset > region->second.size() || payload.size() > region->second.size() - offset)
        {
            return tl::make_unexpected(DdpError::TAGGED_BOUNDS);
        }
        std::copy(payload.begin(), payload.end(), region->second.begin() + offset);
        return {};
    }
};

/// Octets before the payload of every Terminate.
inline const char* const TERMINATE_HEADER = "4147 00000000 00000002 00000001 00000000 ";

/// A consumer that also takes RFC 7306: words of memory by TO, in STag 0xa1.
class ExtendedConsumer : public RecordingConsumer
{
  public:
    std::map<uint64_t, uint64_t> words;
    std::vector<std::pair<RdmapOpcode, uint64_t>> immediates;
    std::vector<uint64_t> answers;
    uint32_t receives{100}; ///< Buffers left for Immediate Data.

    tl::expected<void, DdpError> DeliverImmediate(RdmapOpcode opcode,
                                                  const ImmediateData& data) override
    {
        if (receives == 0)
        {
            return tl::make_unexpected(DdpError::UNTAGGED_NO_BUFFER);
        }
        --receives;
        events.emplace_back("immediate");
        immediates.emplace_back(opcode, data.value);
        return {};
    }

    tl::expected<uint64_t, RdmapError> ExecuteAtomic(const AtomicRequest& request) override
    {
        if (request.remoteStag != 0xa1)
        {
            return tl::make_unexpected(RdmapError::PROTECTION_INVALID_STAG);
        }
        events.push_back("atomic " + std::to_string(request.remoteOffset));
        uint64_t& word = words[request.remoteOffset];
        const uint64_t before = word;
        word = request.Apply(before);
        return before;
    }

    tl::expected<void, RdmapError> DeliverAtomicResponse(uint64_t value) override
    {
        events.emplace_back("atomic done");
        answers.push_back(value);
        return {};
    }
};

/// \return a source of \p octets, which stay as they are now.
inline PayloadSource
SourceOf(ByteVector octets)
{
    return [octets = std::move(octets)](uint32_t offset, MutableByteSpan out) {
        const ByteSpan part = ByteSpan(octets).subspan(offset, out.size());
        std::copy(part.begin(), part.end(), out.begin());
        return true;
    };
}

/// One stream whose peer is the test: ULPDUs go in and come out as octets.
class RdmapStreamFixture : public testing::Test
{
  protected:
    static constexpr uint32_t IRD = 2;

    explicit RdmapStreamFixture(const RdmapStreamOptions& options = {IRD})
        : m_stream(m_lower, m_consumer, options)
    {
    }

    void Receive(std::string_view ulpdu)
    {
        m_stream.ReceiveUlpdu(HexBytes(ulpdu));
    }

    /// Emits one segment and takes it from the lower stream.
    ByteVector Emit()
    {
        EXPECT_TRUE(m_stream.HasSegment());
        m_emitted = m_stream.EmitSegment();
        ByteVector ulpdu = m_lower.ulpdus.front();
        m_lower.ulpdus.pop_front();
        EXPECT_EQ(m_emitted.ulpduLength, ulpdu.size());
        return ulpdu;
    }

    RecordingUlpduStream m_lower;
    RecordingConsumer m_consumer;
    RdmapStream m_stream;
    EmittedSegment m_emitted;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RDMAP_RDMAP_STREAM_FIXTURE_H
