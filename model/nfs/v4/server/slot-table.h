/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_SLOT_TABLE_H
#define NFSRDMA_NFS_V4_SERVER_SLOT_TABLE_H

#include "nfs/v4/protocol/types.h"
#include "nfs/v4/server/principal.h"
#include "rpc/payload.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// A reply kept in a slot: what follows the SEQUENCE result.
struct Nfs4CachedReply
{
    Nfs4Status status{Nfs4Status::OK}; ///< Of the COMPOUND.
    uint32_t operations{0};            ///< Results in the reply, SEQUENCE included.
    bool kept{false};                  ///< The results are there; else only their count and status.
    RpcPayload results;                ///< Without the SEQUENCE result.
};

/**
 * \brief The slots of a session's fore channel with the reply cache, RFC 8881 section 2.10.6.1, as
 * Linux's nfsd keeps it: the reply is kept when the client asked for it, and when SEQUENCE was the
 * only operation.
 *
 * With a ceiling the table grows and shrinks (nfsd since Linux 6.14, [b626ffb93fd0, f7d7ca2e3620]):
 *
 *     a request uses the last slot   a fifth more slots, as long as nothing has been taken away
 *     Reduce()                       the target that SEQUENCE names goes down, the slots stay
 *     a request in a slot that had one since then says that the client uses no more than the target
 *                                    the slots above it go
 *
 * A slot that comes again takes the sequence number after its last one, or 1: the client may have
 * forgotten it.
 */
class Nfs4SlotTable
{
  public:
    /// What the client asks for with a slot.
    struct Request
    {
        uint32_t slot{0};
        uint32_t sequence{0};
        bool cacheThis{false};
        uint32_t operations{0}; ///< Of the COMPOUND, SEQUENCE included.
        Nfs4Principal principal;
    };

    /// status OK and no replay: a new request. OK and a replay: answer with it.
    struct Verdict
    {
        Nfs4Status status{Nfs4Status::OK};
        const Nfs4CachedReply* replay{nullptr};
    };

    /// \param ceiling the most slots that it grows to; no more than \p slots: it does not
    explicit Nfs4SlotTable(uint32_t slots, uint32_t ceiling = 0);

    /// \return slots.
    [[nodiscard]] uint32_t GetCount() const
    {
        return m_count;
    }

    /// \return slots that the client is to use at most: the target that SEQUENCE names (plus one).
    [[nodiscard]] uint32_t GetTarget() const
    {
        return m_target;
    }

    /// Memory is short: lowers the target by \p slots, but not below 1. \return by how many; 0 of a
    /// table without slots
    uint32_t Reduce(uint32_t slots);
    /// Takes away the slots above the target that nobody uses, if a client that knows the target
    /// says that it uses no more. \param highest sa_highest_slotid of a request in \p slot that
    /// Check() passed and Begin() has not taken yet
    void Acknowledge(uint32_t slot, uint32_t highest);
    /// A fifth more slots, if \p slot, which Begin() has taken, is the last one.
    void Grow(uint32_t slot);

    /// BADSLOT; DELAY for the same sequence while the first is under way; SEQ_MISORDERED;
    /// SEQ_FALSE_RETRY when a retry cannot be of the same request.
    [[nodiscard]] Verdict Check(const Request& request) const;
    /// Takes the slot of a new request that Check() passed.
    void Begin(const Request& request);
    /// Frees the slot and keeps the reply. \p results are dropped unless they are to be kept.
    void End(uint32_t slot, Nfs4Status status, uint32_t operations, const RpcPayload& results);
    /// \return slots with a request under way.
    [[nodiscard]] uint32_t GetInUse() const;

    /// Order of sequence numbers, also of CREATE_SESSION: OK for the next, DELAY, SEQ_MISORDERED;
    /// \p replay is set for the last one again.
    [[nodiscard]] static Nfs4Status CheckSequence(uint32_t sequence,
                                                  uint32_t last,
                                                  bool inUse,
                                                  bool& replay);

  private:
    struct Slot
    {
        uint32_t sequence{0};
        bool inUse{false};
        bool answered{false}; ///< A reply has been sent at some time.
        bool cacheThis{false};
        bool solo{false};
        bool isReused{false};   ///< It was there before, and has had no request since.
        uint32_t generation{0}; ///< Of the target, when it was last taken.
        Nfs4Principal principal;
        Nfs4CachedReply reply;
    };

    /// \return what is known of \p slot, one of the table.
    [[nodiscard]] const Slot& Get(uint32_t slot) const;

    /// Those up to the last that has been taken, or has come again; the others have had no request.
    std::vector<Slot> m_slots;
    uint32_t m_count;
    std::vector<uint32_t> m_past; ///< Sequence numbers of slots that are no more, by slot.
    uint32_t m_target;
    uint32_t m_ceiling;
    uint32_t m_generation{0}; ///< Counts changes of the target.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_SLOT_TABLE_H
