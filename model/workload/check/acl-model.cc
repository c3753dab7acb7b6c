/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/acl-model.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// \return what GETACL should give of the object; no access list when its mode says it all.
PosixAclPair
ExpectAcls(const ReferenceObject& object, const AclModel::AclMapping& mapping)
{
    PosixAclPair acls{object.acls.access, object.acls.defaultAcl};
    if (!mapping)
    {
        return acls;
    }
    const bool minimal = acls.access.empty();
    if (minimal)
    {
        acls.access = MakeMinimalAcl(0);
    }
    PosixAclPair mapped = mapping(acls, object.type == Ftype3::DIR).value_or(PosixAclPair());
    if (minimal)
    {
        mapped.access.clear();
    }
    return mapped;
}

} // namespace

AclModel::AclModel(ContentState& state)
    : m_state(state)
{
}

bool
AclModel::IsDirectory(const HandleView& object) const
{
    const ReferenceObject* found = m_state.tree.Find(m_state.tree.FindHandle(object));
    return found != nullptr && found->type == Ftype3::DIR;
}

ContentToken
AclModel::BeginSetAcls(const HandleView& object,
                       std::optional<PosixAcl> access,
                       std::optional<PosixAcl> defaultAcl)
{
    Active active;
    active.object = m_state.tree.FindHandle(object);
    active.access = std::move(access);
    active.defaultAcl = std::move(defaultAcl);
    return Begin(std::move(active));
}

ContentToken
AclModel::BeginSetMode(const HandleView& object, uint32_t mode)
{
    Active active;
    active.object = m_state.tree.FindHandle(object);
    active.mode = mode;
    return Begin(std::move(active));
}

ContentToken
AclModel::Begin(Active&& active)
{
    ReferenceObject* object = m_state.tree.Find(active.object);
    if (object == nullptr)
    {
        return NO_CONTENT_TOKEN;
    }
    ++object->acls.version;
    ++object->acls.changing;
    for (auto& [token, other] : m_active)
    {
        if (other.object == active.object)
        {
            other.conflict = true;
            active.conflict = true;
        }
    }
    const ContentToken token = m_state.nextToken++;
    m_active.emplace(token, std::move(active));
    return token;
}

void
AclModel::EndAclChange(ContentToken token, ChangeOutcome outcome)
{
    const auto found = m_active.find(token);
    if (found == m_active.end())
    {
        return;
    }
    const Active active = std::move(found->second);
    m_active.erase(found);
    ReferenceObject* object = m_state.tree.Find(active.object);
    if (object == nullptr)
    {
        return;
    }
    ++object->acls.version;
    --object->acls.changing;
    if (outcome == ChangeOutcome::DONE && !active.conflict)
    {
        Apply(active, *object);
    }
    else if (outcome == ChangeOutcome::UNKNOWN || active.conflict || !active.mode)
    {
        object->acls.certain = false;
    }
}

void
AclModel::Apply(const Active& active, ReferenceObject& object)
{
    ReferenceAcls& acls = object.acls;
    if (active.mode)
    {
        ApplyModeToAcl(*active.mode, acls.access);
        return;
    }
    if (!active.access || !active.defaultAcl)
    {
        m_state.AddMismatch(active.object, 0, "SETACL of what is no list succeeded");
        return;
    }
    uint32_t mode = 0;
    acls.access = ApplyAclToMode(*active.access, mode) ? PosixAcl() : *active.access;
    acls.defaultAcl = object.type == Ftype3::DIR ? *active.defaultAcl : PosixAcl();
    acls.certain = true;
}

uint64_t
AclModel::GetAclVersion(const HandleView& object) const
{
    const ReferenceObject* found = m_state.tree.Find(m_state.tree.FindHandle(object));
    return found == nullptr ? 0 : found->acls.version;
}

bool
AclModel::CheckAcls(const HandleView& object,
                    uint64_t version,
                    const GivenAcl& access,
                    const GivenAcl& defaultAcl,
                    const AclMapping& mapping)
{
    const ReferenceId id = m_state.tree.FindHandle(object);
    const ReferenceObject* found = m_state.tree.Find(id);
    if (found == nullptr || !found->acls.certain || found->acls.changing != 0 ||
        found->acls.version != version)
    {
        return true;
    }
    ++m_state.reads.accessLists;
    const uint64_t mismatches = m_state.reads.mismatches;
    const PosixAclPair expected = ExpectAcls(*found, mapping);
    if (access.given)
    {
        uint32_t mode = 0;
        const bool minimal = access.acl && ApplyAclToMode(*access.acl, mode);
        if (!access.acl || (expected.access.empty() ? !minimal : *access.acl != expected.access))
        {
            m_state.AddMismatch(id, 0, "GETACL gave another access list");
        }
    }
    if (defaultAcl.given && defaultAcl.acl != std::optional<PosixAcl>(expected.defaultAcl))
    {
        m_state.AddMismatch(id, 0, "GETACL gave another default list");
    }
    return m_state.reads.mismatches == mismatches;
}

} // namespace ns3::nfsrdma
