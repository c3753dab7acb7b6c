/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/export-loader.h"

#include "workload/check/content-pattern.h"

namespace ns3::nfsrdma
{

namespace
{

InodeNumber
AddObject(FileStore& store, InodeNumber parent, const TreeRow& row, uint32_t client)
{
    const PreloadAttributes attributes{row.mode, row.uid, row.gid};
    switch (row.type)
    {
    case Ftype3::DIR:
        return store.AddDirectory(parent, row.name, attributes);
    case Ftype3::LNK:
        return store.AddSymlink(parent, row.name, row.target, attributes);
    case Ftype3::REG: {
        const ContentPattern pattern(GetContentSeed(client, row.object), 0);
        return store.AddFile(
            parent,
            row.name,
            row.size,
            attributes,
            [pattern](uint64_t offset, MutableByteSpan out) { pattern.Fill(offset, out); });
    }
    default:
        return store.AddSpecial(parent, row.name, row.type, {}, attributes);
    }
}

} // namespace

LoadedExport
LoadExport(FileStore& store, const std::string& name, const Tree& tree, uint32_t client)
{
    LoadedExport loaded;
    for (const auto& row : tree.rows)
    {
        if (row.parent.empty())
        {
            loaded.root = store.CreateExport(name, {row.mode, row.uid, row.gid});
            loaded.inodes.emplace(row.object, loaded.root);
            store.GetAttributes().AddAcls(loaded.root, row.acl, row.defaultAcl);
            continue;
        }
        const InodeNumber parent = loaded.inodes.at(row.parent);
        const auto earlier = loaded.inodes.find(row.object);
        if (earlier != loaded.inodes.end())
        {
            store.AddLink(parent, row.name, earlier->second);
            continue;
        }
        const InodeNumber added = AddObject(store, parent, row, client);
        store.GetAttributes().AddAcls(added, row.acl, row.defaultAcl);
        loaded.inodes.emplace(row.object, added);
    }
    return loaded;
}

} // namespace ns3::nfsrdma
