/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_MESSAGE_TYPES_H
#define NFSRDMA_TEST_NFS_MESSAGE_TYPES_H

#include "nfs/mount/mnt-messages.h"
#include "nfs/mount/nlm-messages.h"
#include "nfs/mount/nsm-messages.h"
#include "nfs/mount/rpcbind-messages.h"
#include "nfs/v2/acl-messages2.h"
#include "nfs/v2/messages2.h"
#include "nfs/v3/acl-messages3.h"
#include "nfs/v3/types3.h"

#include <tuple>

/**
 * \file
 * \brief The messages of each program: what round trips, fuzz targets and their first inputs go
 * over. The place of a type in its list is the first octet of a fuzz target's input.
 */

namespace ns3::nfsrdma::test
{

using Nfs2ArgTypes = std::tuple<Handle2Args,
                                Setattr2Args,
                                DirOp2Args,
                                Read2Args,
                                Write2Args,
                                Create2Args,
                                Rename2Args,
                                Link2Args,
                                Symlink2Args,
                                Readdir2Args>;

using Nfs2ResTypes =
    std::tuple<Status2Res, Attr2Res, DirOp2Res, Readlink2Res, Read2Res, Readdir2Res, Statfs2Res>;

/// In order of the procedures' numbers.
using Nfs3ArgTypes = OfNfs3Args<std::tuple>;

template <typename ArgTypes>
struct ResultTypesOf;

template <typename... Args>
struct ResultTypesOf<std::tuple<Args...>>
{
    using Type = std::tuple<typename Args::Result...>;
};

using Nfs3ResTypes = ResultTypesOf<Nfs3ArgTypes>::Type;

using NfsAcl2Types = std::tuple<Getacl2Args, Getacl2Res, Setacl2Args, Access2Args, Access2Res>;

using NfsAcl3Types = std::tuple<Getacl3Args, Setacl3Res, Getacl3Res, Setacl3Args>;

using MountTypes =
    std::tuple<MountPath, Mount3Res, Mount1Res, MountList, ExportList, Mount2PathConf>;

using NlmTypes = std::tuple<NlmLockArgs,
                            NlmTestArgs,
                            NlmTestRes,
                            NlmRes,
                            NlmCancelArgs,
                            NlmUnlockArgs,
                            NlmShareArgs,
                            NlmShareRes,
                            NlmNotify,
                            NlmReboot,
                            NlmNarrow<NlmLockArgs>,
                            NlmNarrow<NlmTestRes>>;

using NsmTypes =
    std::tuple<NsmName, NsmStatRes, NsmState, NsmMyId, NsmMonId, NsmMonArgs, NsmNotifyArgs>;

using RpcbindTypes = std::tuple<PortMapping,
                                PortMappingList,
                                RpcbindMapping,
                                RpcbindMappingList,
                                RpcbindAddress,
                                XdrWord,
                                XdrBool>;

/// Calls \p visitor with a value of each of \p Types.
template <typename Types, typename Visitor>
void
ForEachType(Visitor&& visitor)
{
    std::apply([&](auto... values) { (visitor(values), ...); }, Types());
}

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_MESSAGE_TYPES_H
