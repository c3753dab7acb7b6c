/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_CAPTURED_TERMINATE_H
#define NFSRDMA_HELPER_CAPTURE_CAPTURED_TERMINATE_H

#include "rdmap/terminate-message.h"

namespace ns3::nfsrdma
{

/// How a Terminate's sender has ordered the bits of its control word.
enum class TerminateBitOrder
{
    RFC5040, ///< layer:4 type:4 | code | M D R reserved:13
    SIW      ///< type:4 layer:4 | code | reserved:5 R D M | reserved, as Linux's siw on x86
};

/**
 * \brief A Terminate message as it was sent: what it says, and the order of its bits.
 *
 * Without copies of headers both orders can be read into the same octets. The order that gives a
 * reason with a name is taken, that of RFC 5040 first.
 */
struct CapturedTerminate
{
    TerminateMessage message;
    TerminateBitOrder order{TerminateBitOrder::RFC5040};
    bool ambiguous{false}; ///< The other order gives another reason that has a name.

    /// \return the message; nothing when in neither order Encode() gives back \p payload.
    [[nodiscard]] static std::optional<CapturedTerminate> Decode(ByteSpan payload);
    [[nodiscard]] ByteVector Encode() const;
    /// \return the reason; both when ambiguous.
    [[nodiscard]] std::string ToString() const;

    /// \return the octets that \p order makes of \p message.
    [[nodiscard]] static ByteVector Encode(const TerminateMessage& message,
                                           TerminateBitOrder order);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_CAPTURED_TERMINATE_H
