/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_SEND_QUEUE_H
#define NFSRDMA_RPCRDMA_SERVER_SEND_QUEUE_H

#include "rnic/queue/qp.h"
#include "rpcrdma/server/svc-statistics.h"
#include "wire/ring.h"

#include "ns3/event-id.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// Which of the chains that wait for room in a send queue is posted next.
enum class SvcRdmaSendTurns : uint8_t
{
    IN_TURN, ///< The first one, and no other before it (Linux since 7.1 [f2f52905be6a]).
    /// The youngest that fits: all who wait are woken, the youngest first, and a chain that comes
    /// when there is room does not wait (svc_rdma_send(), svc_rdma_post_chunk_ctxt() of Linux 6.1).
    CROWD,
};

/**
 * \brief Room in the send queue of a responder's connection: posts chains in order, lets them wait
 * while the queue is full. With SvcRdmaSendTurns::CROWD those of one turn alone keep their order.
 *
 * The last work request of a chain is signaled, the others are not. A chain longer than the queue
 * is posted in parts, with nothing between them. What the queue pair has no memory for, as for
 * pages that cannot be pinned now, is tried again soon. Signaled work requests have ids from \c
 * firstId of the constructor on.
 */
class SvcRdmaSendQueue
{
  public:
    /// Posts a chain: a queue pair, or what shares one out.
    using PostWork =
        std::function<tl::expected<void, VerbsError>(const std::vector<SendWorkRequest>&)>;

    SvcRdmaSendQueue(PostWork post,
                     uint32_t depth,
                     std::shared_ptr<SvcRdmaStatistics> statistics,
                     uint64_t firstId = 1);
    ~SvcRdmaSendQueue();
    SvcRdmaSendQueue(const SvcRdmaSendQueue&) = delete;
    SvcRdmaSendQueue& operator=(const SvcRdmaSendQueue&) = delete;

    void SetTurns(SvcRdmaSendTurns turns)
    {
        m_turns = turns;
    }

    /// What is posted from now on is of another turn: an RDMA Read, or a reply with its Writes.
    void Begin()
    {
        ++m_turn;
    }

    using Done = std::function<void()>;
    /// \param done called when the chain has completed with success; else destroyed uncalled
    void Post(std::vector<SendWorkRequest>&& chain, Done done);
    /// The same; without work requests \p done is called at once.
    void PostIfAny(std::vector<SendWorkRequest>&& chain, Done done);
    void HandleCompletion(const WorkCompletion& completion);

    /// \p refused is called when the queue pair refuses work: a reply is lost, and its connection
    /// must end (RFC 8166 section 4.5.4).
    void SetRefused(std::function<void()> refused)
    {
        m_refused = std::move(refused);
    }

    /// \return work requests that wait for room.
    [[nodiscard]] uint32_t GetWaiting() const;

  private:
    struct Part
    {
        std::vector<SendWorkRequest> chain;
        Done done;
        uint64_t turn{0};
        bool goesOn{false}; ///< The next part of its turn is of the same chain.
    };

    struct Posted
    {
        uint64_t id{0};
        uint32_t count{0};
        Done done;
    };

    void Pump();
    /// \return which part is posted next, when there is room for it.
    [[nodiscard]] std::optional<std::size_t> ChooseNext() const;
    [[nodiscard]] Part TakePart(std::size_t place);

    PostWork m_post;
    uint32_t m_depth;
    std::shared_ptr<SvcRdmaStatistics> m_statistics;
    SvcRdmaSendTurns m_turns{SvcRdmaSendTurns::IN_TURN};
    uint64_t m_turn{0};
    std::optional<uint64_t> m_begun; ///< Turn of the chain of which parts are posted, not all yet.
    uint32_t m_used{0};
    uint64_t m_nextId;
    std::function<void()> m_refused;
    Ring<Part> m_waiting;
    Ring<Posted> m_posted;
    EventId m_retry;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_SEND_QUEUE_H
