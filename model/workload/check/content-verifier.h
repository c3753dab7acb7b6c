/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_CONTENT_VERIFIER_H
#define NFSRDMA_WORKLOAD_CHECK_CONTENT_VERIFIER_H

#include "nfs/store/files.h"
#include "workload/check/mismatch.h"
#include "workload/check/reference-tree.h"

#include <map>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Compares an export with what it should hold: names of each directory, types, hard links,
 * sizes, symbolic links' paths, and every octet of every regular file.
 */
class ContentVerifier
{
  public:
    ContentVerifier(const ReferenceTree& reference, const FileStore& store);

    /// Compares the whole export below \p root.
    [[nodiscard]] ContentCheck Verify(InodeNumber root);

  private:
    void VerifyDirectory(ReferenceId id, InodeNumber inode, const std::string& path);
    void VerifyEntry(ReferenceId id, InodeNumber inode, const std::string& path);
    void VerifyAcls(const ReferenceObject& object, const Inode& inode, const std::string& path);
    void VerifyFile(const ReferenceObject& object, const Inode& inode, const std::string& path);
    void VerifyOctets(const ReferenceObject& object, const Inode& inode, const std::string& path);

    const ReferenceTree& m_reference;
    const FileStore& m_store;
    ContentCheck m_check;
    std::map<ReferenceId, InodeNumber> m_seen; ///< Objects verified, for those with several names.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_CONTENT_VERIFIER_H
