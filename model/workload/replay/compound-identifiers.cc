/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/compound-identifiers.h"

#include <type_traits>

namespace ns3::nfsrdma
{
namespace
{

template <typename T>
void
Replace(const std::map<T, T>& known, T& value)
{
    const auto it = known.find(value);
    if (it != known.end())
    {
        value = it->second;
    }
}

} // namespace

/// Visits the fields of arguments and replaces those that are identifiers.
class CompoundIdentifiers::Substitution : public XdrVisitor<Substitution>
{
  public:
    static constexpr bool READS = false;

    explicit Substitution(const CompoundIdentifiers& identifiers)
        : m_identifiers(identifiers)
    {
    }

    template <typename T>
    void Bounded(T& item, uint32_t /* limit */)
    {
        Item(item);
    }

    void Data(Nfs3Data& /* data */)
    {
    }

    template <typename T>
    void List(std::vector<T>& items)
    {
        Item(items);
    }

  private:
    friend class XdrVisitor<Substitution>;

    void Item(Nfs4Fh& handle)
    {
        Replace(m_identifiers.m_handles, handle);
    }

    void Item(Nfs4StateId& stateid)
    {
        Replace(m_identifiers.m_states, stateid.other);
    }

    void Item(Nfs4StateOwner& owner)
    {
        Replace(m_identifiers.m_clients, owner.clientId);
    }

    void Item(Nfs4Attributes& /* attributes */)
    {
    }

    void Item(Nfs4Bitmap& /* mask */)
    {
    }

    void Item(std::string& /* text */)
    {
    }

    template <typename T>
    void Item(std::optional<T>& item)
    {
        if (item)
        {
            Item(*item);
        }
    }

    template <typename T>
    void Item(std::vector<T>& items)
    {
        if constexpr (std::is_class_v<T>)
        {
            for (T& item : items)
            {
                Item(item);
            }
        }
    }

    template <std::size_t N>
    void Item(std::array<uint8_t, N>& /* octets */)
    {
    }

    template <typename T>
    std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>> Item(T& /* value */)
    {
    }

    template <typename T>
    std::enable_if_t<std::is_class_v<T>> Item(T& item)
    {
        VisitXdrFields(item, *this);
    }

    const CompoundIdentifiers& m_identifiers;
};

void
CompoundIdentifiers::Apply(Compound4Args& args) const
{
    Substitution substitution(*this);
    for (Nfs4ArgOp& op : args.ops)
    {
        std::visit([&substitution](auto& operation) { substitution(operation); }, op);
        if (auto* sequence = std::get_if<SequenceArgs4>(&op))
        {
            Replace(m_sessions, sequence->sessionId);
        }
        else if (auto* destroy = std::get_if<DestroySessionArgs4>(&op))
        {
            Replace(m_sessions, destroy->sessionId);
        }
        else if (auto* bind = std::get_if<BindConnToSessionArgs4>(&op))
        {
            Replace(m_sessions, bind->sessionId);
        }
        else if (auto* create = std::get_if<CreateSessionArgs4>(&op))
        {
            Replace(m_clients, create->clientId);
            create->sequence = m_sessionSequence.value_or(create->sequence);
        }
        else if (auto* client = std::get_if<DestroyClientidArgs4>(&op))
        {
            Replace(m_clients, client->clientId);
        }
        else if (auto* renew = std::get_if<RenewArgs4>(&op))
        {
            Replace(m_clients, renew->clientId);
        }
        else if (auto* confirm = std::get_if<SetclientidConfirmArgs4>(&op))
        {
            Replace(m_clients, confirm->clientId);
            Replace(m_verifiers, confirm->confirm);
        }
        else if (auto* readdir = std::get_if<ReaddirArgs4>(&op))
        {
            Replace(m_cookies, readdir->cookie);
            Replace(m_verifiers, readdir->cookieVerifier);
        }
    }
}

void
CompoundIdentifiers::Learn(const Compound4Res& recorded, const Compound4Res& own)
{
    for (std::size_t i = 0; i < std::min(recorded.ops.size(), own.ops.size()); ++i)
    {
        if (recorded.ops[i].index() == own.ops[i].index() &&
            GetStatus(recorded.ops[i]) == Nfs4Status::OK && GetStatus(own.ops[i]) == Nfs4Status::OK)
        {
            LearnOp(recorded.ops[i], own.ops[i]);
        }
    }
}

void
CompoundIdentifiers::LearnOp(const Nfs4ResOp& recorded, const Nfs4ResOp& own)
{
    if (const auto* handle = std::get_if<GetfhRes4>(&recorded))
    {
        m_handles[handle->object] = std::get<GetfhRes4>(own).object;
    }
    else if (const auto* open = std::get_if<OpenRes4>(&recorded))
    {
        const auto& mine = std::get<OpenRes4>(own);
        m_states[open->stateid.other] = mine.stateid.other;
        if (open->delegation.type == mine.delegation.type)
        {
            m_states[open->delegation.stateid.other] = mine.delegation.stateid.other;
        }
    }
    else if (const auto* lock = std::get_if<LockRes4>(&recorded))
    {
        m_states[lock->lockStateid.other] = std::get<LockRes4>(own).lockStateid.other;
    }
    else if (const auto* readdir = std::get_if<ReaddirRes4>(&recorded))
    {
        LearnEntries(*readdir, std::get<ReaddirRes4>(own));
    }
    else if (const auto* exchange = std::get_if<ExchangeIdRes4>(&recorded))
    {
        const auto& mine = std::get<ExchangeIdRes4>(own);
        m_clients[exchange->clientId] = mine.clientId;
        m_sessionSequence = mine.sequenceId;
    }
    else if (const auto* session = std::get_if<CreateSessionRes4>(&recorded))
    {
        m_sessions[session->sessionId] = std::get<CreateSessionRes4>(own).sessionId;
        m_sessionSequence = std::get<CreateSessionRes4>(own).sequence + 1;
    }
    else if (const auto* client = std::get_if<SetclientidRes4>(&recorded))
    {
        const auto& mine = std::get<SetclientidRes4>(own);
        m_clients[client->clientId] = mine.clientId;
        m_verifiers[client->confirm] = mine.confirm;
    }
}

void
CompoundIdentifiers::LearnEntries(const ReaddirRes4& recorded, const ReaddirRes4& own)
{
    std::map<std::string, const DirEntry4*> byName;
    for (const DirEntry4& entry : own.entries)
    {
        byName[entry.name] = &entry;
    }
    for (const DirEntry4& entry : recorded.entries)
    {
        const auto it = byName.find(entry.name);
        if (it != byName.end() && entry.attributes.filehandle && it->second->attributes.filehandle)
        {
            m_handles[*entry.attributes.filehandle] = *it->second->attributes.filehandle;
        }
    }
    if (!recorded.entries.empty() && !own.entries.empty())
    {
        m_cookies[recorded.entries.back().cookie] = own.entries.back().cookie;
        m_verifiers[recorded.cookieVerifier] = own.cookieVerifier;
    }
}

std::optional<Nfs4Fh>
CompoundIdentifiers::FindHandle(const Nfs4Fh& recorded) const
{
    const auto it = m_handles.find(recorded);
    return it != m_handles.end() ? std::optional<Nfs4Fh>(it->second) : std::nullopt;
}

} // namespace ns3::nfsrdma
