/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_SESSION_SLOTS_H
#define NFSRDMA_NFS_V4_CLIENT_SESSION_SLOTS_H

#include "nfs/v4/protocol/status.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// What a SEQUENCE that uses a slot says of it.
struct Nfs4SlotUse
{
    uint32_t slot{0};        ///< sa_slotid.
    uint32_t sequence{0};    ///< sa_sequenceid.
    uint32_t highestUsed{0}; ///< sa_highest_slotid.
};

/// What the server's SEQUENCE said of a slot.
struct Nfs4SlotReply
{
    std::optional<Nfs4Status> status; ///< Absent: the RPC ended without result of SEQUENCE.
    uint32_t highest{0};              ///< sr_highest_slotid, with OK.
    uint32_t targetHighest{0};        ///< sr_target_highest_slotid, with OK.
};

/// What becomes of a call whose SEQUENCE has ended.
enum class Nfs4SlotVerdict
{
    DONE,        ///< It has ended; its slot is to be released.
    RETRY,       ///< It is to be made again in another slot; its own is to be released.
    RETRY_LATER, ///< It is to be made again in the same slot, after NFS4_POLL_RETRY_MAX.
    PROBE,       ///< As RETRY, but first the slot itself is to be asked, with a SEQUENCE alone.
    RECOVER,     ///< As RETRY, when the session has been recovered.
    LOST,        ///< A probe could not recover the slot: it is used no more.
};

/**
 * \brief The slots of the fore channel of a session (RFC 8881 section 2.10.6) as Linux's client
 * keeps them: sequence numbers, how many may be used, and what to think of one after an RPC that
 * ended without a reply (RFC 8267 section 6.6).
 *
 * The lowest free slot is used. A slot that an RPC was interrupted on has its number counted up
 * all the same; when the server then says SEQ_MISORDERED it has not seen the interrupted call, so
 * that the number goes down again, and a SEQUENCE alone finds out (PROBE). A slot whose number
 * cannot be found so is lost until Reset().
 *
 * How many slots may be used follows the server's target, unless it jumps: a target whose first and
 * second differences both change sign is taken for an outlier, once.
 */
class Nfs4ClientSlotTable
{
  public:
    /// Slots at most, as in Linux.
    static constexpr uint32_t MAXIMUM = 1024;

    /// A new session of \p slots slots; none may be in use.
    void Reset(uint32_t slots);

    /// \return the use of a free slot, or nothing.
    [[nodiscard]] std::optional<Nfs4SlotUse> Allocate();

    /// \return the use of \p slot, which is allocated, for another call.
    [[nodiscard]] Nfs4SlotUse Reuse(uint32_t slot) const
    {
        return {slot, m_slots.at(slot).sequence, m_highestUsed};
    }

    /// \param probe the call was SEQUENCE alone, sent because of PROBE
    /// \return what becomes of the call that used \p slot
    Nfs4SlotVerdict Finish(uint32_t slot, const Nfs4SlotReply& reply, bool probe);
    /// Frees \p slot. \return true when the server should be told, by a SEQUENCE alone, that fewer
    /// slots are in use now than it wants.
    bool Release(uint32_t slot);

    /// CB_RECALL_SLOT: the server wants no slot above \p highest to be used.
    void SetTarget(uint32_t highest);

    /// \return slots allocated.
    [[nodiscard]] uint32_t GetUsed() const
    {
        return m_used;
    }

    /// \return slots that may be allocated, those in use included.
    [[nodiscard]] uint32_t GetLimit() const
    {
        return m_limit;
    }

    [[nodiscard]] uint32_t GetLost() const
    {
        return m_lost;
    }

  private:
    struct Slot
    {
        uint32_t sequence{1};
        uint32_t highestSent{0};
        uint32_t lastAcknowledged{0};
        uint32_t generation{0};
        bool used{false};
        bool done{false}; ///< The number has been used up.
        bool lost{false};
    };

    Nfs4SlotVerdict FinishMisordered(Slot& slot, bool probe);
    [[nodiscard]] bool IsOutlier(uint32_t target);
    void TakeTargets(const Slot& slot, const Nfs4SlotReply& reply);
    void FindHighestUsed();

    std::vector<Slot> m_slots;
    uint32_t m_limit{0}; ///< Slots that may be allocated.
    uint32_t m_target{0};
    uint32_t m_serverHighest{0};
    uint32_t m_generation{0}; ///< Counts changes of the target.
    int32_t m_targetDifference{0};
    int32_t m_targetSecondDifference{0};
    uint32_t m_used{0};
    uint32_t m_highestUsed{0}; ///< When any is used.
    uint32_t m_lost{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_SESSION_SLOTS_H
