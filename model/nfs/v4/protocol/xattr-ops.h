/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_XATTR_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_XATTR_OPS_H

#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

// Arguments and results of operations, without the operation's number. Results begin with the
// status; their other fields are there with NFS4_OK, unless said otherwise. How they are encoded
// and decoded: xdr.h. Section numbers are those of RFC 8276.

struct GetxattrRes4
{
    Nfs4Status status{Nfs4Status::OK};
    ByteVector value;
};

/// Section 8.4.1.
struct GetxattrArgs4
{
    std::string name;
};

/// setxattr_option4.
enum class SetXattrOption4 : uint32_t
{
    EITHER = 0,
    CREATE = 1,
    REPLACE = 2
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<SetXattrOption4>{0, 2};

struct SetxattrRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ChangeInfo changeInfo;
};

/// Section 8.4.2.
struct SetxattrArgs4
{
    SetXattrOption4 option{SetXattrOption4::EITHER};
    std::string name;
    ByteVector value;
};

struct ListxattrsRes4
{
    Nfs4Status status{Nfs4Status::OK};
    uint64_t cookie{0};
    std::vector<std::string> names;
    bool eof{false};
};

/// Section 8.4.3.
struct ListxattrsArgs4
{
    uint64_t cookie{0};
    uint32_t maxcount{0}; ///< Octets of LISTXATTRS4resok at most.
};

struct RemovexattrRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ChangeInfo changeInfo;
};

/// Section 8.4.4.
struct RemovexattrArgs4
{
    std::string name;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_XATTR_OPS_H
