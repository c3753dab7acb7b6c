/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_SETTINGS_H
#define NFSRDMA_MPA_SETTINGS_H

#include "mpa/segment-watch.h"
#include "mpa/startup.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Everything about MPA connections that can be set, as attributes: one object serves all
 * connections of a device.
 *
 * Defaults are those of Linux siw, except where siw does less than RFC 5044 asks: Crc,
 * MarkerSupport and ResponderCrc are on. A connection looks at its settings when it starts and
 * while it runs: they are set before.
 */
class MpaSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the settings that startup is negotiated with.
    [[nodiscard]] MpaStartup::Policy GetPolicy() const;

    /// \return a copy that speaks revision 1 only.
    [[nodiscard]] Ptr<MpaSettings> CopyWithRevision1() const;

    /// \return whether an initiator that speaks revision 2 is to try again with revision 1.
    [[nodiscard]] bool HasRevisionFallback() const
    {
        return m_revisionFallback && m_revision > 1;
    }

    /// Sets the attribute MaxIrd.
    void SetMaxIrd(uint16_t maxIrd)
    {
        m_maxIrd = maxIrd;
    }

    /// Sets the attribute OutOfOrderPlacement.
    void SetOutOfOrderPlacement(bool places)
    {
        m_segmentOptions.outOfOrderPlacement = places;
    }

    [[nodiscard]] bool CountsReassembly() const
    {
        return m_segmentOptions.countReassembly;
    }

    [[nodiscard]] const SegmentWatch::Options& GetSegmentOptions() const
    {
        return m_segmentOptions;
    }

    /// Octets.
    [[nodiscard]] uint32_t GetEmssMultiple() const
    {
        return m_emssMultiple;
    }

    [[nodiscard]] Time GetReplyTimeout() const
    {
        return m_replyTimeout;
    }

    [[nodiscard]] Time GetRequestTimeout() const
    {
        return m_requestTimeout;
    }

  private:
    void SetReadyToReceive(const std::string& kinds);
    [[nodiscard]] std::string GetReadyToReceive() const;

    void SetDropBadSegments(bool drops)
    {
        m_segmentOptions.dropBadSegments = drops;
    }

    [[nodiscard]] bool GetDropBadSegments() const
    {
        return m_segmentOptions.dropBadSegments;
    }

    [[nodiscard]] bool GetOutOfOrderPlacement() const
    {
        return m_segmentOptions.outOfOrderPlacement;
    }

    void SetPlaceByAlignment(bool places)
    {
        m_segmentOptions.trustAlignment = places;
    }

    [[nodiscard]] bool GetPlaceByAlignment() const
    {
        return m_segmentOptions.trustAlignment;
    }

    void SetCountReassembly(bool counts)
    {
        m_segmentOptions.countReassembly = counts;
    }

    void SetReassemblyLimit(uint32_t octets)
    {
        m_segmentOptions.reassemblyLimit = octets;
    }

    [[nodiscard]] uint32_t GetReassemblyLimit() const
    {
        return m_segmentOptions.reassemblyLimit;
    }

    int m_conformance{0}; ///< MpaConformance.
    uint8_t m_revision{2};
    bool m_revisionFallback{false};
    bool m_crc{false};
    bool m_responderCrc{true};
    bool m_markers{false};
    bool m_markerSupport{true};
    bool m_peerToPeer{false};
    ReadyToReceiveKinds m_readyToReceive;
    uint16_t m_maxIrd{0};
    uint32_t m_emssMultiple{1};
    Time m_replyTimeout;
    Time m_requestTimeout;
    SegmentWatch::Options m_segmentOptions;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_SETTINGS_H
