/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/fattr.h"

#include <algorithm>
#include <tuple>

namespace ns3::nfsrdma
{

NfsFh3::NfsFh3(ByteSpan handle)
    : length(std::min<uint32_t>(handle.size(), NFS3_FHSIZE))
{
    std::copy_n(handle.begin(), length, octets.begin());
}

bool
operator==(const NfsFh3& a, const NfsFh3& b)
{
    return a.length == b.length && a.octets == b.octets;
}

bool
operator!=(const NfsFh3& a, const NfsFh3& b)
{
    return !(a == b);
}

bool
operator<(const NfsFh3& a, const NfsFh3& b)
{
    return std::tie(a.length, a.octets) < std::tie(b.length, b.octets);
}

const char*
ToString(Ftype3 type)
{
    switch (type)
    {
    case Ftype3::REG:
        return "REG";
    case Ftype3::DIR:
        return "DIR";
    case Ftype3::BLK:
        return "BLK";
    case Ftype3::CHR:
        return "CHR";
    case Ftype3::LNK:
        return "LNK";
    case Ftype3::SOCK:
        return "SOCK";
    case Ftype3::FIFO:
        return "FIFO";
    }
    return "UNKNOWN";
}

bool
operator<(const NfsTime3& a, const NfsTime3& b)
{
    return std::tie(a.seconds, a.nseconds) < std::tie(b.seconds, b.nseconds);
}

bool
operator==(const SetTime3& a, const SetTime3& b)
{
    return a.how == b.how && (a.how != TimeHow::SET_TO_CLIENT_TIME || a.time == b.time);
}

bool
Sattr3::IsEmpty() const
{
    return !mode && !uid && !gid && !size && atime.how == TimeHow::DONT_CHANGE &&
           mtime.how == TimeHow::DONT_CHANGE;
}

} // namespace ns3::nfsrdma
