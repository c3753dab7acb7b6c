/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SERVER_H
#define NFSRDMA_RPC_SERVER_H

#include "host/cpu.h"
#include "host/memory.h"
#include "rpc/dispatch-settings.h"
#include "rpc/duplicate-request-cache.h"
#include "rpc/message-limits.h"
#include "rpc/message.h"
#include "rpc/payload.h"
#include "rpc/program.h"
#include "rpc/security/acceptor.h"
#include "rpc/thread-pool.h"
#include "wire/ip-address.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <bitset>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What an RpcServer counts, as the rpc line of /proc/net/rpc/nfsd.
struct RpcServerStatistics
{
    uint64_t calls{0};     ///< Calls taken.
    uint64_t badFormat{0}; ///< Messages that are no call, dropped.
    uint64_t badAuth{0};   ///< Calls denied: credential, or RPC version.
    uint64_t dropped{0};   ///< Calls that the flavour's acceptor or the program does not answer.
    uint64_t badCall{
        0}; ///< Calls for a program, version or procedure that is not there, or garbage.
    uint64_t connectionsLimited{0}; ///< Connections closed since there were too many.
    uint64_t unreserved{0};         ///< Calls refused since they came from a port of 1024 or above.
    uint64_t tooWeak{0}; ///< Calls refused since they came without the TLS that is required.
};

/**
 * \brief Threads that take calls from all transports of one server (nfsd).
 *
 *     Receive()                       a thread, awake                          the program
 *        |  (RpcDispatchQueue)           |                                          |
 *        +--> connection is ready --> it takes the connection, and one call --> [fetches] --> does
 * it ^                     |
 *                  +-- looked at again --+
 *
 * A thread (RpcThreadPool) that sleeps is woken for each connection that becomes ready; it takes
 * the connection whose turn it is then (RpcDispatch), under the lock of the pool's queue. It needs
 * a core of the host for CallCost and the pages of the call; then the program has it; then it needs
 * a core for the pages of the reply. HostCosts has what each takes. Of calls whose octets are still
 * to be fetched from the client, RpcFetching says who waits for them.
 *
 * The server has MaxConnections of all its transports together at a time, and one more: where there
 * are more when the next comes, the one that was made first is closed for it, whatever it does
 * (svc_check_conn_limits() of Linux).
 *
 * With MinThreads threads come and go: see RpcThreadPool.
 *
 * Threads may be in several pools (HostCosts::serverPoolMode), each with a queue and a lock of its
 * own. A connection belongs to the pool of the core that receives for it (svc_pool_for_cpu() of
 * Linux); one that is not bound to a core, to the next pool in turn.
 */
class RpcServer : public Object
{
  public:
    static TypeId GetTypeId();
    RpcServer();

    void Register(Ptr<RpcProgram> program);

    /// The processor that threads run on. Default: one of its own.
    void SetHostCpu(Ptr<HostCpu> cpu)
    {
        m_cpu = cpu;
    }

    /// The memory that threads hold ThreadMemory of. Default: none does.
    void SetHostMemory(const Ptr<HostMemory>& memory)
    {
        m_memory = memory;
    }

    /// Starts the threads, with MinThreads or ThreadMemory; else, and without, the first call does.
    void StartThreads();

    /// \return true when \p names may be the attribute Security.
    [[nodiscard]] static bool AreFlavors(const std::string& names);

    /// Serves calls of flavor RPCSEC_GSS from now on; without, they are denied.
    void SetAcceptor(Ptr<RpcAcceptor> acceptor)
    {
        m_acceptor = acceptor;
    }

    /// Called with the whole encoded reply; empty: the call was dropped and none is to be sent.
    using Reply = std::function<void(RpcPayload&&)>;
    /// Takes a received call; \p reply is called once with the whole encoded reply, unless the
    /// octets are no RPC call at all: then they are counted and dropped, and it is never called
    /// (returns false).
    /// \param source the client's address, the same for all its connections
    /// \param connection from OpenConnection(); 0: of none
    bool Receive(RpcReceivedMessage&& message,
                 Reply reply,
                 const IpAddress& source = {},
                 uint64_t connection = 0);

    /// Takes the octets of a call that were to be fetched. \return false when they are no RPC call:
    /// then they are counted and dropped, and there is no reply
    using Fetched = std::function<bool(RpcReceivedMessage&&)>;
    /// Has the octets of a call fetched, and \p fetched called with them; lets go of \p fetched
    /// when there will be none.
    using Fetch = std::function<void(Fetched fetched)>;
    /// As above, of a call whose octets are yet to be fetched, as RpcFetching says.
    void Receive(Fetch fetch, Reply reply, const IpAddress& source, uint64_t connection);

    /// Lets go of a thread when the last copy is gone.
    using Hold = std::shared_ptr<void>;
    /// Work of a transport for a thread, which waits for its end.
    using Task = std::function<void(Hold hold)>;
    /// Has a thread take \p connection, whose turn it is as with a call, begin \p task and wait
    /// until \p task has let go of it (svc_handle_xprt() of Linux with XPT_HANDSHAKE). Nothing
    /// comes of it when the connection ends before, or the server restarts.
    void Assign(uint64_t connection, const IpAddress& source, Task task);

    /// Closes a connection of a transport, by its number, for the reason that it is told.
    using CloseConnection = std::function<void(uint64_t connection, const std::string& reason)>;
    /**
     * \brief A transport has a new connection.
     * \param close called when there are too many; null: the connection does not count, and is
     * never closed
     * \return its number: from 1 up, over all transports
     */
    [[nodiscard]] uint64_t OpenConnection(CloseConnection close = nullptr);

    /// \return the most connections that are kept when another comes: attribute MaxConnections, or
    /// what follows from the threads, or from LimitedConnections.
    [[nodiscard]] uint32_t GetConnectionLimit() const;

    /// \p core handles what comes on \p connection, while it lasts.
    void SetReceivingCore(uint64_t connection, uint32_t core)
    {
        m_receivingCores[connection] = core;
    }

    /// The peer of \p connection has a port that any of its users may have, 1024 or above; as long
    /// as it lasts. Over RDMA none has, as svc_rdma_secure_port() of Linux says.
    void SetUnreserved(uint64_t connection)
    {
        m_unreserved.insert(connection);
    }

    /// Has a NULL call with AUTH_TLS on \p connection answered with STARTTLS (RFC 9289 section
    /// 4.1), as long as it lasts; where TLS is not offered it is denied, as another unknown flavor.
    /// One whose credential or verifier has a body is denied in any case (svcauth_tls_accept()).
    void OfferTls(uint64_t connection)
    {
        m_tlsOffers.insert(connection);
    }

    /// Has it answered as one with AUTH_NONE, without STARTTLS, as nfsd of Linux 5.18 to 6.3 does.
    void IgnoreTls(uint64_t connection)
    {
        m_tlsIgnored.insert(connection);
    }

    /// No longer: the connection has had a call in clear, or has TLS.
    void WithdrawTls(uint64_t connection)
    {
        m_tlsOffers.erase(connection);
    }

    /// Calls on \p connection are answered, or not, as where an export asks for more than the
    /// connection has (option xprtsec): every procedure but NULL with NFSERR_ACCES (13), the first
    /// operation on a filehandle of a COMPOUND with NFS4ERR_WRONGSEC (check_nfsd_access()).
    void SetTooWeak(uint64_t connection, bool isTooWeak)
    {
        if (isTooWeak)
        {
            m_tooWeak.insert(connection);
        }
        else
        {
            m_tooWeak.erase(connection);
        }
    }

    /// Messages in the reverse direction of a connection have so many octets at most, while it
    /// lasts.
    void SetReverseLimit(uint64_t connection, uint32_t octets)
    {
        m_reverseLimits[connection] = octets;
    }

    /// Tells all programs that a connection is no more. Its calls that no thread has taken are
    /// dropped (svc_delete_xprt() of Linux).
    void EndConnection(uint64_t connection);

    /// \param start the first octets of a call, as far as they are known
    /// \return the limits of its program; the widest of all when it is not to be seen, or not
    /// served
    [[nodiscard]] RpcMessageLimits GetMessageLimits(ByteSpan start) const;

    [[nodiscard]] uint32_t GetBusyThreads() const
    {
        return m_threads->GetBusy();
    }

    /// \return of all pools together.
    [[nodiscard]] uint32_t GetQueuedCalls() const;
    /// \return of connections that had something for a thread, of all pools together.
    [[nodiscard]] RpcDispatchStatistics GetDispatchStatistics() const;
    /// \return the lock of the queue of transports that are ready (svc_pool's sp_lock) that \p
    /// connection belongs to, which who puts it in must hold for HostCosts::serverQueueHold.
    [[nodiscard]] Ptr<HostLock> GetQueueLock(uint64_t connection);

    [[nodiscard]] Ptr<RpcThreadPool> GetThreadPool() const
    {
        return m_threads;
    }

    [[nodiscard]] const RpcServerStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    [[nodiscard]] const DuplicateRequestCache& GetDuplicateRequestCache() const
    {
        return GetDuplicates();
    }

    /// Stops and starts the service: calls that wait or are being carried out are given up without
    /// a reply (what they have done stays done), and the duplicate request cache is empty.
    void Restart();
    /// So many threads stand still: see RpcThreadPool::SetStalled().
    void SetStalledThreads(uint32_t threads);

    /// The call of \p source with this \p xid, which is to come, is answered so.
    void OrderAnswer(const IpAddress& source, uint32_t xid, const RpcOrderedAnswer& answer)
    {
        m_ordered[{source, xid}] = answer;
    }

    /// Forgets all calls and replies, as a server that boots.
    void ClearDuplicateRequestCache()
    {
        m_duplicates.reset();
    }

    /// \return the names of attribute DuplicateRequests.
    static std::vector<std::string> GetDuplicatePolicies();

    /// Trace source "ConnectionLimited": the connection with this number is closed for a newcomer.
    typedef void (*ConnectionLimitedTracedCallback)(uint64_t connection);

    /// Trace source "CallTaken": \p thread has a call, which waited \p queued for it, and all its
    /// octets.
    typedef void (*CallTakenTracedCallback)(const RpcCallHeader& header,
                                            Time queued,
                                            uint64_t thread);

  protected:
    void DoDispose() override;

  private:
    /// Which connections are closed for a newcomer.
    enum LimitedConnections
    {
        LIMIT_ALL,
        LIMIT_UNPROVEN ///< Those that have shown no valid call (svc_xprt_set_valid()).
    };

    /// What the reply to a call needs.
    struct AnsweredCall
    {
        Reply reply;
        std::size_t thread{0};                  ///< That has taken it.
        uint64_t start{0};                      ///< Of the service, that it was taken after.
        std::shared_ptr<RpcReplySealer> sealer; ///< When the flavour has one.
    };

    struct QueuedCall : AnsweredCall
    {
        Fetch fetch; ///< While its octets are to be fetched.
        Task task;   ///< Instead of a call.
        Decoded<RpcCallHeader> header;
        RpcReceivedMessage message;
        uint32_t argumentsPosition{0};
        Time arrival;
        Time waited;
        IpAddress source; ///< The client's address.
        uint64_t connection{0};
    };

    /// The connections of a pool of threads that wait, and the threads that go for them.
    struct Pool
    {
        RpcDispatchQueue<QueuedCall> waiting;
        std::size_t waking{0};    ///< Threads that wake up to look for a connection.
        std::size_t dequeuing{0}; ///< Threads that wait for the lock, to take one.
        Ptr<HostLock> lock;       ///< Made when first needed.

        /// \return whether a connection is ready that no thread goes for with the lock.
        [[nodiscard]] bool HasReady() const
        {
            return waiting.CountReady() > dequeuing;
        }
    };

    /// A call that is being fetched; given up with this, unless its octets came.
    struct Fetching;

    /// Reads the header of \p message. \return false when it is no call: it was counted.
    bool SetMessage(QueuedCall& queued, RpcReceivedMessage&& message);
    void Put(QueuedCall&& queued);
    void MakePools();
    /// \return all pools; made when first needed.
    [[nodiscard]] std::vector<Pool>& GetPools();
    /// \return the number of the pool that \p connection belongs to.
    [[nodiscard]] uint32_t GetPoolOf(uint64_t connection);

    /// \return the pool that \p thread is of.
    [[nodiscard]] Pool& GetPool(std::size_t thread)
    {
        return m_pools.at(m_threads->GetPool(thread));
    }

    [[nodiscard]] const Ptr<HostLock>& GetLock(Pool& pool);
    /// Has threads that sleep look for the connections that are ready, one for each.
    void WakeThreads();
    /// The same of the pool \p number.
    void WakeThreads(uint32_t number);
    /// \p thread, which is awake, goes for the connection whose turn it is, or sleeps.
    void Look(std::size_t thread);
    /// \p thread has the lock, and takes a connection if there is still one.
    void Dequeue(std::size_t thread);
    /// \p thread takes the connection whose turn it is now. \return whether that keeps it busy
    bool TakeTurn(std::size_t thread);
    /// \p thread does \p work, then \p next.
    void After(std::size_t thread, const HostWork& work, void (RpcServer::*next)(std::size_t));
    /// \p thread has started another one, and goes on.
    void StartThread(std::size_t thread);
    /// A thread that was held starts another one, if it is to; it goes on to look, others are
    /// woken.
    void LeaveThread(std::size_t thread);
    [[nodiscard]] RpcRecheck GetRecheck() const;
    /// \p thread has taken \p queued.
    void Take(std::size_t thread, QueuedCall&& queued);
    /// The thread has all of \p queued. \param earliest when it goes on
    void Begin(QueuedCall&& queued, Time earliest);
    /// The thread of \p queued, which is a task, begins it.
    void StartTask(QueuedCall&& queued);
    void StartFetching(QueuedCall&& queued);
    bool TakeFetched(Fetching& fetching, RpcReceivedMessage&& message);
    void GiveUpFetching(const QueuedCall& queued);
    /// \p thread reads a call that is still in a socket, not before \p earliest. \return when it
    /// has
    Time ReadCall(RpcReceivedMessage& message, HostThread& thread, Time earliest);
    [[nodiscard]] Time GetCost(const QueuedCall& queued) const;
    /// \return what who makes \p queued waits for its groups: the first time.
    Time GetGroupWait(const QueuedCall& queued);
    /// Adds what pages for \p octets cost.
    void AddPages(uint64_t octets, HostWork& work);
    void Process(QueuedCall&& queued);
    bool Accept(QueuedCall& queued);
    [[nodiscard]] RpcMessageLimits AddSecurity(RpcMessageLimits limits) const;
    [[nodiscard]] bool IsAllowed(const RpcCallHeader& header) const;
    /// \param work of the program itself
    void SendReply(const AnsweredCall& call,
                   RpcReplyHeader&& header,
                   RpcPayload&& results,
                   HostWork work = {});
    /// As above, of a call that found its session at first, and gives it back after \p cost.
    void SendReplyOfSession(const AnsweredCall& call,
                            RpcReplyHeader&& header,
                            RpcPayload&& results,
                            Time cost);

    /// \return whether the service was restarted since the call was taken.
    [[nodiscard]] bool IsGivenUp(const AnsweredCall& call) const
    {
        return call.start != m_starts;
    }

    /// A connection whose call was answered so may be proven, and counts no more.
    void TakeProof(uint64_t connection, uint32_t procedure, const RpcPayload& results);
    void Finish(std::size_t thread, const Reply& reply, RpcPayload&& payload);
    /// A thread that waits for the Send of its reply.
    struct Sending;
    /// \p thread goes on: it is woken.
    void EndSending(std::size_t thread);
    void SetFlavors(std::string names);
    [[nodiscard]] std::string GetFlavors() const;
    void Dispatch(const Ptr<RpcProgram>& program, QueuedCall&& queued);
    [[nodiscard]] DuplicateRequestCache& GetDuplicates() const;

    /// A call that was looked up among duplicates.
    struct LookedUp
    {
        DuplicateRequestCache::Verdict verdict;
        DuplicateRequestCache::Key key;
        RpcPayload results; ///< With REPLAY.
        Ptr<RpcProgram> program;
        QueuedCall call;
    };

    void LookUp(const Ptr<RpcProgram>& program, QueuedCall&& queued);
    /// \return what the look-up took \p thread: it is through with it then.
    Time ChargeLookUp(std::size_t thread);
    /// Carries the call out, answers it with what is remembered, or drops it.
    void Decide(LookedUp&& looked);
    void Execute(const Ptr<RpcProgram>& program,
                 QueuedCall&& queued,
                 const std::optional<DuplicateRequestCache::Key>& key);
    /// \return whether the results are kept.
    bool Remember(const DuplicateRequestCache::Key& key,
                  RpcAcceptStatus status,
                  const RpcPayload& results);
    void Drop(const std::optional<DuplicateRequestCache::Key>& key, const AnsweredCall& call);
    [[nodiscard]] RpcReplyHeader Refuse(const QueuedCall& queued);
    /// \return the answer to a call that its peer's port forbids; nothing: it is carried out.
    std::optional<RpcOrderedAnswer> RefusePort(const QueuedCall& queued);
    /// \return the answer to a call whose connection has less security than is required.
    std::optional<RpcOrderedAnswer> RefuseWeak(const QueuedCall& queued);
    /// Answers a call of flavor AUTH_TLS that asks for TLS. \return false: it is none.
    bool AnswerTlsProbe(QueuedCall& queued);
    [[nodiscard]] std::optional<RpcAuthStatus> FindDenial(const QueuedCall& queued) const;

    void ApplyDispatch();

    void SetThreads(uint32_t threads)
    {
        m_threads->SetSize(threads);
    }

    [[nodiscard]] uint32_t GetThreads() const
    {
        return m_threads->GetSize();
    }

    using ProgramKey = std::pair<uint32_t, uint32_t>;
    std::map<ProgramKey, Ptr<RpcProgram>> m_programs;
    RpcDispatchSettings m_dispatch;
    std::vector<Pool> m_pools;                     ///< Made when first needed.
    std::map<uint64_t, uint32_t> m_receivingCores; ///< By connection.
    double m_compactions{0}; ///< Blocks of pages that there are none of: the rest of one.
    Ptr<RpcThreadPool> m_threads;
    Ptr<HostCpu> m_cpu;
    Ptr<HostMemory> m_memory; ///< Of the threads.
    Ptr<RpcAcceptor> m_acceptor;
    std::bitset<4> m_flavors; ///< That calls may have.
    Time m_callCost;
    std::string m_duplicatePolicy;
    uint32_t m_duplicateEntries{0};
    Time m_duplicateLifetime;
    uint32_t m_duplicateReplySize{0};
    uint32_t m_duplicatePrune{0};
    std::map<uint32_t, Ptr<HostLock>> m_duplicateLocks; ///< By bucket; made when first needed.
    uint32_t m_groups{0};                               ///< Of a user.
    Time m_groupUpcall;
    std::set<std::pair<IpAddress, uint32_t>> m_users; ///< Whose groups are known, by client.
    mutable std::unique_ptr<DuplicateRequestCache> m_duplicates; ///< Made when first needed.
    uint64_t m_starts{0};                                        ///< Restarts so far.
    uint64_t m_connections{0};                                   ///< Opened so far.
    std::map<uint64_t, CloseConnection> m_open; ///< Connections that count, oldest first.
    uint32_t m_maxConnections{0};
    LimitedConnections m_limited{LIMIT_ALL};
    bool m_securePorts{false};
    std::set<uint64_t> m_unreserved;              ///< Connections.
    std::set<uint64_t> m_tlsOffers;               ///< Connections.
    std::set<uint64_t> m_tlsIgnored;              ///< Connections.
    std::set<uint64_t> m_tooWeak;                 ///< Connections.
    std::map<uint64_t, uint32_t> m_reverseLimits; ///< Octets, by connection.
    std::map<std::pair<IpAddress, uint32_t>, RpcOrderedAnswer> m_ordered; ///< By client and XID.
    RpcServerStatistics m_statistics;
    TracedCallback<const RpcCallHeader&, Time, uint64_t> m_callTaken;
    TracedCallback<uint64_t> m_connectionLimited;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SERVER_H
