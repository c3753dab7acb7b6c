/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_FILE_ATTRIBUTES_H
#define NFSRDMA_NFS_V4_CLIENT_FILE_ATTRIBUTES_H

#include "nfs/types/file-client.h"
#include "nfs/v3/fattr.h"
#include "nfs/v4/protocol/attributes.h"

namespace ns3::nfsrdma
{

// What FileClient has a name for, as NFSv4 has it.

[[nodiscard]] inline Nfs4Fh
MakeFh(const FileRef& object)
{
    return Nfs4Fh(object.octets);
}

[[nodiscard]] inline FileRef
MakeRef(const Nfs4Fh& handle)
{
    const ByteSpan octets = handle.AsSpan();
    return {ByteVector(octets.begin(), octets.end())};
}

/// \return what an application sees of an object's attributes; what is not there is 0. Owners that
/// are no numbers are nobody (65534).
[[nodiscard]] Fattr3 MakeFileAttributes(const Nfs4Attributes& attributes);
/// \p reply told \p attributes of \p object, all or those of the consistency of a cache. \param own
/// it has changed the object
void AddNews(FileReply& reply,
             const FileRef& object,
             const Nfs4Attributes& attributes,
             bool own = false);
/// \p reply has changed \p directory.
void AddNews(FileReply& reply, const FileRef& directory, const Nfs4ChangeInfo& info);
/// \return what SETATTR, CREATE or OPEN say of the attributes to be set; owners as numbers.
[[nodiscard]] Nfs4Attributes MakeSetAttributes(const Sattr3& changes);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_FILE_ATTRIBUTES_H
