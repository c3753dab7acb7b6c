/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_STORAGE_TASK_H
#define NFSRDMA_NFS_STORE_STORAGE_TASK_H

#include "nfs/store/files.h"
#include "nfs/store/storage-model.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What an operation has its server's storage do before its reply may go.
struct StorageTask
{
    StorageWork work{StorageWork::METADATA};
    InodeNumber file{0}; ///< Of READ, WRITE, WRITE_SYNC and SYNC, as what follows.
    uint64_t offset{0};
    uint64_t octets{0}; ///< SYNC: 0 means to the end of the file.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_STORAGE_TASK_H
