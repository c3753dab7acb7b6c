/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_RATE_CONTROL_H
#define NFSRDMA_TOE_RATE_CONTROL_H

#include "toe/congestion-control.h"
#include "toe/delivery-rate.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief A congestion control that measures the path: it says at which rate segments leave, and
 * sets the window itself from what each acknowledgment tells. Recoveries say only what is repeated.
 */
class RateControl : public CongestionControl
{
  public:
    /// The connection is established; \p window is the initial one.
    /// \param roundTrip of the SYN, if it was measured
    /// \param seed of what is drawn, as in SendStart
    virtual void Start(const CongestionWindow& window,
                       std::optional<Time> roundTrip,
                       uint32_t seed,
                       Time now) = 0;

    /// A segment is about to leave; \p isIdle: nothing is in flight, since there was nothing to
    /// send. \param window may be set
    virtual void NoteSend(bool isIdle, CongestionWindow& window, Time now) = 0;

    /// Before the sample of the acknowledgment that has told of the loss, and before what a timer
    /// has found to be lost is repeated.
    virtual void NoteLoss(const LostSegment& segment, Time now) = 0;

    /// Sets \p window.
    virtual void Acknowledge(const DeliverySample& sample, CongestionWindow& window, Time now) = 0;

    /// What is lost is about to be repeated; and all has been, or nothing was lost after all.
    virtual void EnterRecovery(const CongestionWindow& window) = 0;
    virtual void LeaveRecovery(CongestionWindow& window) = 0;

    /// What was taken for lost had not been: what that has changed is as it was. Before
    /// LeaveRecovery().
    virtual void Undo() = 0;

    /// \return whether less is sent than the path may carry, to learn of it: samples of that time
    /// are no more than those of an application that had nothing to send.
    [[nodiscard]] virtual bool IsHeldBack() const = 0;

    /// \return the time between the start of a segment of \p octets and that of the next.
    [[nodiscard]] virtual Time GetGap(uint64_t octets) const = 0;

    [[nodiscard]] RateControl* GetRateControl() override
    {
        return this;
    }

    void Avoid(CongestionWindow& /* window */,
               uint64_t /* octets */,
               Time /* now */,
               Time /* smoothed */) override
    {
    }

    [[nodiscard]] uint64_t ReduceForLoss(const CongestionWindow& window, Time /* now */) override
    {
        return window.window;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_RATE_CONTROL_H
