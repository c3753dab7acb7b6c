/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_SETTING_NAMES_H
#define NFSRDMA_LINK_SETTING_NAMES_H

#include "ns3/abort.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace ns3::nfsrdma
{

/// \return which of \p names \p name is, the values of an attribute \p what that is a text; ends
/// the program when it is none.
template <std::size_t N>
[[nodiscard]] std::size_t
FindSettingName(const std::array<const char*, N>& names, const std::string& name, const char* what)
{
    const auto* const found = std::find(names.begin(), names.end(), name);
    NS_ABORT_MSG_IF(found == names.end(), "no " << what << " is called " << name);
    return static_cast<std::size_t>(found - names.begin());
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_SETTING_NAMES_H
