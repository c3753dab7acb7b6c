/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/nfs3-generator.h"

namespace ns3::nfsrdma
{

namespace
{

template <typename... Args>
void
CheckArgs(ByteSpan input, const std::tuple<Args...>& /* types */)
{
    CheckChosenReducible<Args...>(input);
}

} // namespace

/// The first octet chooses the procedure by its number, whose arguments follow; its highest
/// bit, whether the data item is reduced.
void
FuzzOne(ByteSpan input)
{
    CheckArgs(input, test::AllArgs());
}

} // namespace ns3::nfsrdma
