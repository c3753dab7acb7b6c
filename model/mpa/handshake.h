/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_HANDSHAKE_H
#define NFSRDMA_MPA_HANDSHAKE_H

#include "mpa/startup.h"

#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief The exchange of startup frames at one end of a connection, up to full operation: octets
 * in, frames and an outcome out. No timers; the rules are those of MpaStartup.
 *
 *     initiator: StartInitiator() -> Receive()* -> ESTABLISHED | OBSTRUCTED | REJECTED | FAILED
 *     responder: StartResponder() -> Receive()* -> REFUSED | FAILED
 *                                               -> REQUESTED -> Accept() | Reject()
 *
 * From the peer nothing may come between its Request and the Reply: Receive() then fails. Octets
 * behind a Reply are no part of the exchange; GetRest() has them.
 */
class MpaHandshake
{
  public:
    /// What Receive() has come to.
    enum class Outcome
    {
        INCOMPLETE,  ///< More octets are needed, or the decision of the consumer.
        REQUESTED,   ///< Responder: a good Request; the consumer decides.
        REFUSED,     ///< Responder: MakeRefusal() is to be sent, then close in order.
        ESTABLISHED, ///< Initiator: a good Reply, full operation.
        OBSTRUCTED,  ///< Initiator: a good Reply, but GetError() forbids operation.
        REJECTED,    ///< Initiator: the peer has refused; the stream may be used otherwise.
        FAILED       ///< Close at once; GetError().
    };

    /// \return the Request to send.
    const MpaStartupFrame& StartInitiator(const MpaStartup::Policy& policy,
                                          const MpaStartupParameters& local);

    void StartResponder(const MpaStartup::Policy& policy)
    {
        m_policy = policy;
    }

    /// Takes octets of the peer, in order. After an outcome other than INCOMPLETE only a responder
    /// that awaits the decision may call it.
    [[nodiscard]] Outcome Receive(ByteSpan octets);

    /// Responder, after REQUESTED: \return the good Reply to send; GetAgreement() then stands.
    [[nodiscard]] MpaStartupFrame Accept(const MpaStartupParameters& local);
    /// Responder, after REQUESTED: \return the rejecting Reply to send.
    [[nodiscard]] MpaStartupFrame Reject(ByteSpan privateData) const;
    /// Responder, after REFUSED: \return the rejecting Reply to send.
    [[nodiscard]] MpaStartupFrame MakeRefusal() const;

    /// \return the peer's frame, once it has arrived.
    [[nodiscard]] const std::optional<MpaStartupFrame>& GetPeerFrame() const
    {
        return m_peerFrame;
    }

    /// \return what the peer's frame says: depths and private data.
    [[nodiscard]] const MpaStartupParameters& GetPeer() const
    {
        return m_peer;
    }

    /// \return what both sides have agreed on; after ESTABLISHED, OBSTRUCTED, Accept().
    [[nodiscard]] const MpaStartup::Agreement& GetAgreement() const
    {
        return m_agreement;
    }

    /// \return why, after REFUSED, OBSTRUCTED or FAILED.
    [[nodiscard]] MpaError GetError() const
    {
        return m_error;
    }

    /// \return octets received that are no part of a startup frame; none before there is an
    /// outcome.
    [[nodiscard]] ByteSpan GetRest() const
    {
        return m_peerFrame ? ByteSpan(m_octets) : ByteSpan();
    }

  private:
    Outcome Fail(MpaError error);
    Outcome JudgeRequest();
    Outcome JudgeReply();

    MpaStartup::Policy m_policy;
    bool m_initiator{false};
    MpaStartupParameters m_local;
    MpaStartupFrame m_request;
    ByteVector m_octets;
    std::optional<MpaStartupFrame> m_peerFrame;
    MpaStartupParameters m_peer;
    MpaStartup::Agreement m_agreement;
    MpaError m_error{MpaError::INVALID_STARTUP};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_HANDSHAKE_H
