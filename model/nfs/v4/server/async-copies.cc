/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/async-copies.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::nfsrdma
{

Nfs4AsyncCopies::Nfs4AsyncCopies(uint32_t boot)
    : m_boot(boot)
{
}

Nfs4AsyncCopies::~Nfs4AsyncCopies()
{
    RemoveAll();
}

Nfs4AsyncCopyPtr
Nfs4AsyncCopies::Add(Nfs4AsyncCopy copy)
{
    constexpr std::size_t NUMBER_AT = 8;
    copy.id.seqid = 1;
    boost::endian::store_big_u32(copy.id.other.data(), m_boot);
    boost::endian::store_big_u32(copy.id.other.data() + NUMBER_AT, m_next++);
    m_copies.push_back(std::make_shared<Nfs4AsyncCopy>(std::move(copy)));
    return m_copies.back();
}

Nfs4AsyncCopyPtr
Nfs4AsyncCopies::Find(Nfs4ClientId client, const Nfs4StateId& id) const
{
    const auto found = std::find_if(m_copies.begin(), m_copies.end(), [&](const auto& copy) {
        return copy->client == client && copy->id == id;
    });
    return found == m_copies.end() ? nullptr : *found;
}

void
Nfs4AsyncCopies::Remove(const Nfs4AsyncCopyPtr& copy)
{
    copy->stopped = true;
    m_copies.erase(std::remove(m_copies.begin(), m_copies.end(), copy), m_copies.end());
}

void
Nfs4AsyncCopies::RemoveOf(Nfs4ClientId client)
{
    const auto gone =
        std::stable_partition(m_copies.begin(), m_copies.end(), [client](const auto& copy) {
            return copy->client != client;
        });
    std::for_each(gone, m_copies.end(), [](const auto& copy) { copy->stopped = true; });
    m_copies.erase(gone, m_copies.end());
}

void
Nfs4AsyncCopies::RemoveAll()
{
    for (const auto& copy : m_copies)
    {
        copy->stopped = true;
    }
    m_copies.clear();
}

bool
Nfs4AsyncCopies::HasAny(Nfs4ClientId client) const
{
    return std::any_of(m_copies.begin(), m_copies.end(), [client](const auto& copy) {
        return copy->client == client && !copy->ended;
    });
}

std::size_t
Nfs4AsyncCopies::GetCount() const
{
    return std::count_if(m_copies.begin(), m_copies.end(), [](const auto& copy) {
        return !copy->ended;
    });
}

} // namespace ns3::nfsrdma
