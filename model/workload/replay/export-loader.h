/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_EXPORT_LOADER_H
#define NFSRDMA_WORKLOAD_REPLAY_EXPORT_LOADER_H

#include "nfs/store/files.h"
#include "workload/replay/tree-reader.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3::nfsrdma
{

/// An export made from a tree.
struct LoadedExport
{
    InodeNumber root{0};
    std::map<std::string, InodeNumber> inodes; ///< By the trace's name of the object.
};

/**
 * \brief Makes the export \p name with the objects of \p tree.
 *
 * Regular files hold generation 0 of their ContentPattern, as the ContentModel of \p client has it
 * after Load(); they cost no memory until written.
 */
LoadedExport LoadExport(FileStore& store,
                        const std::string& name,
                        const Tree& tree,
                        uint32_t client);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_EXPORT_LOADER_H
