/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/captured-terminate.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t REASON_OCTET = 0;
constexpr std::size_t TERMINATE_FLAGS_OCTET = 2;
constexpr std::size_t CONTROL_SIZE = 4;

constexpr std::pair<uint8_t, uint8_t> FLAG_PLACES[]{{0x80, 0x01}, {0x40, 0x02}, {0x20, 0x04}};

uint8_t
SwapHalves(uint8_t octet)
{
    return static_cast<uint8_t>(octet << 4 | octet >> 4);
}

/// Turns one order into the other; bits that have no place there are lost.
ByteVector
Reorder(ByteVector octets, TerminateBitOrder to)
{
    if (octets.size() >= CONTROL_SIZE)
    {
        octets[REASON_OCTET] = SwapHalves(octets[REASON_OCTET]);
        uint8_t flags = 0;
        for (const auto& [rfc, siw] : FLAG_PLACES)
        {
            const uint8_t from = to == TerminateBitOrder::SIW ? rfc : siw;
            flags |= (octets[TERMINATE_FLAGS_OCTET] & from) == 0 ? 0
                     : to == TerminateBitOrder::SIW              ? siw
                                                                 : rfc;
        }
        octets[TERMINATE_FLAGS_OCTET] = flags;
    }
    return octets;
}

std::optional<TerminateMessage>
DecodeAs(ByteSpan payload, TerminateBitOrder order)
{
    ByteVector octets(payload.begin(), payload.end());
    if (order == TerminateBitOrder::SIW)
    {
        octets = Reorder(octets, TerminateBitOrder::RFC5040);
    }
    const auto message = TerminateMessage::Decode(octets);
    if (!message ||
        CapturedTerminate::Encode(*message, order) != ByteVector(payload.begin(), payload.end()))
    {
        return std::nullopt;
    }
    return *message;
}

bool
HasName(const TerminateMessage& message)
{
    const std::string text = message.reason.ToString();
    return text.substr(text.find(' ') + 1) != "unknown";
}

TerminateBitOrder
Other(TerminateBitOrder order)
{
    return order == TerminateBitOrder::SIW ? TerminateBitOrder::RFC5040 : TerminateBitOrder::SIW;
}

} // namespace

std::optional<CapturedTerminate>
CapturedTerminate::Decode(ByteSpan payload)
{
    const auto rfc = DecodeAs(payload, TerminateBitOrder::RFC5040);
    const auto siw = DecodeAs(payload, TerminateBitOrder::SIW);
    if (!rfc && !siw)
    {
        return std::nullopt;
    }
    const bool siwOnly = siw && (!rfc || (!HasName(*rfc) && HasName(*siw)));
    CapturedTerminate captured;
    captured.order = siwOnly ? TerminateBitOrder::SIW : TerminateBitOrder::RFC5040;
    captured.message = siwOnly ? *siw : *rfc;
    captured.ambiguous =
        rfc && siw && HasName(*rfc) && HasName(*siw) && !(rfc->reason == siw->reason);
    return captured;
}

ByteVector
CapturedTerminate::Encode() const
{
    return Encode(message, order);
}

ByteVector
CapturedTerminate::Encode(const TerminateMessage& message, TerminateBitOrder order)
{
    ByteVector octets(message.EncodedSize());
    ByteWriter writer(octets);
    message.Encode(writer);
    return order == TerminateBitOrder::SIW ? Reorder(std::move(octets), order) : octets;
}

std::string
CapturedTerminate::ToString() const
{
    std::string text = message.reason.ToString();
    if (ambiguous)
    {
        const auto other = DecodeAs(Encode(), Other(order));
        text += " (or, in siw's bit order, " + (other ? other->reason.ToString() : text) + ")";
    }
    return text;
}

} // namespace ns3::nfsrdma
