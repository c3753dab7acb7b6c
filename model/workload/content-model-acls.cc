/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/content-model.h"

namespace ns3::nfsrdma
{

ContentModel::Token
ContentModel::BeginSetAcls(const Setacl3Args& args)
{
    const auto convert = [mask = args.mask](const NfsAcl& acl, uint32_t bit) {
        return (mask & bit) != 0 ? acl.ToPosixAcl() : PosixAcl();
    };
    ActiveAcls active;
    active.object = m_tree.FindHandle(args.object);
    active.access = convert(args.access, NFS_ACL);
    active.defaultAcl = convert(args.defaultAcl, NFS_DFACL);
    return Begin(std::move(active));
}

ContentModel::Token
ContentModel::BeginSetMode(const NfsFh3& object, uint32_t mode)
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
ContentModel::GetAclVersion(const NfsFh3& object) const
{
    const ReferenceObject* found = m_tree.Find(m_tree.FindHandle(object));
    return found == nullptr ? 0 : found->acls.version;
}

bool
ContentModel::CheckAcls(const NfsFh3& object, uint64_t version, const Getacl3Res& result)
{
    const ReferenceId id = m_tree.FindHandle(object);
    const ReferenceObject* found = m_tree.Find(id);
    if (found == nullptr || !found->acls.certain || found->acls.version != version)
    {
        return true;
    }
    ++m_reads.accessLists;
    const uint64_t mismatches = m_reads.mismatches;
    if ((result.mask & NFS_ACL) != 0)
    {
        const auto access = result.access.ToPosixAcl();
        uint32_t mode = 0;
        const bool minimal = access && ApplyAclToMode(*access, mode);
        const PosixAcl& expected = found->acls.access;
        if (!access || (expected.empty() ? !minimal : *access != expected))
        {
            m_reads.AddMismatch(m_tree.GetPath(id), 0, "GETACL gave another access list");
        }
    }
    if ((result.mask & NFS_DFACL) != 0 &&
        result.defaultAcl.ToPosixAcl() != std::optional<PosixAcl>(found->acls.defaultAcl))
    {
        m_reads.AddMismatch(m_tree.GetPath(id), 0, "GETACL gave another default list");
    }
    return m_reads.mismatches == mismatches;
}

} // namespace ns3::nfsrdma
