/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/registry.h"

#include "fault/adversary/abort-storm.h"
#include "fault/adversary/connection-churn.h"
#include "fault/adversary/credit-overrun.h"
#include "fault/adversary/drip-fed-startup.h"
#include "fault/adversary/malformed-calls.h"
#include "fault/adversary/malformed-replies.h"
#include "fault/adversary/malformed-segments.h"
#include "fault/adversary/never-done.h"
#include "fault/adversary/oversize-sends.h"
#include "fault/adversary/private-data-mimic.h"
#include "fault/adversary/reply-black-hole.h"
#include "fault/adversary/reply-false-credits.h"
#include "fault/adversary/reply-overrun.h"
#include "fault/adversary/reply-read-list.h"
#include "fault/adversary/reply-replay.h"
#include "fault/adversary/reply-stale-invalidation.h"
#include "fault/adversary/reply-wrong-xid.h"
#include "fault/adversary/stag-guesser.h"

#include "ns3/object-factory.h"

#include <algorithm>

namespace ns3::nfsrdma
{

const std::vector<AdversaryEntry>&
AdversaryRegistry::GetEntries()
{
    constexpr auto CLIENT = AdversarySide::CLIENT;
    constexpr auto SERVER = AdversarySide::SERVER;
    static const std::vector<AdversaryEntry> ENTRIES{
        // Responders of RPC-over-RDMA, which serve as others do, but for some replies.
        {"reply-overrun", SERVER, true, &ReplyOverrun::GetTypeId},
        {"wrong-xid", SERVER, true, &ReplyWrongXid::GetTypeId},
        {"replayed-reply", SERVER, true, &ReplyReplay::GetTypeId},
        {"stale-invalidation", SERVER, true, &ReplyStaleInvalidation::GetTypeId},
        {"false-credits", SERVER, true, &ReplyFalseCredits::GetTypeId},
        {"reply-read-list", SERVER, true, &ReplyReadList::GetTypeId},
        {"malformed-replies", SERVER, true, &MalformedReplies::GetTypeId},
        {"black-hole", SERVER, true, &ReplyBlackHole::GetTypeId},
        // Requesters of RPC-over-RDMA.
        {"abort-storm", CLIENT, true, &AbortStorm::GetTypeId},
        {"never-done", CLIENT, false, &NeverDone::GetTypeId},
        {"reply-drain", CLIENT, false, &ReplyDrain::GetTypeId},
        {"credit-overrun", CLIENT, false, &CreditOverrun::GetTypeId},
        {"oversize-sends", CLIENT, false, &OversizeSends::GetTypeId},
        {"malformed-calls", CLIENT, false, &MalformedCalls::GetTypeId},
        // At connections and RNICs.
        {"drip-fed-startup", CLIENT, false, &DripFedStartup::GetTypeId},
        {"connection-churn", CLIENT, false, &ConnectionChurn::GetTypeId},
        {"private-data-mimic", CLIENT, false, &PrivateDataMimic::GetTypeId},
        {"malformed-segments", CLIENT, false, &MalformedSegments::GetTypeId},
        {"guessed-stags", CLIENT, false, &StagGuesser::GetTypeId},
    };
    return ENTRIES;
}

std::vector<std::string>
AdversaryRegistry::GetNames()
{
    std::vector<std::string> names;
    for (const auto& entry : GetEntries())
    {
        names.emplace_back(entry.name);
    }
    return names;
}

std::vector<std::string>
AdversaryRegistry::GetNames(AdversarySide side)
{
    std::vector<std::string> names;
    for (const auto& entry : GetEntries())
    {
        if (entry.side == side)
        {
            names.emplace_back(entry.name);
        }
    }
    return names;
}

const AdversaryEntry*
AdversaryRegistry::Find(const std::string& name)
{
    const auto& entries = GetEntries();
    const auto found = std::find_if(entries.begin(), entries.end(), [&name](const auto& entry) {
        return entry.name == name;
    });
    return found == entries.end() ? nullptr : &*found;
}

Ptr<AdversaryRole>
AdversaryRegistry::Create(const std::string& name)
{
    const auto* entry = Find(name);
    if (entry == nullptr)
    {
        return nullptr;
    }
    ObjectFactory factory;
    factory.SetTypeId(entry->getTypeId());
    return factory.Create<AdversaryRole>();
}

} // namespace ns3::nfsrdma
