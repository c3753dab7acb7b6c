/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/document-check.h"

#include "scenarios/simulator/keys/scenario-error.h"

namespace ns3::nfsrdma
{

DocumentCheck::DocumentCheck(const std::string& file, const std::string& expected)
    : m_file(file),
      m_expected(expected)
{
}

void
DocumentCheck::Refuse(const std::string& key, const std::string& got) const
{
    throw ScenarioError(m_file, key, got, m_expected);
}

const DocumentCheck::Json&
DocumentCheck::Require(const Json& object,
                       const std::string& prefix,
                       const std::string& key,
                       Test test) const
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end())
    {
        Refuse(prefix + key, "nothing");
    }
    if (!((*found).*test)())
    {
        Refuse(prefix + key, found->type_name());
    }
    return *found;
}

const DocumentCheck::Json&
DocumentCheck::RequireEach(const Json& object,
                           const std::string& prefix,
                           const std::string& key,
                           Test container,
                           Test test) const
{
    const auto& values = Require(object, prefix, key, container);
    const auto parent = prefix + key + ".";
    for (const auto& [place, value] : values.items())
    {
        if (!(value.*test)())
        {
            Refuse(parent + place, value.type_name());
        }
    }
    return values;
}

} // namespace ns3::nfsrdma
