/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_MESSAGE_PRIVATE_DATA_H
#define NFSRDMA_RPCRDMA_MESSAGE_PRIVATE_DATA_H

#include "wire/byte-reader.h"
#include "wire/bytes.h"
#include "wire/decode-error.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief Connection-manager private data of RPC-over-RDMA version 1, RFC 8797 section 4.
 *
 *     | format identifier f6ab0e18 | version 1 | flags (0x01 = R) | send size | receive size |
 *
 * Sizes are coded as octets / 1024 - 1.
 */
struct RpcRdmaPrivateData
{
    static constexpr uint32_t SIZE = 8;
    static constexpr uint32_t FORMAT_IDENTIFIER = 0xf6ab0e18;
    static constexpr uint8_t VERSION = 1;
    static constexpr uint8_t FLAG_REMOTE_INVALIDATION = 0x01;
    static constexpr uint32_t MINIMUM_INLINE = 1024;
    static constexpr uint32_t MAXIMUM_INLINE = 262144;

    bool remoteInvalidation{false};    ///< R: supports remote invalidation.
    uint32_t sendSize{MINIMUM_INLINE}; ///< Octets, a multiple of 1024; rounded down when encoded.
    uint32_t receiveSize{
        MINIMUM_INLINE}; ///< Octets, a multiple of 1024; rounded down when encoded.

    [[nodiscard]] ByteVector Encode() const;

    /// \return nothing where the connection manager carries less than SIZE octets (section 4).
    [[nodiscard]] ByteVector EncodeWithin(std::size_t capacity) const
    {
        return capacity < SIZE ? ByteVector() : Encode();
    }

    /// \return what the peer makes of EncodeWithin(\p capacity): sizes rounded down to multiples
    /// of 1024 octets, or the default when nothing is sent.
    [[nodiscard]] RpcRdmaPrivateData GetAdvertised(std::size_t capacity) const;

    /**
     * \brief Finds and decodes the message at any offset of \p privateData (FindInPrivateData()).
     *
     * TRUNCATED when there is none, or it is cut short; BAD_VERSION when its version is unknown.
     * Either way the peer counts as one that sent nothing: 1024 octets, no remote invalidation
     * (section 5.1). Reserved flags are ignored.
     */
    [[nodiscard]] static Decoded<RpcRdmaPrivateData> Decode(ByteSpan privateData);
    /// Decodes what follows the format identifier.
    [[nodiscard]] static Decoded<RpcRdmaPrivateData> DecodeAt(ByteReader& reader);
};

/// Where private data of RFC 8797 counts: another protocol's may look like it (section 7).
enum class PrivateDataPlace : uint8_t
{
    ANYWHERE, ///< Section 5.2.
    FRONT     ///< As Linux 6.1: svc_rdma_parse_connect_private(), rpcrdma_update_cm_private().
};

/// \return the private data of a peer, or what RFC 8797 assumes of one that sent none.
RpcRdmaPrivateData DecodePrivateDataOrDefault(ByteSpan privateData,
                                              PrivateDataPlace place = PrivateDataPlace::ANYWHERE);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_MESSAGE_PRIVATE_DATA_H
