/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_STARTUP_EXCHANGE_H
#define NFSRDMA_MPA_STARTUP_EXCHANGE_H

#include "mpa/byte-stream.h"
#include "mpa/handshake.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief MpaHandshake on a byte stream: the frame that waits for room, octets read but not taken,
 * and the time that the peer has.
 *
 * The stream belongs to the caller, who passes it in and says when it has room or octets.
 */
class MpaStartupExchange
{
  public:
    /// A frame has been sent (true) or received.
    using FrameCallback = std::function<void(const MpaStartupFrame& frame, bool sent)>;
    /// The peer's time is over.
    using ExpiryCallback = std::function<void()>;

    MpaStartupExchange(FrameCallback seen, ExpiryCallback expired);
    ~MpaStartupExchange();
    MpaStartupExchange(const MpaStartupExchange&) = delete;
    MpaStartupExchange& operator=(const MpaStartupExchange&) = delete;

    /// Makes the Request; \p unread are octets of the peer that have been read before.
    void StartInitiator(const MpaStartup::Policy& policy,
                        const MpaStartupParameters& local,
                        ByteSpan unread);
    /// Sends the Request, and gives the peer \p timeout (0: any time) to reply. \return false when
    /// done before
    bool SendRequest(ByteStream& stream, Time timeout);
    /// Awaits a Request for \p timeout (0: for ever); it may begin with \p unread.
    void StartResponder(const MpaStartup::Policy& policy, Time timeout, ByteSpan unread);

    /// Takes what has arrived, and reports the peer's frame once.
    [[nodiscard]] MpaHandshake::Outcome Receive(ByteStream& stream);

    /// Replies, as MpaHandshake::Accept().
    void Accept(ByteStream& stream, const MpaStartupParameters& local)
    {
        Send(stream, m_handshake.Accept(local));
    }

    /// Replies, as MpaHandshake::Reject().
    void Reject(ByteStream& stream, ByteSpan privateData)
    {
        Send(stream, m_handshake.Reject(privateData));
    }

    /// Replies, as MpaHandshake::MakeRefusal().
    void Refuse(ByteStream& stream)
    {
        Send(stream, m_handshake.MakeRefusal());
    }

    /// Sends the frame that waits, when the stream has room.
    void SendPending(ByteStream& stream);

    [[nodiscard]] bool HasPending() const
    {
        return m_pending.has_value();
    }

    /// The peer has all the time it wants.
    void StopTimer()
    {
        m_timer.Remove();
    }

    [[nodiscard]] bool HasUnread() const
    {
        return !m_unread.empty();
    }

    /// After a rejection: \return octets behind the peer's Reply.
    [[nodiscard]] ByteVector GetRest() const;

    [[nodiscard]] const MpaHandshake& GetHandshake() const
    {
        return m_handshake;
    }

  private:
    void Send(ByteStream& stream, const MpaStartupFrame& frame);
    void StartTimer(Time timeout);

    MpaHandshake m_handshake;
    FrameCallback m_seen;
    ExpiryCallback m_expired;
    EventId m_timer;
    bool m_timed{false}; ///< The peer's time has begun.
    std::optional<MpaStartupFrame> m_pending;
    ByteVector m_unread; ///< Before the start.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_STARTUP_EXCHANGE_H
