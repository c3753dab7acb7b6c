/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/attribute-operations.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t ACCESS_NFS3 = ACCESS4_READ | ACCESS4_LOOKUP | ACCESS4_MODIFY | ACCESS4_EXTEND |
                                 ACCESS4_DELETE | ACCESS4_EXECUTE;
constexpr uint32_t ACCESS_XATTRS = ACCESS4_XAREAD | ACCESS4_XAWRITE | ACCESS4_XALIST;
constexpr uint32_t ACCESS_DIRECTORY = ACCESS4_READ | ACCESS4_LOOKUP | ACCESS4_MODIFY |
                                      ACCESS4_EXTEND | ACCESS4_DELETE | ACCESS_XATTRS;
constexpr uint32_t ACCESS_FILE =
    ACCESS4_READ | ACCESS4_EXECUTE | ACCESS4_MODIFY | ACCESS4_EXTEND | ACCESS_XATTRS;
constexpr uint32_t ACCESS_OTHER = ACCESS4_READ | ACCESS4_EXECUTE | ACCESS4_MODIFY | ACCESS4_EXTEND;

} // namespace

AccessRes4
Nfs4AttributeOperations::Run(const AccessArgs4& args)
{
    AccessRes4 results;
    const uint32_t known = ACCESS_NFS3 | (m_compound.minorVersion < 2 ? 0 : ACCESS_XATTRS);
    if ((args.access & ~known) != 0)
    {
        results.status = Nfs4Status::INVAL;
        return results;
    }
    m_compound.Charge(StorageWork::METADATA);
    if (*m_compound.current == Nfs4Namespace::PSEUDO_ROOT)
    {
        results.supported = args.access & ACCESS_DIRECTORY;
        results.access =
            args.access & (ACCESS4_READ | ACCESS4_LOOKUP | ACCESS4_XAREAD | ACCESS4_XALIST);
        return results;
    }
    const Inode& inode = m_compound.GetCurrent();
    switch (inode.attributes.type)
    {
    case Ftype3::DIR:
        results.supported = args.access & ACCESS_DIRECTORY;
        break;
    case Ftype3::REG:
        results.supported = args.access & ACCESS_FILE;
        break;
    default:
        results.supported = args.access & ACCESS_OTHER;
    }
    const FileCredential& who = m_compound.principal.who;
    results.access = m_server.store->GetAttributes().CheckAccess(*m_compound.current,
                                                                 results.supported & ACCESS_NFS3,
                                                                 who);
    if (MayAccess(inode, who, MAY_READ))
    {
        results.access |= results.supported & (ACCESS4_XAREAD | ACCESS4_XALIST);
    }
    if (MayAccess(inode, who, MAY_WRITE))
    {
        results.access |= results.supported & ACCESS4_XAWRITE;
    }
    return results;
}

GetattrRes4
Nfs4AttributeOperations::Run(const GetattrArgs4& args)
{
    GetattrRes4 results;
    const Nfs4Bitmap writeOnly =
        MakeAttrMask({Nfs4Attr::TIME_ACCESS_SET, Nfs4Attr::TIME_MODIFY_SET});
    if (!(args.attrRequest & writeOnly).IsEmpty())
    {
        results.status = Nfs4Status::INVAL;
        return results;
    }
    m_compound.Charge(StorageWork::METADATA);
    results.attributes = m_compound.MakeReader().Read(*m_compound.current, args.attrRequest);
    results.attributes.minimumWords = 1;
    return results;
}

SetattrRes4
Nfs4AttributeOperations::Run(const SetattrArgs4& args)
{
    SetattrRes4 results;
    const auto changes = MakeSattr3(args.attributes, m_compound.minorVersion);
    results.status = m_compound.CheckNotPseudo();
    if (results.status == Nfs4Status::OK && args.attributes.size)
    {
        results.status = m_compound.CheckRegular(*m_compound.current);
        if (results.status == Nfs4Status::OK)
        {
            results.status = m_finder.CheckIo(*m_compound.current, args.stateid, true);
        }
    }
    if (results.status == Nfs4Status::OK && !changes)
    {
        results.status = changes.error();
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.BreakDelegations(*m_compound.current, true);
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.ApplyAttributes(*m_compound.current, args.attributes, *changes);
    }
    m_compound.Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE
                                                       : StorageWork::METADATA);
    if (results.status == Nfs4Status::OK)
    {
        results.attrsSet = args.attributes.GetMask();
    }
    return results;
}

Nfs4Status
Nfs4AttributeOperations::Compare(const Nfs4Attributes& attributes) const
{
    const Nfs4Bitmap mask = attributes.GetMask();
    if ((mask & GetSupportedNfs4Attributes(m_compound.minorVersion)) != mask)
    {
        return Nfs4Status::ATTRNOTSUPP;
    }
    const Nfs4Bitmap unfit = MakeAttrMask(
        {Nfs4Attr::RDATTR_ERROR, Nfs4Attr::TIME_ACCESS_SET, Nfs4Attr::TIME_MODIFY_SET});
    if (!(mask & unfit).IsEmpty())
    {
        return Nfs4Status::INVAL;
    }
    XdrWriter given;
    XdrWriter present;
    attributes.Encode(given);
    m_compound.MakeReader().Read(*m_compound.current, mask).Encode(present);
    return given.GetOctets() == present.GetOctets() ? Nfs4Status::SAME : Nfs4Status::NOT_SAME;
}

VerifyRes4
Nfs4AttributeOperations::Run(const VerifyArgs4& args)
{
    VerifyRes4 results;
    const Nfs4Status status = Compare(args.attributes);
    results.status = status == Nfs4Status::SAME ? Nfs4Status::OK : status;
    return results;
}

NverifyRes4
Nfs4AttributeOperations::Run(const NverifyArgs4& args)
{
    NverifyRes4 results;
    const Nfs4Status status = Compare(args.attributes);
    results.status = status == Nfs4Status::NOT_SAME ? Nfs4Status::OK : status;
    return results;
}

} // namespace ns3::nfsrdma
