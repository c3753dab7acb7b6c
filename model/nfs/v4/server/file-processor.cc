/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/acl.h"
#include "nfs/v4/server/compound-processor.h"

#include <algorithm>

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
constexpr uint64_t GREATEST_OFFSET = 0x7fffffffffffffff;

} // namespace

AccessRes4
Nfs4CompoundProcessor::Run(const AccessArgs4& args)
{
    AccessRes4 results;
    const uint32_t known = ACCESS_NFS3 | (m_minorVersion < 2 ? 0 : ACCESS_XATTRS);
    if ((args.access & ~known) != 0)
    {
        results.status = Nfs4Status::INVAL;
        return results;
    }
    Charge(StorageWork::METADATA);
    if (*m_current == Nfs4Namespace::PSEUDO_ROOT)
    {
        results.supported = args.access & ACCESS_DIRECTORY;
        results.access =
            args.access & (ACCESS4_READ | ACCESS4_LOOKUP | ACCESS4_XAREAD | ACCESS4_XALIST);
        return results;
    }
    const Inode& inode = GetCurrent();
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
    const FileCredential& who = m_principal.who;
    results.access = m_state.store->CheckAccess(*m_current, results.supported & ACCESS_NFS3, who);
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
Nfs4CompoundProcessor::Run(const GetattrArgs4& args)
{
    GetattrRes4 results;
    const Nfs4Bitmap writeOnly =
        MakeAttrMask({Nfs4Attr::TIME_ACCESS_SET, Nfs4Attr::TIME_MODIFY_SET});
    if (!(args.attrRequest & writeOnly).IsEmpty())
    {
        results.status = Nfs4Status::INVAL;
        return results;
    }
    Charge(StorageWork::METADATA);
    results.attributes = MakeReader().Read(*m_current, args.attrRequest);
    results.attributes.minimumWords = 1;
    return results;
}

Nfs4Status
Nfs4CompoundProcessor::ApplyAttributes(InodeNumber number,
                                       const Nfs4Attributes& attributes,
                                       const Sattr3& changes)
{
    FileStore& store = *m_state.store;
    if (!changes.IsEmpty())
    {
        const Nfs4Status status =
            ToNfs4Status(store.SetAttributes(number, changes, std::nullopt, m_principal.who));
        if (status != Nfs4Status::OK)
        {
            return status;
        }
    }
    if (!attributes.acl)
    {
        return Nfs4Status::OK;
    }
    const bool isDirectory = store.Get(number).directory != nullptr;
    const auto acls = MakePosixAcls(*attributes.acl, isDirectory);
    if (!acls)
    {
        return Nfs4Status::INVAL;
    }
    const Nfs3Status set = store.SetAcls(number, acls->access, acls->defaultAcl, m_principal.who);
    return set == Nfs3Status::NOTSUPP ? Nfs4Status::ATTRNOTSUPP : ToNfs4Status(set);
}

SetattrRes4
Nfs4CompoundProcessor::Run(const SetattrArgs4& args)
{
    SetattrRes4 results;
    const auto changes = MakeSattr3(args.attributes, m_minorVersion);
    results.status = CheckNotPseudo();
    if (results.status == Nfs4Status::OK && args.attributes.size)
    {
        results.status = CheckRegular(*m_current);
        if (results.status == Nfs4Status::OK)
        {
            results.status = CheckIo(*m_current, args.stateid, true);
        }
    }
    if (results.status == Nfs4Status::OK && !changes)
    {
        results.status = changes.error();
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = BreakDelegations(*m_current, true);
    }
    if (results.status == Nfs4Status::OK)
    {
        results.status = ApplyAttributes(*m_current, args.attributes, *changes);
    }
    Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE : StorageWork::METADATA);
    if (results.status == Nfs4Status::OK)
    {
        results.attrsSet = args.attributes.GetMask();
    }
    return results;
}

Nfs4Status
Nfs4CompoundProcessor::Compare(const Nfs4Attributes& attributes) const
{
    const Nfs4Bitmap mask = attributes.GetMask();
    if ((mask & GetSupportedNfs4Attributes(m_minorVersion)) != mask)
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
    MakeReader().Read(*m_current, mask).Encode(present);
    return given.GetOctets() == present.GetOctets() ? Nfs4Status::SAME : Nfs4Status::NOT_SAME;
}

VerifyRes4
Nfs4CompoundProcessor::Run(const VerifyArgs4& args)
{
    VerifyRes4 results;
    const Nfs4Status status = Compare(args.attributes);
    results.status = status == Nfs4Status::SAME ? Nfs4Status::OK : status;
    return results;
}

NverifyRes4
Nfs4CompoundProcessor::Run(const NverifyArgs4& args)
{
    NverifyRes4 results;
    const Nfs4Status status = Compare(args.attributes);
    results.status = status == Nfs4Status::NOT_SAME ? Nfs4Status::OK : status;
    return results;
}

void
Nfs4CompoundProcessor::HoldItem(uint32_t length)
{
    m_item = length == 0 ? nullptr : std::make_shared<HostBuffer>(m_memory, length);
}

ReadRes4
Nfs4CompoundProcessor::Run(const ReadArgs4& args)
{
    ReadRes4 results;
    results.status = CheckRegular(*m_current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckIo(*m_current, args.stateid, false);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    // Opcode, status, eof, length, and pad.
    constexpr uint32_t FRAME = 16 + 3;
    const uint32_t room = GetRoom() - std::min(GetRoom(), FRAME);
    const uint32_t count = std::min(
        {args.count, static_cast<uint32_t>(m_state.settings.attributes.maxTransfer), room});
    const auto range = m_state.store->PrepareRead(*m_current, args.offset, count, m_principal.who);
    if (!range)
    {
        results.status = ToNfs4Status(range.error());
        return results;
    }
    HoldItem(range->count);
    if (m_item)
    {
        m_state.store->Read(
            *m_current,
            args.offset,
            range->count,
            [this](uint64_t position, ByteSpan octets) { m_item->Write(position, octets); });
    }
    results.eof = range->eof;
    results.data = Nfs3Data::Reduced(range->count);
    Charge(StorageWork::READ, args.offset, range->count);
    return results;
}

ReadlinkRes4
Nfs4CompoundProcessor::Run(const ReadlinkArgs4& /* args */)
{
    ReadlinkRes4 results;
    if (*m_current == Nfs4Namespace::PSEUDO_ROOT)
    {
        results.status = Nfs4Status::INVAL;
        return results;
    }
    const auto target = m_state.store->ReadLink(*m_current);
    if (!target)
    {
        results.status = ToNfs4Status(target.error());
        return results;
    }
    const auto length = static_cast<uint32_t>(target->size());
    HoldItem(length);
    if (m_item)
    {
        const ByteVector octets(target->begin(), target->end());
        m_item->Write(0, octets);
    }
    results.link = Nfs3Data::Reduced(length);
    Charge(StorageWork::METADATA);
    return results;
}

const RpcReceivedItem*
Nfs4CompoundProcessor::FindReceived(const Nfs3Data& data) const
{
    return data.reduced ? m_received : nullptr;
}

WriteRes4
Nfs4CompoundProcessor::Run(const WriteArgs4& args)
{
    WriteRes4 results;
    results.status = args.offset > GREATEST_OFFSET ? Nfs4Status::INVAL : CheckRegular(*m_current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = CheckIo(*m_current, args.stateid, true);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const RpcReceivedItem* item = FindReceived(args.data);
    const auto source = [&args, item](uint64_t position, MutableByteSpan out) {
        if (item != nullptr)
        {
            item->owner->GetMemory()->Read(item->address + position, out);
            return;
        }
        const ByteSpan piece = args.data.octets.subspan(position, out.size());
        std::copy(piece.begin(), piece.end(), out.begin());
    };
    results.count = args.data.length;
    results.status = ToNfs4Status(
        m_state.store->Write(*m_current, args.offset, results.count, source, m_principal.who));
    results.committed = args.stable;
    results.verifier = m_state.settings.writeVerifier;
    if (results.status == Nfs4Status::OK)
    {
        const bool unstable = args.stable == StableHow4::UNSTABLE;
        Charge(unstable ? StorageWork::WRITE : StorageWork::WRITE_SYNC, args.offset, results.count);
    }
    return results;
}

CommitRes4
Nfs4CompoundProcessor::Run(const CommitArgs4& args)
{
    CommitRes4 results;
    results.status = CheckRegular(*m_current);
    if (results.status == Nfs4Status::OK)
    {
        results.status = ToNfs4Status(m_state.store->CheckCommit(*m_current, m_principal.who));
    }
    if (results.status == Nfs4Status::OK)
    {
        results.verifier = m_state.settings.writeVerifier;
        Charge(StorageWork::SYNC, args.offset, args.count);
    }
    return results;
}

} // namespace ns3::nfsrdma
