/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_CONNECT_KEPT_STREAMS_H
#define NFSRDMA_RNIC_CONNECT_KEPT_STREAMS_H

#include "mpa/connection.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <list>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief The TCP connections of an initiator that stand after their peer has rejected MPA (RFC 5044
 * section 7.1.2 rule 3), for its next attempt.
 *
 * One that the peer ends, or that nobody takes in time, is closed.
 */
class KeptStreams
{
  public:
    KeptStreams() = default;
    ~KeptStreams();
    KeptStreams(const KeptStreams&) = delete;
    KeptStreams& operator=(const KeptStreams&) = delete;

    /// Keeps \p stream, to \p peer, for \p limit.
    void Keep(const Address& peer, MpaConnection::Released stream, Time limit);
    /// \return the stream to \p peer that was kept first; nothing when there is none.
    [[nodiscard]] std::optional<MpaConnection::Released> Take(const Address& peer);
    /// Resets all.
    void Abort();
    /// Forgets all, and sends nothing.
    void Clear();

  private:
    struct Kept
    {
        Address peer;
        MpaConnection::Released stream;
        KeptStreams* owner{nullptr};
        bool ended{false};
        EventId close;

        void HandleEnd(StreamEnd end);
    };

    /// \return \p kept without callbacks and timer.
    [[nodiscard]] static MpaConnection::Released Detach(Kept& kept);
    void CloseDue();

    std::list<Kept> m_streams; ///< What is in it stays where it is.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_CONNECT_KEPT_STREAMS_H
