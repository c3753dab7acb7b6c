/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_FILE_CLIENT3_H
#define NFSRDMA_NFS_V3_FILE_CLIENT3_H

#include "nfs/types/file-client.h"
#include "nfs/v3/acl-client3.h"
#include "nfs/v3/client3.h"

namespace ns3::nfsrdma
{

/**
 * \brief FileClient of NFSv3: the calls of an Nfs3Client and, for access lists, an NfsAcl3Client.
 *
 * An operation is one RPC but for these:
 *
 *     Mount, Unmount, Close   none; the completion comes with the next event
 *     Open                    LOOKUP; with create a CREATE. An EXCLUSIVE one is followed by a
 *                             SETATTR with what is to be set, and when the server does not know it,
 *                             tried again GUARDED, then UNCHECKED (as fs/nfs/nfs3proc.c)
 *     Open, MakeDirectory, ...  a LOOKUP more when the reply to CREATE, MKDIR, ... has no handle
 *     GetAcls, SetAcls        GETACL and SETACL of both lists
 *
 * The status of GetAcls() is NFS3ERR_SERVERFAULT when what came is no list.
 */
class Nfs3FileClient : public FileClient
{
  public:
    static TypeId GetTypeId();

    /// \param acl may be null: access lists are NFS3ERR_NOTSUPP then
    void SetClients(const Ptr<Nfs3Client>& nfs, const Ptr<NfsAcl3Client>& acl);

  private:
    void DoDispose() override;
    void Start(FileRequest&& request) override;

    Ptr<Nfs3Client> m_nfs;
    Ptr<NfsAcl3Client> m_acl;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_FILE_CLIENT3_H
