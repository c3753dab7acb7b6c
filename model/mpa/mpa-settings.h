/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_MPA_SETTINGS_H
#define NFSRDMA_MPA_MPA_SETTINGS_H

#include "mpa/mpa-startup.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Everything about an MPA connection that can be set, as attributes.
 *
 * Defaults are those of Linux siw, except where siw does less than RFC 5044 asks: MarkerSupport and
 * ResponderCrc are on.
 */
class MpaSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the settings that startup is negotiated with.
    [[nodiscard]] MpaStartup::Policy GetPolicy() const;

  protected:
    uint32_t m_emssMultiple{1};
    Time m_replyTimeout;
    Time m_requestTimeout;
    bool m_outOfOrderPlacement{false};
    bool m_dropBadSegments{false};
    bool m_countReassembly{false};
    uint32_t m_reassemblyLimit{0};

  private:
    void SetReadyToReceive(const std::string& kinds);
    [[nodiscard]] std::string GetReadyToReceive() const;

    int m_conformance{0}; ///< MpaConformance.
    uint8_t m_revision{2};
    bool m_crc{false};
    bool m_responderCrc{true};
    bool m_markers{false};
    bool m_markerSupport{true};
    bool m_peerToPeer{false};
    ReadyToReceiveKinds m_readyToReceive;
    uint16_t m_maxIrd{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_MPA_SETTINGS_H
