/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/specification.h"

#include <algorithm>

namespace ns3::nfsrdma
{

const std::vector<FpduField>&
GetFpduFields()
{
    // RFC 5044 section 4, RFC 5041 section 4, RFC 5040 section 4, RFC 8166 section 4.2.
    constexpr uint32_t NOWHERE = FpduField::NOWHERE;
    static const std::vector<FpduField> FIELDS{{"length", 0, 0, 2},
                                               {"ddp-control", 2, 2, 1},
                                               {"rdmap-control", 3, 3, 1},
                                               {"stag", 4, NOWHERE, 4},
                                               {"to", 8, NOWHERE, 8},
                                               {"invalidate-stag", NOWHERE, 4, 4},
                                               {"qn", NOWHERE, 8, 4},
                                               {"msn", NOWHERE, 12, 4},
                                               {"mo", NOWHERE, 16, 4},
                                               {"data", 16, 20, 0},
                                               {"xid", NOWHERE, 20, 4},
                                               {"vers", NOWHERE, 24, 4},
                                               {"credit", NOWHERE, 28, 4},
                                               {"proc", NOWHERE, 32, 4}};
    return FIELDS;
}

const FpduField*
FindFpduField(std::string_view name)
{
    const auto& fields = GetFpduFields();
    const auto found = std::find_if(fields.begin(), fields.end(), [name](const auto& field) {
        return field.name == name;
    });
    return found == fields.end() ? nullptr : &*found;
}

} // namespace ns3::nfsrdma
