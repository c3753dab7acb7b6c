/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/profile-file.h"

#include "ns3/string.h"

#include <cctype>
#include <fstream>

namespace ns3::nfsrdma
{

namespace
{

/// "wqe_fetch" is the attribute WqeFetch.
std::string
CamelCase(const std::string& key)
{
    std::string name;
    bool upper = true;
    for (const char letter : key)
    {
        if (letter != '_')
        {
            name += upper ? static_cast<char>(std::toupper(letter)) : letter;
        }
        upper = letter == '_';
    }
    return name;
}

} // namespace

ProfileFile::ProfileFile(const std::string& name)
{
    std::ifstream file(NFSRDMA_SOURCE_DIR "/scenarios/profiles/rnic/" + name + ".ini");
    const std::string equals = " = ";
    std::string line;
    while (std::getline(file, line))
    {
        const auto at = line.find(equals);
        if (at != std::string::npos && line[0] != '#')
        {
            m_values.emplace_back(line.substr(0, at), line.substr(at + equals.size()));
        }
    }
}

bool
ProfileFile::IsGood() const
{
    return !m_values.empty();
}

std::string
ProfileFile::Get(const std::string& key) const
{
    for (const auto& [name, value] : m_values)
    {
        if (name == key)
        {
            return value;
        }
    }
    return {};
}

bool
ProfileFile::Apply(Ptr<RnicDevice> device) const
{
    const std::string mpa = "mpa_";
    const std::string ipsec = "ipsec_";
    bool good = true;
    for (const auto& [key, value] : m_values)
    {
        if (key.rfind(mpa, 0) == 0)
        {
            good = device->GetMpaSettings()->SetAttributeFailSafe(CamelCase(key.substr(mpa.size())),
                                                                  StringValue(value)) &&
                   good;
        }
        else if (key == "tcp")
        {
            good = device->GetTransport()->SetAttributeFailSafe("Tcp", StringValue(value)) && good;
        }
        else if (key != "port_rate" && key.rfind(ipsec, 0) != 0)
        {
            good = device->SetAttributeFailSafe(CamelCase(key), StringValue(value)) && good;
        }
    }
    return good;
}

} // namespace ns3::nfsrdma
