/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_EXPLORE_EXPLORING_SIMULATOR_H
#define NFSRDMA_HELPER_EXPLORE_EXPLORING_SIMULATOR_H

#include "helper/explore/event-order.h"
#include "wire/ns3-version.h"

#include "ns3/nstime.h"
#include "ns3/simulator-impl.h"

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief ns-3's simulator with an order of events that can be chosen, as far as a network and
 * hosts leave it open.
 *
 * Events run in the order of their times, but for the moves of an EventOrder:
 *
 * - Frames that reach a host can be held, and arrive later, in their order: the network or the
 *   host took longer. A hold ends when as many events of the host itself have run as it says, or
 *   when the next event is later than the frame by more than the patience.
 * - A frame that reaches a host can be lost, or taken twice. The simulator says so while the
 *   event of its arrival runs; the device of the host does it (FrameFate).
 * - A completion of a host can appear later, after other events of the host, frames that arrive
 *   included: what the RNIC writes for one completion queue waits for nothing that it writes for
 *   another. Those of one queue keep their order, since a queue writes one at a time. A host has
 *   one late completion at a time: the next one ends the delay of the one before.
 * - Events of the classes that float, such as faults due by time, can run before their time.
 *
 * Time never goes back: what is late runs at the time that it is. Other events of a host itself
 * keep their order.
 *
 * What a host has done is summed up in a digest over its events in their order, each with what
 * the host that caused it had done by then. The state of a simulation is the digests of all: equal
 * ones have run the same events, in orders that differ only between events of different hosts.
 * Times do not count.
 */
class ExploringSimulator : public SimulatorImpl
{
  public:
    /// An event that is due.
    struct NextEvent
    {
        uint32_t context{0};
        bool isArrival{false};    ///< It is of another host or switch.
        bool isFrame{false};      ///< An arrival, of a frame.
        bool isCompletion{false}; ///< Completions that appear, or their interrupt.
    };

    /// What becomes of the frame whose arrival runs.
    enum class Fate
    {
        ARRIVES,
        LOST,
        DOUBLED
    };

    /// An event that may run before its time.
    struct FloatingEvent
    {
        std::string actor;   ///< Its class.
        uint64_t number{0};  ///< Which of that class.
        uint32_t context{0}; ///< NO_CONTEXT: of no host.
    };

    /// Is told before each event.
    class Watch
    {
      public:
        Watch() = default;
        virtual ~Watch() = default;
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

        /// \param next what runs now, unless a move says otherwise
        virtual void BeforeStep(const NextEvent& next) = 0;
    };

    static TypeId GetTypeId();
    ExploringSimulator();
    ~ExploringSimulator() override;

    /// What deviates from the order of times; before the first event.
    void SetOrder(EventOrder order);
    /// The classes whose events float; before the first event.
    void SetFloating(std::vector<std::string> classes);
    /// How much later than a held frame an event may be that runs before it.
    void SetPatience(Time patience);
    /// \param watch null: none; outlives the run
    void SetWatch(Watch* watch);

    /// \return events that have run.
    [[nodiscard]] uint64_t GetStep() const;
    /// \return whether all moves are made and nothing is held any more.
    [[nodiscard]] bool IsSettled() const;
    /// \return the digest of what has run.
    [[nodiscard]] uint64_t GetState() const;
    /// \return events that can run before their time, in the order of their making.
    [[nodiscard]] std::vector<FloatingEvent> ListFloating() const;
    /// \return what becomes of the frame that arrives now.
    [[nodiscard]] Fate GetFate() const;
    /// \return the same, which then is that it arrives.
    Fate TakeFate();
    /// \return events of the host that the latest hold or delay has let pass.
    [[nodiscard]] uint64_t GetPassed() const;
    /// \return moves that found nothing to move.
    [[nodiscard]] EventOrder GetMissed() const;

    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    StopEvent Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

  private:
    using Key = std::pair<uint64_t, uint32_t>; ///< Time step, and number of the event.

    /// What is known of a class of events.
    struct EventType
    {
        uint64_t digest{0};
        std::string floating; ///< The class that makes it float; empty: it does not.
        bool isFrame{false};
        bool isCompletion{false};
    };

    struct Waiting
    {
        Ptr<EventImpl> event;
        uint32_t context{0};
        bool isArrival{false};
        const EventType* type{nullptr};
        uint64_t number{0}; ///< Of those of its class that float.
        uint64_t cause{0};  ///< The state of the host that has scheduled it.
    };

    struct Hold
    {
        uint64_t left{0};  ///< Events of the host.
        uint64_t since{0}; ///< Time step of the first frame.
    };

    /// A completion that appears later.
    struct Delay
    {
        Key event;
        uint64_t left{0}; ///< Events of the host.
    };

    using Queue = std::map<Key, Waiting>;

    EventId Insert(uint32_t context, uint64_t time, EventImpl* event, bool isArrival);
    const EventType& FindType(const EventImpl& event);
    [[nodiscard]] Queue::iterator FindNext();
    [[nodiscard]] static NextEvent Describe(const Waiting& waiting);
    /// \return whether a hold or a delay keeps an event from running.
    [[nodiscard]] bool IsPutOff(const Queue::value_type& event) const;
    /// Ends holds and delays that an event at a time is too late for. \return whether there was
    /// one.
    bool EndImpatient(uint64_t time);
    /// An event of \p context has run: what it was put off for has come nearer.
    void CountPassed(uint32_t context, bool isArrival);
    /// A hold or a delay at \p host is the latest now: what it lets pass is counted.
    void CountFrom(EventMove::Kind move, uint32_t host);
    [[nodiscard]] Queue::iterator FindFloating(const EventMove& move);
    /// Makes the move of this step, if there is one. \return what runs then; else \p next.
    [[nodiscard]] Queue::iterator MakeMove(Queue::iterator next);
    void RunOne(Queue::iterator chosen);
    void AddToState(const Waiting& ran);

    EventOrder m_order;
    std::size_t m_made{0}; ///< Moves of it.
    std::vector<std::string> m_floating;
    uint64_t m_patience;
    Watch* m_watch{nullptr};

    Queue m_waiting;
    std::map<uint32_t, Hold> m_holds;   ///< By receiving host.
    std::map<uint32_t, Delay> m_delays; ///< By host.
    Fate m_fate{Fate::ARRIVES};
    EventMove::Kind m_latest{EventMove::Kind::HOLD}; ///< Of holds and delays.
    uint32_t m_latestHost{0};
    uint64_t m_passed{0};
    EventOrder m_missed;
    std::unordered_map<std::type_index, EventType> m_types;
    std::map<std::string, uint64_t> m_numbers;
    std::map<uint32_t, uint64_t> m_histories; ///< By context.
    uint64_t m_state{0};

    std::list<EventId> m_destroyEvents;
    bool m_stop{false};
    uint64_t m_now{0};
    uint32_t m_context;
    uint32_t m_uid;
    uint64_t m_steps{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_EXPLORE_EXPLORING_SIMULATOR_H
