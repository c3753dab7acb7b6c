/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_COMPOUND_REPLY_H
#define NFSRDMA_NFS_V4_SERVER_COMPOUND_REPLY_H

#include "host/memory.h"
#include "nfs/v4/protocol/compound.h"
#include "nfs/v4/server/slot-table.h"
#include "rpc/payload.h"

#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The reply of one COMPOUND as it grows, RFC 8881 section 16.2: results and the DDP-eligible
 * items that belong to them, within the room that there is.
 *
 * Each READ and READLINK result that has an item, and each that failed, leaves one item in the
 * payload, of length 0 when there are no data, so that the n-th of them stays with the n-th Write
 * chunk (RFC 8267 section 6.4.1).
 */
class Nfs4CompoundReply
{
  public:
    /// \param room octets of results at most, items included
    /// \param emptyWriteChunks the item of a result without data is an absent one
    /// (rpc/absent-item.h)
    Nfs4CompoundReply(uint32_t room, bool emptyWriteChunks);

    /// Begins with the tag of the call.
    void Begin(const ByteVector& tag);

    /// The result of \p op, without the number.
    template <typename Result>
    void Add(Nfs4Op op, const Result& result)
    {
        XdrWriter& writer = BeginResult(op);
        Nfs4Encoder encoder(writer, &m_reducedAt);
        encoder(result);
        EndResult(op);
    }

    /// A result whose octets, from the status on, are known.
    void AddEncoded(Nfs4Op op, const ByteVector& octets);
    /// The last result was too large: \p op is answered with \p status alone. Nothing follows.
    void CutLast(Nfs4Op op, Nfs4Status status);
    /// All results that were kept of a call that came again.
    void AddKept(const Nfs4CachedReply& kept);

    /// \return memory that a Write chunk can take the item of the operation under way from; null
    /// when \p length is 0.
    HostBuffer* HoldItem(Ptr<HostMemory> memory, uint32_t length);

    /// No operation has an item so far.
    void DropItem()
    {
        m_item.reset();
    }

    void SetRoom(uint32_t octets)
    {
        m_room = octets;
    }

    /// \return octets of results that still fit besides \p others.
    [[nodiscard]] uint32_t GetRoom(uint32_t others) const;

    [[nodiscard]] bool HasRoom(uint32_t octets) const
    {
        return GetSize() + m_itemOctets + octets <= m_room;
    }

    /// \return octets so far, without items.
    [[nodiscard]] uint32_t GetSize() const
    {
        return static_cast<uint32_t>(GetOctets().size());
    }

    [[nodiscard]] const ByteVector& GetOctets() const
    {
        return m_cut.empty() ? m_writer.GetOctets() : m_cut;
    }

    /// \return the operations that have been answered.
    [[nodiscard]] const std::vector<Nfs4Op>& GetOperations() const
    {
        return m_operations;
    }

    /// A slot keeps what comes after the next \p octets.
    void KeepAfter(uint32_t octets)
    {
        m_keptAt = GetSize() + octets;
    }

    /// \return the whole reply. Nothing follows.
    [[nodiscard]] RpcPayload Finish(Nfs4Status status);
    /// \return of \p whole, which Finish() has given, what the slot keeps.
    [[nodiscard]] RpcPayload MakeKept(const RpcPayload& whole) const;

  private:
    XdrWriter& BeginResult(Nfs4Op op);
    void EndResult(Nfs4Op op);
    void AddItem();

    XdrWriter m_writer;
    ByteVector m_cut; ///< What was written, when the last result had to be cut off.
    std::vector<Nfs4Op> m_operations;
    std::vector<RpcDataItem> m_items;
    uint32_t m_itemOctets{0};
    std::shared_ptr<HostBuffer> m_item; ///< Of the operation under way.
    uint32_t m_room;
    bool m_emptyWriteChunks;
    uint32_t m_countAt{0}; ///< Where the number of results is.
    uint32_t m_keptAt{0};  ///< Where the results that a slot keeps begin.

    // The last result:
    std::vector<uint32_t> m_reducedAt;
    uint32_t m_lastAt{0};
    std::size_t m_itemsBefore{0};
    uint32_t m_itemOctetsBefore{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_COMPOUND_REPLY_H
