/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/request.h"

#include <iomanip>
#include <sstream>

namespace ns3::nfsrdma
{

std::string
DescribeXid(uint32_t xid)
{
    std::ostringstream text;
    text << "XID 0x" << std::hex << std::setw(8) << std::setfill('0') << xid;
    return text.str();
}

} // namespace ns3::nfsrdma
