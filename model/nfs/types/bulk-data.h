/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_BULK_DATA_H
#define NFSRDMA_NFS_TYPES_BULK_DATA_H

#include "rpc/xdr-reader.h"
#include "rpc/xdr-writer.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief The bulk data item of READ and READLINK results, WRITE and SYMLINK arguments: an opaque
 * whose octets are in the message, or were taken out of it by a chunk.
 */
struct Nfs3Data
{
    uint32_t length{0}; ///< Octets, without pad: the XDR length word.
    ByteSpan octets;    ///< Uncopied, valid as long as the message; empty when reduced.
    bool reduced{false};

    Nfs3Data() = default;
    /// Octets that travel in the message.
    explicit Nfs3Data(ByteSpan inlineOctets);
    /// An item of \p itemLength octets that is not in the message.
    [[nodiscard]] static Nfs3Data Reduced(uint32_t itemLength);

    /// Writes the length word, and unless reduced the octets and pad.
    void Encode(XdrWriter& writer) const;
    /// A failure is left in \p reader.
    /// \param limit greatest length
    /// \param isReduced the item is not in the octets
    [[nodiscard]] static Nfs3Data Decode(XdrReader& reader, uint32_t limit, bool isReduced);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_BULK_DATA_H
