/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_STARTUP_H
#define NFSRDMA_MPA_STARTUP_H

#include "mpa/connection-error.h"
#include "mpa/ready-to-receive.h"
#include "mpa/startup-frame.h"

#include <optional>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// Which specifications a side speaks, RFC 5044 appendix C.
enum class MpaConformance
{
    RDMA_CONSORTIUM, ///< Revision 0, header version 0, markers and CRCs always.
    NON_PERMISSIVE,  ///< The RFCs only.
    PERMISSIVE       ///< The RFCs, and with a peer of revision 0 as RDMA_CONSORTIUM.
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
 * \brief The rules of MPA startup as pure functions: RFC 5044 section 7.1.2 and appendix C, and
 * RFC 6581.
 *
 * M of a frame is what its sender wants to receive. CRCs are used when either side says C.
 *
 * Read depths are negotiated as Linux siw does with relaxed_ird_negotiation: a side lowers its ORD
 * to the peer's IRD, and raises its IRD to the peer's ORD as far as its device allows.
 *
 * Peer-to-peer model: the initiator offers kinds of ready-to-receive FPDU; the responder picks the
 * one it prefers, or, when it can do with none of them, names its own so that the initiator reports
 * NO_MATCHING_RTR. A responder without kinds declines the model (A clear), and the initiator goes
 * on without it.
 */
struct MpaStartup
{
    /// What a side is willing to do.
    struct Policy
    {
        MpaConformance conformance{MpaConformance::NON_PERMISSIVE};
        uint8_t revision{2};      ///< Highest revision spoken: 1 or 2; no say in RDMA_CONSORTIUM.
        bool crc{false};          ///< Asks for CRCs.
        bool responderCrc{true};  ///< Responder: may turn CRCs on alone.
        bool markers{false};      ///< Asks to receive markers.
        bool markerSupport{true}; ///< Is willing to send them.
        bool peerToPeer{false};   ///< Initiator: asks for the peer-to-peer model.
        /// Kinds to offer as initiator, to accept as responder.
        ReadyToReceiveKinds readyToReceive = GetLinuxReadyToReceiveKinds();
        uint16_t maxIrd{0}; ///< Limit to which IRD is raised.
    };

    /// What both sides have come to, as this side sees it.
    struct Agreement
    {
        bool crc{false};
        bool peerToPeer{false}; ///< The initiator's first FPDU is that of rtr.
        uint16_t ird{0};
        uint16_t ord{0};
        bool sendMarkers{false};    ///< The peer wants markers in what this side sends.
        bool receiveMarkers{false}; ///< What the peer sends carries markers.
        uint8_t headerVersion{1};   ///< DDP and RDMAP version: 0 with an RDMA Consortium peer.
        ReadyToReceive rtr{ReadyToReceive::NONE};
    };

    /// What an initiator makes of a good Reply.
    struct Conclusion
    {
        Agreement agreement;
        /// INSUFFICIENT_IRD or NO_MATCHING_RTR: no operation, but FPDUs can be sent, to say so.
        std::optional<MpaError> obstacle;
    };

    /// What a responder does about a well-formed Request.
    enum class Verdict
    {
        ANSWER, ///< The consumer decides.
        REJECT, ///< Markers or revision 0 this side cannot do: a Reply with R set, then close.
        CLOSE   ///< Another revision, or S with an incomplete block: close without a Reply.
    };

    /// The highest revision there is.
    static constexpr uint8_t MAX_REVISION = 2;

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
     * long, or octets behind a Request (before the Reply there can be none). S below revision 2 is
     * a reserved bit and comes back clear.
     */
    static tl::expected<std::optional<MpaStartupFrame>, MpaError> FrameAtFront(ByteSpan octets,
                                                                               bool initiator);

    /// \return what the sender of \p frame says; INVALID_STARTUP when its block is incomplete.
    static tl::expected<MpaStartupParameters, MpaError> Heard(const MpaStartupFrame& frame);

    static MpaStartupFrame MakeRequest(const Policy& policy, const MpaStartupParameters& local);
    static Verdict Judge(const Policy& policy, const MpaStartupFrame& request);
    static Agreement AgreeAsResponder(const Policy& policy,
                                      const MpaStartupFrame& request,
                                      const MpaStartupParameters& local);
    static MpaStartupFrame MakeReply(const MpaStartupFrame& request,
                                     const Agreement& agreement,
                                     ByteSpan privateData);
    /// \return a Reply with R set; its revision is one this side speaks, its depths are zero.
    static MpaStartupFrame MakeRejection(const Policy& policy,
                                         const MpaStartupFrame& request,
                                         ByteSpan privateData);

    /// \return whether \p reply, good or rejecting, is of a revision this side can go on with.
    static bool CanInteroperate(const Policy& policy,
                                const MpaStartupFrame& request,
                                const MpaStartupFrame& reply);
    /// \param reply one with which this side can interoperate, R clear
    /// \return INVALID_STARTUP for markers this side cannot send, and an incomplete block
    static tl::expected<Conclusion, MpaError> AgreeAsInitiator(const Policy& policy,
                                                               const MpaStartupFrame& request,
                                                               const MpaStartupFrame& reply,
                                                               const MpaStartupParameters& local);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_STARTUP_H
