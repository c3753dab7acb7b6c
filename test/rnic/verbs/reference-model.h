/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RNIC_VERBS_REFERENCE_MODEL_H
#define NFSRDMA_TEST_RNIC_VERBS_REFERENCE_MODEL_H

#include "rnic/queue/async-event.h"
#include "rnic/queue/qp.h"
#include "rnic/queue/work-request.h"
#include "rnic/verbs/reference-memory.h"

#include <deque>
#include <list>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

namespace ns3::nfsrdma::reference
{

using Status = WorkCompletionStatus;
using Opcode = WorkRequestOpcode;

/// What has been seen is against the rules.
class Mismatch : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// Throws \p otherwise unless \p rule holds.
inline void
Require(bool rule, const std::string& otherwise)
{
    if (!rule)
    {
        throw Mismatch(otherwise);
    }
}

/// Errors with which a verb may be refused; none: it must succeed.
using Refusals = std::set<VerbsError>;

/// What a device can hold.
struct Limits
{
    uint32_t domains{0};
    uint32_t completionQueues{0};
    uint32_t queuePairs{0};
    uint32_t regions{0};
    uint32_t windows{0};
    uint32_t inlineOctets{0};
    uint32_t regionPages{0};
    uint32_t completionDepth{0};
    uint32_t queueDepth{0};
    uint32_t elements{0};
    uint32_t message{0};
    uint32_t sharedQueues{0};
    uint32_t sharedDepth{0};
};

/// A send work request, and what can become of it.
struct SendWork
{
    uint64_t id{0};
    Opcode opcode{Opcode::SEND};
    bool signaled{true};
    bool solicited{false};
    bool fence{false};
    std::vector<Element> elements;
    uint32_t remoteStag{0};
    uint64_t remoteOffset{0};
    uint32_t invalidateStag{0};
    bool inlineData{false};
    std::optional<uint32_t> region; ///< REGISTER_MR, BIND_WINDOW: index; nothing for none.
    std::optional<uint32_t> window; ///< BIND_WINDOW: index; nothing for none.
    /// REGISTER_MR; BIND_WINDOW: key, access, length, and as first octet the region's tagged
    /// offset.
    TaggedMemory registration;

    // Found out while it is under way.
    uint64_t slot{0};
    std::set<Status> outcomes;    ///< Own statuses possible at some time since the post.
    bool mayPlace{false};         ///< At some time the peer would have taken it.
    bool mayBeRefused{false};     ///< At some time the peer would have refused it.
    bool mayNotScatter{false};    ///< At some time its receive buffer was no use.
    bool mayNotInvalidate{false}; ///< At some time the peer would not have invalidated.
    bool executed{false};         ///< The memory unit has changed a region for it.
    bool completed{false};        ///< With success.
    bool delivered{false};        ///< The peer has a completion with success for it.
    bool late{false};             ///< Posted when the connection was over.
    bool ambiguous{false};        ///< Sources or targets were not the same all the time.
    std::vector<Range> sources;   ///< Octets that travel.
    std::vector<Range> targets;   ///< Where they may go, on host targetHost.
    /// Inline data: what they were at the post, if that is known.
    std::optional<std::vector<uint8_t>> inlineOctets;

    [[nodiscard]] uint64_t GetLength() const;
    [[nodiscard]] bool IsSend() const;
    [[nodiscard]] bool IsMemoryWork() const;
};

struct ReceiveWork
{
    uint64_t id{0};
    std::vector<Element> elements;
    bool late{false}; ///< Posted when the connection was over.

    // On a shared receive queue, where at most one message comes into it.
    std::vector<Range> targets; ///< Octets that a message may go to.
    bool ambiguous{false};      ///< They were not the same all the time.

    [[nodiscard]] uint64_t GetLength() const;
};

struct SharedQueueRules
{
    uint32_t domain{0};
    uint32_t depth{0};
    uint32_t maxElements{0};
    uint32_t users{0};
    uint32_t limit{0};              ///< 0 when disarmed.
    uint32_t eventsOwed{0};         ///< SRQ_LIMIT_REACHED that must come.
    std::deque<ReceiveWork> posted; ///< That no queue pair has taken.
    std::list<ReceiveWork> taken;   ///< Without completion so far.
    /// At most so many of those taken will have no completion: their queue pair was destroyed, or
    /// its completion queue is dead.
    uint64_t losses{0};
};

/// A completion that waits to be polled.
struct CompletionEntry
{
    WorkCompletion completion;
    uint64_t slots{0}; ///< Slots of the send queue released so far, when it has been polled.
};

struct CompletionQueueRules
{
    uint32_t depth{0};
    uint32_t users{0}; ///< Queue pairs; one that uses it twice counts twice.
    std::optional<NotifyKind> armed;
    bool interrupting{false};
    bool dead{false};
    int64_t latestFull{-1}; ///< Nanoseconds of simulated time.
    std::deque<CompletionEntry> entries;
};

/// A queue pair on a host.
struct PairName
{
    uint32_t host{0};
    uint32_t number{0};

    bool operator==(const PairName& other) const
    {
        return host == other.host && number == other.number;
    }
};

struct PairRules
{
    uint32_t domain{0};
    uint32_t sendQueue{0};
    uint32_t receiveQueue{0};
    uint32_t sendDepth{0};
    uint32_t receiveDepth{0};
    uint32_t maxInline{0};
    /// Where its receives come from; nothing for its own queue, 0 for one that is not alive.
    std::optional<uint32_t> sharedQueue;
    uint64_t latestShared{0}; ///< Id of the latest receive from there that has completed.
    QueuePairState state{QueuePairState::IDLE};
    std::deque<std::shared_ptr<SendWork>> sends;   ///< Without completion so far.
    std::deque<ReceiveWork> receives;              ///< Without completion so far.
    std::list<std::shared_ptr<SendWork>> messages; ///< That may still reach the peer, or have.
    uint64_t slotsTaken{0};                        ///< Since it was made.
    uint64_t slotsReleased{0};                     ///< Since it was made.
    bool destroyed{false};                         ///< What it sent may still arrive.
    std::optional<PairName> peer;
    bool responder{false};
    uint32_t ord{0};
    bool drained{false};        ///< It has been in CLOSING.
    bool mayEnd{false};         ///< Something has happened that may end the connection.
    bool mayFail{false};        ///< An error may have been found here or by the peer.
    bool sendFailed{false};     ///< A send work request has completed with the reason of the end.
    bool onlyReadsFailed{true}; ///< Those without success so far were all Reads.
    bool receiveFailed{false};  ///< As sendFailed, of receives.
    bool heard{false};          ///< The peer may have sent something.
};

/// \return true when the connection of \p pair is over, or it never had one and never will.
inline bool
HasLeftRts(const PairRules& pair)
{
    return pair.state != QueuePairState::IDLE && pair.state != QueuePairState::RTS;
}

struct HostRules
{
    Limits limits;
    ReferenceMemory memory;
    std::map<uint32_t, uint32_t> domains; ///< By handle: users.
    std::map<uint32_t, CompletionQueueRules> completionQueues;
    std::map<uint32_t, SharedQueueRules> sharedQueues;
    std::map<uint32_t, PairRules> pairs;
};

/**
 * \brief The rules of verbs, written down once more: simple, without time, and without a network.
 *
 * It is told of every verb called and of everything the devices report. It says which errors a verb
 * may return, and throws Mismatch when something is reported that cannot be. A work request whose
 * outcome depends on what other objects do at the same time has several possible outcomes: all
 * those that were right at some moment between its post and its completion.
 */
class ReferenceModel
{
  public:
    explicit ReferenceModel(std::vector<Limits> limits);

    HostRules& GetHost(uint32_t host);
    PairRules* FindPair(const PairName& name);

    // Verbs: what they may return. Objects are named by handle, number or index; one that is not
    // alive on the host (destroyed, of another host, none) by 0.
    [[nodiscard]] Refusals AllocateDomain(uint32_t host) const;
    [[nodiscard]] Refusals DestroyDomain(uint32_t host, uint32_t domain) const;
    [[nodiscard]] Refusals CreateCompletionQueue(uint32_t host, uint32_t depth) const;
    [[nodiscard]] Refusals DestroyCompletionQueue(uint32_t host, uint32_t queue) const;
    [[nodiscard]] Refusals CreatePair(uint32_t host, const PairRules& pair) const;
    [[nodiscard]] Refusals DestroyPair(uint32_t host, uint32_t pair) const;
    [[nodiscard]] Refusals CreateSharedQueue(uint32_t host, const SharedQueueRules& queue) const;
    [[nodiscard]] Refusals DestroySharedQueue(uint32_t host, uint32_t queue) const;
    [[nodiscard]] Refusals PostShared(uint32_t host, uint32_t queue, const ReceiveWork& work) const;
    [[nodiscard]] Refusals ArmShared(uint32_t host, uint32_t queue, uint32_t limit) const;
    [[nodiscard]] Refusals AllocateRegion(uint32_t host, uint32_t domain, uint32_t pages) const;
    [[nodiscard]] Refusals RegisterMemory(uint32_t host, const TaggedMemory& region) const;
    [[nodiscard]] Refusals AllocateWindow(uint32_t host, uint32_t domain) const;
    /// Of a region or a window.
    [[nodiscard]] Refusals DestroyTagged(uint32_t host, uint32_t index, bool window) const;
    [[nodiscard]] Refusals PostSend(const PairName& name, const std::vector<SendWork>& chain) const;
    /// \param posted receives that the queue pair says are posted and not consumed
    [[nodiscard]] Refusals PostReceive(const PairName& name,
                                       const ReceiveWork& work,
                                       uint32_t posted) const;

    // What succeeded.
    void DomainAllocated(uint32_t host, uint32_t domain);
    void DomainDestroyed(uint32_t host, uint32_t domain);
    void CompletionQueueCreated(uint32_t host, uint32_t queue, uint32_t depth);
    void CompletionQueueDestroyed(uint32_t host, uint32_t queue);
    void PairCreated(const PairName& name, const PairRules& pair);
    void PairDestroyed(const PairName& name);
    void SharedQueueCreated(uint32_t host, uint32_t queue, const SharedQueueRules& rules);
    void SharedQueueDestroyed(uint32_t host, uint32_t queue);
    void SharedPosted(uint32_t host, uint32_t queue, const ReceiveWork& work);
    void SharedArmed(uint32_t host, uint32_t queue, uint32_t limit);
    /// A region or a window was made.
    void TaggedMade(uint32_t host, uint32_t index, const TaggedMemory& memory);
    void TaggedDestroyed(uint32_t host, uint32_t index);
    void SendsPosted(const PairName& name, const std::vector<SendWork>& chain);
    void ReceivePosted(const PairName& name, const ReceiveWork& work);
    /// Memory was allocated, freed or changed by the consumer.
    void MemoryChanged();
    /// Something was done that may end the connection of a pair, such as a disconnect.
    void MayEnd(const PairName& name);
    /// As above, with an error.
    void MayFail(const PairName& name);

    // What the devices report.
    void Connected(const PairName& name, const PairName& peer, bool responder, uint32_t ord);
    void StateChanged(const PairName& name, QueuePairState before, QueuePairState after);
    void Registered(uint32_t host, uint32_t stag, const TaggedMemory& registration);
    void Bound(uint32_t host, uint32_t stag);
    void Invalidated(uint32_t host, uint32_t stag);
    void Written(uint32_t host, uint32_t queue, const WorkCompletion& completion, int64_t now);
    void Polled(uint32_t host,
                uint32_t queue,
                const std::optional<WorkCompletion>& completion,
                int64_t now);
    void Notified(uint32_t host, uint32_t queue);
    void CompletionQueueFailed(uint32_t host, uint32_t queue, int64_t now);
    void PairFailed(const PairName& name, AsyncEventType type);
    /// To be told before anything else that depends on it, and often enough that what is posted
    /// only shrinks between.
    /// \param posted receives that a shared receive queue says no queue pair has taken
    void SharedTaken(uint32_t host, uint32_t queue, uint32_t posted);
    void SharedLimitReached(uint32_t host, uint32_t queue);
    /// Nothing is left to happen. Checks that everything has come to its end; memory contents are
    /// determined.
    void Settle();
    /// \return work requests of \p name that can be outstanding; at the least those not yet done.
    [[nodiscard]] bool MayBeOutstanding(const PairName& name,
                                        uint32_t sends,
                                        uint32_t receives) const;
    /// Completions of \p name are all written, as they must be when its connection is reported
    /// over.
    void ExpectFlushed(const PairName& name);
    /// \return true when every message under way to the queue pairs of a shared receive queue, and
    /// \p more, must find a buffer there.
    [[nodiscard]] bool SufficesShared(uint32_t host, uint32_t queue, uint32_t more) const;

  private:
    /// Notes what every work request under way could come to now.
    void Evaluate();
    void EvaluateOwn(HostRules& host, const PairRules& pair, SendWork& work);
    static void EvaluateMemoryWork(const HostRules& host, const PairRules& pair, SendWork& work);
    [[nodiscard]] static bool MayBind(const HostRules& host,
                                      const PairRules& pair,
                                      const SendWork& work);
    void EvaluateSend(HostRules& peerHost, PairRules& peer, SendWork& work, std::size_t position);
    void EvaluateSharedSend(HostRules& peerHost, const PairRules& peer, SendWork& work);
    /// \return Sends to \p pair that it has not said to have received.
    [[nodiscard]] uint64_t CountUndelivered(const PairRules& pair) const;
    /// \return as above, to all queue pairs of a shared receive queue.
    [[nodiscard]] uint64_t CountUndelivered(const HostRules& host, uint32_t queue) const;
    [[nodiscard]] static ReceiveWork TakeCompleted(HostRules& host,
                                                   PairRules& pair,
                                                   const WorkCompletion& completion);
    static void CheckLimit(SharedQueueRules& queue);
    void SettleShared(HostRules& host);
    void EvaluateTagged(HostRules& peerHost, const PairRules& peer, SendWork& work);
    void MayFail(PairRules& pair);
    void SendCompleted(PairRules& pair, const WorkCompletion& completion, uint64_t& slots);
    void ReceiveCompleted(HostRules& host, PairRules& pair, const WorkCompletion& completion);
    [[nodiscard]] static bool IsWellFormed(const HostRules& host,
                                           const SendWork& work,
                                           uint32_t maxInline);
    static void DropSilentlyDone(PairRules& pair, const HostRules& host);
    void SettlePair(PairRules& pair, const HostRules& host);
    void SettleMessages(HostRules& host, PairRules& pair);

    std::vector<HostRules> m_hosts;
};

} // namespace ns3::nfsrdma::reference

#endif // NFSRDMA_TEST_RNIC_VERBS_REFERENCE_MODEL_H
