/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_MPA_STARTUP_H
#define NFSRDMA_MPA_MPA_STARTUP_H

#include "mpa/mpa-error.h"
#include "mpa/startup-frame.h"

#include <optional>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// The first FPDU an initiator of the peer-to-peer model sends, RFC 6581 section 4: an operation of
/// no octets, of which neither consumer hears.
enum class ReadyToReceive : uint8_t
{
    NONE,
    SEND,
    WRITE,
    READ
};

/// What one side says, or hears, at startup: read depths and the consumer's private data.
struct MpaStartupParameters
{
    /// Inbound RDMA Reads the side can hold; NO_NEGOTIATION when heard from a peer that did not
    /// say.
    uint16_t ird{0};
    /// Outbound RDMA Reads the side wants; NO_NEGOTIATION when heard from a peer that did not say.
    uint16_t ord{0};
    ByteVector privateData; ///< For the consumer; without the enhanced block.
};

/**
 * \brief The rules of MPA startup as pure functions: RFC 5044 section 7.1.2 and RFC 6581.
 *
 * Read depths are negotiated as Linux siw does with relaxed_ird_negotiation: a side lowers its ORD
 * to the peer's IRD, and raises its IRD to the peer's ORD as far as its device allows.
 */
struct MpaStartup
{
    /// What a side is willing to do.
    struct Policy
    {
        uint8_t revision{2};    ///< Highest revision spoken: 1 or 2.
        bool crc{false};        ///< Asks for CRCs.
        bool peerToPeer{false}; ///< Initiator: offers to send a ready-to-receive Write first.
        uint16_t maxIrd{0};     ///< Limit to which IRD is raised.
    };

    /// What both sides have come to, as this side sees it.
    struct Agreement
    {
        bool crc{false};
        bool peerToPeer{false}; ///< The initiator's first FPDU is a zero-length RDMA Write.
        uint16_t ird{0};
        uint16_t ord{0};
        bool sendMarkers{false};    ///< The peer wants markers in what this side sends.
        bool receiveMarkers{false}; ///< What the peer sends carries markers.
        uint8_t headerVersion{1};   ///< DDP and RDMAP version: 0 with an RDMA Consortium peer.
        ReadyToReceive rtr{ReadyToReceive::NONE};
    };

    /// What a responder does about a well-formed Request.
    enum class Verdict
    {
        ANSWER, ///< The consumer decides.
        REJECT, ///< Markers or revision 0: a Reply with R set, then close.
        CLOSE   ///< A revision above this side's: close without a Reply.
    };

    /// The largest private data a consumer may give at \p revision.
    static constexpr std::size_t MaxConsumerData(uint8_t revision)
    {
        return MpaStartupFrame::MAX_PRIVATE_DATA - (revision >= 2 ? MpaEnhancedBlock::SIZE : 0);
    }

    /**
     * \brief The peer's startup frame in what has arrived so far.
     * \param octets everything received and not yet taken
     * \param initiator whether this side is the initiator and thus expects a Reply
     * \return nothing while it is incomplete; INVALID_STARTUP for a wrong key, private data too
     * long, or octets behind a Request (before the Reply there can be none)
     */
    static tl::expected<std::optional<MpaStartupFrame>, MpaError> FrameAtFront(ByteSpan octets,
                                                                               bool initiator);

    /// ULPDU of the ready-to-receive Write: STag 1, offset 0, no octets.
    static ByteSpan ReadyToReceiveWrite();
    /// \return whether \p ulpdu is a zero-length tagged RDMA Write; its STag and offset may be any.
    static bool IsReadyToReceiveWrite(ByteSpan ulpdu);

    static MpaStartupFrame MakeRequest(const Policy& policy, const MpaStartupParameters& local);
    static Verdict Judge(const Policy& policy, const MpaStartupFrame& request);
    /// \return what the sender of \p frame says; INVALID_STARTUP when its block is incomplete.
    static tl::expected<MpaStartupParameters, MpaError> Heard(const MpaStartupFrame& frame);

    static Agreement AgreeAsResponder(const Policy& policy,
                                      const MpaStartupFrame& request,
                                      const MpaStartupParameters& local);
    static MpaStartupFrame MakeReply(const MpaStartupFrame& request,
                                     const Agreement& agreement,
                                     ByteSpan privateData);
    static MpaStartupFrame MakeRejection(const MpaStartupFrame& request, ByteSpan privateData);

    /// \return the agreement; INVALID_STARTUP for a Reply this side cannot accept,
    /// INSUFFICIENT_IRD when the peer wants more RDMA Reads than can be held, NO_MATCHING_RTR.
    static tl::expected<Agreement, MpaError> AgreeAsInitiator(const Policy& policy,
                                                              const MpaStartupFrame& request,
                                                              const MpaStartupFrame& reply,
                                                              const MpaStartupParameters& local);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_MPA_STARTUP_H
