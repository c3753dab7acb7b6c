/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/message-types.h"

namespace ns3::nfsrdma
{

/// The first octet chooses the type of the message that follows; its highest bit, whether the data
/// item is reduced.
void
FuzzOne(ByteSpan input)
{
    CheckChosenReducible<test::Nfs2ResTypes>(input);
}

} // namespace ns3::nfsrdma
