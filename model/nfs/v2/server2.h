/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_SERVER2_H
#define NFSRDMA_NFS_V2_SERVER2_H

#include "nfs/store/file-program.h"
#include "nfs/v2/procedures2.h"

namespace ns3::nfsrdma
{

/**
 * \brief NFSv2 of one server: the 18 procedures.
 *
 * WRITE's data and SYMLINK's path may come by Read chunk, READ's data and READLINK's path go by
 * Write chunk when there is one (RFC 8267 section 4).
 *
 * Delegations in the way of a call are recalled, and waited for, as for NFSv3. When they do not
 * come back, a WRITE is not answered (rpc_drop_reply in fs/nfsd/nfsproc.c): the client's
 * retransmission is carried out. The others are answered JUKEBOX, though the version has no such
 * status, and Linux's client makes that an error of its caller.
 */
class Nfs2Server : public FileProgram<Nfs2Procedure, Nfs2Status, NFS2_PROCEDURES>
{
  public:
    static TypeId GetTypeId();

    /// \param store whose handles have at most 32 octets (RootHandleOctets, HandleOctets); the
    /// program ends otherwise
    void SetFileStore(Ptr<FileStore> store);

    [[nodiscard]] uint32_t GetVersion() const override;
    /// 8 KiB of data, and a page for all else.
    [[nodiscard]] RpcMessageLimits GetMessageLimits() const override;
    /// As pc_cachetype of nfsd: false for SETATTR, WRITE, CREATE, REMOVE, RENAME, LINK, SYMLINK,
    /// MKDIR and RMDIR.
    [[nodiscard]] bool IsIdempotent(uint32_t procedure) const override;

    /// Trace source "Served": procedure, status, time from dispatch to reply, or to the drop
    /// (JUKEBOX).
    typedef void (*ServedTracedCallback)(Nfs2Procedure procedure, Nfs2Status status, Time taken);

  private:
    [[nodiscard]] Carried Carry(const RpcServerCall& call) const override;
    template <typename Procedure>
    [[nodiscard]] Carried Serve(const RpcServerCall& call) const;

    Nfs2HandleSizes m_sizes;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_SERVER2_H
