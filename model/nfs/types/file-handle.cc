/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/file-handle.h"

#include "ns3/assert.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t VERSION = 1;
constexpr uint8_t AUTH_NONE = 0;
constexpr uint8_t FSID_TYPE = 1;
constexpr uint8_t FILEID_ROOT = 0;
constexpr uint8_t FILEID_INO_GENERATION = 1;
constexpr uint8_t FILLER = 0xa5;

} // namespace

NfsFh3
FileHandle::Encode(uint32_t octets) const
{
    NS_ASSERT_MSG(octets >= (isRoot ? MIN_ROOT_OCTETS : MIN_OCTETS) && octets <= NFS3_FHSIZE,
                  "a handle of " << octets << " octets");
    NfsFh3 handle;
    handle.length = octets;
    uint8_t* at = handle.octets.data();
    at[0] = VERSION;
    at[1] = AUTH_NONE;
    at[2] = FSID_TYPE;
    at[3] = isRoot ? FILEID_ROOT : FILEID_INO_GENERATION;
    boost::endian::store_little_u32(at + 4, fsid);
    uint32_t used = MIN_ROOT_OCTETS;
    if (!isRoot)
    {
        boost::endian::store_little_u32(at + 8, inode);
        boost::endian::store_little_u32(at + 12, generation);
        used = MIN_OCTETS;
    }
    std::fill(at + used, at + octets, FILLER);
    return handle;
}

std::optional<FileHandle>
FileHandle::Decode(const NfsFh3& handle, uint32_t rootOctets, uint32_t otherOctets)
{
    if (handle.length < MIN_ROOT_OCTETS)
    {
        return std::nullopt;
    }
    const uint8_t* at = handle.octets.data();
    FileHandle decoded;
    decoded.isRoot = at[3] == FILEID_ROOT;
    if (handle.length != (decoded.isRoot ? rootOctets : otherOctets))
    {
        return std::nullopt;
    }
    decoded.fsid = boost::endian::load_little_u32(at + 4);
    if (!decoded.isRoot)
    {
        decoded.inode = boost::endian::load_little_u32(at + 8);
        decoded.generation = boost::endian::load_little_u32(at + 12);
    }
    if (decoded.Encode(handle.length) != handle)
    {
        return std::nullopt;
    }
    return decoded;
}

} // namespace ns3::nfsrdma
