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

    explicit Nfs4SlotTable(uint32_t slots);

    /// \return slots, and at the same time the target that SEQUENCE names (plus one).
    [[nodiscard]] uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_slots.size());
    }

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
        Nfs4Principal principal;
        Nfs4CachedReply reply;
    };

    std::vector<Slot> m_slots;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_SLOT_TABLE_H
