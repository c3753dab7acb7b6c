/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_IOMMU_SETTINGS_H
#define NFSRDMA_HOST_IOMMU_SETTINGS_H

#include "host/context-cache.h"
#include "settings/setting.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// What the IOMMU of a host does and costs: iommu.def has the fields.
struct IommuSettings
{
    /// What is translated, and when it is invalidated.
    enum Mode
    {
        PASSTHROUGH,
        LAZY,
        STRICT
    };

#define SETTING(type, name, ...) type name{};
#include "host/iommu.def"
#undef SETTING

    /// \return a row for each field.
    [[nodiscard]] static const std::vector<Setting<IommuSettings>>& GetRows();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_IOMMU_SETTINGS_H
