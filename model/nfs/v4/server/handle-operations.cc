/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/handle-operations.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t RPCSEC_GSS_SERVICES = 3;

/// krb5 in its three services and AUTH_SYS, as the pseudo file system has; others AUTH_SYS and
/// AUTH_NONE.
std::vector<SecInfo4>
MakeFlavors(bool pseudo)
{
    std::vector<SecInfo4> flavors;
    for (uint32_t service = 1; pseudo && service <= RPCSEC_GSS_SERVICES; ++service)
    {
        SecInfo4 krb5;
        krb5.flavor = SECINFO4_RPCSEC_GSS;
        krb5.oid = {0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02};
        krb5.service = service;
        flavors.push_back(krb5);
    }
    SecInfo4 sys;
    sys.flavor = SECINFO4_AUTH_SYS;
    flavors.push_back(sys);
    if (!pseudo)
    {
        SecInfo4 none;
        none.flavor = SECINFO4_AUTH_NONE;
        flavors.push_back(none);
    }
    return flavors;
}

} // namespace

PutfhRes4
Nfs4HandleOperations::Run(const PutfhArgs4& args)
{
    PutfhRes4 results;
    const auto found = m_server.names.Resolve(args.object);
    if (!found)
    {
        results.status = found.error();
        m_compound.current.reset();
        return results;
    }
    m_compound.SetCurrent(*found);
    return results;
}

PutrootfhRes4
Nfs4HandleOperations::Run(const PutrootfhArgs4& /* args */)
{
    m_compound.SetCurrent(Nfs4Namespace::PSEUDO_ROOT);
    return {};
}

PutpubfhRes4
Nfs4HandleOperations::Run(const PutpubfhArgs4& /* args */)
{
    m_compound.SetCurrent(Nfs4Namespace::PSEUDO_ROOT);
    return {};
}

GetfhRes4
Nfs4HandleOperations::Run(const GetfhArgs4& /* args */)
{
    GetfhRes4 results;
    results.object = m_server.names.GetHandle(*m_compound.current);
    return results;
}

SavefhRes4
Nfs4HandleOperations::Run(const SavefhArgs4& /* args */)
{
    m_compound.saved = m_compound.current;
    m_compound.savedStateid = m_compound.currentStateid;
    return {};
}

RestorefhRes4
Nfs4HandleOperations::Run(const RestorefhArgs4& /* args */)
{
    RestorefhRes4 results;
    if (!m_compound.saved)
    {
        results.status =
            m_compound.minorVersion == 0 ? Nfs4Status::RESTOREFH : Nfs4Status::NOFILEHANDLE;
        return results;
    }
    m_compound.current = m_compound.saved;
    m_compound.currentStateid = m_compound.savedStateid;
    return results;
}

LookupRes4
Nfs4HandleOperations::Run(const LookupArgs4& args)
{
    LookupRes4 results;
    m_compound.Charge(StorageWork::METADATA);
    const auto found =
        m_server.names.Lookup(*m_compound.current, args.name, m_compound.principal.who);
    if (!found)
    {
        results.status = found.error();
        return results;
    }
    m_compound.SetCurrent(*found);
    return results;
}

LookuppRes4
Nfs4HandleOperations::Run(const LookuppArgs4& /* args */)
{
    LookuppRes4 results;
    m_compound.Charge(StorageWork::METADATA);
    const auto found = m_server.names.LookupParent(*m_compound.current, m_compound.principal.who);
    if (!found)
    {
        results.status = found.error();
        return results;
    }
    m_compound.SetCurrent(*found);
    return results;
}

SecinfoRes4
Nfs4HandleOperations::Run(const SecinfoArgs4& args)
{
    SecinfoRes4 results;
    const auto found =
        m_server.names.Lookup(*m_compound.current, args.name, m_compound.principal.who);
    if (!found)
    {
        results.status = found.error();
        return results;
    }
    results.flavors = MakeFlavors(false);
    if (m_compound.minorVersion > 0)
    {
        m_compound.current.reset();
    }
    return results;
}

SecinfoNoNameRes4
Nfs4HandleOperations::Run(const SecinfoNoNameArgs4& args)
{
    SecinfoNoNameRes4 results;
    InodeNumber number = *m_compound.current;
    if (args.style == SecInfoStyle4::PARENT)
    {
        const auto parent = m_server.names.LookupParent(number, m_compound.principal.who);
        if (!parent)
        {
            results.status = parent.error();
            return results;
        }
        number = *parent;
    }
    results.flavors = MakeFlavors(number == Nfs4Namespace::PSEUDO_ROOT);
    m_compound.current.reset();
    return results;
}

} // namespace ns3::nfsrdma
