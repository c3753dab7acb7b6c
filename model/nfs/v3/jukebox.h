/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_JUKEBOX_H
#define NFSRDMA_NFS_V3_JUKEBOX_H

#include "nfs/store/files.h"
#include "nfs/v3/procedures3.h"

namespace ns3::nfsrdma
{

/**
 * \brief The results JUKEBOX of a call whose delegations are in the way, with the attributes that
 * Linux's nfsd gives: those after the operation always, those before it where nfsd has come to the
 * object's lock, which Nfs3Procedures tells of. So it has for SETATTR, REMOVE, RENAME and the
 * directory of LINK, and has not for WRITE, which finds the lease when it opens the file, nor for a
 * CREATE that cuts a file.
 *
 * The arguments are of a call that FindNfs3Conflicts() finds something for; others have no
 * attributes.
 */
template <typename Args>
[[nodiscard]] typename Args::Result
MakeNfs3Jukebox(const FileStore& /* store */, const Args& /* args */)
{
    typename Args::Result results;
    results.status = Nfs3Status::JUKEBOX;
    return results;
}

template <>
[[nodiscard]] Setattr3Res MakeNfs3Jukebox(const FileStore& store, const Setattr3Args& args);
template <>
[[nodiscard]] Write3Res MakeNfs3Jukebox(const FileStore& store, const Write3Args& args);
template <>
[[nodiscard]] Create3Res MakeNfs3Jukebox(const FileStore& store, const Create3Args& args);
template <>
[[nodiscard]] Remove3Res MakeNfs3Jukebox(const FileStore& store, const Remove3Args& args);
template <>
[[nodiscard]] Rename3Res MakeNfs3Jukebox(const FileStore& store, const Rename3Args& args);
template <>
[[nodiscard]] Link3Res MakeNfs3Jukebox(const FileStore& store, const Link3Args& args);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_JUKEBOX_H
