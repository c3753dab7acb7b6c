/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/mount/nlm-messages.h"

namespace ns3::nfsrdma
{

/// The first octet chooses the type of the message that follows.
void
FuzzOne(ByteSpan input)
{
    CheckChosen<NlmLockArgs,
                NlmTestArgs,
                NlmTestRes,
                NlmRes,
                NlmCancelArgs,
                NlmUnlockArgs,
                NlmShareArgs,
                NlmShareRes,
                NlmNotify>(input);
}

} // namespace ns3::nfsrdma
