/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_FILE_CLIENT2_H
#define NFSRDMA_NFS_V2_FILE_CLIENT2_H

#include "nfs/types/file-access.h"
#include "nfs/types/file-client.h"
#include "nfs/v2/acl-client2.h"
#include "nfs/v2/client2.h"

namespace ns3::nfsrdma
{

/**
 * \brief FileClient over NFSv2, with the RPCs that Linux's client makes (fs/nfs/proc.c).
 *
 *     Open                 LOOKUP; with create a CREATE, after a LOOKUP that must find nothing
 *                          unless UNCHECKED (there is no exclusive create)
 *     MakeSymlink          SYMLINK, then LOOKUP
 *     Access               GETATTR; the mode's bits are weighed here
 *     Read, Write          one READ or WRITE, of 8192 octets at most
 *     Commit, Close        nothing: a WRITE is stable
 *     GetAcls, SetAcls     NFS3ERR_NOTSUPP, as Linux's client, which has no NFSACL for version 2;
 *                          with Acls, GETACL and SETACL of NFSACL version 2
 *
 * Files end at 2 GiB: a Write beyond fails with EFBIG (27), a Read beyond finds the end. Entries of
 * a List have neither handles nor attributes.
 *
 * Attribute: Acls.
 */
class Nfs2FileClient : public FileClient
{
  public:
    static TypeId GetTypeId();

    void SetClient(Ptr<Nfs2Client> nfs)
    {
        m_nfs = nfs;
    }

    /// For access lists, when the attribute Acls is set.
    void SetAclClient(Ptr<NfsAcl2Client> acl)
    {
        m_acl = acl;
    }

    /// Memory of this host.
    void SetHostMemory(Ptr<HostMemory> memory)
    {
        m_memory = memory;
    }

    /// Whose permissions Access() weighs. Default: the superuser.
    void SetCredential(const FileCredential& credential)
    {
        m_credential = credential;
    }

    /// Octets that a file may have.
    static constexpr uint64_t MAX_FILE_SIZE = 0x7fffffff;

    /// TransferSize, and 8192 at most.
    [[nodiscard]] uint32_t GetTransferSize() const override;

  private:
    void DoDispose() override;
    void Start(FileRequest&& request) override;

    Ptr<Nfs2Client> m_nfs;
    Ptr<NfsAcl2Client> m_acl;
    bool m_acls{false};
    Ptr<HostMemory> m_memory;
    FileCredential m_credential;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_FILE_CLIENT2_H
