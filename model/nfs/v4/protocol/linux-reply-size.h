/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_LINUX_REPLY_SIZE_H
#define NFSRDMA_NFS_V4_PROTOCOL_LINUX_REPLY_SIZE_H

#include "nfs/v4/protocol/reply-size.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/// What Linux 6.1's client has ready for a reply, in octets: fs/nfs/nfs4xdr.c and nfs42xdr.c.
struct Nfs4LinuxReply
{
    uint32_t total{0}; ///< Of everything but the pages.
    /// Octets before the pages; with pages.
    uint32_t head{0};
    std::optional<uint32_t> pages; ///< Octets of pages, for procedures that have some.
    bool pagesAreItem{false};      ///< The pages take a DDP-eligible item, as rq_flags XDRBUF_READ.
};

/// \return what a client that sends \p call as Linux's does has ready; the constants are words of
/// its procedures' largest replies (NFS4_dec_..._sz), and of its operations' (decode_..._maxsz).
[[nodiscard]] Nfs4LinuxReply GetNfs4LinuxReply(const Compound4Args& call,
                                               const Nfs4SizeGuess& guess);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_LINUX_REPLY_SIZE_H
