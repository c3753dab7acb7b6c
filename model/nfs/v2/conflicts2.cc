/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/conflicts2.h"

namespace ns3::nfsrdma
{

Nfs3Conflicts
FindNfs2Conflicts(Nfs2Setattr /* procedure */,
                  const FileStore& store,
                  const Nfs2HandleSizes& sizes,
                  const Setattr2Args& args)
{
    Setattr3Args set;
    set.object = sizes.ToNfs3(args.object);
    return FindNfs3Conflicts(store, set);
}

Nfs3Conflicts
FindNfs2Conflicts(Nfs2Write /* procedure */,
                  const FileStore& store,
                  const Nfs2HandleSizes& sizes,
                  const Write2Args& args)
{
    Write3Args write;
    write.file = sizes.ToNfs3(args.file);
    return FindNfs3Conflicts(store, write);
}

Nfs3Conflicts
FindNfs2Conflicts(Nfs2Create /* procedure */,
                  const FileStore& store,
                  const Nfs2HandleSizes& sizes,
                  const Create2Args& args)
{
    if (args.attributes.GetTypeToMake() != Ftype3::REG)
    {
        return {};
    }
    Create3Args create;
    create.where = sizes.ToNfs3(args.where);
    create.attributes = args.attributes.ToSattr3();
    return FindNfs3Conflicts(store, create);
}

Nfs3Conflicts
FindNfs2Conflicts(Nfs2Remove /* procedure */,
                  const FileStore& store,
                  const Nfs2HandleSizes& sizes,
                  const DirOp2Args& args)
{
    return FindNfs3Conflicts(store, Remove3Args{sizes.ToNfs3(args)});
}

Nfs3Conflicts
FindNfs2Conflicts(Nfs2Rename /* procedure */,
                  const FileStore& store,
                  const Nfs2HandleSizes& sizes,
                  const Rename2Args& args)
{
    return FindNfs3Conflicts(store, Rename3Args{sizes.ToNfs3(args.from), sizes.ToNfs3(args.to)});
}

Nfs3Conflicts
FindNfs2Conflicts(Nfs2Link /* procedure */,
                  const FileStore& store,
                  const Nfs2HandleSizes& sizes,
                  const Link2Args& args)
{
    return FindNfs3Conflicts(store, Link3Args{sizes.ToNfs3(args.file), sizes.ToNfs3(args.link)});
}

} // namespace ns3::nfsrdma
