/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/explore/exploring-simulator.h"

#include "ns3/event-impl.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <typeinfo>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t SEED = 0x9e3779b97f4a7c15;

/// The finaliser of SplitMix64 over both.
uint64_t
Mix(uint64_t one, uint64_t other)
{
    uint64_t mixed = one * SEED + other + SEED;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
}

uint64_t
Digest(const std::string& text)
{
    uint64_t digest = SEED;
    for (const unsigned char c : text)
    {
        digest = Mix(digest, c);
    }
    return digest;
}

/// \return whether the mangled name of a type has \p name as one of its parts.
bool
IsPartOf(const std::string& type, const std::string& name)
{
    return type.find(std::to_string(name.size()) + name) != std::string::npos;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(ExploringSimulator);

TypeId
ExploringSimulator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ExploringSimulator")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ExploringSimulator>();
    return tid;
}

ExploringSimulator::ExploringSimulator()
    : m_patience(MilliSeconds(10).GetTimeStep()),
      m_context(Simulator::NO_CONTEXT),
      m_uid(EventId::UID::VALID)
{
}

ExploringSimulator::~ExploringSimulator() = default;

void
ExploringSimulator::SetOrder(EventOrder order)
{
    m_order = std::move(order);
}

void
ExploringSimulator::SetFloating(std::vector<std::string> classes)
{
    m_floating = std::move(classes);
}

void
ExploringSimulator::SetPatience(Time patience)
{
    m_patience = patience.GetTimeStep();
}

void
ExploringSimulator::SetWatch(Watch* watch)
{
    m_watch = watch;
}

uint64_t
ExploringSimulator::GetStep() const
{
    return m_steps;
}

bool
ExploringSimulator::IsSettled() const
{
    return m_made == m_order.size() && m_holds.empty() && m_delays.empty();
}

uint64_t
ExploringSimulator::GetState() const
{
    return m_state;
}

std::vector<ExploringSimulator::FloatingEvent>
ExploringSimulator::ListFloating() const
{
    std::vector<FloatingEvent> floating;
    for (const auto& [key, waiting] : m_waiting)
    {
        if (!waiting.type->floating.empty() && key.first > m_now)
        {
            floating.push_back({waiting.type->floating, waiting.number, waiting.context});
        }
    }
    return floating;
}

ExploringSimulator::Fate
ExploringSimulator::GetFate() const
{
    return m_fate;
}

ExploringSimulator::Fate
ExploringSimulator::TakeFate()
{
    return std::exchange(m_fate, Fate::ARRIVES);
}

uint64_t
ExploringSimulator::GetPassed() const
{
    return m_passed;
}

EventOrder
ExploringSimulator::GetMissed() const
{
    auto missed = m_missed;
    missed.insert(missed.end(),
                  m_order.begin() + static_cast<std::ptrdiff_t>(m_made),
                  m_order.end());
    return missed;
}

void
ExploringSimulator::Destroy()
{
    while (!m_destroyEvents.empty())
    {
        const auto event = m_destroyEvents.front();
        m_destroyEvents.pop_front();
        if (!event.PeekEventImpl()->IsCancelled())
        {
            event.PeekEventImpl()->Invoke();
        }
    }
    m_waiting.clear();
}

bool
ExploringSimulator::IsFinished() const
{
    return m_waiting.empty() || m_stop;
}

void
ExploringSimulator::Stop()
{
    m_stop = true;
}

StopEvent
ExploringSimulator::Stop(const Time& delay)
{
    return static_cast<StopEvent>(Simulator::Schedule(delay, [] { Simulator::Stop(); }));
}

EventId
ExploringSimulator::Insert(uint32_t context, uint64_t time, EventImpl* event, bool isArrival)
{
    Waiting waiting;
    waiting.event = Ptr<EventImpl>(event, false);
    waiting.context = context;
    waiting.isArrival = isArrival;
    waiting.type = &FindType(*event);
    if (!waiting.type->floating.empty())
    {
        waiting.number = m_numbers[waiting.type->floating]++;
    }
    const auto history = m_histories.find(m_context);
    waiting.cause = history == m_histories.end() ? 0 : history->second;
    EventId id(waiting.event, time, context, m_uid);
    m_waiting.emplace(Key{time, m_uid}, std::move(waiting));
    ++m_uid;
    return id;
}

const ExploringSimulator::EventType&
ExploringSimulator::FindType(const EventImpl& event)
{
    const std::type_info& info = typeid(event);
    auto [found, isNew] = m_types.try_emplace(std::type_index(info));
    if (isNew)
    {
        const std::string name = info.name();
        found->second.digest = Digest(name);
        found->second.isFrame = IsPartOf(name, "EthernetChannel");
        found->second.isCompletion = IsPartOf(name, "CompletionQueue");
        for (const auto& floating : m_floating)
        {
            if (IsPartOf(name, floating))
            {
                found->second.floating = floating;
            }
        }
    }
    return found->second;
}

EventId
ExploringSimulator::Schedule(const Time& delay, EventImpl* event)
{
    return Insert(m_context, m_now + static_cast<uint64_t>(delay.GetTimeStep()), event, false);
}

void
ExploringSimulator::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    Insert(context,
           m_now + static_cast<uint64_t>(delay.GetTimeStep()),
           event,
           m_context != Simulator::NO_CONTEXT && context != m_context);
}

EventId
ExploringSimulator::ScheduleNow(EventImpl* event)
{
    return Insert(m_context, m_now, event, false);
}

EventId
ExploringSimulator::ScheduleDestroy(EventImpl* event)
{
    EventId id(Ptr<EventImpl>(event, false), m_now, Simulator::NO_CONTEXT, EventId::UID::DESTROY);
    m_destroyEvents.push_back(id);
    return id;
}

void
ExploringSimulator::Remove(const EventId& id)
{
    Cancel(id);
}

void
ExploringSimulator::Cancel(const EventId& id)
{
    if (IsExpired(id))
    {
        return;
    }
    id.PeekEventImpl()->Cancel();
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        m_destroyEvents.remove(id);
    }
    else
    {
        const Key key{id.GetTs(), id.GetUid()};
        m_waiting.erase(key);
        const auto delay = std::find_if(m_delays.begin(), m_delays.end(), [&key](const auto& one) {
            return one.second.event == key;
        });
        if (delay != m_delays.end())
        {
            m_delays.erase(delay);
        }
    }
}

bool
ExploringSimulator::IsExpired(const EventId& id) const
{
    if (id.PeekEventImpl() == nullptr || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        return std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id) ==
               m_destroyEvents.end();
    }
    return m_waiting.count({id.GetTs(), id.GetUid()}) == 0;
}

void
ExploringSimulator::Run()
{
    m_stop = false;
    while (!m_waiting.empty() && !m_stop)
    {
        auto next = FindNext();
        if (m_watch != nullptr)
        {
            m_watch->BeforeStep(Describe(next->second));
        }
        RunOne(MakeMove(next));
    }
}

ExploringSimulator::Queue::iterator
ExploringSimulator::FindNext()
{
    for (auto event = m_waiting.begin(); event != m_waiting.end(); ++event)
    {
        if (EndImpatient(event->first.first))
        {
            return FindNext();
        }
        if (!IsPutOff(*event))
        {
            return event;
        }
    }
    m_holds.clear();
    m_delays.clear();
    return m_waiting.begin();
}

bool
ExploringSimulator::IsPutOff(const Queue::value_type& event) const
{
    const auto& [key, waiting] = event;
    if (waiting.isArrival && m_holds.count(waiting.context) != 0)
    {
        return true;
    }
    const auto delay = m_delays.find(waiting.context);
    return delay != m_delays.end() && delay->second.event == key;
}

bool
ExploringSimulator::EndImpatient(uint64_t time)
{
    const auto hold = std::find_if(m_holds.begin(), m_holds.end(), [&](const auto& one) {
        return time > one.second.since + m_patience;
    });
    if (hold != m_holds.end())
    {
        m_holds.erase(hold);
        return true;
    }
    const auto delay = std::find_if(m_delays.begin(), m_delays.end(), [&](const auto& one) {
        return time > one.second.event.first + m_patience;
    });
    if (delay != m_delays.end())
    {
        m_delays.erase(delay);
        return true;
    }
    return false;
}

void
ExploringSimulator::CountPassed(uint32_t context, bool isArrival)
{
    const auto hold = m_holds.find(context);
    const auto delay = m_delays.find(context);
    const bool passesHold = hold != m_holds.end() && !isArrival;
    const bool passesLatest =
        m_latest == EventMove::Kind::HOLD ? passesHold : delay != m_delays.end();
    m_passed += context == m_latestHost && passesLatest ? 1 : 0;
    if (passesHold && --hold->second.left == 0)
    {
        m_holds.erase(hold);
    }
    if (delay != m_delays.end() && --delay->second.left == 0)
    {
        m_delays.erase(delay);
    }
}

ExploringSimulator::NextEvent
ExploringSimulator::Describe(const Waiting& waiting)
{
    return {waiting.context,
            waiting.isArrival,
            waiting.isArrival && waiting.type->isFrame,
            !waiting.isArrival && waiting.type->isCompletion};
}

ExploringSimulator::Queue::iterator
ExploringSimulator::FindFloating(const EventMove& move)
{
    return std::find_if(m_waiting.begin(), m_waiting.end(), [&move](const auto& entry) {
        const auto& waiting = entry.second;
        return !waiting.type->floating.empty() && waiting.type->floating == move.actor &&
               waiting.number == move.number;
    });
}

ExploringSimulator::Queue::iterator
ExploringSimulator::MakeMove(Queue::iterator next)
{
    if (m_made == m_order.size() || m_order[m_made].step != m_steps)
    {
        return next;
    }
    const auto& move = m_order[m_made++];
    const auto description = Describe(next->second);
    if (move.kind == EventMove::Kind::HOLD && description.isArrival)
    {
        m_holds[description.context] = {move.number, next->first.first};
        CountFrom(move.kind, description.context);
        return FindNext();
    }
    if (move.kind == EventMove::Kind::DELAY && description.isCompletion)
    {
        m_delays[description.context] = {next->first, move.number};
        CountFrom(move.kind, description.context);
        return FindNext();
    }
    const bool isLost = move.kind == EventMove::Kind::LOSE;
    if (description.isFrame && (isLost || move.kind == EventMove::Kind::DOUBLE))
    {
        m_fate = isLost ? Fate::LOST : Fate::DOUBLED;
        return next;
    }
    const auto found = move.kind == EventMove::Kind::ADVANCE ? FindFloating(move) : m_waiting.end();
    if (found == m_waiting.end())
    {
        m_missed.push_back(move);
        return next;
    }
    auto waiting = std::move(found->second);
    m_waiting.erase(found);
    return m_waiting.emplace(Key{m_now, m_uid++}, std::move(waiting)).first;
}

void
ExploringSimulator::CountFrom(EventMove::Kind move, uint32_t host)
{
    m_latest = move;
    m_latestHost = host;
    m_passed = 0;
}

void
ExploringSimulator::RunOne(Queue::iterator chosen)
{
    m_now = std::max(m_now, chosen->first.first);
    const auto waiting = std::move(chosen->second);
    m_waiting.erase(chosen);
    m_context = waiting.context;
    CountPassed(m_context, waiting.isArrival);
    AddToState(waiting);
    ++m_steps;
    waiting.event->Invoke();
    m_fate = Fate::ARRIVES;
}

void
ExploringSimulator::AddToState(const Waiting& ran)
{
    auto done = Mix(ran.type->digest, ran.cause);
    if (m_fate != Fate::ARRIVES)
    {
        done = Mix(done, static_cast<uint64_t>(m_fate));
    }
    if (ran.context == Simulator::NO_CONTEXT)
    {
        for (auto& [context, history] : m_histories)
        {
            m_state ^= Mix(context, history);
            history = Mix(history, done);
            m_state ^= Mix(context, history);
        }
    }
    auto& history = m_histories[ran.context];
    m_state ^= history == 0 ? 0 : Mix(ran.context, history);
    history = Mix(history, done);
    m_state ^= Mix(ran.context, history);
}

Time
ExploringSimulator::Now() const
{
    return TimeStep(m_now);
}

Time
ExploringSimulator::GetDelayLeft(const EventId& id) const
{
    return IsExpired(id) || id.GetTs() <= m_now ? TimeStep(0) : TimeStep(id.GetTs() - m_now);
}

Time
ExploringSimulator::GetMaximumSimulationTime() const
{
    return TimeStep(std::numeric_limits<int64_t>::max());
}

void
ExploringSimulator::SetScheduler(ObjectFactory /* schedulerFactory */)
{
}

uint32_t
ExploringSimulator::GetSystemId() const
{
    return 0;
}

uint32_t
ExploringSimulator::GetContext() const
{
    return m_context;
}

uint64_t
ExploringSimulator::GetEventCount() const
{
    return m_steps;
}

} // namespace ns3::nfsrdma
