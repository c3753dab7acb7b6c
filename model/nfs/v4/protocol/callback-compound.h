/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_CALLBACK_COMPOUND_H
#define NFSRDMA_NFS_V4_PROTOCOL_CALLBACK_COMPOUND_H

#include "nfs/v4/protocol/callback-ops.h"
#include "nfs/v4/protocol/compound.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// nfs_cb_argop4.
using Nfs4CbArgVariant = Nfs4OpList<void
#define NFS4_CALLBACK(number, NAME, Type, since) , Cb##Type##Args4
#include "nfs/v4/protocol/callbacks.def"
                                    >::Variant;
using Nfs4CbArgOp = Nfs4AnyOp<Nfs4CbArgVariant>;
extern template class Nfs4AnyOp<Nfs4CbArgVariant>;

/// nfs_cb_resop4.
using Nfs4CbResVariant = Nfs4OpList<void
#define NFS4_CALLBACK(number, NAME, Type, since) , Cb##Type##Res4
#include "nfs/v4/protocol/callbacks.def"
                                    >::Variant;
using Nfs4CbResOp = Nfs4AnyOp<Nfs4CbResVariant>;
extern template class Nfs4AnyOp<Nfs4CbResVariant>;

#define NFS4_CALLBACK(number, NAME, Type, since)                                                   \
    template <>                                                                                    \
    struct Nfs4OpOf<Cb##Type##Args4>                                                               \
    {                                                                                              \
        static constexpr Nfs4CbOp OP = Nfs4CbOp::NAME;                                             \
        using Result = Cb##Type##Res4;                                                             \
    };                                                                                             \
    template <>                                                                                    \
    struct Nfs4OpOf<Cb##Type##Res4>                                                                \
    {                                                                                              \
        static constexpr Nfs4CbOp OP = Nfs4CbOp::NAME;                                             \
    };
#include "nfs/v4/protocol/callbacks.def"

[[nodiscard]] Nfs4CbOp GetOp(const Nfs4CbArgOp& args);
[[nodiscard]] Nfs4CbOp GetOp(const Nfs4CbResOp& result);
[[nodiscard]] Nfs4Status GetStatus(const Nfs4CbResOp& result);
/// \return the results of \p op with \p status and nothing else; of a number that is no callback
/// operation, those of ILLEGAL.
[[nodiscard]] Nfs4CbResOp MakeResult(Nfs4CbOp op, Nfs4Status status);

/// CB_COMPOUND4args, RFC 8881 section 20; decoding ends as that of Compound4Args does.
struct CbCompound4Args
{
    ByteVector tag;
    uint32_t minorVersion{0};
    uint32_t callbackIdent{0}; ///< NFSv4.0: that of SETCLIENTID.
    std::vector<Nfs4CbArgOp> ops;
    uint32_t opCount{0};              ///< Decoded: the count on the wire.
    std::optional<Nfs4OpError> error; ///< Of the operation after ops.

    void Encode(XdrWriter& writer) const;
    /// \return the call, or BAD_VALUE when it ends before its operations
    [[nodiscard]] static Decoded<CbCompound4Args> Decode(XdrReader& reader,
                                                         uint32_t maxOps = NFS4_MAX_DECODED_OPS);
};

/// CB_COMPOUND4res.
struct CbCompound4Res
{
    Nfs4Status status{Nfs4Status::OK};
    ByteVector tag;
    std::vector<Nfs4CbResOp> ops;

    void Encode(XdrWriter& writer) const;
    /// \return the reply, or BAD_VALUE when any part of it is not sound
    [[nodiscard]] static Decoded<CbCompound4Res> Decode(XdrReader& reader);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_CALLBACK_COMPOUND_H
