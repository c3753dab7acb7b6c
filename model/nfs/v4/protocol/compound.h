/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_COMPOUND_H
#define NFSRDMA_NFS_V4_PROTOCOL_COMPOUND_H

#include "nfs/v4/protocol/any-op.h"
#include "nfs/v4/protocol/client-id-ops.h"
#include "nfs/v4/protocol/data-items.h"
#include "nfs/v4/protocol/delegation-ops.h"
#include "nfs/v4/protocol/file-ops.h"
#include "nfs/v4/protocol/lock-ops.h"
#include "nfs/v4/protocol/minor2-ops.h"
#include "nfs/v4/protocol/name-ops.h"
#include "nfs/v4/protocol/open-ops.h"
#include "nfs/v4/protocol/operation-rules.h"
#include "nfs/v4/protocol/pnfs-ops.h"
#include "nfs/v4/protocol/session-ops.h"
#include "nfs/v4/protocol/xattr-ops.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::nfsrdma
{

/// ILLEGAL4res: the answer to a number that is no operation of the minor version.
struct IllegalRes4
{
    Nfs4Status status{Nfs4Status::OP_ILLEGAL};
};

using IllegalArgs4 = Nfs4NoArgs<Nfs4Op::ILLEGAL>;

/// Operations that are decoded of one COMPOUND at most: far more than any server allows, so that a
/// count in a message cannot take much memory.
constexpr uint32_t NFS4_MAX_DECODED_OPS = 1024;

/// nfs_argop4.
using Nfs4ArgVariant = Nfs4OpList<void
#define NFS4_OPERATION(number, NAME, Type, ...) , Type##Args4
#include "nfs/v4/protocol/operations.def"
                                  >::Variant;
using Nfs4ArgOp = Nfs4AnyOp<Nfs4ArgVariant>;
extern template class Nfs4AnyOp<Nfs4ArgVariant>;

/// nfs_resop4.
using Nfs4ResVariant = Nfs4OpList<void
#define NFS4_OPERATION(number, NAME, Type, ...) , Type##Res4
#include "nfs/v4/protocol/operations.def"
                                  >::Variant;
using Nfs4ResOp = Nfs4AnyOp<Nfs4ResVariant>;
extern template class Nfs4AnyOp<Nfs4ResVariant>;

#define NFS4_OPERATION(number, NAME, Type, ...)                                                    \
    template <>                                                                                    \
    struct Nfs4OpOf<Type##Args4>                                                                   \
    {                                                                                              \
        static constexpr Nfs4Op OP = Nfs4Op::NAME;                                                 \
        using Result = Type##Res4;                                                                 \
    };                                                                                             \
    template <>                                                                                    \
    struct Nfs4OpOf<Type##Res4>                                                                    \
    {                                                                                              \
        static constexpr Nfs4Op OP = Nfs4Op::NAME;                                                 \
    };
#include "nfs/v4/protocol/operations.def"

[[nodiscard]] Nfs4Op GetOp(const Nfs4ArgOp& args);
[[nodiscard]] Nfs4Op GetOp(const Nfs4ResOp& result);
[[nodiscard]] Nfs4Status GetStatus(const Nfs4ResOp& result);
/// \return the results of \p op with \p status and nothing else; of a number that is no operation,
/// those of ILLEGAL.
[[nodiscard]] Nfs4ResOp MakeResult(Nfs4Op op, Nfs4Status status);
/// \return the bulk item of \p args, of one that TakesItem() (WRITE, CREATE of a link), or null.
[[nodiscard]] const Nfs3Data* GetItem(const Nfs4ArgOp& args);
/// \return the bulk item of \p result, of one that GivesItem() with NFS4_OK (READ, READLINK), or
/// null.
[[nodiscard]] const Nfs3Data* GetItem(const Nfs4ResOp& result);

/// Where decoding the operations of a call ended before their count.
struct Nfs4OpError
{
    uint32_t op{0}; ///< Its number on the wire; 0 when that was cut off.
    /// BADXDR; OP_ILLEGAL for a number that is none of the minor version.
    Nfs4Status status{Nfs4Status::BADXDR};
};

/**
 * \brief COMPOUND4args, RFC 8881 section 16.2.
 *
 * The operations before a bad one are sound and are to be carried out; the bad one is answered with
 * the status of error, and nothing after it is known.
 */
struct Compound4Args
{
    ByteVector tag;
    uint32_t minorVersion{0};
    std::vector<Nfs4ArgOp> ops;
    /// Decoded: the count on the wire. Larger than ops.size() with error, with more operations than
    /// were to be decoded, and with an unknown minor version (ops is empty then).
    uint32_t opCount{0};
    std::optional<Nfs4OpError> error; ///< Of the operation after ops.

    /// Appends operations, in order.
    template <typename... Operations>
    void Add(Operations&&... operations)
    {
        (ops.emplace_back(std::forward<Operations>(operations)), ...);
    }

    /// Writes ops. \param reducedAt gets the offset in \p writer of each reduced item, in order
    void Encode(XdrWriter& writer, std::vector<uint32_t>* reducedAt = nullptr) const;
    /// \param items which bulk items are not in the octets; null: all are
    /// \param maxOps operations to decode at most, if less than NFS4_MAX_DECODED_OPS
    /// \return the call, or BAD_VALUE when it ends before its operations
    [[nodiscard]] static Decoded<Compound4Args> Decode(XdrReader& reader,
                                                       Nfs4DataItems* items = nullptr,
                                                       uint32_t maxOps = NFS4_MAX_DECODED_OPS);
};

/// COMPOUND4res. status is that of the last operation.
struct Compound4Res
{
    Nfs4Status status{Nfs4Status::OK};
    ByteVector tag;
    std::vector<Nfs4ResOp> ops;

    /// \param reducedAt gets the offset in \p writer of each reduced item, in order
    void Encode(XdrWriter& writer, std::vector<uint32_t>* reducedAt = nullptr) const;
    /// \return the reply, or BAD_VALUE when any part of it is not sound, or when it has more than
    /// NFS4_MAX_DECODED_OPS results
    [[nodiscard]] static Decoded<Compound4Res> Decode(XdrReader& reader,
                                                      Nfs4DataItems* items = nullptr);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_COMPOUND_H
