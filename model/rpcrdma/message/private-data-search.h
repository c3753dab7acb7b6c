/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_MESSAGE_PRIVATE_DATA_SEARCH_H
#define NFSRDMA_RPCRDMA_MESSAGE_PRIVATE_DATA_SEARCH_H

#include "wire/byte-reader.h"
#include "wire/decode-error.h"

#include <cstddef>
#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief Looks for a format among the private data of a connection manager, RFC 8797 section 5.2.
 *
 * Its Format Identifier may be at any offset, with any alignment: other layers' data may be around
 * it. Where it is followed by no good message (cut short, unknown version), other layers happen to
 * have sent the identifier (section 7): the search goes on behind its first octet.
 *
 * \tparam Message has FORMAT_IDENTIFIER, and DecodeAt(ByteReader&), called behind the identifier
 * \return the first good message; else the error of the first identifier; TRUNCATED without any
 */
template <typename Message>
[[nodiscard]] Decoded<Message>
FindInPrivateData(ByteSpan privateData)
{
    Decoded<Message> found = tl::unexpected(WireError::TRUNCATED);
    bool seen = false;
    constexpr std::size_t size = sizeof(uint32_t);
    for (std::size_t offset = 0; offset + size <= privateData.size(); ++offset)
    {
        ByteReader reader(privateData.subspan(offset));
        if (reader.ReadU32() != Message::FORMAT_IDENTIFIER)
        {
            continue;
        }
        auto message = Message::DecodeAt(reader);
        if (message)
        {
            return message;
        }
        if (!seen)
        {
            found = message;
            seen = true;
        }
    }
    return found;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_MESSAGE_PRIVATE_DATA_SEARCH_H
