/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_SENDER_H
#define NFSRDMA_RDMAP_SENDER_H

#include "ddp/segmenter.h"
#include "mpa/ulpdu-stream.h"
#include "rdmap/emitted-segment.h"
#include "rdmap/outstanding-reads.h"
#include "rdmap/read-response-queue.h"
#include "rdmap/stream-options.h"

#include <optional>
#include <utility>
#include <variant>

namespace ns3::nfsrdma
{

/**
 * \brief The sending half of an RDMAP stream: decides what goes next and builds it in place.
 *
 * Three sources: the owner's message, the Read Responses owed, a Terminate. Messages are not
 * interleaved; at each message boundary the owner and the Read Responses take turns. A Terminate
 * goes ahead of all; what was under way is cut off after the segment last sent.
 */
class RdmapSender
{
  public:
    /// All references outlive this object.
    RdmapSender(UlpduStream& lower,
                ReadResponseQueue& responses,
                OutstandingReads& reads,
                const RdmapStreamOptions& options);

    void StartSend(RdmapOpcode opcode, uint32_t length, Stag invalidateStag, PayloadSource source)
    {
        m_owner = OwnerMessage{opcode, length, invalidateStag, 0, std::move(source), {}};
    }

    void StartWrite(Stag stag, uint64_t offset, uint32_t length, PayloadSource source);
    void StartReadRequest(const RdmaReadRequest& request);
    /// \param opcode one of the two Immediate kinds
    void StartImmediate(RdmapOpcode opcode, const ImmediateData& data);
    void StartAtomic(const AtomicRequest& request);
    /// Drops everything else, for good.
    void StartTerminate(const TerminateMessage& message);
    /// Drops everything, for good.
    void Abandon();

    /// \return true when no message of the owner is under way.
    [[nodiscard]] bool IsIdle() const
    {
        return !m_owner.has_value();
    }

    [[nodiscard]] bool HasSegment() const
    {
        return m_owner.has_value() || !m_responses.IsEmpty() || m_terminate.has_value();
    }

    /// Requires HasSegment() and CanSend() of the lower stream.
    EmittedSegment EmitSegment();

  private:
    enum class Origin
    {
        OWNER,
        READ_RESPONSE,
        TERMINATE
    };

    struct OwnerMessage
    {
        RdmapOpcode opcode{RdmapOpcode::SEND};
        uint32_t length{0};
        Stag stag{0};             ///< To invalidate, or to write to.
        uint64_t taggedOffset{0}; ///< Of a Write.
        PayloadSource source;
        /// Payload that is not from memory.
        std::variant<std::monostate, RdmaReadRequest, ImmediateData, AtomicRequest> header;
    };

    [[nodiscard]] Origin ChooseOrigin() const;
    [[nodiscard]] uint8_t Control() const;
    void BeginMessage();
    void BeginOwnerMessage();
    void BeginResponse();
    [[nodiscard]] bool FillPayload(const DdpSegment& segment, MutableByteSpan payload) const;
    [[nodiscard]] bool HasMemoryPayload() const;
    void FinishMessage();

    UlpduStream& m_lower;
    ReadResponseQueue& m_responses;
    OutstandingReads& m_reads;
    uint8_t m_version;

    std::optional<OwnerMessage> m_owner;
    std::optional<TerminateMessage> m_terminate;

    DdpSegmenter m_segmenter;
    Origin m_origin{Origin::READ_RESPONSE}; ///< Of the message under way, or of the last one.
    RdmapOpcode m_opcode{RdmapOpcode::SEND};
    uint32_t m_nextSendMsn;
    uint32_t m_nextReadRequestMsn;
    uint32_t m_nextAtomicResponseMsn;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_SENDER_H
