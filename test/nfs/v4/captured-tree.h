/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V4_CAPTURED_TREE_H
#define NFSRDMA_TEST_NFS_V4_CAPTURED_TREE_H

#include "nfs/store/files.h"
#include "nfs/v4/protocol/acl.h"
#include "workload/replay/compounds-again.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// What was in a server's export before a capture of NFSv4 began, as far as the capture shows it.
class CapturedTree
{
  public:
    CapturedTree() = default;

    explicit CapturedTree(const std::vector<RecordedCompound>& compounds)
    {
        for (const RecordedCompound& compound : compounds)
        {
            if (compound.reply)
            {
                Take(compound.call, *compound.reply);
            }
        }
    }

    /// Takes one COMPOUND more, and its answer.
    void Take(const Compound4Args& call, const Compound4Res& reply)
    {
        Nfs4Fh current;
        Nfs4Fh parent;
        std::string name;
        bool made = false;
        for (std::size_t i = 0; i < reply.ops.size(); ++i)
        {
            const Nfs4ArgOp& op = call.ops[i];
            const Nfs4ResOp& result = reply.ops[i];
            if (GetStatus(result) != Nfs4Status::OK)
            {
                return;
            }
            if (const auto* put = std::get_if<PutfhArgs4>(&op))
            {
                current = put->object;
                name.clear();
            }
            else if (const auto* lookup = std::get_if<LookupArgs4>(&op))
            {
                parent = current;
                name = lookup->name;
            }
            else if (const auto* open = std::get_if<OpenArgs4>(&op))
            {
                parent = current;
                name = open->claim.file;
                made = open->create.has_value();
            }
            else if (std::holds_alternative<CreateArgs4>(op))
            {
                made = true;
            }
            TakeResult(result, current, parent, name, made);
        }
    }

    /// Makes the objects in \p store, which is empty. \return them, by their handles in the capture
    std::map<Nfs4Fh, InodeNumber> Build(FileStore& store) const
    {
        std::map<Nfs4Fh, InodeNumber> made;
        for (bool progress = true; progress;)
        {
            progress = false;
            for (const Nfs4Fh& handle : m_order)
            {
                const Object& object = m_objects.at(handle);
                const auto parent = made.find(object.parent);
                const bool isExport = object.name == "export" && parent == made.end();
                if (made.count(handle) > 0 || object.name.empty() ||
                    (parent == made.end() && !isExport))
                {
                    continue;
                }
                made[handle] = isExport ? store.CreateExport(object.name, GetPreload(object))
                                        : Add(store, parent->second, object);
                progress = true;
            }
        }
        return made;
    }

  private:
    struct Object
    {
        Nfs4Fh parent;
        std::string name;
        Nfs4Attributes attributes;
        std::string target;
        std::optional<std::vector<NfsAce4>> acl;
    };

    static PreloadAttributes GetPreload(const Object& object)
    {
        const Nfs4Attributes& attributes = object.attributes;
        return {attributes.mode.value_or(0644),
                ParseNfs4Identity(attributes.owner.value_or("0")).value_or(0),
                ParseNfs4Identity(attributes.ownerGroup.value_or("0")).value_or(0)};
    }

    static InodeNumber Add(FileStore& store, InodeNumber parent, const Object& object)
    {
        const Nfs4Attributes& attributes = object.attributes;
        const Ftype4 type = attributes.type.value_or(Ftype4::REG);
        InodeNumber number = 0;
        if (type == Ftype4::DIR)
        {
            number = store.AddDirectory(parent, object.name, GetPreload(object));
        }
        else if (type == Ftype4::LNK)
        {
            const std::string target = object.target.empty()
                                           ? std::string(attributes.size.value_or(1), 't')
                                           : object.target;
            number = store.AddSymlink(parent, object.name, target, GetPreload(object));
        }
        else
        {
            number =
                store.AddFile(parent, object.name, attributes.size.value_or(0), GetPreload(object));
        }
        if (object.acl)
        {
            const auto acls = MakePosixAcls(*object.acl, type == Ftype4::DIR);
            if (acls)
            {
                store.GetAttributes().AddAcls(number, acls->access, acls->defaultAcl);
            }
        }
        return number;
    }

    void TakeResult(const Nfs4ResOp& result,
                    Nfs4Fh& current,
                    const Nfs4Fh& parent,
                    const std::string& name,
                    bool made)
    {
        if (const auto* handle = std::get_if<GetfhRes4>(&result))
        {
            current = handle->object;
            if (made)
            {
                m_made.insert(current);
            }
        }
        else if (const auto* attributes = std::get_if<GetattrRes4>(&result))
        {
            Note(current, parent, name, attributes->attributes);
        }
        else if (const auto* readdir = std::get_if<ReaddirRes4>(&result))
        {
            for (const DirEntry4& entry : readdir->entries)
            {
                if (entry.attributes.filehandle)
                {
                    Note(*entry.attributes.filehandle, current, entry.name, entry.attributes);
                }
            }
        }
        else if (const auto* link = std::get_if<ReadlinkRes4>(&result);
                 link != nullptr && m_objects.count(current) > 0)
        {
            m_objects[current].target.assign(link->link.octets.begin(), link->link.octets.end());
        }
    }

    void Note(const Nfs4Fh& handle,
              const Nfs4Fh& parent,
              const std::string& name,
              const Nfs4Attributes& attributes)
    {
        if (m_made.count(handle) > 0)
        {
            return;
        }
        if (m_objects.count(handle) == 0)
        {
            m_order.push_back(handle);
        }
        Object& object = m_objects[handle];
        if (attributes.acl && !object.acl)
        {
            object.acl = attributes.acl;
        }
        if (attributes.type && !object.attributes.type)
        {
            object.attributes = attributes;
        }
        if (!name.empty() && object.name.empty())
        {
            object.parent = parent;
            object.name = name;
        }
    }

    std::map<Nfs4Fh, Object> m_objects;
    std::vector<Nfs4Fh> m_order; ///< As the capture shows them first.
    std::set<Nfs4Fh> m_made;     ///< Made in the capture.
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V4_CAPTURED_TREE_H
