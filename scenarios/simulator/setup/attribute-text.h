/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_ATTRIBUTE_TEXT_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_ATTRIBUTE_TEXT_H

#include <string>

namespace ns3::nfsrdma
{

/// An attribute, and a value as ns-3's attribute system reads it.
struct AttributeText
{
    std::string target; ///< "Class::Attribute".
    std::string value;

    [[nodiscard]] std::string GetClass() const
    {
        return target.substr(0, target.find("::"));
    }

    [[nodiscard]] std::string GetName() const
    {
        return target.substr(target.find("::") + 2);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_ATTRIBUTE_TEXT_H
