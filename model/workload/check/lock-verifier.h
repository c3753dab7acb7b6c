/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_LOCK_VERIFIER_H
#define NFSRDMA_WORKLOAD_CHECK_LOCK_VERIFIER_H

#include "nfs/store/files.h"
#include "workload/check/mismatch.h"
#include "workload/generate/lock-counters.h"

namespace ns3::nfsrdma
{

/**
 * \brief Compares the records of a server's shared directory with what the lock workloads of all
 * its clients have added to them.
 */
class LockVerifier
{
  public:
    /// Takes what \p workload has done; it must have finished.
    void Add(const LockWorkload& workload);
    /// \param shared the directory that the workloads shared
    /// \return a mismatch for each record whose count is not the sum, and for each violation
    [[nodiscard]] ContentCheck Verify(const FileStore& store, InodeNumber shared) const;

  private:
    struct Sum
    {
        LockWorkload::Increments increments;
        uint32_t octets{0};
    };

    std::map<LockWorkload::Place, Sum> m_sums;
    uint64_t m_violations{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_LOCK_VERIFIER_H
