/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_SQ_H
#define NFSRDMA_RNIC_QUEUE_SQ_H

#include "host/pinned-pages.h"
#include "rnic/hardware/counters.h"
#include "rnic/hardware/stage-times.h"
#include "rnic/queue/completion-writer.h"
#include "rnic/queue/inline-data.h"
#include "rnic/queue/work-request.h"
#include "rnic/queue/work-timeline.h"
#include "wire/ring.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

/// A work request on a send queue, in the hands of the device.
struct SendQueueEntry
{
    enum class State
    {
        POSTED,
        ACTIVE,            ///< Its message is under way, or the memory unit works on it.
        AWAITING_RESPONSE, ///< A Read or atomic whose request has been sent.
        DONE,
    };

    SendWorkRequest request;
    uint32_t length{0}; ///< Octets of all elements.
    State state{State::POSTED};
    Time readyAt;                           ///< When the device has fetched it.
    Time doneAt;                            ///< When it is DONE.
    PinnedPages pins;                       ///< Of a registration not executed yet.
    std::optional<StartCosts> start;        ///< Once the engine has looked at it.
    std::unique_ptr<WorkTimeline> timeline; ///< Null when nobody wants it.

    /// Marks the timeline, if there is one.
    void Mark(WorkStage stage, Time until)
    {
        if (timeline)
        {
            timeline->Mark(stage, until);
        }
    }

    /// \return true for the kinds that the peer answers: Reads and atomics.
    [[nodiscard]] bool AwaitsResponse() const
    {
        return request.opcode == WorkRequestOpcode::RDMA_READ ||
               request.opcode == WorkRequestOpcode::ATOMIC_FETCH_AND_ADD ||
               request.opcode == WorkRequestOpcode::ATOMIC_CMP_AND_SWP;
    }

    /// \return true for the kinds that the memory unit executes, without the peer.
    [[nodiscard]] bool IsMemoryWork() const
    {
        return request.opcode == WorkRequestOpcode::REGISTER_MR ||
               request.opcode == WorkRequestOpcode::LOCAL_INVALIDATE ||
               request.opcode == WorkRequestOpcode::BIND_WINDOW;
    }
};

/**
 * \brief The send queue of a queue pair: slots, the order of execution, the order of completion.
 *
 *     POSTED -> ACTIVE -> DONE                        executed in posting order, one ACTIVE at most
 *                     \-> AWAITING_RESPONSE -> DONE   Reads, atomics
 *
 * Entries leave from the front when DONE. A slot is taken by the post and given back when a
 * completion of its entry, or of a later one, is polled (AddFreeSlots()).
 */
class SendQueue
{
  public:
    /// \param counters of the device; outlive the entries
    void Bind(RnicCounters& counters,
              Ptr<CompletionQueue> queue,
              uint32_t depth,
              uint32_t queuePairNumber);

    /// Who is told of work done without a completion, and asked whether to keep timelines.
    void SetUser(CompletionQueueUser& user)
    {
        m_user = &user;
    }

    void Close();

    [[nodiscard]] bool HasSlots(std::size_t count) const
    {
        return count <= m_depth - m_takenSlots;
    }

    /// Takes \p request, posted now.
    void Post(const SendWorkRequest& request,
              uint32_t length,
              const PostTimes& times,
              PinnedPages pins = {});

    /// \return room for the inline data of the entry posted last, which are \p length octets.
    [[nodiscard]] MutableByteSpan AppendInline(uint32_t length)
    {
        return m_inline.Append(length);
    }

    void AddFreeSlots(uint32_t slots)
    {
        m_takenSlots -= slots;
    }

    /// \return the oldest entry not yet executed to its end here, or null.
    [[nodiscard]] SendQueueEntry* GetNext()
    {
        return m_next < m_entries.size() ? &m_entries[m_next] : nullptr;
    }

    /// Fills \p out from \p offset on of the inline data of the next entry, which has some.
    void ReadInline(uint32_t offset, MutableByteSpan out) const
    {
        m_inline.Read(offset, out);
    }

    /// The next entry has been executed: the one after it is next.
    void Advance(SendQueueEntry::State state, Time doneAt);

    /// \return the oldest Read or atomic that awaits its response, or null.
    [[nodiscard]] SendQueueEntry* GetOldestRead()
    {
        return m_outstandingReads == 0 ? nullptr : &m_entries.front();
    }

    /// The oldest Read or atomic has its response.
    void FinishOldestRead(const ReceiveTimes& times);

    /// Completes every entry: those that are not DONE now, with WR_FLUSH_ERR.
    void Flush();
    /// As Flush(), but entry \p failed (null: none) completes with \p status.
    void Flush(const SendQueueEntry* failed, WorkCompletionStatus status);
    /// \return the oldest outstanding Read with this sink, or null.
    [[nodiscard]] const SendQueueEntry* FindRead(Stag sink, uint64_t sinkOffset) const;

    [[nodiscard]] uint32_t GetOutstanding() const
    {
        return m_entries.size();
    }

    [[nodiscard]] uint32_t GetOutstandingReads() const
    {
        return m_outstandingReads;
    }

    /// \return when the last completion appears, or has appeared.
    [[nodiscard]] Time GetLastCompletion() const
    {
        return m_writer.GetLast();
    }

  private:
    void Retire();
    void Complete(SendQueueEntry& entry);
    void CompleteFlushed(SendQueueEntry& entry, WorkCompletionStatus status);
    [[nodiscard]] WorkCompletion MakeCompletion(const SendQueueEntry& entry,
                                                WorkCompletionStatus status) const;

    RnicCounters* m_counters{nullptr};
    Ring<SendQueueEntry> m_entries;
    InlineData m_inline;   ///< Of the entries from m_next on.
    std::size_t m_next{0}; ///< Position in m_entries of the next to execute.
    uint32_t m_outstandingReads{0};
    uint32_t m_depth{0};
    uint32_t m_takenSlots{0};
    uint32_t m_silentSlots{0}; ///< Of unsignaled entries completed since the last completion.
    uint32_t m_queuePairNumber{0};
    Time m_done; ///< When all entries that have left were done.
    CompletionQueueUser* m_user{nullptr};
    CompletionWriter m_writer;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_SQ_H
