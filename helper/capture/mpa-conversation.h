/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_MPA_CONVERSATION_H
#define NFSRDMA_HELPER_CAPTURE_MPA_CONVERSATION_H

#include "ddp/segment-header.h"
#include "helper/capture/captured-terminate.h"
#include "helper/capture/tcp-conversation.h"
#include "mpa/fpdu-framing.h"
#include "mpa/startup-frame.h"
#include "rdmap/control-field.h"
#include "rdmap/read-request.h"

#include <deque>
#include <limits>

namespace ns3::nfsrdma
{

/// Something in a direction that is not as the specification has it, or is missing.
struct CaptureFault
{
    uint64_t frame{0}; ///< Number of the frame; 0 when none can be named.
    std::string text;
};

/// One FPDU of a capture, decoded as far as it can be.
struct CapturedFpdu
{
    uint64_t offset{0};   ///< In the direction.
    uint64_t size{0};     ///< Octets on the wire.
    std::size_t event{0}; ///< Index in TcpConversation::GetEvents() of the one that completed it.
    ByteSpan ulpdu;       ///< Within the conversation.
    std::optional<DdpHeader> header;
    std::optional<RdmapOpcode> opcode;
    bool last{false};                           ///< It ends its message.
    ByteSpan payload;                           ///< Behind the DDP header.
    std::optional<RdmaReadRequest> readRequest; ///< Of a Read Request.
    std::optional<CapturedTerminate> terminate; ///< Of a Terminate.

    /// \return whether it is of a Send of any of the four kinds.
    [[nodiscard]] bool IsSend() const;
};

/// What one side said on top of TCP.
struct MpaDirection
{
    static constexpr std::size_t OPCODES = 16;

    std::optional<MpaStartupFrame> startup;
    std::size_t startupEvent{0};     ///< Index of the event that completed it.
    uint8_t startupReservedFlags{0}; ///< Flag bits that RFC 5044 and RFC 6581 do not define.
    std::deque<CapturedFpdu> fpdus;
    std::array<uint64_t, OPCODES> messages{}; ///< Complete, by opcode.
    FpduFraming framing;
    uint8_t headerVersion{DDP_VERSION}; ///< Of DDP and RDMAP.
    uint64_t crcsGood{0};
    uint64_t padsNotZero{0};     ///< FPDUs whose pad the sender left as it was; kept as captured.
    uint64_t mpaOctets{0};       ///< Of the startup frame and of whole FPDUs.
    uint64_t reencodedOctets{0}; ///< Of those that came out the same when encoded again.
    uint64_t partOctets{0};      ///< Of an FPDU that the end of the capture or connection cut off.
    uint64_t unreadOctets{0};    ///< Not FPDUs, or behind a fault that ends the framing.
    std::vector<CaptureFault> faults;
};

/**
 * \brief MPA, DDP and RDMAP of one TCP connection: both startup frames, then every FPDU, decoded
 * and encoded again to the same octets.
 *
 * CRCs are computed afresh where the startup frames agree on them; where they do not, the field is
 * taken as captured. Markers are checked. Flag bits of startup frames that no RFC defines are kept
 * as captured (siw sets 0x08), and so are pad octets that are not zero (siw leaves some).
 *
 * No more is decoded than fits into the memory allowed: the rest stays unread.
 *
 * A side whose startup frame is not in the capture cannot be decoded; what the other then sends
 * neither, for CRC and markers are not known. That is no fault where the connection began before
 * the capture. A wrong CRC, a gap or octets cut off by a snap length end the direction.
 */
class MpaConversation
{
  public:
    static constexpr std::size_t NOBODY = TcpConversation::SIDES;

    static constexpr std::size_t ANY_MEMORY = std::numeric_limits<std::size_t>::max();

    /// \param tcp outlives this object
    /// \param allowed octets of memory that what is decoded may take
    explicit MpaConversation(const TcpConversation& tcp, std::size_t allowed = ANY_MEMORY);
    ~MpaConversation() = default;
    MpaConversation(MpaConversation&&) = default;
    MpaConversation& operator=(MpaConversation&&) = delete;
    MpaConversation(const MpaConversation&) = delete;
    MpaConversation& operator=(const MpaConversation&) = delete;

    [[nodiscard]] const TcpConversation& GetTcp() const
    {
        return m_tcp;
    }

    /// \return about how many octets of memory what was decoded takes.
    [[nodiscard]] std::size_t GetMemory() const
    {
        return m_memory;
    }

    /// \return whether decoding ended because no more memory was allowed.
    [[nodiscard]] bool IsCurtailed() const
    {
        return m_memory > m_allowed;
    }

    /// \return whether a startup frame was found.
    [[nodiscard]] bool IsMpa() const;
    /// \return whether both startup frames are there and the Reply accepts.
    [[nodiscard]] bool IsOperational() const;

    /// \return the side that sent the Request, or should have; NOBODY when not MPA.
    [[nodiscard]] std::size_t GetInitiator() const
    {
        return m_initiator;
    }

    [[nodiscard]] const MpaDirection& GetDirection(std::size_t side) const
    {
        return m_directions[side];
    }

    /// \return the startup frame of the initiator; null when not captured.
    [[nodiscard]] const MpaStartupFrame* GetRequest() const;
    /// \return the startup frame of the responder; null when not captured.
    [[nodiscard]] const MpaStartupFrame* GetReply() const;

  private:
    void FindStartup(std::size_t side);
    void ReadFpdus(std::size_t side);
    void Decode(std::size_t side, CapturedFpdu& fpdu);
    void Check(std::size_t side, const CapturedFpdu& fpdu);
    [[nodiscard]] ByteSpan Open(std::size_t side, ByteSpan captured, uint64_t position);
    [[nodiscard]] ByteVector EncodeFpdu(std::size_t side,
                                        const CapturedFpdu& fpdu,
                                        ByteSpan captured);
    void FindEnd(std::size_t side);
    [[nodiscard]] std::size_t FindEvent(std::size_t side, uint64_t end, std::size_t from) const;
    void AddFault(std::size_t side, std::size_t event, const std::string& text);

    const TcpConversation& m_tcp;
    std::size_t m_allowed;
    std::size_t m_memory{0};
    std::size_t m_initiator{NOBODY};
    std::array<MpaDirection, TcpConversation::SIDES> m_directions;
    std::deque<ByteVector> m_stripped; ///< ULPDUs that had markers in them.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_MPA_CONVERSATION_H
