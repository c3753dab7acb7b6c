/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_CONNECTION_CHURN_H
#define NFSRDMA_FAULT_ADVERSARY_CONNECTION_CHURN_H

#include "fault/adversary/connection-attack.h"

namespace ns3::nfsrdma
{

/**
 * \brief Connects as a good client does, makes one Call of procedure NULL, drops the connection,
 * and comes again: each time the server makes a queue pair and receives, and takes them down.
 *
 * Notes each connection dropped after a Call was served, and each that was refused.
 */
class ConnectionChurn : public ConnectionAttackRole
{
  public:
    /// How a connection is dropped.
    enum Ending
    {
        RESET,    ///< RST.
        FIN,      ///< In order.
        TERMINATE ///< With an RDMAP Terminate, then FIN.
    };

    static TypeId GetTypeId();

    [[nodiscard]] Ending GetEnding() const
    {
        return static_cast<Ending>(m_ending);
    }

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t number) override;

  private:
    int m_ending{RESET};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_CONNECTION_CHURN_H
