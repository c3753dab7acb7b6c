/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/status.h"

#include <array>

namespace ns3::nfsrdma
{
namespace
{

template <typename Enum>
struct Name
{
    Enum value;
    const char* name;
};

constexpr std::array NFS4_STATUS_NAMES{
    Name<Nfs4Status>{Nfs4Status::OK, "NFS4_OK"},
#define NFS4_STATUS(number, NAME) Name<Nfs4Status>{Nfs4Status::NAME, "NFS4ERR_" #NAME},
#include "nfs/v4/protocol/statuses.def"
};

constexpr std::array<Name<Nfs4Op>, NFS4_OPS> OP_NAMES{{
#define NFS4_OPERATION(number, NAME, ...) {Nfs4Op::NAME, #NAME},
#include "nfs/v4/protocol/operations.def"
}};

constexpr std::array CB_OP_NAMES{
#define NFS4_CALLBACK(number, NAME, ...) Name<Nfs4CbOp>{Nfs4CbOp::NAME, "CB_" #NAME},
#include "nfs/v4/protocol/callbacks.def"
};

template <typename Table, typename Enum>
const char*
FindName(const Table& table, Enum value, const char* unknown)
{
    for (const auto& entry : table)
    {
        if (entry.value == value)
        {
            return entry.name;
        }
    }
    return unknown;
}

template <typename Enum, std::size_t N>
std::optional<Enum>
FindValue(const std::array<Name<Enum>, N>& table, std::string_view name)
{
    for (const auto& entry : table)
    {
        if (name == entry.name)
        {
            return entry.value;
        }
    }
    return std::nullopt;
}

} // namespace

const char*
ToString(Nfs4Status status)
{
    return FindName(NFS4_STATUS_NAMES, status, "NFS4ERR_UNKNOWN");
}

std::optional<Nfs4Status>
ParseNfs4Status(std::string_view name)
{
    return FindValue(NFS4_STATUS_NAMES, name);
}

const char*
ToString(Nfs4Op op)
{
    return FindName(OP_NAMES, op, "UNKNOWN");
}

std::optional<Nfs4Op>
ParseNfs4Op(std::string_view name)
{
    return FindValue(OP_NAMES, name);
}

const char*
ToString(Nfs4CbOp op)
{
    return FindName(CB_OP_NAMES, op, "CB_UNKNOWN");
}

bool
CountsSeqidUp(Nfs4Status status)
{
    switch (status)
    {
    case Nfs4Status::STALE_CLIENTID:
    case Nfs4Status::STALE_STATEID:
    case Nfs4Status::BAD_STATEID:
    case Nfs4Status::BAD_SEQID:
    case Nfs4Status::BADXDR:
    case Nfs4Status::RESOURCE:
    case Nfs4Status::NOFILEHANDLE:
    case Nfs4Status::MOVED:
        return false;
    default:
        return true;
    }
}

bool
IsLegalCallback(uint32_t op, uint32_t minorVersion)
{
    const int64_t minor = minorVersion;
    switch (op)
    {
#define NFS4_CALLBACK(number, NAME, Type, since)                                                   \
    case number:                                                                                   \
        return minor >= (since) && minor <= 2;
#include "nfs/v4/protocol/callbacks.def"
    default:
        return false;
    }
}

} // namespace ns3::nfsrdma
