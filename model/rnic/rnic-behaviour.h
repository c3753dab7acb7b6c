/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_RNIC_BEHAVIOUR_H
#define NFSRDMA_RNIC_RNIC_BEHAVIOUR_H

#include "rnic/rnic-limits.h"

namespace ns3::nfsrdma
{

/**
 * \brief Where RNICs and their drivers differ in what a consumer sees: a part of a profile.
 */
class RnicBehaviour : public RnicLimits
{
  public:
    static TypeId GetTypeId();

    /// \return whether a failed queue pair with a shared receive queue raises QP_LAST_WQE_REACHED.
    [[nodiscard]] bool RaisesLastWqeReached() const
    {
        return m_lastWqeReached;
    }

  private:
    bool m_lastWqeReached{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_RNIC_BEHAVIOUR_H
