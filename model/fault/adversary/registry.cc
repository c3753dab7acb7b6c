/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/registry.h"

#include "ns3/object-factory.h"

namespace ns3::nfsrdma
{

const NameTable<AdversaryEntry>&
GetAdversaryRoles()
{
    constexpr auto CLIENT = AdversarySide::CLIENT;
    constexpr auto SERVER = AdversarySide::SERVER;
    static const NameTable<AdversaryEntry> roles{
        // Responders of RPC-over-RDMA, which serve as others do, but for some replies.
        {"reply-overrun", SERVER, true, "ReplyOverrun"},
        {"wrong-xid", SERVER, true, "ReplyWrongXid"},
        {"replayed-reply", SERVER, true, "ReplyReplay"},
        {"stale-invalidation", SERVER, true, "ReplyStaleInvalidation"},
        {"false-credits", SERVER, true, "ReplyFalseCredits"},
        {"reply-read-list", SERVER, true, "ReplyReadList"},
        {"malformed-replies", SERVER, true, "MalformedReplies"},
        {"black-hole", SERVER, true, "ReplyBlackHole"},
        // Requesters of RPC-over-RDMA.
        {"abort-storm", CLIENT, true, "AbortStorm"},
        {"never-done", CLIENT, false, "NeverDone"},
        {"reply-drain", CLIENT, false, "ReplyDrain"},
        {"credit-overrun", CLIENT, false, "CreditOverrun"},
        {"oversize-sends", CLIENT, false, "OversizeSends"},
        {"malformed-calls", CLIENT, false, "MalformedCalls"},
        // At connections and RNICs.
        {"drip-fed-startup", CLIENT, false, "DripFedStartup"},
        {"connection-churn", CLIENT, false, "ConnectionChurn"},
        {"private-data-mimic", CLIENT, false, "PrivateDataMimic"},
        {"malformed-segments", CLIENT, false, "MalformedSegments"},
        {"guessed-stags", CLIENT, false, "StagGuesser"},
    };
    return roles;
}

TypeId
AdversaryEntry::GetType() const
{
    return TypeId::LookupByName(std::string("ns3::nfsrdma::") + type);
}

Ptr<AdversaryRole>
AdversaryEntry::Create() const
{
    ObjectFactory factory;
    factory.SetTypeId(GetType());
    return factory.Create<AdversaryRole>();
}

} // namespace ns3::nfsrdma
