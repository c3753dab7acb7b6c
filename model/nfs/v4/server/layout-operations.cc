/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/layout-operations.h"

namespace ns3::nfsrdma
{

namespace
{

/// deviceid of the one data server there is.
constexpr Nfs4DeviceId OWN_DEVICE{1};
constexpr uint32_t STRIPE_UNIT = 1048576;
constexpr uint32_t DENSE = 0;

/// nfsv4_1_file_layout_ds_addr4, RFC 8881 section 13.2: one stripe on one server with one address.
ByteVector
EncodeDevice(const NetAddr4& server)
{
    XdrWriter writer;
    Nfs4Encoder encoder(writer);
    encoder(std::vector<uint32_t>{0});
    writer.WriteU32(1);
    encoder(std::vector<NetAddr4>{server});
    return writer.Take();
}

/// nfsv4_1_file_layout4, section 13.2.
ByteVector
EncodeLayout(const Nfs4Fh& handle)
{
    XdrWriter writer;
    Nfs4Encoder encoder(writer);
    encoder(OWN_DEVICE, STRIPE_UNIT | DENSE);
    writer.WriteU32(0);
    writer.WriteU64(0);
    encoder(std::vector<Nfs4Fh>{handle});
    return writer.Take();
}

} // namespace

Nfs4Status
Nfs4LayoutOperations::CheckLayout(LayoutType4 type) const
{
    if (!m_server.settings.attributes.layouts)
    {
        return Nfs4Status::LAYOUTUNAVAILABLE;
    }
    return type == LayoutType4::NFSV4_1_FILES ? Nfs4Status::OK : Nfs4Status::UNKNOWN_LAYOUTTYPE;
}

GetdeviceinfoRes4
Nfs4LayoutOperations::Run(const GetdeviceinfoArgs4& args)
{
    GetdeviceinfoRes4 results;
    if (!m_server.settings.attributes.layouts || args.deviceId != OWN_DEVICE)
    {
        results.status = Nfs4Status::NOENT;
        return results;
    }
    results.status = CheckLayout(args.layoutType);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    results.deviceAddr.type = LayoutType4::NFSV4_1_FILES;
    results.deviceAddr.body = EncodeDevice(m_server.settings.dataServer);
    // layout type, length of the body, and the empty bitmap.
    constexpr uint32_t FRAME = 12;
    const auto needed = static_cast<uint32_t>(results.deviceAddr.body.size()) + FRAME;
    if (args.maxcount != 0 && args.maxcount < needed)
    {
        results.status = Nfs4Status::TOOSMALL;
        results.mincount = needed;
    }
    else if (args.maxcount == 0)
    {
        results.deviceAddr.body.clear();
    }
    return results;
}

LayoutgetRes4
Nfs4LayoutOperations::Run(const LayoutgetArgs4& args)
{
    LayoutgetRes4 results;
    results.status = CheckLayout(args.layoutType);
    if (results.status == Nfs4Status::OK)
    {
        results.status = m_compound.CheckRegular(*m_compound.current);
    }
    if (results.status == Nfs4Status::OK && args.ioMode == LayoutIoMode4::ANY)
    {
        results.status = Nfs4Status::BADIOMODE;
    }
    const bool badLength = args.length == 0 || args.minLength > args.length;
    if (results.status == Nfs4Status::OK && badLength)
    {
        results.status = Nfs4Status::INVAL;
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const auto state = m_finder.FindState(args.stateid);
    const bool write = args.ioMode == LayoutIoMode4::RW;
    if (!state)
    {
        results.status = state.error();
    }
    else if ((*state)->kind != Nfs4State::Kind::LAYOUT)
    {
        results.status = m_finder.CheckIo(*m_compound.current, args.stateid, write);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    Layout4 layout;
    layout.length = NFS4_UINT64_MAX;
    layout.ioMode = args.ioMode;
    layout.content.type = LayoutType4::NFSV4_1_FILES;
    layout.content.body = EncodeLayout(m_server.names.GetHandle(*m_compound.current));
    // returnOnClose, stateid, count; offset, length, iomode, type, length of the body.
    constexpr uint32_t FRAME = 24 + 28;
    if (args.maxcount < FRAME + layout.content.body.size())
    {
        results.status = Nfs4Status::TOOSMALL;
        return results;
    }
    results.stateid =
        m_server.states
            .TakeLayoutState(m_compound.client->id, m_server.GetKey(*m_compound.current), write)
            ->id;
    results.layouts.push_back(std::move(layout));
    return results;
}

Nfs4Result<Nfs4StatePtr>
Nfs4LayoutOperations::FindLayout(const Nfs4StateId& stateid, Nfs4Status otherwise)
{
    auto state = m_finder.FindState(stateid);
    if (state && (*state)->kind != Nfs4State::Kind::LAYOUT)
    {
        return tl::unexpected(otherwise);
    }
    return state;
}

LayoutcommitRes4
Nfs4LayoutOperations::Run(const LayoutcommitArgs4& args)
{
    LayoutcommitRes4 results;
    results.status = CheckLayout(args.layoutUpdate.type);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    if (const auto state = FindLayout(args.stateid, Nfs4Status::BADLAYOUT); !state)
    {
        results.status = state.error();
        return results;
    }
    const uint64_t size = m_compound.GetCurrent().attributes.size;
    if (args.lastWriteOffset && *args.lastWriteOffset >= size)
    {
        Sattr3 changes;
        changes.size = *args.lastWriteOffset + 1;
        results.status =
            ToNfs4Status(m_server.store->GetAttributes().SetAttributes(*m_compound.current,
                                                                       changes,
                                                                       std::nullopt,
                                                                       m_compound.principal.who));
        results.newSize = changes.size;
    }
    m_compound.Charge(StorageWork::METADATA_CHANGE);
    return results;
}

LayoutreturnRes4
Nfs4LayoutOperations::Run(const LayoutreturnArgs4& args)
{
    LayoutreturnRes4 results;
    results.status = CheckLayout(args.layoutType);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    if (args.returnType != LayoutReturnType4::FILE)
    {
        for (const auto& state : m_server.states.GetOf(m_compound.client->id))
        {
            if (state->kind == Nfs4State::Kind::LAYOUT)
            {
                m_server.states.Free(state);
            }
        }
        return results;
    }
    const auto state = FindLayout(args.stateid, Nfs4Status::BAD_STATEID);
    if (!state)
    {
        results.status = state.error();
        return results;
    }
    const bool whole = args.offset == 0 && args.length == NFS4_UINT64_MAX;
    if (whole)
    {
        m_server.states.Free(*state);
    }
    else
    {
        results.stateid = (*state)->id;
    }
    return results;
}

} // namespace ns3::nfsrdma
