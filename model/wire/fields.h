/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_FIELDS_H
#define NFSRDMA_WIRE_FIELDS_H

#include "wire/byte-reader.h"
#include "wire/byte-writer.h"
#include "wire/decode-error.h"

#include <array>
#include <boost/endian/conversion.hpp>
#include <cstdint>

namespace ns3::nfsrdma
{

/// Writes \p fields, unsigned integers, one after the other in network byte order, each as wide as
/// its type.
template <typename... T>
void
WriteFields(ByteWriter& writer, T... fields)
{
    const auto write = [&writer](auto field) {
        std::array<uint8_t, sizeof(field)> octets;
        boost::endian::endian_store<decltype(field), sizeof(field), boost::endian::order::big>(
            octets.data(),
            field);
        writer.WriteBytes(octets);
    };
    (write(fields), ...);
}

/// \return a message whose \p fields are as WriteFields() writes them, or TRUNCATED.
template <typename Message, typename... T>
[[nodiscard]] Decoded<Message>
ReadFields(ByteReader& reader, T Message::*... fields)
{
    Message message;
    const auto read = [&reader](auto& field) {
        constexpr std::size_t SIZE = sizeof(field);
        const ByteSpan octets = reader.ReadBytes(SIZE);
        if (octets.size() == SIZE)
        {
            field = boost::endian::endian_load<std::decay_t<decltype(field)>,
                                               SIZE,
                                               boost::endian::order::big>(octets.data());
        }
    };
    (read(message.*fields), ...);
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    return message;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_FIELDS_H
