/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_CALLS2_H
#define NFSRDMA_NFS_V2_CALLS2_H

#include "nfs/v2/acl-client2.h"
#include "nfs/v2/client2.h"
#include "nfs/v3/calls3.h"

namespace ns3::nfsrdma
{

/**
 * \brief Calls of NFSv2, one for each, with the arguments and results of version 3:
 *
 *     Create      CREATE; there is no other mode than UNCHECKED
 *     Mknod       CREATE with the type in the mode (nfs_proc_mknod() of Linux)
 *     Fsstat      STATFS
 *     Read        READ; eof says whether the file ends with the data, by the size that came along
 *     Write       WRITE; what is written is stable, and all that was sent
 *     Symlink     SYMLINK; the results have neither handle nor attributes
 *     Access, Readdirplus, Fsinfo, Pathconf, Commit
 *                 no RPC: NOTSUPP with the next event, XID 0
 *
 * Statuses keep their numbers. Offsets and sizes are cut to 32 bits.
 */
class Nfs2Calls : public Nfs3Calls
{
  public:
    static TypeId GetTypeId();

    /// \param memory of the same host
    void SetClient(const Ptr<Nfs2Client>& client, const Ptr<HostMemory>& memory);

  private:
    void DoDispose() override;
    uint32_t Start(Request&& request) override;

    Ptr<Nfs2Client> m_client;
    Ptr<HostMemory> m_memory;
};

/// Calls of NFSACL version 2 with the arguments and results of version 3.
class NfsAcl2Calls : public NfsAcl3Calls
{
  public:
    static TypeId GetTypeId();

    void SetClient(const Ptr<NfsAcl2Client>& client)
    {
        m_client = client;
    }

  private:
    void DoDispose() override;
    uint32_t Start(Request&& request) override;

    Ptr<NfsAcl2Client> m_client;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_CALLS2_H
