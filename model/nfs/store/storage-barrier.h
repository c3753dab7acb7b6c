/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_STORAGE_BARRIER_H
#define NFSRDMA_NFS_STORE_STORAGE_BARRIER_H

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace ns3::nfsrdma
{

/// What is called when a request of a storage is done.
using StorageDone = std::function<void()>;

/**
 * \brief Something that waits for several requests: for its maker, who passes it when all have
 * been started, and for each by which it was held.
 */
class StorageBarrier
{
  public:
    explicit StorageBarrier(StorageDone&& done)
        : m_done(std::move(done))
    {
    }

    void Hold()
    {
        ++m_open;
    }

    void Pass()
    {
        if (--m_open == 0)
        {
            const StorageDone done = std::move(m_done);
            done();
        }
    }

  private:
    uint32_t m_open{1};
    StorageDone m_done;
};

using StorageBarrierPtr = std::shared_ptr<StorageBarrier>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_STORAGE_BARRIER_H
