/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/reference-tree.h"

namespace ns3::nfsrdma
{

namespace
{

void
LoadAcls(const TreeRow& row, ReferenceObject& object)
{
    uint32_t mode = 0;
    object.acls.access = ApplyAclToMode(row.acl, mode) ? PosixAcl() : row.acl;
    object.acls.defaultAcl = row.defaultAcl;
}

} // namespace

ReferenceTree::ReferenceTree(uint32_t client)
    : m_client(client)
{
    ReferenceObject root;
    root.type = Ftype3::DIR;
    root.parent = ROOT;
    m_objects.emplace(m_next++, std::move(root));
}

void
ReferenceTree::Load(const Tree& tree)
{
    std::map<std::string, ReferenceId> ids;
    for (const auto& row : tree.rows)
    {
        if (row.parent.empty())
        {
            ids.emplace(row.object, ROOT);
            LoadAcls(row, m_objects.at(ROOT));
            continue;
        }
        const ReferenceId dir = ids.at(row.parent);
        if (const auto known = ids.find(row.object); known != ids.end())
        {
            Attach(known->second, dir, row.name);
            continue;
        }
        const ReferenceId id = Add(dir, row.name, row.type);
        ids.emplace(row.object, id);
        ReferenceObject& object = m_objects.at(id);
        object.target = row.target;
        LoadAcls(row, object);
        if (row.type == Ftype3::REG)
        {
            object.content =
                std::make_unique<FileContent>(GetContentSeed(m_client, row.object), row.size);
        }
    }
}

ReferenceObject*
ReferenceTree::Find(ReferenceId id)
{
    const auto found = m_objects.find(id);
    return found == m_objects.end() ? nullptr : &found->second;
}

const ReferenceObject*
ReferenceTree::Find(ReferenceId id) const
{
    const auto found = m_objects.find(id);
    return found == m_objects.end() ? nullptr : &found->second;
}

ReferenceId
ReferenceTree::FindHandle(const HandleView& handle) const
{
    const auto found = m_handles.find(handle);
    return found == m_handles.end() ? NONE : found->second;
}

ReferenceId
ReferenceTree::Lookup(ReferenceId dir, const std::string& name) const
{
    const ReferenceObject* object = Find(dir);
    if (object == nullptr || object->type != Ftype3::DIR)
    {
        return NONE;
    }
    if (name == ".")
    {
        return dir;
    }
    if (name == "..")
    {
        return object->parent;
    }
    const auto entry = object->entries.find(name);
    return entry == object->entries.end() ? NONE : entry->second;
}

std::string
ReferenceTree::GetPath(ReferenceId id) const
{
    std::string path;
    for (const ReferenceObject* object = Find(id); object != nullptr && id != ROOT;
         id = object->parent, object = Find(id))
    {
        path.insert(0, path.empty() ? "" : "/").insert(0, object->name);
    }
    return path;
}

void
ReferenceTree::Bind(ReferenceId id, const HandleView& handle)
{
    ReferenceObject* object = Find(id);
    const ByteVector octets(handle.octets.begin(), handle.octets.end());
    if (object == nullptr || object->handle == octets)
    {
        return;
    }
    Forget(id, *object);
    object->handle = octets;
    m_handles[octets] = id;
}

void
ReferenceTree::Forget(ReferenceId id, const ReferenceObject& object)
{
    if (object.handle && FindHandle(*object.handle) == id)
    {
        m_handles.erase(*object.handle);
    }
}

ReferenceId
ReferenceTree::Create(ReferenceId dir, const std::string& name, Ftype3 type)
{
    Unlink(dir, name);
    const ReferenceId id = Add(dir, name, type);
    const ReferenceAcls& inherited = Find(dir)->acls;
    Find(id)->acls.certain = inherited.certain && inherited.defaultAcl.empty();
    if (type == Ftype3::REG)
    {
        const auto object = "#" + std::to_string(id);
        Find(id)->content = std::make_unique<FileContent>(GetContentSeed(m_client, object), 0);
    }
    return id;
}

ReferenceId
ReferenceTree::Add(ReferenceId dir, const std::string& name, Ftype3 type)
{
    const ReferenceId id = m_next++;
    m_objects[id].type = type;
    Attach(id, dir, name);
    return id;
}

void
ReferenceTree::Attach(ReferenceId id, ReferenceId dir, const std::string& name)
{
    ReferenceObject& directory = m_objects.at(dir);
    directory.entries[name] = id;
    directory.uncertainNames.erase(name);
    ReferenceObject& object = m_objects.at(id);
    object.parent = dir;
    object.name = name;
    ++object.links;
}

void
ReferenceTree::Unlink(ReferenceId dir, const std::string& name)
{
    ReferenceObject& directory = m_objects.at(dir);
    directory.uncertainNames.erase(name);
    const auto entry = directory.entries.find(name);
    if (entry == directory.entries.end())
    {
        return;
    }
    const ReferenceId id = entry->second;
    directory.entries.erase(entry);
    ReferenceObject& object = m_objects.at(id);
    if (--object.links == 0)
    {
        Forget(id, object);
        m_objects.erase(id);
    }
}

void
ReferenceTree::Link(ReferenceId id, ReferenceId dir, const std::string& name)
{
    Unlink(dir, name);
    if (Find(id) != nullptr)
    {
        Attach(id, dir, name);
    }
}

void
ReferenceTree::Rename(ReferenceId fromDir,
                      const std::string& fromName,
                      ReferenceId toDir,
                      const std::string& toName)
{
    const ReferenceId id = Lookup(fromDir, fromName);
    if (id == NONE || id == Lookup(toDir, toName))
    {
        return;
    }
    Unlink(toDir, toName);
    Attach(id, toDir, toName);
    Unlink(fromDir, fromName);
    ReferenceObject& object = m_objects.at(id);
    object.parent = toDir;
    object.name = toName;
}

} // namespace ns3::nfsrdma
