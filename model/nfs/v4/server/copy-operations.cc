/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/copy-operations.h"

#include <algorithm>

namespace ns3::nfsrdma
{

Nfs4Status
Nfs4CopyOperations::CheckCopy(const Nfs4StateId& source, const Nfs4StateId& destination)
{
    if (!m_compound.saved)
    {
        return Nfs4Status::NOFILEHANDLE;
    }
    for (const InodeNumber number : {*m_compound.saved, *m_compound.current})
    {
        const Nfs4Status regular = m_compound.CheckRegular(number);
        if (regular != Nfs4Status::OK)
        {
            return regular == Nfs4Status::ISDIR ? regular : Nfs4Status::WRONG_TYPE;
        }
    }
    const Nfs4Status read = m_finder.CheckIo(*m_compound.saved, source, false);
    return read == Nfs4Status::OK ? m_finder.CheckIo(*m_compound.current, destination, true) : read;
}

CopyRes4
Nfs4CopyOperations::Run(const CopyArgs4& args)
{
    CopyRes4 results;
    if (!args.sourceServers.empty())
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    results.status = CheckCopy(args.srcStateid, args.dstStateid);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const uint64_t size = m_server.store->Get(*m_compound.saved).attributes.size;
    const uint64_t rest = args.srcOffset < size ? size - args.srcOffset : 0;
    const uint64_t count = args.count == 0 ? rest : std::min(args.count, rest);
    if (!args.synchronous && m_compound.HasSession())
    {
        StartCopy(args, count, results);
        return results;
    }
    results.status = ToNfs4Status(m_server.store->GetData().CopyRange(*m_compound.saved,
                                                                      args.srcOffset,
                                                                      *m_compound.current,
                                                                      args.dstOffset,
                                                                      count,
                                                                      m_compound.principal.who));
    results.response.count = count;
    results.response.verifier = m_server.settings.writeVerifier;
    results.consecutive = true;
    results.synchronous = true;
    if (results.status == Nfs4Status::OK)
    {
        m_compound.work.push_back({StorageWork::READ, *m_compound.saved, args.srcOffset, count});
        m_compound.Charge(StorageWork::WRITE, args.dstOffset, count);
    }
    return results;
}

void
Nfs4CopyOperations::StartCopy(const CopyArgs4& args, uint64_t count, CopyRes4& results)
{
    Nfs4AsyncCopy copy;
    copy.client = m_compound.client->id;
    copy.who = m_compound.principal.who;
    copy.from = *m_compound.saved;
    copy.to = *m_compound.current;
    copy.target = m_server.names.GetHandle(*m_compound.current);
    copy.fromOffset = args.srcOffset;
    copy.toOffset = args.dstOffset;
    copy.count = count;
    const auto started = m_server.copies.Add(std::move(copy));
    results.response.callbackId = started->id;
    results.response.verifier = m_server.settings.writeVerifier;
    results.consecutive = true;
    m_server.actions.copy(started);
}

CloneRes4
Nfs4CopyOperations::Run(const CloneArgs4& args)
{
    CloneRes4 results;
    results.status = CheckCopy(args.srcStateid, args.dstStateid);
    if (results.status == Nfs4Status::OK && !m_server.settings.reflinks)
    {
        results.status = Nfs4Status::NOTSUPP;
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const uint64_t size = m_server.store->Get(*m_compound.saved).attributes.size;
    const bool past = args.srcOffset > size || args.count > size - args.srcOffset;
    const uint64_t count = args.count == 0 && !past ? size - args.srcOffset : args.count;
    results.status =
        past ? Nfs4Status::INVAL
             : ToNfs4Status(m_server.store->GetData().CopyRange(*m_compound.saved,
                                                                args.srcOffset,
                                                                *m_compound.current,
                                                                args.dstOffset,
                                                                count,
                                                                m_compound.principal.who));
    m_compound.Charge(results.status == Nfs4Status::OK ? StorageWork::METADATA_CHANGE
                                                       : StorageWork::METADATA);
    return results;
}

OffloadStatusRes4
Nfs4CopyOperations::Run(const OffloadStatusArgs4& args)
{
    OffloadStatusRes4 results;
    const auto copy = m_compound.HasSession()
                          ? m_server.copies.Find(m_compound.client->id, args.stateid)
                          : nullptr;
    results.status = copy ? Nfs4Status::OK : Nfs4Status::BAD_STATEID;
    results.count = copy ? copy->copied : 0;
    results.complete = copy ? copy->ended : std::nullopt;
    return results;
}

OffloadCancelRes4
Nfs4CopyOperations::Run(const OffloadCancelArgs4& args)
{
    OffloadCancelRes4 results;
    const auto copy = m_compound.HasSession()
                          ? m_server.copies.Find(m_compound.client->id, args.stateid)
                          : nullptr;
    if (copy)
    {
        m_server.copies.Remove(copy);
    }
    results.status = copy ? Nfs4Status::OK : Nfs4Status::BAD_STATEID;
    return results;
}

} // namespace ns3::nfsrdma
