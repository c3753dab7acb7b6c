/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_XDR_LIST_H
#define NFSRDMA_NFS_TYPES_XDR_LIST_H

#include "rpc/xdr-reader.h"
#include "rpc/xdr-writer.h"

#include <vector>

namespace ns3::nfsrdma
{

// Linked lists of optional data (RFC 4506 section 4.19): a true before each element, a false at the
// end.

/// \param encode writes one element
template <typename T, typename EncodeElement>
void
EncodeList(XdrWriter& writer, const std::vector<T>& list, EncodeElement encode)
{
    for (const T& element : list)
    {
        writer.WriteBool(true);
        encode(element);
    }
    writer.WriteBool(false);
}

/// \param decode reads one element, which must take octets; a failure is left in \p reader
template <typename T, typename DecodeElement>
[[nodiscard]] std::vector<T>
DecodeList(XdrReader& reader, DecodeElement decode)
{
    std::vector<T> list;
    while (reader.ReadBool() && reader.Ok())
    {
        list.push_back(decode());
    }
    return list;
}

/// Reads one element by its own Decode(); a failure is left in \p reader.
template <typename T>
[[nodiscard]] T
DecodeElement(XdrReader& reader)
{
    auto element = T::Decode(reader);
    if (!element)
    {
        reader.Fail();
        return T();
    }
    return std::move(*element);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_XDR_LIST_H
