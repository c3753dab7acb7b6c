/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_SEND_ROOM_H
#define NFSRDMA_RPCRDMA_CLIENT_SEND_ROOM_H

#include "rnic/queue/qp.h"
#include "wire/ring.h"

#include "ns3/event-id.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Room in the send queue of a requester's connection, which calls, invalidations, pulls of
 * replies and replies to reverse calls share: what finds none waits, in the order of arrival, and
 * nothing passes it.
 *
 *     Post() -> waiting, while there is no room -> posted -> HandleCompletion() gives room back
 *
 * A send queue gives entries back when a later signaled one completes. The entry that takes the
 * last room is therefore signaled, whatever its user asked for, and a chain is posted in parts when
 * only a part of it finds room: with any depth there is always progress. What the queue pair has no
 * memory for, as for pages that cannot be pinned now, is tried again soon.
 */
class RpcRdmaSendRoom
{
  public:
    /// Id of work requests that are signaled here: those of chains are their users'.
    static constexpr uint64_t OWN_WORK = UINT64_MAX;

    /// \param depth of the send queue, which nothing else posts to
    /// \param refused called when the queue pair refuses what has waited
    RpcRdmaSendRoom(Ptr<QueuePair> pair, uint32_t depth, std::function<void()> refused);
    ~RpcRdmaSendRoom();
    RpcRdmaSendRoom(const RpcRdmaSendRoom&) = delete;
    RpcRdmaSendRoom& operator=(const RpcRdmaSendRoom&) = delete;

    using Chain = std::vector<SendWorkRequest>;
    /// Posts \p chain in its turn. \return why the queue pair has refused it, if it did at once
    tl::expected<void, VerbsError> Post(Chain chain);
    /// To be told of each completion of the send queue before anything else is done about it.
    void HandleCompletion(const WorkCompletion& completion);

    /// \return work requests that wait for room.
    [[nodiscard]] uint32_t GetWaiting() const;

  private:
    tl::expected<void, VerbsError> Pump();
    /// Takes what there is room for from the first chain that waits.
    Chain TakePart();

    Ptr<QueuePair> m_pair;
    uint32_t m_depth;
    std::function<void()> m_refused;
    Ring<Chain> m_waiting;
    Ring<uint32_t> m_signaled; ///< Entries up to each signaled one posted, oldest first.
    uint32_t m_silent{0};      ///< Entries behind the last signaled one.
    uint32_t m_used{0};
    EventId m_retry;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_SEND_ROOM_H
