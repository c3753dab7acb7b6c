/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_DRIP_FED_STARTUP_H
#define NFSRDMA_FAULT_ADVERSARY_DRIP_FED_STARTUP_H

#include "fault/adversary/connection-attack.h"

namespace ns3::nfsrdma
{

/**
 * \brief Connections that never come through MPA startup, to fill a listener's backlog (RFC 5044
 * section 7.1.2, rules 8 to 10): silent ones, Requests that come octet by octet, Requests whose
 * private data is announced and withheld; or that come through it, and then are silent, to hold
 * what the server keeps for a connection (the second half of rule 10).
 *
 * Notes each connection that is held, and each that the server has ended.
 */
class DripFedStartup : public ConnectionAttackRole
{
  public:
    /// What is sent of a Request.
    enum Manner
    {
        OCTETS,   ///< An octet at a time, OctetInterval apart.
        WITHHELD, ///< All but the private data that it announces.
        SILENT,   ///< Nothing.
        COMPLETE  ///< The whole Request, and nothing after it: a connection on which nobody speaks.
    };

    static TypeId GetTypeId();

    [[nodiscard]] Manner GetManner() const
    {
        return static_cast<Manner>(m_manner);
    }

    [[nodiscard]] Time GetOctetInterval() const
    {
        return m_octetInterval;
    }

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t number) override;

  private:
    int m_manner{OCTETS};
    Time m_octetInterval;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_DRIP_FED_STARTUP_H
