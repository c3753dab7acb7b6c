/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_REGION_BROKER_H
#define NFSRDMA_RPCRDMA_REGISTRATION_REGION_BROKER_H

#include "rnic/hardware/device.h"
#include "wire/ring.h"

#include "ns3/event-id.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::nfsrdma
{

class ChunkRegistrar;

/// What a piece of memory is made known for.
enum class RegionUse
{
    /// A peer is to reach it, and it stays known until the peer has answered: chunks of a call,
    /// Read chunks of a reply.
    OFFER,
    /// A Read of one's own is to fill it: it is given back when that has completed.
    SINK
};

/**
 * \brief Shares the memory regions (and pinned pages) of one device out among the registrars of all
 * its connections: what one does not use another can have, and what there is none for waits in its
 * turn.
 *
 * Connections keep regions that are invalid from one use to the next. When the device has no more,
 * unused ones are taken back from the others; when all are in use, what needs some waits here, in
 * the order of arrival, and nobody passes: regions given back are left until what waits first has
 * all it needs.
 *
 * Why there is always progress. An OFFER ends when the peer has answered; a SINK ends with Reads
 * from memory that the peer has exposed already, so that it waits for nothing but the network.
 * Where a device has both, the peer's answer to an OFFER may hang on a SINK here: a server cannot
 * pull a WRITE while its own regions are exposed as replies, which end when the client has pulled
 * them. Hence
 * - offers never take the last region of a device that has sinks, too, so that a sink always finds
 *   one in time; a sink of any length does with one region, piece after piece
 *   (SvcRdmaReadPuller, ReplyPuller);
 * - while offers wait, one sink at a time passes them, so that neither starves;
 * - a call gives its regions back when its reply has come, before the reply is pulled;
 * - with a single region, where nothing can be set aside, a client that pulls replies has one call
 *   under way at a time (Enter()): no other call's regions or replies can then wait for it.
 *
 * What still finds not enough when nothing at all is in use can never be satisfied: it fails at
 * once.
 */
class RegionBroker : public Object
{
  public:
    static TypeId GetTypeId();
    RegionBroker();
    ~RegionBroker() override;

    /// \return the one of \p device, made when there is none.
    static Ptr<RegionBroker> Of(const Ptr<RnicDevice>& device);

    void Enroll(ChunkRegistrar& registrar);
    /// Its regions are given back.
    void Withdraw(ChunkRegistrar& registrar);

    /// What became of an attempt of what waits.
    enum class Attempt
    {
        SERVED,  ///< It has what it needs, or needs it no longer.
        SHORT,   ///< There is not enough.
        DELAYED, ///< There is nothing for the moment, whatever is given back: again in RETRY.
    };

    struct Waiter
    {
        const void* owner{nullptr};
        const ChunkRegistrar* registrar{nullptr}; ///< Which has the turn during an attempt.
        std::function<Attempt()> attempt;
        std::function<void()> never; ///< Told instead when there can never be enough.
    };

    /// Has \p waiter try as soon as it is its turn, not before this returns.
    void Wait(RegionUse use, Waiter waiter);
    /// \p owner waits no longer.
    void Cancel(const void* owner);
    [[nodiscard]] bool IsWaiting(const void* owner) const;

    [[nodiscard]] bool HasWaiters() const
    {
        return !m_offers.empty() || !m_sinks.empty();
    }

    /// \return what waits.
    [[nodiscard]] uint32_t GetWaiting() const
    {
        return m_offers.size() + m_sinks.size();
    }

    /// \return whether it is the turn of \p registrar to take one more.
    [[nodiscard]] bool MayTake(const ChunkRegistrar& registrar, RegionUse use) const;
    [[nodiscard]] bool HasTurn(const ChunkRegistrar& registrar) const;
    /// What waited has what it needs: what its owner wants besides has to wait in turn.
    void EndTurn(const ChunkRegistrar& registrar);
    /// Has a registrar give back something that it does not use. \return whether one did.
    bool TakeBack(bool pages);
    /// Something may be free.
    void Notify();

    /// Both offers and sinks are to come on this device.
    void ExpectSinks()
    {
        m_bothUses = true;
    }

    /// \return whether a device with offers and sinks has too few regions for both.
    [[nodiscard]] bool IsSolo() const
    {
        return m_bothUses && GetMaximum() <= 1;
    }

    /// With IsSolo(): \return whether \p owner may have a call under way, alone.
    bool Enter(const void* owner, const ChunkRegistrar& registrar);
    void Leave(const void* owner);

    /// Time after which an attempt that was delayed is made again.
    static const Time RETRY;

  protected:
    void DoDispose() override;

  private:
    using Waiters = Ring<Waiter>;

    [[nodiscard]] uint32_t GetMaximum() const;
    [[nodiscard]] bool HasCapacity(const ChunkRegistrar& registrar, RegionUse use) const;
    [[nodiscard]] uint32_t CountUsed(RegionUse use) const;
    [[nodiscard]] bool IsIdle() const;
    void Serve();
    /// \return whether the first of \p waiters is there no longer.
    bool ServeFirst(Waiters& waiters, RegionUse use);
    Attempt Try(const Waiter& waiter);

    RnicDevice* m_device{nullptr};             ///< Which this is aggregated to.
    std::vector<ChunkRegistrar*> m_registrars; ///< By order of enrolment.
    Waiters m_offers;
    Waiters m_sinks;
    const ChunkRegistrar* m_turn{nullptr}; ///< Whose turn it is.
    const void* m_trying{nullptr};         ///< The owner of the waiter that makes an attempt.
    const void* m_alone{nullptr};          ///< Who has a call under way.
    bool m_bothUses{false};
    EventId m_service;
    EventId m_retry;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_REGION_BROKER_H
