/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_SERVICE_H
#define NFSRDMA_NFS_V4_SERVER_SERVICE_H

#include "host/memory.h"
#include "nfs/store/files.h"
#include "nfs/store/server-storage.h"
#include "nfs/types/delegation-guard.h"
#include "nfs/v4/server/compound-processor.h"
#include "nfs/v4/server/delegation-waiters.h"
#include "nfs/v4/server/service-state.h"
#include "rpc/server.h"

#include "ns3/traced-callback.h"

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief NFSv4.0, 4.1 and 4.2 of one server: COMPOUNDs against a FileStore, at the cost of a
 * ServerStorage, with the state of clients, as Linux's nfsd 6.1 serves them.
 *
 * A COMPOUND takes effect when its call is dispatched; its reply leaves, and its server thread and
 * slot are free again, when the storage has done what its operations need, one after another.
 *
 * Leases and recalled delegations are looked at when a call comes, and before each piece of an
 * asynchronous COPY (the laundromat has no events of its own): what has run out by then is gone.
 *
 * It is the DelegationGuard of its host's other NFS versions. A SETATTR, REMOVE or RENAME that
 * other clients' delegations are in the way of keeps its thread for DelegationReturnWait, until
 * they are back; NFS4ERR_DELAY is only the answer when they are not.
 *
 * A COPY that may be asynchronous is answered at once with a stateid, in a session; it goes on
 * piece by piece without a server thread, its data are made stable, and CB_OFFLOAD tells
 * (nfsd4_copy() of fs/nfsd/nfs4proc.c). OFFLOAD_CANCEL, the end of its client
 * (nfsd4_shutdown_copy()) and a restart end it; that there is no CB_OFFLOAD after OFFLOAD_CANCEL is
 * this model's choice. A LOCK of one who waits that is denied in a session is followed by
 * CB_NOTIFY_LOCK when what was in the way is gone.
 *
 * Callbacks go through transports that SetCallbackRoutes() gives; without, NFSv4.1 has no back
 * channel that works, and NFSv4.0 no delegations.
 *
 * Attributes: MaxTransferSize (octets), LeaseTime, GraceTime, CourtesyTime, DelegationReturnWait
 * (Time), Slots, SessionGrowth, CallbackSlots, Delegations, Layouts, LayoutAddress, Reflinks,
 * ReadPlusHoles, EmptyWriteChunks, RecordClients, ServerName, BootVerifier.
 */
class Nfs4Server : public RpcProgram, public DelegationGuard
{
  public:
    static TypeId GetTypeId();

    void SetFileStore(Ptr<FileStore> store)
    {
        m_store = store;
    }

    /// Without one, answers take no time on the storage.
    void SetStorage(Ptr<ServerStorage> storage)
    {
        m_storage = storage;
    }

    /// Memory of this host, for the data of READ and READLINK replies.
    void SetHostMemory(Ptr<HostMemory> memory)
    {
        m_memory = memory;
    }

    void SetCallbackRoutes(Nfs4CallbackRoutes routes)
    {
        m_routes = std::move(routes);
    }

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    /// MaxTransferSize, and as much again as a page for all else.
    [[nodiscard]] RpcMessageLimits GetMessageLimits() const override;
    /// PROC_UNAVAIL for a procedure above COMPOUND; GARBAGE_ARGS for arguments that end early, and
    /// for a reduced item that is not WRITE's data or CREATE's link data in its right place.
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;
    /// false for a COMPOUND of NFSv4.0 with an operation that changes something.
    [[nodiscard]] bool IsIdempotentCall(const RpcCallHeader& header,
                                        const RpcReceivedMessage& message,
                                        uint32_t argumentsPosition) const override;

    /// A client whose back channel it was is told so with SEQ4_STATUS_CB_PATH_DOWN, unless it has
    /// another one bound (nfsd4_conn_lost()).
    void HandleConnectionEnd(uint64_t connection) override;
    /// Memory is short: with SessionGrowth each session is to have \p slots slots fewer, as
    /// SEQUENCE tells its client (the shrinker nfsd-DRC-slot). \return how many fewer all have
    /// together
    uint32_t ReduceSlots(uint32_t slots);
    /// Nothing more is called back.
    void Stop();
    /// Stops and starts the server: all state is gone, the write verifier is another; clients on
    /// record may reclaim for GraceTime.
    void Restart();

    [[nodiscard]] bool HasDelegations() override
    {
        return m_state && m_state->states.GetCount() != 0;
    }

    bool BreakDelegations(InodeNumber number) override;

    [[nodiscard]] Time GetReturnWait() const override
    {
        return m_settings.delegationReturnWait;
    }

    void AwaitReturn(const std::vector<InodeNumber>& numbers, std::function<void()> then) override;

    /// \return the state of the server as it is now.
    [[nodiscard]] Nfs4ServerState& GetState();
    [[nodiscard]] uint64_t GetOperations(Nfs4Op op) const;

    [[nodiscard]] uint64_t GetGarbageCalls() const
    {
        return m_garbageCalls;
    }

    /// Trace source "Served": a COMPOUND is answered: the last operation carried out (ILLEGAL when
    /// there was none), its status, time from dispatch to reply.
    typedef void (*ServedTracedCallback)(Nfs4Op last, Nfs4Status status, Time taken);
    /// Trace source "Delegated": a delegation has been granted to a client.
    typedef void (*DelegatedTracedCallback)(Nfs4ClientId client, InodeNumber file);
    /// Trace source "Recalled": a delegation is to be recalled from a client.
    typedef void (*RecalledTracedCallback)(Nfs4ClientId client, InodeNumber file);

  private:
    using OutcomePtr = std::shared_ptr<Nfs4CompoundProcessor::Outcome>;

    void DoDispose() override;
    void Start();
    /// A COMPOUND has been carried out: its storage, then its reply.
    void Leave(const RpcServerCall& call, const OutcomePtr& outcome, Time started, Done done);
    /// It goes on when the delegations that it waits for are back.
    void Pause(std::shared_ptr<RpcServerCall> call,
               Nfs4CompoundProcessor&& processor,
               Compound4Args&& args,
               Done done);

    void SetBootVerifier(uint64_t verifier);
    [[nodiscard]] uint64_t GetBootVerifier() const;
    void SetMaxTransferSize(uint32_t octets);

    [[nodiscard]] uint32_t GetMaxTransferSize() const
    {
        return static_cast<uint32_t>(m_settings.attributes.maxTransfer);
    }

    void SetLeaseTime(Time lease)
    {
        m_settings.attributes.leaseTime = static_cast<uint32_t>(lease.GetSeconds());
    }

    [[nodiscard]] Time GetLeaseTime() const;

    Ptr<FileStore> m_store;
    Ptr<ServerStorage> m_storage;
    Ptr<HostMemory> m_memory;
    Nfs4CallbackRoutes m_routes;
    Nfs4ServerSettings m_settings;

    std::unique_ptr<Nfs4ServerState> m_state; ///< Made when first needed.
    Nfs4DelegationWaiters m_delegationWaiters;
    uint32_t m_starts{0};
    uint32_t m_nextClient{1};
    uint64_t m_garbageCalls{0};
    std::map<Nfs4Op, uint64_t> m_operations;
    TracedCallback<Nfs4Op, Nfs4Status, Time> m_servedTrace;
    TracedCallback<Nfs4ClientId, InodeNumber> m_delegatedTrace;
    TracedCallback<Nfs4ClientId, InodeNumber> m_recalledTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_SERVICE_H
