/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FUZZ_XDR_ROUND_TRIP_H
#define NFSRDMA_TEST_FUZZ_XDR_ROUND_TRIP_H

#include "fuzz/fuzz-target.h"
#include "nfs/types/xdr-fields.h"

#include <tuple>
#include <type_traits>
#include <utility>

namespace ns3::nfsrdma
{

/// Whether \p Value is a header with a Decode() of its own, not a list of fields.
template <typename Value, typename = void>
constexpr bool DECODES_ITSELF = false;
template <typename Value>
constexpr bool
    DECODES_ITSELF<Value, std::void_t<decltype(Value::Decode(std::declval<XdrReader&>()))>> = true;

template <typename Value, typename... Options>
Decoded<Value>
DecodeAny(XdrReader& reader, Options... options)
{
    if constexpr (DECODES_ITSELF<Value>)
    {
        return Value::Decode(reader, options...);
    }
    else
    {
        return DecodeXdr<Value>(reader, options...);
    }
}

template <typename Value>
void
EncodeAny(XdrWriter& writer, const Value& value)
{
    if constexpr (DECODES_ITSELF<Value>)
    {
        value.Encode(writer);
    }
    else
    {
        EncodeXdr(writer, value);
    }
}

/**
 * \brief Decodes a \p Value from the whole input and checks that what is encoded from it decodes to
 * the same.
 * \param options what its decoder takes after the reader
 */
template <typename Value, typename... Options>
void
CheckXdrRoundTrip(ByteSpan input, Options... options)
{
    XdrReader reader(input);
    const auto value = DecodeAny<Value>(reader, options...);
    if (!value)
    {
        return;
    }
    FuzzExpect(reader.Ok() && reader.Position() <= input.size());
    XdrWriter writer;
    EncodeAny(writer, *value);
    XdrReader encoded(writer.GetOctets());
    const auto again = DecodeAny<Value>(encoded, options...);
    FuzzExpect(again && encoded.Remaining() == 0);
    XdrWriter rewriter;
    EncodeAny(rewriter, *again);
    FuzzExpect(SameOctets(writer.GetOctets(), rewriter.GetOctets()));
}

/// CheckXdrRoundTrip() of the one of \p Values that stands at \p choice, if there is one.
template <typename... Values, typename... Options>
void
CheckValueAt(std::tuple<Values...>* /* types */,
             std::size_t choice,
             ByteSpan octets,
             Options... options)
{
    std::size_t index = 0;
    (void)((index++ == choice && (CheckXdrRoundTrip<Values>(octets, options...), true)) || ...);
}

/// The first octet of \p input is the place in the tuple \p Types of the one that the rest is
/// decoded as.
template <typename Types>
void
CheckChosen(ByteSpan input)
{
    if (!input.empty())
    {
        CheckValueAt(static_cast<Types*>(nullptr), input[0], input.subspan(1));
    }
}

/// As CheckChosen(); the highest bit of the first octet is whether the data item is reduced.
template <typename Types>
void
CheckChosenReducible(ByteSpan input)
{
    if (!input.empty())
    {
        CheckValueAt(static_cast<Types*>(nullptr),
                     input[0] & 0x7f,
                     input.subspan(1),
                     (input[0] & 0x80) != 0);
    }
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_FUZZ_XDR_ROUND_TRIP_H
