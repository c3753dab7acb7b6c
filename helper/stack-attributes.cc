/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/stack-attributes.h"

namespace ns3::nfsrdma
{

void
StackAttributes::Set(const std::string& className,
                     const std::string& attribute,
                     const AttributeValue& value)
{
    const auto name = "ns3::nfsrdma::" + className;
    auto place = m_factories.find(name);
    if (place == m_factories.end())
    {
        ObjectFactory factory;
        factory.SetTypeId(name);
        place = m_factories.emplace(name, factory).first;
    }
    place->second.Set(attribute, value);
}

} // namespace ns3::nfsrdma
