/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_REFERENCE_TREE_H
#define NFSRDMA_WORKLOAD_CHECK_REFERENCE_TREE_H

#include "nfs/types/posix-acl.h"
#include "nfs/v3/fattr.h"
#include "workload/check/file-content.h"
#include "workload/replay/handle-view.h"
#include "workload/replay/tree-reader.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Number of an object in a ReferenceTree.
using ReferenceId = uint64_t;

/// The access lists an object should have.
struct ReferenceAcls
{
    PosixAcl access;     ///< Empty when its mode says it all.
    PosixAcl defaultAcl; ///< Of a DIR; may be empty.
    bool certain{true};
    uint64_t version{0};  ///< Counts up when a change begins and when it ends.
    uint32_t changing{0}; ///< Changes begun and not ended.
};

/// An object that should be on the server.
struct ReferenceObject
{
    Ftype3 type{Ftype3::REG};
    ReferenceId parent{0};                         ///< The directory of its latest name.
    std::string name;                              ///< Its latest name.
    uint32_t links{0};                             ///< Names, for what is no directory.
    std::optional<ByteVector> handle;              ///< Once it is known.
    std::unique_ptr<FileContent> content;          ///< REG.
    std::string target;                            ///< LNK.
    std::map<std::string, ReferenceId> entries;    ///< DIR; without "." and "..".
    std::set<std::string> uncertainNames;          ///< DIR: names that may or may not be there.
    std::map<std::string, uint32_t> changingNames; ///< DIR: operations outstanding, by name.
    ReferenceAcls acls;
    std::vector<uint64_t> activeOperations; ///< For ContentModel.
};

/**
 * \brief The names and objects that should be in one export: a tree changed as the operations of
 * its clients complete.
 */
class ReferenceTree
{
  public:
    static constexpr ReferenceId NONE = 0;
    static constexpr ReferenceId ROOT = 1;

    /// An empty root. \p client seeds the content of files.
    explicit ReferenceTree(uint32_t client);
    /// Adds the objects of \p tree below the (still empty) root.
    void Load(const Tree& tree);

    /// \return the object, or null.
    [[nodiscard]] ReferenceObject* Find(ReferenceId id);
    [[nodiscard]] const ReferenceObject* Find(ReferenceId id) const;
    /// \return what has this handle, or NONE.
    [[nodiscard]] ReferenceId FindHandle(const HandleView& handle) const;
    /// \return what \p name in \p dir is, ".." and "." too; or NONE.
    [[nodiscard]] ReferenceId Lookup(ReferenceId dir, const std::string& name) const;
    /// \return the path from the root, without a "/" before it.
    [[nodiscard]] std::string GetPath(ReferenceId id) const;

    /// The server gave \p handle for \p id.
    void Bind(ReferenceId id, const HandleView& handle);
    /// Adds a new object as \p name in \p dir, in place of what had the name.
    ReferenceId Create(ReferenceId dir, const std::string& name, Ftype3 type);
    /// Takes \p name away; the object goes with its last name.
    void Unlink(ReferenceId dir, const std::string& name);
    /// Gives \p id a further name, in place of what had it.
    void Link(ReferenceId id, ReferenceId dir, const std::string& name);
    /// Moves a name, in place of what had the new one.
    void Rename(ReferenceId fromDir,
                const std::string& fromName,
                ReferenceId toDir,
                const std::string& toName);

    /// \p name in \p dir may be there or not, until the next certain change of it.
    void MarkNameUncertain(ReferenceId dir, const std::string& name)
    {
        m_objects.at(dir).uncertainNames.insert(name);
    }

  private:
    ReferenceId Add(ReferenceId dir, const std::string& name, Ftype3 type);
    /// Takes away the binding of the object's handle.
    void Forget(ReferenceId id, const ReferenceObject& object);
    void Attach(ReferenceId id, ReferenceId dir, const std::string& name);

    uint32_t m_client;
    ReferenceId m_next{ROOT};
    std::map<ReferenceId, ReferenceObject> m_objects;
    std::map<ByteVector, ReferenceId, HandleOrder> m_handles;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_REFERENCE_TREE_H
