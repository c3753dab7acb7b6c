/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_CONNECT_STREAMING_MODE_H
#define NFSRDMA_RNIC_CONNECT_STREAMING_MODE_H

#include "mpa/connection.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ns3::nfsrdma
{

/// What two consumers say to each other on TCP before they start MPA: the delayed startup of RFC
/// 5044 section 7.1.3. Both know both messages.
struct StreamingMode
{
    ByteVector hello; ///< Of the initiator, which asks for MPA with it.
    /// Of the responder: its last streaming-mode message (section 7.1.5). A Request has to follow.
    ByteVector lastMessage;

    /// \return messages of \p octets each that can be read in a capture.
    [[nodiscard]] static StreamingMode OfSize(uint32_t octets);

    /// \return whether MPA starts as soon as TCP is connected.
    [[nodiscard]] bool IsImmediate() const
    {
        return hello.empty() && lastMessage.empty();
    }
};

/**
 * \brief The exchange of StreamingMode on one stream, which may still be connecting.
 *
 * The initiator sends its hello and awaits the last message; the responder awaits the hello and
 * sends the last message. What the peer sends behind its message is left for MPA. An exchange that
 * is destroyed resets a stream that has not been taken from it.
 */
class StreamingExchange
{
  public:
    enum class Outcome
    {
        DONE,
        WRONG, ///< The peer has said something else.
        LATE,  ///< The peer has not said all of it in time.
        LOST   ///< TCP has ended.
    };

    /// Called once, from an event of its own.
    using Finished = std::function<void(Outcome outcome)>;

    /// \param stream with octets of the peer that have been read before
    /// \param limit how long the peer may take; 0: any time
    StreamingExchange(MpaConnection::Released stream,
                      StreamingMode mode,
                      bool initiator,
                      Time limit,
                      Finished finished);
    ~StreamingExchange();
    StreamingExchange(const StreamingExchange&) = delete;
    StreamingExchange& operator=(const StreamingExchange&) = delete;

    /// \return the stream, for MPA or to be closed.
    [[nodiscard]] MpaConnection::Released Take();

    [[nodiscard]] bool IsInitiator() const
    {
        return m_initiator;
    }

    /// \return whether TCP was connected.
    [[nodiscard]] bool IsConnected() const
    {
        return m_established || m_sent != 0 || m_heard != 0;
    }

    /// \return how TCP has ended, if it has.
    [[nodiscard]] std::optional<StreamEnd> GetStreamEnd() const
    {
        return m_end;
    }

  private:
    void HandleEstablished();
    void HandleReceive();
    void HandleSpace();
    void HandleEnd(StreamEnd end);
    void Hear();
    void Say();
    void Finish(Outcome outcome);
    void Report(Outcome outcome) const;

    MpaConnection::Released m_stream;
    ByteVector m_own;
    ByteVector m_expected;
    bool m_initiator;
    std::size_t m_sent{0};
    std::size_t m_heard{0}; ///< Of m_expected.
    bool m_established{false};
    bool m_over{false};
    std::optional<StreamEnd> m_end;
    Finished m_finished;
    EventId m_step; ///< The expiry, or the first look at the stream, or the report.
    EventId m_expiry;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_CONNECT_STREAMING_MODE_H
