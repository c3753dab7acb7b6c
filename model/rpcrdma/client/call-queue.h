/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_CALL_QUEUE_H
#define NFSRDMA_RPCRDMA_CLIENT_CALL_QUEUE_H

#include "rpc/client-transport.h"
#include "rpc/timeout.h"
#include "wire/ring.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// Calls of a requester that no connection carries, by order of submission: those never sent, and
/// those whose connection has ended.
class RpcRdmaCallQueue
{
  public:
    using Call = std::unique_ptr<RpcTransportCall>;

    /// Takes a new call, and numbers it from 1 on.
    void Add(Call call);

    /// Takes back a call that was sent before all others here.
    void PutBack(Call call)
    {
        m_slotted += call->hasSlot ? 1 : 0;
        m_calls.push_front(std::move(call));
    }

    [[nodiscard]] Call TakeFront();
    /// \return the call with that XID, or null.
    [[nodiscard]] Call Take(uint32_t xid);
    /// Starts a new round for each call that has reached its major timeout; of a soft one the time
    /// is over.
    /// \param next made earlier where a call has to be looked at before
    /// \return calls whose time is over, in reverse order
    [[nodiscard]] std::vector<Call> TakeOver(const RpcTimeout& timeout, Time now, Time& next);
    /// \return all calls, in reverse order.
    [[nodiscard]] std::vector<Call> TakeAll();
    /// The transport has slots for so many of the calls here, the first ones: those that had none
    /// get one at \p now. One that has waited for it sleeps for \p delay, and keeps its slot.
    void GrantSlots(std::size_t slots, Time now, Time delay);
    /// Has the first call with a slot that does not sleep be the next one. \return whether there is
    /// one.
    bool BringReady(Time now);
    /// \return when the next call that sleeps is awake; Time::Max() when none does.
    [[nodiscard]] Time GetNextReady(Time now) const;

    void Clear()
    {
        m_calls.clear();
        m_slotted = 0;
    }

    [[nodiscard]] bool IsEmpty() const
    {
        return m_calls.empty();
    }

    [[nodiscard]] uint32_t GetSize() const
    {
        return m_calls.size();
    }

    /// \return the call that is next; there is one.
    [[nodiscard]] const RpcTransportCall& GetFront() const
    {
        return *m_calls.front();
    }

    /// \return a line per call, which waits for \p what.
    [[nodiscard]] std::vector<std::string> Describe(const std::string& what) const;

  private:
    void RecountSlots();

    Ring<Call> m_calls;
    std::size_t m_slotted{0}; ///< Of them, the first ones, with a slot.
    uint64_t m_nextOrder{1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_CALL_QUEUE_H
