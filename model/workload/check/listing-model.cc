/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/listing-model.h"

#include <utility>

namespace ns3::nfsrdma
{

ListingModel::ListingModel(ContentState& state)
    : m_state(state)
{
}

ContentToken
ListingModel::BeginPage(uint32_t client, const HandleView& dir, uint64_t cookie)
{
    const ReferenceId id = m_state.tree.FindHandle(dir);
    const ReferenceObject* object = m_state.tree.Find(id);
    if (!m_state.shared || object == nullptr || object->type != Ftype3::DIR)
    {
        return NO_CONTENT_TOKEN;
    }
    Listing listing;
    if (cookie != 0)
    {
        const auto waiting = m_waiting.find({client, id, cookie});
        if (waiting == m_waiting.end())
        {
            return NO_CONTENT_TOKEN;
        }
        listing = std::move(waiting->second);
        m_waiting.erase(waiting);
    }
    else
    {
        listing.dir = id;
        listing.client = client;
        listing.changed = object->uncertainNames;
        for (const auto& [name, count] : object->changingNames)
        {
            listing.changed.insert(name);
        }
        for (const auto& [name, entry] : object->entries)
        {
            if (listing.changed.count(name) == 0)
            {
                listing.steady.insert(name);
            }
        }
    }
    const ContentToken token = m_state.nextToken++;
    m_outstanding.emplace(token, std::move(listing));
    return token;
}

bool
ListingModel::EndPage(ContentToken token,
                      const std::vector<std::string>& names,
                      uint64_t next,
                      bool eof)
{
    const auto found = m_outstanding.find(token);
    if (found == m_outstanding.end())
    {
        return true;
    }
    Listing listing = std::move(found->second);
    m_outstanding.erase(found);
    const uint64_t mismatches = m_state.reads.mismatches;
    const ReferenceObject* object = m_state.tree.Find(listing.dir);
    for (const auto& name : names)
    {
        const bool special = name == "." || name == "..";
        if (special || listing.changed.count(name) != 0)
        {
            continue;
        }
        if (!listing.seen.insert(name).second)
        {
            m_state.AddMismatch(listing.dir, 0, "a listing gave '" + name + "' twice");
        }
        else if (listing.steady.erase(name) == 0 && object != nullptr)
        {
            m_state.AddMismatch(listing.dir,
                                0,
                                "a listing gave '" + name + "', which is not there");
        }
    }
    if (!eof)
    {
        const Place place{listing.client, listing.dir, next};
        m_waiting.insert_or_assign(place, std::move(listing));
    }
    else if (!listing.steady.empty() && object != nullptr)
    {
        m_state.AddMismatch(listing.dir,
                            0,
                            "a listing left out '" + *listing.steady.begin() + "' and " +
                                std::to_string(listing.steady.size() - 1) + " more");
    }
    return m_state.reads.mismatches == mismatches;
}

void
ListingModel::EndPage(ContentToken token)
{
    m_outstanding.erase(token);
}

void
ListingModel::Touch(ReferenceId dir, const std::string& name)
{
    const auto touch = [&](Listing& listing) {
        if (listing.dir == dir)
        {
            listing.changed.insert(name);
            listing.steady.erase(name);
        }
    };
    for (auto& [place, listing] : m_waiting)
    {
        touch(listing);
    }
    for (auto& [token, listing] : m_outstanding)
    {
        touch(listing);
    }
}

} // namespace ns3::nfsrdma
