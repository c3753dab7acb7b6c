/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_DISPATCH_QUEUE_H
#define NFSRDMA_RPC_DISPATCH_QUEUE_H

#include "wire/ip-address.h"
#include "wire/ring.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace ns3::nfsrdma
{

/// Whose call a thread of a server takes next.
enum class RpcDispatch : uint8_t
{
    ARRIVAL,    ///< The one that has waited longest.
    CONNECTION, ///< One of each connection in turn, as Linux.
    CLIENT,     ///< One of each client in turn, and among a client's connections in turn.
};

/// Which of the calls of a connection a thread takes.
enum class RpcCallOrder : uint8_t
{
    OLDEST_FIRST, ///< A list behind a lock, as Linux.
    NEWEST_FIRST, ///< A list without one, onto whose front all is put (posted: 4460590ddd72).
};

/// When a connection is looked at once more after its last call.
enum class RpcRecheck : uint8_t
{
    NEVER,
    AT_ONCE, ///< Counted alone: it costs nobody anything.
    LATER,   ///< By the next thread.
};

/// What an RpcDispatchQueue has counted, as /proc/fs/nfsd/pool_stats.
struct RpcDispatchStatistics
{
    uint64_t attempts{0}; ///< Connections that were reported to have something for a thread.
    uint64_t enqueued{0}; ///< Of them, those that were put among the ready ones (sockets-enqueued).
    uint64_t dequeued{0}; ///< Connections that a thread has taken.
    uint64_t empty{0};    ///< Of them, those that had no call for it.
};

/**
 * \brief The calls of a server that wait for a thread, by connection, and the connections that are
 * ready: net/sunrpc/svc_xprt.c of Linux.
 *
 *              Put()                  Turn()                 Free()
 *     (idle) ---------> ready (BUSY) -------> taken (BUSY) ---------> (idle), or ready again
 *                         ^                                             while it has DATA
 *                         +---------------------------------------------+
 *
 * A connection is in the list of ready ones once at most, and a thread has it for itself from
 * Turn() until Free(). In between the thread takes one call. The flag that a connection has data is
 * set by what arrives and, as Linux's, cleared only by a thread that finds nothing; so after its
 * last call a connection is ready once more, in vain (RpcRecheck).
 *
 * \tparam Call what waits, movable
 */
template <typename Call>
class RpcDispatchQueue
{
    /// Connections that take turns among each other.
    struct Group;

  public:
    /// A connection, which threads refer to while they have it.
    class Connection
    {
        friend class RpcDispatchQueue;

        uint64_t number{0};
        Group* group{nullptr};
        Ring<Call> again; ///< That a thread has seen once.
        Ring<Call> calls;
        bool isBusy{false};  ///< Ready, or taken (XPT_BUSY).
        bool hasData{false}; ///< XPT_DATA.
        bool isGone{false};

        [[nodiscard]] bool HasCalls() const
        {
            return !calls.empty() || !again.empty();
        }
    };

    void SetOrder(RpcDispatch order)
    {
        m_order = order;
    }

    /// Of the calls of a connection: those that have come, and among themselves those that come
    /// back.
    void SetCallOrder(RpcCallOrder order)
    {
        m_callOrder = order;
    }

    [[nodiscard]] RpcDispatch GetOrder() const
    {
        return m_order;
    }

    /// A call of \p connection, which is of \p client, has come.
    void Put(uint64_t connection, const IpAddress& client, Call&& call)
    {
        Connection& put = Find(connection, client);
        put.calls.push_back(std::move(call));
        Enqueue(put);
    }

    /// A call comes back that a thread has seen once: it goes before those that have come.
    void PutAgain(uint64_t connection, const IpAddress& client, Call&& call)
    {
        Connection& put = Find(connection, client);
        put.again.push_back(std::move(call));
        Enqueue(put);
    }

    /// \return connections that are ready.
    [[nodiscard]] std::size_t CountReady() const
    {
        return m_ready;
    }

    /// \return calls that wait.
    [[nodiscard]] uint32_t GetSize() const
    {
        return m_size;
    }

    /// A thread takes the connection whose turn it is; one must be ready.
    [[nodiscard]] Connection& Turn()
    {
        Group* group = m_turns.front();
        m_turns.pop_front();
        Connection& connection = *group->ready.front();
        group->ready.pop_front();
        if (!group->ready.empty())
        {
            m_turns.push_back(group);
        }
        --m_ready;
        ++m_statistics.dequeued;
        return connection;
    }

    /// \return the next call of \p connection, which was taken; none: there is none.
    [[nodiscard]] std::optional<Call> Take(Connection& connection, RpcRecheck recheck)
    {
        auto& calls = connection.again.empty() ? connection.calls : connection.again;
        if (calls.empty())
        {
            connection.hasData = false;
            ++m_statistics.empty;
            return std::nullopt;
        }
        std::optional<Call> call;
        if (m_callOrder == RpcCallOrder::OLDEST_FIRST)
        {
            call.emplace(std::move(calls.front()));
            calls.pop_front();
        }
        else
        {
            call.emplace(std::move(calls.back()));
            calls.pop_back();
        }
        --m_size;
        connection.hasData = recheck == RpcRecheck::LATER || connection.HasCalls();
        if (recheck == RpcRecheck::AT_ONCE && !connection.hasData)
        {
            ++m_statistics.enqueued;
            ++m_statistics.dequeued;
            ++m_statistics.empty;
        }
        return call;
    }

    /// The thread leaves \p connection to others: it is ready again while it has data.
    void Free(Connection& connection)
    {
        connection.isBusy = false;
        if (connection.hasData)
        {
            MakeReady(connection);
        }
        else if (connection.isGone)
        {
            Erase(connection);
        }
    }

    /// \p connection is no more, and its calls do not wait any more. \return how many there were
    uint32_t Remove(uint64_t connection)
    {
        const auto removed = m_connections.find(connection);
        if (removed == m_connections.end() || m_order == RpcDispatch::ARRIVAL)
        {
            return 0;
        }
        Connection& gone = removed->second;
        const auto dropped = static_cast<uint32_t>(gone.calls.size() + gone.again.size());
        gone.calls.clear();
        gone.again.clear();
        m_size -= dropped;
        gone.isGone = true;
        if (!gone.isBusy || TakeOut(gone))
        {
            Erase(gone);
        }
        return dropped;
    }

    /// Nothing waits any more.
    void Clear()
    {
        m_turns.clear();
        m_connections.clear();
        m_groups.clear();
        m_ready = 0;
        m_size = 0;
    }

    [[nodiscard]] const RpcDispatchStatistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    using GroupKey = std::pair<IpAddress, uint64_t>;

    struct Group
    {
        GroupKey key;
        std::size_t connections{0};
        Ring<Connection*> ready;
    };

    [[nodiscard]] GroupKey MakeGroupKey(uint64_t connection, const IpAddress& client) const
    {
        switch (m_order)
        {
        case RpcDispatch::CONNECTION:
            return {IpAddress(), connection};
        case RpcDispatch::CLIENT:
            return {client, 0};
        case RpcDispatch::ARRIVAL:
            break;
        }
        return {};
    }

    Connection& Find(uint64_t number, const IpAddress& client)
    {
        const uint64_t kept = m_order == RpcDispatch::ARRIVAL ? 0 : number;
        Connection& connection = m_connections[kept];
        if (connection.group == nullptr)
        {
            connection.number = kept;
            const GroupKey key = MakeGroupKey(kept, client);
            connection.group = &m_groups[key];
            connection.group->key = key;
            ++connection.group->connections;
        }
        return connection;
    }

    void Enqueue(Connection& connection)
    {
        ++m_size;
        ++m_statistics.attempts;
        connection.hasData = true;
        if (!connection.isBusy)
        {
            MakeReady(connection);
        }
    }

    void MakeReady(Connection& connection)
    {
        ++m_statistics.enqueued;
        connection.isBusy = true;
        Group& group = *connection.group;
        if (group.ready.empty())
        {
            m_turns.push_back(&group);
        }
        group.ready.push_back(&connection);
        ++m_ready;
    }

    /// \return whether it was ready; it is not any more
    bool TakeOut(Connection& connection)
    {
        Group& group = *connection.group;
        const auto found = std::find(group.ready.begin(), group.ready.end(), &connection);
        if (found == group.ready.end())
        {
            return false;
        }
        group.ready.erase(found);
        if (group.ready.empty())
        {
            m_turns.erase(std::find(m_turns.begin(), m_turns.end(), &group));
        }
        --m_ready;
        return true;
    }

    void Erase(Connection& connection)
    {
        if (--connection.group->connections == 0)
        {
            m_groups.erase(GroupKey(connection.group->key));
        }
        m_connections.erase(uint64_t{connection.number});
    }

    std::map<uint64_t, Connection> m_connections; ///< By number.
    std::map<GroupKey, Group> m_groups;
    Ring<Group*> m_turns; ///< With a connection that is ready.
    RpcDispatch m_order{RpcDispatch::CONNECTION};
    RpcCallOrder m_callOrder{RpcCallOrder::OLDEST_FIRST};
    std::size_t m_ready{0};
    uint32_t m_size{0};
    RpcDispatchStatistics m_statistics;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_DISPATCH_QUEUE_H
