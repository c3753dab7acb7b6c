/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REGION_WAIT_H
#define NFSRDMA_RPCRDMA_CLIENT_REGION_WAIT_H

#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/registration/region-broker.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief A requester's connection waits for the memory regions of its next call.
 *
 *     Begin() -> allocating, for RegionAllocationTime -> there are more: Ready
 *                    ^   |
 *                    |   +-> none: reclaimed from other slots, once for a call -> Ready
 *                    |   +-> none for the moment, again
 *                    |   +-> none: in turn at the RegionBroker -> Ready, or Never
 *
 * In turn at the broker an attempt is over at once: what it finds too few of is waited for there.
 * With a single region for calls and pulled replies (RegionBroker::IsSolo()), a call is sent only
 * when the broker lets this connection in.
 */
class RpcRdmaRegionWait
{
  public:
    using Ready = std::function<void()>;
    using Never = std::function<void(const std::string& what)>;

    /// \param allocationTime that it takes to allocate regions
    /// \param ready there may be regions for the next call again
    /// \param never there will never be regions for the call that waits; \p ready follows
    RpcRdmaRegionWait(ChunkRegistrar& registrar, Time allocationTime, Ready ready, Never never);
    ~RpcRdmaRegionWait();
    RpcRdmaRegionWait(const RpcRdmaRegionWait&) = delete;
    RpcRdmaRegionWait& operator=(const RpcRdmaRegionWait&) = delete;

    /// \param segments regions to allocate at a time
    void SetBatch(uint32_t segments)
    {
        m_segments = segments;
    }

    /// Replies will be pulled into regions of the same device.
    void ExpectSinks();

    /// \return whether a call may be encoded.
    [[nodiscard]] bool Enter()
    {
        return !m_solo || m_broker.Enter(this, m_registrar);
    }

    /// No call is under way: with one region for all, another connection may have one.
    void Leave();
    /// There were regions for a call.
    void EndTurn();
    /// There were none.
    void Begin();
    /// Regions are free again. \param some whether any was given back
    void Release(bool some);

    [[nodiscard]] bool IsWaiting() const
    {
        return m_waiting;
    }

  private:
    void Refresh();
    void AwaitTurn();

    ChunkRegistrar& m_registrar;
    RegionBroker& m_broker;
    uint32_t m_segments{0};
    Time m_allocationTime;
    Ready m_ready;
    Never m_never;
    bool m_waiting{false};
    bool m_solo{false};      ///< See RegionBroker::IsSolo().
    bool m_reclaimed{false}; ///< Regions were reclaimed for the call refused last.
    EventId m_refresh;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REGION_WAIT_H
