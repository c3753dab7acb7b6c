/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_STATUS_H
#define NFSRDMA_NFS_V4_PROTOCOL_STATUS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ns3::nfsrdma
{

/// Version number of NFSv4 (the program is NFS_PROGRAM of status3.h), its procedures, and the
/// port that servers listen on over RDMA, RFC 8267 section 6.3.
constexpr uint32_t NFS_V4 = 4;
constexpr uint32_t NFSPROC4_NULL = 0;
constexpr uint32_t NFSPROC4_COMPOUND = 1;
constexpr uint16_t NFS4_RDMA_PORT = 20049;
/// The callback program: version and procedures. Its number is the client's choice; Linux's client
/// takes 0x40000000.
constexpr uint32_t NFS4_CALLBACK_PROGRAM = 0x40000000;
constexpr uint32_t NFS4_CALLBACK_VERSION = 1;
constexpr uint32_t CB_NULL = 0;
constexpr uint32_t CB_COMPOUND = 1;

/// nfsstat4: NFS4_OK and the errors of statuses.def. A number outside the list may be decoded, and
/// is kept.
enum class Nfs4Status : uint32_t
{
    OK = 0,
#define NFS4_STATUS(number, NAME) NAME = (number),
#include "nfs/v4/protocol/statuses.def"
};

/// \return the RFC's name, as "NFS4_OK" or "NFS4ERR_NOENT"; "NFS4ERR_UNKNOWN" for another number.
[[nodiscard]] const char* ToString(Nfs4Status status);
/// \return the status that ToString() calls \p name.
[[nodiscard]] std::optional<Nfs4Status> ParseNfs4Status(std::string_view name);
/// \return whether an operation of NFSv4.0 that ended with \p status has used the seqid of its
/// owner up (RFC 7530 section 9.1.7).
[[nodiscard]] bool CountsSeqidUp(Nfs4Status status);

/// nfs_opnum4: the operations of operations.def.
enum class Nfs4Op : uint32_t
{
#define NFS4_OPERATION(number, NAME, ...) NAME = number,
#include "nfs/v4/protocol/operations.def"
};

/// The numbers of the rows of operations.def, that of ILLEGAL the last.
constexpr std::array NFS4_OP_NUMBERS{
#define NFS4_OPERATION(number, ...) uint32_t{number},
#include "nfs/v4/protocol/operations.def"
};
constexpr uint32_t NFS4_FIRST_OP = NFS4_OP_NUMBERS.front();
constexpr uint32_t NFS4_OPS = NFS4_OP_NUMBERS.size();
/// The greatest number but that of ILLEGAL.
constexpr uint32_t NFS4_LAST_OP = NFS4_FIRST_OP + NFS4_OPS - 2;

/// \return the RFC's name without "OP_", as "GETATTR"; "UNKNOWN" for another number.
[[nodiscard]] const char* ToString(Nfs4Op op);
/// \return the operation that ToString() calls \p name.
[[nodiscard]] std::optional<Nfs4Op> ParseNfs4Op(std::string_view name);

/// nfs_cb_opnum4: the operations of callbacks.def.
enum class Nfs4CbOp : uint32_t
{
#define NFS4_CALLBACK(number, NAME, ...) NAME = number,
#include "nfs/v4/protocol/callbacks.def"
};

/// \return the RFC's name without "OP_", as "CB_RECALL"; "CB_UNKNOWN" for another number.
[[nodiscard]] const char* ToString(Nfs4CbOp op);
/// \return whether minor version \p minorVersion (0 to 2) has a callback operation \p op.
[[nodiscard]] bool IsLegalCallback(uint32_t op, uint32_t minorVersion);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_STATUS_H
