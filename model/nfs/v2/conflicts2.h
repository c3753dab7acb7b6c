/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_CONFLICTS2_H
#define NFSRDMA_NFS_V2_CONFLICTS2_H

#include "nfs/v2/procedures2.h"
#include "nfs/v3/conflicts3.h"

namespace ns3::nfsrdma
{

/**
 * \brief What FindNfs3Conflicts() says of the call of version 3 that is as this one. A CREATE cuts
 * a file when it has a size and makes no device. The
 * sizes are those of the store's handles.
 */
template <typename Procedure>
[[nodiscard]] Nfs3Conflicts
FindNfs2Conflicts(Procedure /* procedure */,
                  const FileStore& /* store */,
                  const Nfs2HandleSizes& /* sizes */,
                  const typename Procedure::Arguments& /* args */)
{
    return {};
}

[[nodiscard]] Nfs3Conflicts FindNfs2Conflicts(Nfs2Setattr procedure,
                                              const FileStore& store,
                                              const Nfs2HandleSizes& sizes,
                                              const Setattr2Args& args);
[[nodiscard]] Nfs3Conflicts FindNfs2Conflicts(Nfs2Write procedure,
                                              const FileStore& store,
                                              const Nfs2HandleSizes& sizes,
                                              const Write2Args& args);
[[nodiscard]] Nfs3Conflicts FindNfs2Conflicts(Nfs2Create procedure,
                                              const FileStore& store,
                                              const Nfs2HandleSizes& sizes,
                                              const Create2Args& args);
[[nodiscard]] Nfs3Conflicts FindNfs2Conflicts(Nfs2Remove procedure,
                                              const FileStore& store,
                                              const Nfs2HandleSizes& sizes,
                                              const DirOp2Args& args);
[[nodiscard]] Nfs3Conflicts FindNfs2Conflicts(Nfs2Rename procedure,
                                              const FileStore& store,
                                              const Nfs2HandleSizes& sizes,
                                              const Rename2Args& args);
[[nodiscard]] Nfs3Conflicts FindNfs2Conflicts(Nfs2Link procedure,
                                              const FileStore& store,
                                              const Nfs2HandleSizes& sizes,
                                              const Link2Args& args);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_CONFLICTS2_H
