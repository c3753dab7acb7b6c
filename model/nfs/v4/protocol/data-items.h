/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_DATA_ITEMS_H
#define NFSRDMA_NFS_V4_PROTOCOL_DATA_ITEMS_H

#include "nfs/v3/fattr.h"
#include "rpc/payload.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief Which bulk items of a received COMPOUND are not in its octets, RFC 8267 section 6.1.
 *
 * Calls: WRITE's data and CREATE's link data, each told by the position of its Read chunk in the
 * un-reduced stream. Replies: the data of READ and the link of READLINK; the first of these
 * operations goes with the first Write chunk, the next with the next, whether it has data or not
 * (section 6.4.1). A Write chunk of length 0 has not been used: its item is in the octets.
 *
 * The k-th reduced item of a call is in the k-th element of RpcReceivedMessage::items; the item
 * of the k-th READ or READLINK of a reply, if reduced, in the k-th.
 */
class Nfs4DataItems
{
  public:
    /// \param received the message
    /// \param start where in its octets the reader begins that the arguments are read from
    [[nodiscard]] static Nfs4DataItems OfCall(const RpcReceivedMessage& received, uint32_t start);

    [[nodiscard]] static Nfs4DataItems OfReply(const RpcReceivedMessage& received)
    {
        return Nfs4DataItems(received);
    }

    /// Reads the next item: its length word, and unless reduced its octets. Longer than its chunk:
    /// the reader fails.
    [[nodiscard]] Nfs3Data Decode(XdrReader& reader);
    /// The next operation that could have an item has none.
    void Skip();

    /// \return whether each Read chunk of the call was an item's (replies: true).
    [[nodiscard]] bool AllUsed() const
    {
        return !m_isCall || m_next == m_received->items.size();
    }

  private:
    explicit Nfs4DataItems(const RpcReceivedMessage& received);

    const RpcReceivedMessage* m_received;
    bool m_isCall{false};
    uint32_t m_start{0};
    std::size_t m_next{0}; ///< In the items of the message.
    uint32_t m_pulled{0};  ///< Octets of reduced items and pads so far.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_DATA_ITEMS_H
