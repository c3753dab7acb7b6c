/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/operation-rules.h"

#include "nfs/v4/protocol/types.h"

#include <array>

namespace ns3::nfsrdma
{

namespace
{

// Octets of results: opcode and status, and what follows.
constexpr uint32_t STATUS = 8;
constexpr uint32_t CHANGE_INFO = 20;
constexpr uint32_t STATEID = 16;
constexpr uint32_t BITMAP = 16;
constexpr uint32_t VERIFIER = 8;
constexpr uint32_t OWNER = 8 + 4 + NFS4_OPAQUE_LIMIT;
constexpr uint32_t LOCK_DENIED = 8 + 8 + 4 + OWNER;
constexpr uint32_t DELEGATION = 4 + STATEID + 4 + 12 + 12 + 4 + 64;
constexpr uint32_t SESSION = 16 + 8 + 2 * 32;
constexpr uint32_t EXCHANGE = 8 + 4 + 4 + 4 + 40 + 8 + 2 * (4 + NFS4_OPAQUE_LIMIT) + 4;

/// Of the columns "since" and "rules".
constexpr uint32_t NO_VERSION = NFS4_LAST_MINOR_VERSION + 1;
constexpr uint32_t NO_RULE = 0;
constexpr uint32_t MAY_BE_FIRST = 1;
constexpr uint32_t MAY_LACK_HANDLE = 2;
constexpr uint32_t NEEDS_SAVED_HANDLE = 4;
constexpr uint32_t CHANGES_FILES = 8;
constexpr uint32_t CACHED_V40 = 16;
constexpr uint32_t ARGUMENT_ITEM = 32;
constexpr uint32_t RESULT_ITEM = 64;

struct Row
{
    uint32_t number;
    uint32_t since;
    uint32_t rules;
    uint32_t greatest;
};

constexpr std::array<Row, NFS4_OPS> ROWS{{
#define NFS4_OPERATION(number, NAME, Type, since, Group, rules, greatest, linuxWords)              \
    {number, since, rules, greatest},
#include "nfs/v4/protocol/operations.def"
}};

/// For a number that is no operation.
constexpr Row NO_ROW{0, NO_VERSION, NO_RULE, 0};

constexpr bool
IsInOrder()
{
    for (std::size_t i = 0; i + 1 < ROWS.size(); ++i)
    {
        if (ROWS[i].number != NFS4_FIRST_OP + i)
        {
            return false;
        }
    }
    return ROWS.back().number == static_cast<uint32_t>(Nfs4Op::ILLEGAL);
}

static_assert(IsInOrder(), "a row is found by its number");

const Row&
FindRow(uint32_t op)
{
    if (op >= NFS4_FIRST_OP && op <= NFS4_LAST_OP)
    {
        return ROWS[op - NFS4_FIRST_OP];
    }
    return op == ROWS.back().number ? ROWS.back() : NO_ROW;
}

bool
HasRule(Nfs4Op op, uint32_t rule)
{
    return (FindRow(static_cast<uint32_t>(op)).rules & rule) != 0;
}

} // namespace

bool
IsLegal(uint32_t op, uint32_t minorVersion)
{
    return minorVersion <= NFS4_LAST_MINOR_VERSION && FindRow(op).since <= minorVersion;
}

bool
MayBeFirst(Nfs4Op op)
{
    return HasRule(op, MAY_BE_FIRST);
}

bool
MayLackHandle(Nfs4Op op)
{
    return HasRule(op, MAY_LACK_HANDLE);
}

bool
NeedsSavedHandle(Nfs4Op op)
{
    return HasRule(op, NEEDS_SAVED_HANDLE);
}

bool
ModifiesSomething(Nfs4Op op)
{
    return GetGreatestResult(op) != 0;
}

bool
ChangesFiles(Nfs4Op op)
{
    return HasRule(op, CHANGES_FILES);
}

uint32_t
GetGreatestResult(Nfs4Op op)
{
    return FindRow(static_cast<uint32_t>(op)).greatest;
}

bool
IsCachedNfs40(Nfs4Op op)
{
    return HasRule(op, CACHED_V40);
}

bool
TakesItem(Nfs4Op op)
{
    return HasRule(op, ARGUMENT_ITEM);
}

bool
GivesItem(Nfs4Op op)
{
    return HasRule(op, RESULT_ITEM);
}

} // namespace ns3::nfsrdma
