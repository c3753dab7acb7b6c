/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/name-operations.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr Nfs4Verifier NO_VERIFIER{};
constexpr uint64_t FIRST_COOKIE = 3;
/// Of READDIR4resok: the verifier, and the words that end the entries.
constexpr uint32_t READDIR_FRAME = 16;
constexpr uint32_t NUMBER_AND_STATUS = 8;
/// Of an entry: the word before it, cookie, and the name's length.
constexpr uint32_t ENTRY_FRAME = 16;
constexpr uint64_t PSEUDO_COOKIE = FIRST_COOKIE;

uint32_t
GetEncodedSize(const DirEntry4& entry)
{
    XdrWriter writer;
    Nfs4Encoder encoder(writer);
    encoder(entry);
    return static_cast<uint32_t>(writer.GetSize() + sizeof(uint32_t));
}

} // namespace

Nfs4Result<std::string>
Nfs4NameOperations::GetLinkData(const CreateArgs4& args) const
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
    if (const RpcReceivedItem* item = m_compound.FindReceived(args.link))
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
Nfs4NameOperations::CreateObject(const CreateArgs4& args, const Sattr3& attributes)
{
    FileStore& store = *m_server.store;
    const FileCredential& who = m_compound.principal.who;
    FileResult<InodeNumber> made;
    switch (args.type)
    {
    case Ftype4::LNK: {
        const auto target = GetLinkData(args);
        if (!target)
        {
            return tl::unexpected(target.error());
        }
        made =
            store.GetNames().MakeSymlink(*m_compound.current, args.name, *target, attributes, who);
        break;
    }
    case Ftype4::DIR:
        made = store.GetNames().MakeDirectory(*m_compound.current, args.name, attributes, who);
        break;
    case Ftype4::BLK:
    case Ftype4::CHR:
    case Ftype4::SOCK:
    case Ftype4::FIFO:
        made = store.GetNames().MakeNode(*m_compound.current,
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
Nfs4NameOperations::Run(const CreateArgs4& args)
{
    CreateRes4 results;
    const auto attributes = MakeSattr3(args.attributes, m_compound.minorVersion);
    results.status = Nfs4Namespace::CheckName(args.name);
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.CheckDirectory(*m_compound.current);
    }
    if (results.status == Nfs4Status::OK && !attributes)
    {
        results.status = attributes.error();
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.CheckNotPseudo();
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const InodeNumber dir = *m_compound.current;
    results.changeInfo = m_compound.BeginChange(dir);
    const auto made = CreateObject(args, *attributes);
    if (!made)
    {
        results.status = made.error();
        return results;
    }
    m_compound.Charge(StorageWork::METADATA_CHANGE);
    results.attrsSet = args.attributes.GetMask();
    if (args.attributes.acl &&
        m_compound.ApplyAttributes(*made, args.attributes, Sattr3()) != Nfs4Status::OK)
    {
        results.attrsSet.Clear(static_cast<uint32_t>(Nfs4Attr::ACL));
    }
    results.attrsSet.SetWords(std::max<uint32_t>(1, results.attrsSet.GetWords()));
    m_compound.EndChange(dir, results.changeInfo);
    m_compound.SetCurrent(*made);
    return results;
}

RemoveRes4
Nfs4NameOperations::Run(const RemoveArgs4& args)
{
    RemoveRes4 results;
    results.status = Nfs4Namespace::CheckName(args.target);
    if (results.status == Nfs4Status::OK && m_server.grace.IsActive(m_compound.now))
    {
        results.status = Nfs4Status::GRACE;
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.CheckDirectory(*m_compound.current);
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.CheckNotPseudo();
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.BreakNamed(*m_compound.current, args.target);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    results.changeInfo = m_compound.BeginChange(*m_compound.current);
    const auto found = m_compound.GetCurrent().directory->Find(args.target);
    const bool isDirectory = found && m_server.store->Get(*found).directory != nullptr;
    results.status = ToNfs4Status(
        isDirectory ? m_server.store->GetNames().RemoveDirectory(*m_compound.current,
                                                                 args.target,
                                                                 m_compound.principal.who)
                    : m_server.store->GetNames().Remove(*m_compound.current,
                                                        args.target,
                                                        m_compound.principal.who));
    m_compound.Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE
                                                       : StorageWork::METADATA);
    m_compound.EndChange(*m_compound.current, results.changeInfo);
    return results;
}

RenameRes4
Nfs4NameOperations::Run(const RenameArgs4& args)
{
    RenameRes4 results;
    results.status = Nfs4Namespace::CheckName(args.oldName);
    if (results.status == Nfs4Status::OK)
    {
        results.status = Nfs4Namespace::CheckName(args.newName);
    }
    if (results.status == Nfs4Status::OK && m_server.grace.IsActive(m_compound.now))
    {
        results.status = Nfs4Status::GRACE;
    }
    for (const auto& dir : {m_compound.saved, m_compound.current})
    {
        if (results.status == Nfs4Status::OK)
        {
            results.status = m_compound.CheckDirectory(*dir);
        }
        if (results.status == Nfs4Status::OK && *dir == Nfs4Namespace::PSEUDO_ROOT)
        {
            results.status = Nfs4Status::ROFS;
        }
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.BreakNamed(*m_compound.saved, args.oldName);
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.BreakNamed(*m_compound.current, args.newName);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    results.sourceChangeInfo = m_compound.BeginChange(*m_compound.saved);
    results.targetChangeInfo = m_compound.BeginChange(*m_compound.current);
    results.status = ToNfs4Status(m_server.store->GetNames().Rename(*m_compound.saved,
                                                                    args.oldName,
                                                                    *m_compound.current,
                                                                    args.newName,
                                                                    m_compound.principal.who));
    m_compound.Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE
                                                       : StorageWork::METADATA);
    m_compound.EndChange(*m_compound.saved, results.sourceChangeInfo);
    m_compound.EndChange(*m_compound.current, results.targetChangeInfo);
    return results;
}

LinkRes4
Nfs4NameOperations::Run(const LinkArgs4& args)
{
    LinkRes4 results;
    results.status = Nfs4Namespace::CheckName(args.newName);
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.CheckDirectory(*m_compound.current);
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = *m_compound.saved == Nfs4Namespace::PSEUDO_ROOT
                             ? Nfs4Status::ISDIR
                             : m_compound.CheckNotPseudo();
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.BreakDelegations(*m_compound.saved);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    results.changeInfo = m_compound.BeginChange(*m_compound.current);
    results.status = ToNfs4Status(m_server.store->GetNames().Link(*m_compound.saved,
                                                                  *m_compound.current,
                                                                  args.newName,
                                                                  m_compound.principal.who));
    m_compound.Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE
                                                       : StorageWork::METADATA);
    m_compound.EndChange(*m_compound.current, results.changeInfo);
    return results;
}

ReaddirRes4
Nfs4NameOperations::Run(const ReaddirArgs4& args)
{
    ReaddirRes4 results;
    results.status = m_compound.CheckDirectory(*m_compound.current);
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
    m_compound.Charge(StorageWork::METADATA);
    std::vector<std::pair<uint64_t, Directory::Entry>> listing;
    if (*m_compound.current == Nfs4Namespace::PSEUDO_ROOT)
    {
        uint64_t cookie = PSEUDO_COOKIE;
        for (const auto& entry : m_server.names.GetExports())
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
        const auto directory =
            m_server.store->GetNames().OpenDirectory(*m_compound.current, m_compound.principal.who);
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
    const Nfs4AttributeReader reader = m_compound.MakeReader();
    const uint32_t room = std::min({args.maxcount - READDIR_FRAME,
                                    static_cast<uint32_t>(m_server.settings.attributes.maxTransfer),
                                    m_compound.reply.GetRoom(READDIR_FRAME + NUMBER_AND_STATUS)});
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

} // namespace ns3::nfsrdma
