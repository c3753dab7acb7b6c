/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/esp-keys.h"

#include <iomanip>
#include <sstream>

namespace ns3::nfsrdma
{

std::string
MakeEspSa(const std::vector<EspKeyRecord>& keys)
{
    std::ostringstream text;
    text << std::hex << std::setfill('0');
    for (const auto& record : keys)
    {
        text << (record.source.IsIpv4() ? R"("IPv4",")" : R"("IPv6",")") << record.source.ToString()
             << R"(",")" << record.destination.ToString() << R"(","0x)" << std::setw(8)
             << record.spi << R"(","AES-GCM with 16 octet ICV [RFC4106]","0x)";
        for (const unsigned octet : record.key.key)
        {
            text << std::setw(2) << octet;
        }
        for (const unsigned octet : record.key.salt)
        {
            text << std::setw(2) << octet;
        }
        text << R"(","NULL",""
)";
    }
    return text.str();
}

} // namespace ns3::nfsrdma
