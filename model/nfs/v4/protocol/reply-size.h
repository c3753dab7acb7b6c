/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_REPLY_SIZE_H
#define NFSRDMA_NFS_V4_PROTOCOL_REPLY_SIZE_H

#include "nfs/v4/protocol/callback-compound.h"
#include "nfs/v4/protocol/compound.h"
#include "rpc/payload.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// How large the result of one operation can be, in octets: operation number, status and the rest.
struct Nfs4ResultSize
{
    uint32_t minimum{8}; ///< With NFS4_OK.
    uint32_t maximum{8}; ///< With any status; while bounded is false a guess.
    /// false: XDR sets no limit (RFC 8267 section 6.2: ACLs, fs_locations, security labels, owners'
    /// names, layouts ...).
    bool bounded{true};

    /// \return whether each successful result has this size.
    [[nodiscard]] bool IsExact() const
    {
        return bounded && minimum == maximum;
    }
};

/// What is taken for those parts of a result that XDR does not bound. All in octets.
struct Nfs4SizeGuess
{
    /// Of a name of an owner or group. Default: Linux's IDMAP_NAMESZ.
    uint32_t ownerOctets{128};
    /// Of an ACL. Default: what Linux's client has room for when an application asks how large it
    /// is and rsize is 262144: that and a page.
    uint32_t aclOctets{266240};
    /// Of an extended attribute. Default: Linux's XATTR_SIZE_MAX.
    uint32_t xattrOctets{65536};
    /// Of a link. Default: a page, as Linux's client has.
    uint32_t linkOctets{4096};
    /// Of any other item.
    uint32_t otherOctets{1024};
};

/// \return the size of the results of \p args, from XDR and from the counts in \p args alone; bulk
/// items and their pads are counted.
[[nodiscard]] Nfs4ResultSize GetNfs4ResultSize(const Nfs4ArgOp& args,
                                               const Nfs4SizeGuess& guess = {});
[[nodiscard]] Nfs4ResultSize GetNfs4ResultSize(const Nfs4CbArgOp& args,
                                               const Nfs4SizeGuess& guess = {});
/// \return the size of fattr4 with the attributes of \p request, or less of them.
[[nodiscard]] Nfs4ResultSize GetNfs4AttributesSize(const Nfs4Bitmap& request,
                                                   const Nfs4SizeGuess& guess = {});

/// Where estimates of replies come from.
enum class Nfs4ReplySizePolicy
{
    XDR,  ///< The maxima of XDR.
    LINUX ///< The constants of Linux 6.1's client, which places head, pages and tail by procedure.
};

/// What a client knows of a reply besides the call.
struct Nfs4ReplyLimits
{
    /// ca_maxresponsesize of the session, octets; 0: none. It bounds the whole RPC reply, but for
    /// the policy LINUX, which takes no notice of it.
    uint32_t maxResponseSize{0};
    Nfs4SizeGuess guess;
    bool reduceReadlink{false}; ///< READLINK's link may come by Write chunk; Linux: no.
};

/**
 * \brief The largest reply of a COMPOUND, RFC 8267 section 6.2, and the smallest with NFS4_OK.
 *
 * head counts the RPC reply header with an AUTH_NONE verifier. Items are in the order of the
 * READ-class operations (RFC 8267 section 6.4.1). Policy LINUX knows the COMPOUNDs of its client by
 * their operations; it gives directories, links, ACLs, extended attributes and layouts as items
 * too, since its client receives them into pages: they are not DDP-eligible. A COMPOUND that is
 * none of those has the sum of the operations' constants. The items' addresses are left 0, the
 * caller has the memory.
 *
 * kind is a number for the operations and the attributes that GETATTR and READDIR ask for: replies
 * to the same have the same parts.
 *
 * bounded is false where a larger Reply chunk may be tried (section 6.2.1): NFSv4.0, and a GETATTR
 * of attributes that XDR does not bound, and which Linux's client does not bound either.
 */
[[nodiscard]] RpcReplyEstimate EstimateNfs4Reply(
    const Compound4Args& call,
    const Nfs4ReplyLimits& limits = {},
    Nfs4ReplySizePolicy policy = Nfs4ReplySizePolicy::LINUX);

/// The same for a CB_COMPOUND, by XDR. Callbacks have no bulk items.
[[nodiscard]] RpcReplyEstimate EstimateNfs4Reply(const CbCompound4Args& call,
                                                 const Nfs4ReplyLimits& limits = {});

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_REPLY_SIZE_H
