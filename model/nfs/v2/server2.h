/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_SERVER2_H
#define NFSRDMA_NFS_V2_SERVER2_H

#include "nfs/store/server-storage.h"
#include "nfs/types/delegation-guard.h"
#include "nfs/v2/procedures2.h"
#include "rpc/server.h"

#include "ns3/traced-callback.h"

#include <array>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief NFSv2 of one server: the 18 procedures against a FileStore, at the cost of its storage.
 *
 * WRITE's data and SYMLINK's path may come by Read chunk, READ's data and READLINK's path go by
 * Write chunk when there is one (RFC 8267 section 4).
 *
 * Delegations in the way of a call are recalled, and waited for, as for NFSv3. When they do not
 * come back, a WRITE is not answered (rpc_drop_reply in fs/nfsd/nfsproc.c): the client's
 * retransmission is carried out. The others are answered JUKEBOX, though the version has no such
 * status, and Linux's client makes that an error of its caller.
 */
class Nfs2Server : public RpcProgram
{
  public:
    static TypeId GetTypeId();
    Nfs2Server();
    ~Nfs2Server() override;

    /// \param store whose handles have at most 32 octets (RootHandleOctets, HandleOctets); the
    /// program ends otherwise
    void SetFileStore(Ptr<FileStore> store);
    /// Without one, answers take no time on the storage.
    void SetStorage(Ptr<ServerStorage> storage);
    /// Memory of this host, for the data of READ and READLINK replies.
    void SetHostMemory(Ptr<HostMemory> memory);
    /// Whom to ask before a file is changed. Default: nobody. \param guard must outlive the calls
    void SetDelegationGuard(DelegationGuard* guard);

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    /// 8 KiB of data, and a page for all else.
    [[nodiscard]] RpcMessageLimits GetMessageLimits() const override;
    /// As Nfs3Server::Dispatch().
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;
    /// As pc_cachetype of nfsd: false for SETATTR, WRITE, CREATE, REMOVE, RENAME, LINK, SYMLINK,
    /// MKDIR and RMDIR.
    [[nodiscard]] bool IsIdempotent(uint32_t procedure) const override;

    /// \return calls carried out of \p procedure, failures included.
    [[nodiscard]] uint64_t GetCalls(Nfs2Procedure procedure) const;
    /// \return calls answered with GARBAGE_ARGS.
    [[nodiscard]] uint64_t GetGarbageCalls() const;
    /// \return WRITEs not answered because of a delegation.
    [[nodiscard]] uint64_t GetDroppedCalls() const;

    /// Trace source "Served": procedure, status, time from dispatch to reply, or to the drop
    /// (JUKEBOX).
    typedef void (*ServedTracedCallback)(Nfs2Procedure procedure, Nfs2Status status, Time taken);

  private:
    struct Answer;

    void DoDispose() override;
    /// \param waited the call has waited for delegations
    void Start(const std::shared_ptr<RpcServerCall>& call, Done done, bool waited);
    void Finish(const RpcServerCall& call, Answer&& answer, Done&& done);
    /// \return the answer when delegations are in the way, else nothing.
    template <typename Procedure>
    [[nodiscard]] std::optional<Answer> Break(const typename Procedure::Arguments& args) const;
    [[nodiscard]] std::optional<Answer> Carry(const RpcServerCall& call) const;
    template <typename Procedure>
    [[nodiscard]] std::optional<Answer> Serve(const RpcServerCall& call) const;

    Ptr<FileStore> m_store;
    Ptr<ServerStorage> m_storage;
    Ptr<HostMemory> m_memory;
    DelegationGuard* m_guard{nullptr};
    Nfs2HandleSizes m_sizes;
    std::array<uint64_t, NFS2_PROCEDURES> m_calls{};
    uint64_t m_garbageCalls{0};
    uint64_t m_droppedCalls{0};
    TracedCallback<Nfs2Procedure, Nfs2Status, Time> m_servedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_SERVER2_H
