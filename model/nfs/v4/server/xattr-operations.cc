/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/xattr-operations.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

const std::string XATTR_PREFIX = "user.";

/// LISTXATTRS4resok without names: cookie, count, eof.
constexpr uint32_t LISTXATTRS_FRAME = 16;

} // namespace

GetxattrRes4
Nfs4XattrOperations::Run(const GetxattrArgs4& args)
{
    GetxattrRes4 results;
    m_compound.Charge(StorageWork::METADATA);
    if (*m_compound.current == Nfs4Namespace::PSEUDO_ROOT)
    {
        results.status = Nfs4Status::NOXATTR;
        return results;
    }
    const Inode& inode = m_compound.GetCurrent();
    const auto found = inode.xattrs.find(XATTR_PREFIX + args.name);
    if (!MayAccess(inode, m_compound.principal.who, MAY_READ))
    {
        results.status = Nfs4Status::ACCESS;
    }
    else if (found == inode.xattrs.end())
    {
        results.status = Nfs4Status::NOXATTR;
    }
    else
    {
        results.value = found->second;
    }
    return results;
}

SetxattrRes4
Nfs4XattrOperations::Run(const SetxattrArgs4& args)
{
    SetxattrRes4 results;
    results.status =
        m_server.grace.IsActive(m_compound.now) ? Nfs4Status::GRACE : m_compound.CheckNotPseudo();
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    std::optional<bool> mustBe;
    if (args.option != SetXattrOption4::EITHER)
    {
        mustBe = args.option == SetXattrOption4::REPLACE;
    }
    results.changeInfo = m_compound.BeginChange(*m_compound.current);
    const Nfs3Status set = m_server.store->GetAttributes().SetXattr(*m_compound.current,
                                                                    XATTR_PREFIX + args.name,
                                                                    args.value,
                                                                    mustBe,
                                                                    m_compound.principal.who);
    results.status = set == Nfs3Status::NOENT ? Nfs4Status::NOXATTR : ToNfs4Status(set);
    m_compound.EndChange(*m_compound.current, results.changeInfo);
    m_compound.Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE
                                                       : StorageWork::METADATA);
    return results;
}

ListxattrsRes4
Nfs4XattrOperations::Run(const ListxattrsArgs4& args)
{
    ListxattrsRes4 results;
    m_compound.Charge(StorageWork::METADATA);
    if (*m_compound.current == Nfs4Namespace::PSEUDO_ROOT)
    {
        results.eof = true;
        return results;
    }
    const auto& xattrs = m_compound.GetCurrent().xattrs;
    if (args.cookie > xattrs.size())
    {
        results.status = Nfs4Status::BAD_COOKIE;
        return results;
    }
    const uint32_t limit = std::min(args.maxcount, m_compound.reply.GetRoom(0));
    uint32_t used = LISTXATTRS_FRAME;
    auto it = std::next(xattrs.begin(), static_cast<std::ptrdiff_t>(args.cookie));
    for (; it != xattrs.end(); ++it)
    {
        const std::string name = it->first.substr(XATTR_PREFIX.size());
        const uint32_t octets = 4 + RoundUp4(static_cast<uint32_t>(name.size()));
        if (used + octets > limit)
        {
            break;
        }
        used += octets;
        results.names.push_back(name);
    }
    results.eof = it == xattrs.end();
    results.cookie = args.cookie + results.names.size();
    if (results.names.empty() && !results.eof)
    {
        results.status = Nfs4Status::TOOSMALL;
    }
    return results;
}

RemovexattrRes4
Nfs4XattrOperations::Run(const RemovexattrArgs4& args)
{
    RemovexattrRes4 results;
    results.status =
        m_server.grace.IsActive(m_compound.now) ? Nfs4Status::GRACE : m_compound.CheckNotPseudo();
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    results.changeInfo = m_compound.BeginChange(*m_compound.current);
    const Nfs3Status removed =
        m_server.store->GetAttributes().RemoveXattr(*m_compound.current,
                                                    XATTR_PREFIX + args.name,
                                                    m_compound.principal.who);
    results.status = removed == Nfs3Status::NOENT ? Nfs4Status::NOXATTR : ToNfs4Status(removed);
    m_compound.EndChange(*m_compound.current, results.changeInfo);
    m_compound.Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE
                                                       : StorageWork::METADATA);
    return results;
}

} // namespace ns3::nfsrdma
