/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/compound-processor.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr Nfs4Verifier NO_VERIFIER{};
constexpr uint32_t RPCSEC_GSS_SERVICES = 3;
constexpr uint64_t FIRST_COOKIE = 3;
/// Of READDIR4resok: the verifier, and the words that end the entries.
constexpr uint32_t READDIR_FRAME = 16;
/// Of an entry: the word before it, cookie, and the name's length.
constexpr uint32_t ENTRY_FRAME = 16;
constexpr uint64_t PSEUDO_COOKIE = FIRST_COOKIE;

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

uint32_t
GetEncodedSize(const DirEntry4& entry)
{
    XdrWriter writer;
    Nfs4Encoder encoder(writer);
    encoder(entry);
    return static_cast<uint32_t>(writer.GetSize() + sizeof(uint32_t));
}

} // namespace

PutfhRes4
Nfs4CompoundProcessor::Run(const PutfhArgs4& args)
{
    PutfhRes4 results;
    const auto found = m_state.names.Resolve(args.object);
    if (!found)
    {
        results.status = found.error();
        m_current.reset();
        return results;
    }
    SetCurrent(*found);
    return results;
}

PutrootfhRes4
Nfs4CompoundProcessor::Run(const PutrootfhArgs4& /* args */)
{
    SetCurrent(Nfs4Namespace::PSEUDO_ROOT);
    return {};
}

PutpubfhRes4
Nfs4CompoundProcessor::Run(const PutpubfhArgs4& /* args */)
{
    SetCurrent(Nfs4Namespace::PSEUDO_ROOT);
    return {};
}

GetfhRes4
Nfs4CompoundProcessor::Run(const GetfhArgs4& /* args */)
{
    GetfhRes4 results;
    results.object = m_state.names.GetHandle(*m_current);
    return results;
}

SavefhRes4
Nfs4CompoundProcessor::Run(const SavefhArgs4& /* args */)
{
    m_saved = m_current;
    m_savedStateid = m_currentStateid;
    m_hasSavedStateid = m_hasCurrentStateid;
    return {};
}

RestorefhRes4
Nfs4CompoundProcessor::Run(const RestorefhArgs4& /* args */)
{
    RestorefhRes4 results;
    if (!m_saved)
    {
        results.status = m_minorVersion == 0 ? Nfs4Status::RESTOREFH : Nfs4Status::NOFILEHANDLE;
        return results;
    }
    m_current = m_saved;
    m_currentStateid = m_savedStateid;
    m_hasCurrentStateid = m_hasSavedStateid;
    return results;
}

LookupRes4
Nfs4CompoundProcessor::Run(const LookupArgs4& args)
{
    LookupRes4 results;
    Charge(StorageWork::METADATA);
    const auto found = m_state.names.Lookup(*m_current, args.name, m_principal.who);
    if (!found)
    {
        results.status = found.error();
        return results;
    }
    SetCurrent(*found);
    return results;
}

LookuppRes4
Nfs4CompoundProcessor::Run(const LookuppArgs4& /* args */)
{
    LookuppRes4 results;
    Charge(StorageWork::METADATA);
    const auto found = m_state.names.LookupParent(*m_current, m_principal.who);
    if (!found)
    {
        results.status = found.error();
        return results;
    }
    SetCurrent(*found);
    return results;
}

Nfs4Result<std::string>
Nfs4CompoundProcessor::GetLinkData(const CreateArgs4& args) const
{
    if (args.link.length == 0)
    {
        return tl::unexpected(Nfs4Status::INVAL);
    }
    if (args.link.length >= NFS3_MAXPATHLEN)
    {
        return tl::unexpected(Nfs4Status::NAMETOOLONG);
    }
    ByteVector octets(args.link.length);
    if (const RpcReceivedItem* item = FindReceived(args.link))
    {
        item->owner->GetMemory()->Read(item->address, octets);
    }
    else
    {
        std::copy(args.link.octets.begin(), args.link.octets.end(), octets.begin());
    }
    return std::string(octets.begin(), octets.end());
}

Nfs4Result<InodeNumber>
Nfs4CompoundProcessor::CreateObject(const CreateArgs4& args, const Sattr3& attributes)
{
    FileStore& store = *m_state.store;
    const FileCredential& who = m_principal.who;
    FileResult<InodeNumber> made;
    switch (args.type)
    {
    case Ftype4::LNK: {
        const auto target = GetLinkData(args);
        if (!target)
        {
            return tl::unexpected(target.error());
        }
        made = store.MakeSymlink(*m_current, args.name, *target, attributes, who);
        break;
    }
    case Ftype4::DIR:
        made = store.MakeDirectory(*m_current, args.name, attributes, who);
        break;
    case Ftype4::BLK:
    case Ftype4::CHR:
    case Ftype4::SOCK:
    case Ftype4::FIFO:
        made = store.MakeNode(*m_current,
                              args.name,
                              static_cast<Ftype3>(args.type),
                              {args.device.specdata1, args.device.specdata2},
                              attributes,
                              who);
        break;
    default:
        return tl::unexpected(Nfs4Status::BADTYPE);
    }
    if (!made)
    {
        return tl::unexpected(ToNfs4Status(made.error()));
    }
    return *made;
}

CreateRes4
Nfs4CompoundProcessor::Run(const CreateArgs4& args)
{
    CreateRes4 results;
    const auto attributes = MakeSattr3(args.attributes, m_minorVersion);
    results.status = Nfs4Namespace::CheckName(args.name);
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckDirectory(*m_current);
    }
    if (results.status == Nfs4Status::OK && !attributes)
    {
        results.status = attributes.error();
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckNotPseudo();
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const InodeNumber dir = *m_current;
    results.changeInfo = Begin(dir);
    const auto made = CreateObject(args, *attributes);
    if (!made)
    {
        results.status = made.error();
        return results;
    }
    Charge(StorageWork::METADATA_CHANGE);
    results.attrsSet = args.attributes.GetMask();
    if (args.attributes.acl && ApplyAttributes(*made, args.attributes, Sattr3()) != Nfs4Status::OK)
    {
        results.attrsSet.Clear(static_cast<uint32_t>(Nfs4Attr::ACL));
    }
    results.attrsSet.SetWords(std::max<uint32_t>(1, results.attrsSet.GetWords()));
    End(dir, results.changeInfo);
    SetCurrent(*made);
    return results;
}

RemoveRes4
Nfs4CompoundProcessor::Run(const RemoveArgs4& args)
{
    RemoveRes4 results;
    results.status = Nfs4Namespace::CheckName(args.target);
    if (results.status == Nfs4Status::OK && m_state.grace.IsActive(m_now))
    {
        results.status = Nfs4Status::GRACE;
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckDirectory(*m_current);
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckNotPseudo();
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = BreakNamed(*m_current, args.target);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    results.changeInfo = Begin(*m_current);
    const auto found = GetCurrent().directory->Find(args.target);
    const bool isDirectory = found && m_state.store->Get(*found).directory != nullptr;
    results.status = ToNfs4Status(
        isDirectory ? m_state.store->RemoveDirectory(*m_current, args.target, m_principal.who)
                    : m_state.store->Remove(*m_current, args.target, m_principal.who));
    Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE : StorageWork::METADATA);
    End(*m_current, results.changeInfo);
    return results;
}

RenameRes4
Nfs4CompoundProcessor::Run(const RenameArgs4& args)
{
    RenameRes4 results;
    results.status = m_saved ? Nfs4Namespace::CheckName(args.oldName) : Nfs4Status::NOFILEHANDLE;
    if (results.status == Nfs4Status::OK)
    {
        results.status = Nfs4Namespace::CheckName(args.newName);
    }
    if (results.status == Nfs4Status::OK && m_state.grace.IsActive(m_now))
    {
        results.status = Nfs4Status::GRACE;
    }
    for (const auto& dir : {m_saved, m_current})
    {
        if (results.status == Nfs4Status::OK)
        {
            results.status = CheckDirectory(*dir);
        }
        if (results.status == Nfs4Status::OK && *dir == Nfs4Namespace::PSEUDO_ROOT)
        {
            results.status = Nfs4Status::ROFS;
        }
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = BreakNamed(*m_saved, args.oldName);
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = BreakNamed(*m_current, args.newName);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    results.sourceChangeInfo = Begin(*m_saved);
    results.targetChangeInfo = Begin(*m_current);
    results.status = ToNfs4Status(
        m_state.store->Rename(*m_saved, args.oldName, *m_current, args.newName, m_principal.who));
    Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE : StorageWork::METADATA);
    End(*m_saved, results.sourceChangeInfo);
    End(*m_current, results.targetChangeInfo);
    return results;
}

LinkRes4
Nfs4CompoundProcessor::Run(const LinkArgs4& args)
{
    LinkRes4 results;
    results.status = m_saved ? Nfs4Namespace::CheckName(args.newName) : Nfs4Status::NOFILEHANDLE;
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckDirectory(*m_current);
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status =
            *m_saved == Nfs4Namespace::PSEUDO_ROOT ? Nfs4Status::ISDIR : CheckNotPseudo();
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = BreakDelegations(*m_saved);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    results.changeInfo = Begin(*m_current);
    results.status =
        ToNfs4Status(m_state.store->Link(*m_saved, *m_current, args.newName, m_principal.who));
    Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE : StorageWork::METADATA);
    End(*m_current, results.changeInfo);
    return results;
}

ReaddirRes4
Nfs4CompoundProcessor::Run(const ReaddirArgs4& args)
{
    ReaddirRes4 results;
    results.status = CheckDirectory(*m_current);
    const Nfs4Bitmap writeOnly =
        MakeAttrMask({Nfs4Attr::TIME_ACCESS_SET, Nfs4Attr::TIME_MODIFY_SET});
    if (results.status == Nfs4Status::OK && !(args.attrRequest & writeOnly).IsEmpty())
    {
        results.status = Nfs4Status::INVAL;
    }
    const bool badCookie = (args.cookie > 0 && args.cookie < FIRST_COOKIE) ||
                           (args.cookie == 0 && args.cookieVerifier != NO_VERIFIER);
    if (results.status == Nfs4Status::OK && badCookie)
    {
        results.status = Nfs4Status::BAD_COOKIE;
    }
    if (results.status == Nfs4Status::OK && args.maxcount < READDIR_FRAME)
    {
        results.status = Nfs4Status::TOOSMALL;
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    Charge(StorageWork::METADATA);
    std::vector<std::pair<uint64_t, Directory::Entry>> listing;
    if (*m_current == Nfs4Namespace::PSEUDO_ROOT)
    {
        uint64_t cookie = PSEUDO_COOKIE;
        for (const auto& entry : m_state.names.GetExports())
        {
            if (cookie > args.cookie)
            {
                listing.push_back({cookie, {entry.name, entry.root}});
            }
            ++cookie;
        }
    }
    else
    {
        const auto directory = m_state.store->OpenDirectory(*m_current, m_principal.who);
        if (!directory)
        {
            results.status = ToNfs4Status(directory.error());
            return results;
        }
        const uint64_t after = std::max(args.cookie, FIRST_COOKIE - 1);
        for (auto it = (*directory)->After(after); it != (*directory)->GetEntries().end(); ++it)
        {
            listing.emplace_back(it->first, it->second);
            if (listing.size() * ENTRY_FRAME > args.maxcount)
            {
                break;
            }
        }
    }
    const Nfs4AttributeReader reader = MakeReader();
    const uint32_t room = std::min({args.maxcount - READDIR_FRAME,
                                    static_cast<uint32_t>(m_state.settings.attributes.maxTransfer),
                                    GetRoom() - std::min(GetRoom(), READDIR_FRAME + ONLY_STATUS)});
    uint32_t used = 0;
    uint32_t names = 0;
    results.eof = true;
    for (const auto& [cookie, listed] : listing)
    {
        DirEntry4 entry;
        entry.cookie = cookie;
        entry.name = listed.name;
        entry.attributes = reader.Read(listed.inode, args.attrRequest);
        const uint32_t octets = GetEncodedSize(entry);
        const uint32_t name = 12 + RoundUp4(static_cast<uint32_t>(listed.name.size()));
        const bool pastHint =
            args.dircount != 0 && names + name > args.dircount && !results.entries.empty();
        if (used + octets > room || pastHint)
        {
            results.eof = false;
            break;
        }
        used += octets;
        names += name;
        results.entries.push_back(std::move(entry));
    }
    if (results.entries.empty() && !results.eof)
    {
        results.status = Nfs4Status::TOOSMALL;
    }
    return results;
}

SecinfoRes4
Nfs4CompoundProcessor::Run(const SecinfoArgs4& args)
{
    SecinfoRes4 results;
    const auto found = m_state.names.Lookup(*m_current, args.name, m_principal.who);
    if (!found)
    {
        results.status = found.error();
        return results;
    }
    results.flavors = MakeFlavors(false);
    if (m_minorVersion > 0)
    {
        m_current.reset();
    }
    return results;
}

SecinfoNoNameRes4
Nfs4CompoundProcessor::Run(const SecinfoNoNameArgs4& args)
{
    SecinfoNoNameRes4 results;
    InodeNumber number = *m_current;
    if (args.style == SecInfoStyle4::PARENT)
    {
        const auto parent = m_state.names.LookupParent(number, m_principal.who);
        if (!parent)
        {
            results.status = parent.error();
            return results;
        }
        number = *parent;
    }
    results.flavors = MakeFlavors(number == Nfs4Namespace::PSEUDO_ROOT);
    m_current.reset();
    return results;
}

} // namespace ns3::nfsrdma
