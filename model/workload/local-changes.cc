/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/local-changes.h"

#include "workload/replay/recorded-compound.h"

#include "ns3/simulator.h"

#include <map>
#include <optional>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(LocalChanges);

namespace
{

/// Directories and names of objects, by the names that a trace gives them.
class ObjectPaths
{
  public:
    ObjectPaths(const Trace& trace, uint32_t client, const Tree* tree)
    {
        if (tree != nullptr)
        {
            for (const auto& row : tree->rows)
            {
                m_places.emplace(row.object, std::make_pair(row.parent, row.name));
            }
        }
        for (const auto& row : trace.rows)
        {
            if (row.client == client && !row.resultObject.empty() && !row.name.empty())
            {
                m_places.emplace(row.resultObject, std::make_pair(row.object, row.name));
            }
        }
    }

    /// \return the path from the root; nothing when a name on it is not known.
    [[nodiscard]] std::optional<std::string> Find(const std::string& object) const
    {
        std::string path;
        std::string at = object;
        for (std::size_t depth = 0; depth <= m_places.size() && at != "root"; ++depth)
        {
            const auto found = m_places.find(at);
            if (found == m_places.end())
            {
                return std::nullopt;
            }
            const auto& [parent, name] = found->second;
            path = path.empty() ? name : std::string(name).append("/").append(path);
            at = parent;
        }
        return at == "root" ? std::optional<std::string>(path) : std::nullopt;
    }

  private:
    std::map<std::string, std::pair<std::string, std::string>> m_places;
};

/// \return the delegation that a call was given.
const OpenDelegation4*
FindGrant(const TraceRow& row)
{
    if (row.compound == nullptr || !row.compound->reply || !row.replyTime)
    {
        return nullptr;
    }
    for (const auto& op : row.compound->reply->ops)
    {
        const auto* open = std::get_if<OpenRes4>(&op);
        if (open != nullptr && open->status == Nfs4Status::OK &&
            (open->delegation.type == OpenDelegationType4::READ ||
             open->delegation.type == OpenDelegationType4::WRITE))
        {
            return &open->delegation;
        }
    }
    return nullptr;
}

const CbRecallArgs4*
FindRecall(const TraceRow& row)
{
    if (row.compound == nullptr || !row.compound->callback)
    {
        return nullptr;
    }
    for (const auto& op : row.compound->callback->ops)
    {
        if (const auto* recall = std::get_if<CbRecallArgs4>(&op))
        {
            return recall;
        }
    }
    return nullptr;
}

/// \return the object that a row which was given a delegation has opened.
const std::string&
GetOpened(const TraceRow& row)
{
    return row.resultObject.empty() ? row.object : row.resultObject;
}

} // namespace

std::vector<LocalChange>
FindLocalChanges(const Trace& trace, uint32_t client, const Tree* tree)
{
    const ObjectPaths paths(trace, client, tree);
    std::vector<LocalChange> changes;
    for (const auto& row : trace.rows)
    {
        const auto* recall = row.client == client ? FindRecall(row) : nullptr;
        const auto path = recall != nullptr ? paths.Find(row.object) : std::nullopt;
        if (!path)
        {
            continue;
        }
        LocalChange change;
        change.path = *path;
        change.grants = 0;
        for (const auto& earlier : trace.rows)
        {
            const auto* grant = earlier.client == client ? FindGrant(earlier) : nullptr;
            if (grant == nullptr || GetOpened(earlier) != row.object)
            {
                continue;
            }
            ++change.grants;
            if (grant->stateid.other == recall->stateid.other && *earlier.replyTime <= row.time)
            {
                change.delay = row.time - *earlier.replyTime;
                changes.push_back(change);
                break;
            }
        }
    }
    return changes;
}

TypeId
LocalChanges::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::LocalChanges")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<LocalChanges>();
    return tid;
}

void
LocalChanges::SetServer(const Ptr<Nfs4Server>& server, const Ptr<FileStore>& store)
{
    m_server = server;
    m_store = store;
    m_server->TraceConnectWithoutContext("Delegated", MakeCallback(&LocalChanges::TakeGrant, this));
}

void
LocalChanges::DoDispose()
{
    if (m_server != nullptr)
    {
        m_server->TraceDisconnectWithoutContext("Delegated",
                                                MakeCallback(&LocalChanges::TakeGrant, this));
    }
    m_server = nullptr;
    m_store = nullptr;
    m_pending.clear();
    Object::DoDispose();
}

void
LocalChanges::TakeGrant(Nfs4ClientId /* client */, InodeNumber file)
{
    for (std::size_t i = 0; i < m_pending.size();)
    {
        Pending& pending = m_pending[i];
        if (m_store->FindPath(pending.root, pending.change.path) != file ||
            --pending.change.grants != 0)
        {
            ++i;
            continue;
        }
        Simulator::Schedule(pending.change.delay,
                            [server = m_server, file] { server->BreakDelegations(file); });
        m_pending.erase(m_pending.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

} // namespace ns3::nfsrdma
