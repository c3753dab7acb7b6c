/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_NLM_LOCK_SERVICE_H
#define NFSRDMA_NFS_MOUNT_NLM_LOCK_SERVICE_H

#include "nfs/mount/nlm-client.h"
#include "nfs/types/file-client.h"

namespace ns3::nfsrdma
{

/**
 * \brief Locks of a mount of NFSv2 or v3 by the lock manager of its host.
 *
 * Status of a reply: what Linux's client makes of nlm4_stats (nlm_stat_to_errno()): DENIED is not
 * granted without an error, STALE_FH is 70 (ESTALE), ROFS 30, FBIG 27, all else 37 (ENOLCK).
 */
class NlmLockService : public FileLockService
{
  public:
    static TypeId GetTypeId();

    void SetClient(Ptr<NlmClient> client)
    {
        m_client = client;
    }

    void Lock(const FileRef& file, const FileLock& lock, bool wait, Done done) override;
    void Unlock(const FileRef& file, const FileLock& lock, Done done) override;
    void Test(const FileRef& file, const FileLock& lock, Done done) override;

  private:
    void DoDispose() override;

    Ptr<NlmClient> m_client;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_NLM_LOCK_SERVICE_H
