/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_PRIVATE_DATA_MIMIC_H
#define NFSRDMA_FAULT_ADVERSARY_PRIVATE_DATA_MIMIC_H

#include "wire/bytes.h"

namespace ns3::nfsrdma
{

/// What private data that is not RFC 8797's, or lies, looks like.
enum class MimicKind
{
    FOREIGN,       ///< Another protocol's, that happens to hold the identifier and version 1.
    OTHER_VERSION, ///< At the front, version 2.
    CUT_SHORT,     ///< The identifier and version are the last octets.
    ABSURD_SIZES,  ///< At the front, 256 KiB both ways.
    SECOND,        ///< One of another version, then one that announces 256 KiB.
    ALL            ///< Each in its turn.
};

/// \return private data of \p kind, but ALL.
[[nodiscard]] ByteVector MakeMimicPrivateData(MimicKind kind);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_PRIVATE_DATA_MIMIC_H
