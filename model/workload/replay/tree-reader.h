/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_TREE_READER_H
#define NFSRDMA_WORKLOAD_REPLAY_TREE_READER_H

#include "nfs/types/posix-acl.h"
#include "nfs/v3/fattr.h"
#include "workload/replay/input-error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

/// One name in an export before the first operation: a row of a tree file.
struct TreeRow
{
    uint32_t line{0};   ///< Of the file.
    std::string object; ///< The trace's name of it: "root", "o1", ...
    std::string parent; ///< The trace's name of its directory; empty for the root.
    std::string name;   ///< Empty for the root.
    Ftype3 type{Ftype3::REG};
    uint32_t mode{0};
    uint32_t uid{0};
    uint32_t gid{0};
    uint64_t size{0};   ///< REG.
    std::string target; ///< LNK.
    uint32_t nlink{1};
    PosixAcl acl;        ///< Empty when the mode says it all.
    PosixAcl defaultAcl; ///< DIR; may be empty.
};

/// The contents of an export before the first operation; the root is the first row.
struct Tree
{
    std::string file;
    std::vector<TreeRow> rows; ///< Each directory before what it holds, names in its order.
};

/**
 * \brief Reads NAME.tree.csv: columns object, parent, name, type, mode, uid, gid, size, target,
 * nlink, acl, default_acl; comment lines are passed over. Access lists are written as ToString() of
 * posix-acl.h does.
 *
 * A second row of the same object, which is no directory, is a hard link. A file without rows, of a
 * recording that names no object, stands for an empty root that anyone may change.
 */
class TreeReader
{
  public:
    [[nodiscard]] static const std::vector<std::string>& GetColumns();
    [[nodiscard]] static Parsed<Tree> Read(const std::string& path);
    /// \param file name for error messages
    /// \param content what the file holds
    [[nodiscard]] static Parsed<Tree> Parse(const std::string& file, std::string_view content);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_TREE_READER_H
