/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/identifiers.h"

#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t NUMBER_OFFSET = 8;

} // namespace

Nfs4ClientId
MakeNfs4ClientId(uint32_t boot, uint32_t number)
{
    return (uint64_t{boost::endian::endian_reverse(boot)} << 32) |
           boost::endian::endian_reverse(number);
}

uint32_t
GetNfs4Boot(Nfs4ClientId client)
{
    return boost::endian::endian_reverse(static_cast<uint32_t>(client >> 32));
}

Nfs4SessionId
MakeNfs4SessionId(Nfs4ClientId client, uint32_t number)
{
    Nfs4SessionId id{};
    boost::endian::store_big_u64(id.data(), client);
    boost::endian::store_little_u32(id.data() + NUMBER_OFFSET, number);
    return id;
}

uint32_t
GetNfs4SessionNumber(const Nfs4SessionId& id)
{
    return boost::endian::load_little_u32(id.data() + NUMBER_OFFSET);
}

Nfs4StateId
MakeNfs4StateId(Nfs4ClientId client, uint32_t number)
{
    Nfs4StateId id;
    boost::endian::store_big_u64(id.other.data(), client);
    boost::endian::store_little_u32(id.other.data() + NUMBER_OFFSET, number);
    return id;
}

Nfs4ClientId
GetNfs4Client(const Nfs4StateId& id)
{
    return boost::endian::load_big_u64(id.other.data());
}

uint32_t
GetNfs4StateNumber(const Nfs4StateId& id)
{
    return boost::endian::load_little_u32(id.other.data() + NUMBER_OFFSET);
}

Nfs4StateId
MakeClosedStateId()
{
    Nfs4StateId id;
    id.seqid = 0xffffffff;
    return id;
}

} // namespace ns3::nfsrdma
