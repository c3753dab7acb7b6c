/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_CODEC_CHECK_H
#define NFSRDMA_TEST_NFS_CODEC_CHECK_H

#include "nfs/types/xdr-fields.h"

#include <gtest/gtest.h>
#include <string_view>

namespace ns3::nfsrdma::test
{

/// \return the octets of \p hex: pairs of lower-case digits.
inline ByteVector
FromHex(std::string_view hex)
{
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    ByteVector octets;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    {
        octets.push_back(static_cast<uint8_t>(digit(hex[i]) << 4 | digit(hex[i + 1])));
    }
    return octets;
}

template <typename T>
ByteVector
Encoded(const T& value)
{
    XdrWriter writer;
    EncodeXdr(writer, value);
    return writer.Take();
}

template <typename T>
Decoded<T>
DecodeFrom(ByteSpan octets)
{
    XdrReader reader(octets);
    return DecodeXdr<T>(reader);
}

/// Decodes the whole of \p octets and encodes it to the same; a message that is cut is none.
/// \return what was decoded.
template <typename T>
T
ExpectSoundCodec(const ByteVector& octets)
{
    XdrReader reader(octets);
    const auto decoded = DecodeXdr<T>(reader);
    EXPECT_TRUE(decoded);
    EXPECT_EQ(reader.Remaining(), 0U);
    EXPECT_EQ(Encoded(decoded.value_or(T())), octets);
    for (std::size_t length = 0; length < octets.size(); ++length)
    {
        EXPECT_FALSE(DecodeFrom<T>(ByteSpan(octets).first(length)))
            << "cut to " << length << " of " << octets.size();
    }
    return decoded.value_or(T());
}

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_CODEC_CHECK_H
