/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_RPC_SERVER_H
#define NFSRDMA_RPC_RPC_SERVER_H

#include "rnic/host-cpu.h"
#include "rpc/duplicate-request-cache.h"
#include "rpc/rpc-message-limits.h"
#include "rpc/rpc-message.h"
#include "rpc/rpc-payload.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A call as a program sees it. reader stands at the program's arguments.
struct RpcServerCall
{
    RpcCallHeader header;
    RpcReceivedMessage message;
    uint32_t argumentsPosition{0}; ///< Offset of the arguments in message.octets.
};

/// The program's answer: accept status, and for SUCCESS the results (without the RPC header).
struct RpcServerReply
{
    RpcAcceptStatus status{RpcAcceptStatus::SUCCESS};
    RpcPayload results;
};

/// A program and version served by an RpcServer (NFSv3, for one).
class RpcProgram : public Object
{
  public:
    static TypeId GetTypeId();

    using Done = std::function<void(RpcServerReply&&)>;

    [[nodiscard]] virtual uint32_t GetProgram() const = 0;
    [[nodiscard]] virtual uint32_t GetVersion() const = 0;
    /// \return how large calls and replies can be; default: any size.
    [[nodiscard]] virtual RpcMessageLimits GetMessageLimits() const;
    /// Carries a call out; calls \p done once, now or later. Holds a server thread until then.
    virtual void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) = 0;
    /// \return whether a call that is carried out twice does no harm; else the server's duplicate
    /// request cache sees to it that it is not. Default: true.
    [[nodiscard]] virtual bool IsIdempotent(uint32_t procedure) const;
};

/// What an RpcServer counts, as the rpc line of /proc/net/rpc/nfsd.
struct RpcServerStatistics
{
    uint64_t calls{0};     ///< Calls taken.
    uint64_t badFormat{0}; ///< Messages that are no call, dropped.
    uint64_t badAuth{0};   ///< Calls denied: credential, or RPC version.
    uint64_t badCall{
        0}; ///< Calls for a program, version or procedure that is not there, or garbage.
};

/**
 * \brief Threads that take calls from all transports of one server in order of arrival (nfsd).
 *
 * A thread needs a core of the host for CallCost, then the program has it until its reply is done.
 * Of several free threads the one that became free last takes a call.
 */
class RpcServer : public Object
{
  public:
    static TypeId GetTypeId();
    RpcServer();
    ~RpcServer() override;

    void Register(Ptr<RpcProgram> program);
    /// The processor that threads run on. Default: one of its own.
    void SetHostCpu(Ptr<HostCpu> cpu);

    using Reply = std::function<void(RpcPayload&&)>;
    /// Takes a received call; \p reply is called once with the whole encoded reply, unless the
    /// octets are no RPC call at all: then they are counted and dropped, and it is never called
    /// (returns false). A duplicate of a call in progress is dropped later: \p reply is destroyed
    /// uncalled.
    /// \param source the client's address, the same for all its connections
    bool Receive(RpcReceivedMessage&& message, Reply reply, uint64_t source = 0);

    /// \param start the first octets of a call, as far as they are known
    /// \return the limits of its program; the widest of all when it is not to be seen, or not
    /// served
    [[nodiscard]] RpcMessageLimits GetMessageLimits(ByteSpan start) const;

    [[nodiscard]] uint32_t GetBusyThreads() const;
    [[nodiscard]] uint32_t GetQueuedCalls() const;
    [[nodiscard]] const RpcServerStatistics& GetStatistics() const;
    [[nodiscard]] const DuplicateRequestCache& GetDuplicateRequestCache() const;
    /// Forgets all calls and replies, as a server that boots.
    void ClearDuplicateRequestCache();
    /// \return the names of attribute DuplicateRequests.
    static std::vector<std::string> GetDuplicatePolicies();

    /// Trace source "CallTaken": a thread takes a call that waited \p queued.
    typedef void (*CallTakenTracedCallback)(const RpcCallHeader& header, Time queued);

  protected:
    void DoDispose() override;

  private:
    struct QueuedCall
    {
        Decoded<RpcCallHeader> header;
        RpcReceivedMessage message;
        uint32_t argumentsPosition{0};
        Reply reply;
        Time arrival;
        std::size_t thread{0}; ///< That has taken it.
        uint64_t source{0};
    };

    void TakeCalls();
    void Process(QueuedCall&& queued);
    void Dispatch(Ptr<RpcProgram> program, QueuedCall&& queued);
    [[nodiscard]] DuplicateRequestCache& GetDuplicates() const;
    /// \return whether the call is to be carried out; else it has been answered or dropped.
    bool IsNew(const DuplicateRequestCache::Key& key, QueuedCall& queued);
    void Remember(const DuplicateRequestCache::Key& key, bool accepted, const RpcPayload& reply);
    [[nodiscard]] RpcReplyHeader Refuse(const QueuedCall& queued);
    [[nodiscard]] std::size_t TakeThread();
    void ReleaseThread(std::size_t thread);

    using ProgramKey = std::pair<uint32_t, uint32_t>;
    std::map<ProgramKey, Ptr<RpcProgram>> m_programs;
    std::deque<QueuedCall> m_queue;
    uint32_t m_threads{0};
    uint32_t m_busy{0};
    std::deque<HostThread> m_workers; ///< Threads that have taken a call.
    std::vector<std::size_t> m_idle;  ///< Those of them that are free.
    Ptr<HostCpu> m_cpu;
    Time m_callCost;
    std::string m_duplicatePolicy;
    uint32_t m_duplicateEntries{0};
    Time m_duplicateLifetime;
    uint32_t m_duplicateReplySize{0};
    mutable std::unique_ptr<DuplicateRequestCache> m_duplicates; ///< Made when first needed.
    RpcServerStatistics m_statistics;
    TracedCallback<const RpcCallHeader&, Time> m_callTaken;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_RPC_SERVER_H
