/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_XDR_FINISH_H
#define NFSRDMA_NFS_TYPES_XDR_FINISH_H

#include "rpc/xdr-reader.h"
#include "wire/decode-error.h"

#include <utility>

namespace ns3::nfsrdma
{

/// \return \p value when every item of it was read soundly, else BAD_VALUE.
template <typename T>
[[nodiscard]] Decoded<T>
FinishDecoding(const XdrReader& reader, T&& value)
{
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    return std::forward<T>(value);
}

/// \return the next word as an enumeration whose values run from 0 to \p last.
template <typename Enum>
[[nodiscard]] Enum
DecodeEnum(XdrReader& reader, Enum last)
{
    const uint32_t value = reader.ReadU32();
    if (value > static_cast<uint32_t>(last))
    {
        reader.Fail();
        return last;
    }
    return static_cast<Enum>(value);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_XDR_FINISH_H
