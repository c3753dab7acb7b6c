/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tls/random-octets.h"

#include "ns3/abort.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <openssl/evp.h>
#include <utility>

namespace ns3::nfsrdma
{

RandomOctets::RandomOctets(std::string name)
    : m_name("nfsrdma TLS octets" + std::move(name))
{
}

void
RandomOctets::MakeBlock()
{
    ByteVector text(m_name.begin(), m_name.end());
    text.resize(m_name.size() + sizeof(m_blocks));
    boost::endian::store_big_u64(text.data() + m_name.size(), m_blocks++);
    unsigned length = 0;
    NS_ABORT_MSG_UNLESS(
        EVP_Digest(text.data(), text.size(), m_block.data(), &length, EVP_sha512(), nullptr) == 1 &&
            length == BLOCK_SIZE,
        "OpenSSL has no SHA-512");
    m_used = 0;
}

void
RandomOctets::Draw(MutableByteSpan octets)
{
    while (!octets.empty())
    {
        if (m_used == BLOCK_SIZE)
        {
            MakeBlock();
        }
        const std::size_t count = std::min<std::size_t>(octets.size(), BLOCK_SIZE - m_used);
        std::copy_n(m_block.begin() + static_cast<std::ptrdiff_t>(m_used), count, octets.begin());
        m_used += count;
        octets = octets.subspan(count);
    }
}

ByteVector
RandomOctets::Draw(std::size_t count)
{
    ByteVector octets(count);
    Draw(MutableByteSpan(octets));
    return octets;
}

} // namespace ns3::nfsrdma
