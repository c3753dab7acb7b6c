/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/data-octets.h"

namespace ns3::nfsrdma
{

DataOctets
DataOctets::Of(const Compound4Res& results)
{
    DataOctets octets;
    for (const auto& result : results.ops)
    {
        if (GetStatus(result) != Nfs4Status::OK)
        {
            continue;
        }
        if (const auto* read = std::get_if<ReadRes4>(&result))
        {
            octets.read += read->data.length;
        }
        else if (const auto* plus = std::get_if<ReadPlusRes4>(&result))
        {
            for (const auto& content : plus->contents)
            {
                octets.read += content.data.size();
            }
        }
        else if (const auto* write = std::get_if<WriteRes4>(&result))
        {
            octets.written += write->count;
        }
    }
    return octets;
}

} // namespace ns3::nfsrdma
