/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_HANDLE_VIEW_H
#define NFSRDMA_WORKLOAD_REPLAY_HANDLE_VIEW_H

#include "nfs/types/file-client.h"
#include "nfs/v3/fattr.h"

#include <algorithm>
#include <optional>

namespace ns3::nfsrdma
{

/// The octets of a file handle of any version, not copied; valid as long as what it was made from.
struct HandleView
{
    ByteSpan octets;

    HandleView(const NfsFh3& handle) // NOLINT(google-explicit-constructor)
        : octets(handle.AsSpan())
    {
    }

    HandleView(const FileRef& object) // NOLINT(google-explicit-constructor)
        : octets(object.octets)
    {
    }

    HandleView(const ByteVector& handle) // NOLINT(google-explicit-constructor)
        : octets(handle)
    {
    }
};

/// A handle that may not be known.
using OptionalHandle = std::optional<HandleView>;

/// A fixed order of handles, for maps with ByteVector keys.
struct HandleOrder
{
    using is_transparent = void;

    bool operator()(const ByteVector& a, const ByteVector& b) const
    {
        return a < b;
    }

    bool operator()(const ByteVector& a, const HandleView& b) const
    {
        return std::lexicographical_compare(a.begin(), a.end(), b.octets.begin(), b.octets.end());
    }

    bool operator()(const HandleView& a, const ByteVector& b) const
    {
        return std::lexicographical_compare(a.octets.begin(), a.octets.end(), b.begin(), b.end());
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_HANDLE_VIEW_H
