/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_SERVER3_H
#define NFSRDMA_NFS_V3_SERVER3_H

#include "nfs/store/file-program.h"
#include "nfs/v3/procedures3.h"
#include "nfs/v3/types3.h"

namespace ns3::nfsrdma
{

/**
 * \brief NFSv3 of one server: the 22 procedures. What a reply carries beside its results
 * (post_op_attr, wcc_data) is what Linux's nfsd 6.1 sends. Delegations in the way: a SETATTR,
 * REMOVE or RENAME is answered JUKEBOX after the guard's wait, other calls at once.
 *
 * Attributes: MaxTransferSize (octets: rtmax, wtmax and the bounds of READ, READDIR and
 * READDIRPLUS), BootVerifier (the write verifier; SetBootVerifier() changes it, as a restart does).
 */
class Nfs3Server : public FileProgram<Nfs3Procedure, Nfs3Status, NFS3_PROCEDURES>
{
  public:
    static TypeId GetTypeId();

    /// A storage that is a device, without a page cache.
    void SetStorageModel(Ptr<StorageModel> device);

    [[nodiscard]] Ptr<FileStore> GetFileStore() const
    {
        return m_store;
    }

    [[nodiscard]] Ptr<ServerStorage> GetStorage() const
    {
        return m_storage;
    }

    [[nodiscard]] uint32_t GetVersion() const override;
    /// MaxTransferSize, and as much again as a page for all else.
    [[nodiscard]] RpcMessageLimits GetMessageLimits() const override;

    /// As pc_cachetype of nfsd: false for SETATTR, WRITE, CREATE, MKDIR, SYMLINK, MKNOD, REMOVE,
    /// RMDIR, RENAME and LINK.
    [[nodiscard]] bool IsIdempotent(uint32_t procedure) const override;

    /// The machine restarts: another verifier, and what was only in memory is lost (see
    /// ServerStorage::Restart()).
    void Restart();
    /// The verifier of WRITE and COMMIT, another one after each restart.
    void SetBootVerifier(uint64_t verifier);
    [[nodiscard]] uint64_t GetBootVerifier() const;

    void SetMaxTransferSize(uint32_t octets)
    {
        m_limits.maxTransferSize = octets;
    }

    [[nodiscard]] uint32_t GetMaxTransferSize() const
    {
        return m_limits.maxTransferSize;
    }

    /// Trace source "Served": procedure, status, time from dispatch to reply.
    typedef void (*ServedTracedCallback)(Nfs3Procedure procedure, Nfs3Status status, Time taken);

  private:
    [[nodiscard]] Carried Carry(const RpcServerCall& call) const override;
    template <typename Args>
    [[nodiscard]] Carried Serve(const RpcServerCall& call) const;

    Nfs3ServerLimits m_limits;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_SERVER3_H
