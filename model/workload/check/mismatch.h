/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_MISMATCH_H
#define NFSRDMA_WORKLOAD_CHECK_MISMATCH_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// Something that is not what it should be.
struct ContentMismatch
{
    std::string path;   ///< From the export's root; empty for the root itself.
    uint64_t offset{0}; ///< Of the first wrong octet, where octets are wrong.
    std::string what;   ///< As in "octets differ from what was written".
};

/// What has been compared, and what was found.
struct ContentCheck
{
    static constexpr std::size_t MAX_DESCRIBED = 20;

    uint64_t files{0}; ///< Regular files (VerifyAll), or READs.
    uint64_t directories{0};
    uint64_t symlinks{0};    ///< Symbolic links (VerifyAll), or READLINKs.
    uint64_t accessLists{0}; ///< Objects whose access lists were compared, or GETACLs.
    uint64_t octets{0};      ///< Octets compared.
    /// Octets not compared, since operations that were outstanding at the same time, or ended
    /// without a reply, leave open what they should be.
    uint64_t uncertainOctets{0};
    uint64_t uncertainNames{0}; ///< Likewise, names.
    uint64_t mismatches{0};
    std::vector<ContentMismatch> described; ///< The first MAX_DESCRIBED of them.

    void AddMismatch(std::string path, uint64_t offset, std::string what)
    {
        ++mismatches;
        if (described.size() < MAX_DESCRIBED)
        {
            described.push_back({std::move(path), offset, std::move(what)});
        }
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_MISMATCH_H
