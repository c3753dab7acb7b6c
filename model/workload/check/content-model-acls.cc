/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-model.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// \return what GETACL should give of the object; no access list when its mode says it all.
PosixAclPair
ExpectAcls(const ReferenceObject& object, const ContentModel::AclMapping& mapping)
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

bool
ContentModel::IsDirectory(const HandleView& object) const
{
    const ReferenceObject* found = m_tree.Find(m_tree.FindHandle(object));
    return found != nullptr && found->type == Ftype3::DIR;
}

ContentModel::Token
ContentModel::BeginSetAcls(const HandleView& object,
                           std::optional<PosixAcl> access,
                           std::optional<PosixAcl> defaultAcl)
{
    ActiveAcls active;
    active.object = m_tree.FindHandle(object);
    active.access = std::move(access);
    active.defaultAcl = std::move(defaultAcl);
    return Begin(std::move(active));
}

ContentModel::Token
ContentModel::BeginSetMode(const HandleView& object, uint32_t mode)
{
    ActiveAcls active;
    active.object = m_tree.FindHandle(object);
    active.mode = mode;
    return Begin(std::move(active));
}

ContentModel::Token
ContentModel::Begin(ActiveAcls&& active)
{
    ReferenceObject* object = m_tree.Find(active.object);
    if (object == nullptr)
    {
        return NONE;
    }
    ++object->acls.version;
    ++object->acls.changing;
    for (auto& [token, other] : m_activeAcls)
    {
        if (other.object == active.object)
        {
            other.conflict = true;
            active.conflict = true;
        }
    }
    const Token token = m_nextToken++;
    m_activeAcls.emplace(token, std::move(active));
    return token;
}

void
ContentModel::EndAclChange(Token token, ChangeOutcome outcome)
{
    const auto found = m_activeAcls.find(token);
    if (found == m_activeAcls.end())
    {
        return;
    }
    const ActiveAcls active = std::move(found->second);
    m_activeAcls.erase(found);
    ReferenceObject* object = m_tree.Find(active.object);
    if (object == nullptr)
    {
        return;
    }
    ++object->acls.version;
    --object->acls.changing;
    if (outcome == ChangeOutcome::DONE && !active.conflict)
    {
        ApplyAclChange(active, *object);
    }
    else if (outcome == ChangeOutcome::UNKNOWN || active.conflict || !active.mode)
    {
        object->acls.certain = false;
    }
}

void
ContentModel::ApplyAclChange(const ActiveAcls& active, ReferenceObject& object)
{
    ReferenceAcls& acls = object.acls;
    if (active.mode)
    {
        ApplyModeToAcl(*active.mode, acls.access);
        return;
    }
    if (!active.access || !active.defaultAcl)
    {
        m_reads.AddMismatch(m_tree.GetPath(active.object),
                            0,
                            "SETACL of what is no list succeeded");
        return;
    }
    uint32_t mode = 0;
    acls.access = ApplyAclToMode(*active.access, mode) ? PosixAcl() : *active.access;
    acls.defaultAcl = object.type == Ftype3::DIR ? *active.defaultAcl : PosixAcl();
    acls.certain = true;
}

uint64_t
ContentModel::GetAclVersion(const HandleView& object) const
{
    const ReferenceObject* found = m_tree.Find(m_tree.FindHandle(object));
    return found == nullptr ? 0 : found->acls.version;
}

bool
ContentModel::CheckAcls(const HandleView& object,
                        uint64_t version,
                        const GivenAcl& access,
                        const GivenAcl& defaultAcl,
                        const AclMapping& mapping)
{
    const ReferenceId id = m_tree.FindHandle(object);
    const ReferenceObject* found = m_tree.Find(id);
    if (found == nullptr || !found->acls.certain || found->acls.changing != 0 ||
        found->acls.version != version)
    {
        return true;
    }
    ++m_reads.accessLists;
    const uint64_t mismatches = m_reads.mismatches;
    const PosixAclPair expected = ExpectAcls(*found, mapping);
    if (access.given)
    {
        uint32_t mode = 0;
        const bool minimal = access.acl && ApplyAclToMode(*access.acl, mode);
        if (!access.acl || (expected.access.empty() ? !minimal : *access.acl != expected.access))
        {
            m_reads.AddMismatch(m_tree.GetPath(id), 0, "GETACL gave another access list");
        }
    }
    if (defaultAcl.given && defaultAcl.acl != std::optional<PosixAcl>(expected.defaultAcl))
    {
        m_reads.AddMismatch(m_tree.GetPath(id), 0, "GETACL gave another default list");
    }
    return m_reads.mismatches == mismatches;
}

} // namespace ns3::nfsrdma
