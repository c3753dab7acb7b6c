/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_SERVER3_H
#define NFSRDMA_NFS_V3_SERVER3_H

#include "host/memory.h"
#include "nfs/store/files.h"
#include "nfs/store/server-storage.h"
#include "nfs/types/delegation-guard.h"
#include "nfs/v3/procedures3.h"
#include "nfs/v3/types3.h"
#include "rpc/server.h"

#include "ns3/traced-callback.h"

#include <array>
#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief NFSv3 of one server: the 22 procedures against a FileStore, at the cost of its
 * storage.
 *
 * A procedure takes effect when its call is dispatched; its reply leaves, and its server thread is
 * free again, when the storage is done with it. What a reply carries beside its results
 * (post_op_attr, wcc_data) is what Linux's nfsd 6.1 sends.
 *
 * Attributes: MaxTransferSize (octets: rtmax, wtmax and the bounds of READ, READDIR and
 * READDIRPLUS), BootVerifier (the write verifier; SetBootVerifier() changes it, as a restart does).
 */
class Nfs3Server : public RpcProgram
{
  public:
    static TypeId GetTypeId();
    Nfs3Server();
    ~Nfs3Server() override;

    void SetFileStore(Ptr<FileStore> store);
    /// Without one, answers take no time on the storage.
    void SetStorage(Ptr<ServerStorage> storage);
    /// The same with a device and no page cache.
    void SetStorageModel(Ptr<StorageModel> device);
    /// Memory of this host, for the data of READ and READLINK replies.
    void SetHostMemory(Ptr<HostMemory> memory);
    /// What is asked before a file is changed that NFSv4 clients may have delegations of: such a
    /// call is answered JUKEBOX, a SETATTR, REMOVE or RENAME after the guard's wait. \p guard
    /// outlives the calls; null: there are no delegations.
    void SetDelegationGuard(DelegationGuard* guard);

    [[nodiscard]] Ptr<FileStore> GetFileStore() const;
    [[nodiscard]] Ptr<ServerStorage> GetStorage() const;

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    /// MaxTransferSize, and as much again as a page for all else.
    [[nodiscard]] RpcMessageLimits GetMessageLimits() const override;
    /// PROC_UNAVAIL for a procedure above COMMIT; GARBAGE_ARGS for arguments that do not decode,
    /// and for a reduced item that is not WRITE's data or SYMLINK's path in its right place (RFC
    /// 8267 section 6.4.2).
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;
    /// As pc_cachetype of nfsd: false for SETATTR, WRITE, CREATE, MKDIR, SYMLINK, MKNOD, REMOVE,
    /// RMDIR, RENAME and LINK.
    [[nodiscard]] bool IsIdempotent(uint32_t procedure) const override;

    /// The machine restarts: another verifier, and what was only in memory is lost (see
    /// ServerStorage::Restart()).
    void Restart();
    /// The verifier of WRITE and COMMIT, another one after each restart.
    void SetBootVerifier(uint64_t verifier);
    [[nodiscard]] uint64_t GetBootVerifier() const;
    void SetMaxTransferSize(uint32_t octets);
    [[nodiscard]] uint32_t GetMaxTransferSize() const;

    /// \return calls carried out of \p procedure, failures included.
    [[nodiscard]] uint64_t GetCalls(Nfs3Procedure procedure) const;
    /// \return calls answered with GARBAGE_ARGS.
    [[nodiscard]] uint64_t GetGarbageCalls() const;

    /// Trace source "Served": procedure, status, time from dispatch to reply.
    typedef void (*ServedTracedCallback)(Nfs3Procedure procedure, Nfs3Status status, Time taken);

  private:
    struct Answer;
    struct Request;

    void DoDispose() override;

    /// \param waited the call has waited for delegations
    void Start(const std::shared_ptr<RpcServerCall>& call, Done done, bool waited);
    /// \return the answer JUKEBOX when delegations are in the way, else nothing.
    template <typename Args>
    [[nodiscard]] std::optional<Answer> Break(const Args& args) const;
    [[nodiscard]] std::optional<Answer> Carry(Nfs3Procedure procedure, Request& request) const;
    template <typename Args>
    [[nodiscard]] std::optional<Answer> Serve(Request& request) const;
    void Refuse(RpcAcceptStatus status, const Done& done);
    void Finish(const RpcServerCall& call, Answer&& answer, Done&& done);

    Ptr<FileStore> m_store;
    Ptr<ServerStorage> m_storage;
    Ptr<HostMemory> m_memory;
    DelegationGuard* m_guard{nullptr};
    Nfs3ServerLimits m_limits;
    std::array<uint64_t, NFS3_PROCEDURES> m_calls{};
    uint64_t m_garbageCalls{0};
    TracedCallback<Nfs3Procedure, Nfs3Status, Time> m_servedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_SERVER3_H
