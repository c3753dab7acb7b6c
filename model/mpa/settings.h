/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_SETTINGS_H
#define NFSRDMA_MPA_SETTINGS_H

#include "mpa/segment-watch.h"
#include "mpa/startup.h"
#include "settings/setting.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

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
    /// settings.def has the fields, and those of the parts.
    struct Values
    {
#define SETTING(type, name, ...) type name{};
#define SETTING_PART(part, name, ...)
#include "mpa/settings.def"
#undef SETTING_PART
#undef SETTING

        MpaStartup::Policy policy; ///< What startup is negotiated with.
        SegmentWatch::Options segments;

        [[nodiscard]] static const std::vector<Setting<Values>>& GetRows();
    };

    static TypeId GetTypeId();

    [[nodiscard]] const Values& GetValues() const
    {
        return m_values;
    }

    /// \return a copy that speaks revision 1 only.
    [[nodiscard]] Ptr<MpaSettings> CopyWithRevision1() const;

    /// \return whether an initiator that speaks revision 2 is to try again with revision 1.
    [[nodiscard]] bool HasRevisionFallback() const
    {
        return m_values.revisionFallback && m_values.policy.revision > 1;
    }

    /// Sets the attribute MaxIrd.
    void SetMaxIrd(uint16_t maxIrd)
    {
        m_values.policy.maxIrd = maxIrd;
    }

    /// Sets the attribute OutOfOrderPlacement.
    void SetOutOfOrderPlacement(bool places)
    {
        m_values.segments.outOfOrderPlacement = places;
    }

  private:
    void SetReadyToReceive(const std::string& kinds);
    [[nodiscard]] std::string GetReadyToReceive() const;

    Values m_values;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_SETTINGS_H
