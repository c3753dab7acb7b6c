/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/verifying-client.h"

#include "host/buffer-store.h"
#include "workload/check/pattern-buffer.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

ChangeOutcome
GetOutcome(const RpcRecord& record, Nfs3Status status)
{
    switch (record.outcome)
    {
    case RpcOutcome::SUCCESS:
        return status == Nfs3Status::OK ? ChangeOutcome::DONE : ChangeOutcome::REFUSED;
    case RpcOutcome::REJECTED:
        return ChangeOutcome::REFUSED;
    default:
        return ChangeOutcome::UNKNOWN;
    }
}

OptionalHandle
ToView(const PostOpFh3& handle)
{
    return handle ? OptionalHandle(*handle) : std::nullopt;
}

AclModel::GivenAcl
Give(const NfsAcl& acl, bool asked)
{
    return {asked, asked ? acl.ToPosixAcl() : std::nullopt};
}

bool
Succeeded(const RpcRecord& record, Nfs3Status status)
{
    return GetOutcome(record, status) == ChangeOutcome::DONE;
}

std::shared_ptr<HostBuffer>
MakeBuffer(const Ptr<HostMemory>& memory, uint32_t count)
{
    return HostBufferStore::Take(memory, std::max(count, 1U));
}

bool
IsRanged(NfsOperation operation)
{
    return operation == Nfs3Procedure::READ || operation == Nfs3Procedure::WRITE ||
           operation == Nfs3Procedure::COMMIT;
}

} // namespace

VerifyingClient::VerifyingClient(Ptr<Nfs3Calls> client,
                                 Ptr<HostMemory> memory,
                                 std::shared_ptr<ContentModel> content)
    : m_nfs(client),
      m_memory(memory),
      m_content(std::move(content)),
      m_model(*m_content),
      m_alive(std::make_shared<VerifyingClient*>(this))
{
}

VerifyingClient::Effect<Setattr3Args>
VerifyingClient::Begin(const Setattr3Args& args)
{
    const auto token = args.attributes.size
                           ? m_model.GetOctets().BeginSetSize(args.object, *args.attributes.size)
                           : NO_CONTENT_TOKEN;
    const auto chmod = args.attributes.mode
                           ? m_model.GetAcls().BeginSetMode(args.object, *args.attributes.mode)
                           : NO_CONTENT_TOKEN;
    return {[this, token, chmod](const RpcRecord& record, const Setattr3Res& result) {
        m_model.GetOctets().EndSetSize(token, GetOutcome(record, result.status));
        m_model.GetAcls().EndAclChange(chmod, GetOutcome(record, result.status));
    }};
}

VerifyingClient::Effect<Lookup3Args>
VerifyingClient::Begin(const Lookup3Args& args)
{
    return {[this, what = args.what](const RpcRecord& record, const Lookup3Res& result) {
        if (Succeeded(record, result.status))
        {
            m_model.Bind(what.dir, what.name, result.object);
        }
    }};
}

VerifyingClient::Effect<Readlink3Args>
VerifyingClient::Begin(const Readlink3Args& args)
{
    return {[this, symlink = args.symlink](const RpcRecord& record, const Readlink3Res& result) {
        if (Succeeded(record, result.status))
        {
            m_model.GetOctets().CheckLink(symlink, result.path.octets);
        }
    }};
}

VerifyingClient::Effect<Read3Args>
VerifyingClient::Begin(const Read3Args& args)
{
    const auto token = m_model.GetOctets().BeginRead(args.file, args.offset, args.count);
    auto buffer = MakeBuffer(m_memory, args.count);
    const uint64_t address = buffer->GetAddress();
    auto end =
        [this, token, buffer = std::move(buffer), room = args.count](const RpcRecord& record,
                                                                     const Read3Res& result) {
            if (!Succeeded(record, result.status))
            {
                m_model.GetOctets().EndRead(token);
                return;
            }
            m_model.GetOctets().EndRead(
                token,
                std::min(result.count, room),
                result.eof,
                [&buffer](uint32_t position, MutableByteSpan out) { buffer->Read(position, out); });
        };
    return {std::move(end), address};
}

VerifyingClient::Effect<Write3Args>
VerifyingClient::Begin(const Write3Args& args)
{
    const auto begin = m_model.GetOctets().BeginWrite(args.file, args.offset, args.count);
    auto buffer = MakeBuffer(m_memory, args.count);
    FillBuffer(*buffer, begin.pattern, args.offset, args.count);
    const uint64_t address = buffer->GetAddress();
    auto end = [this, token = begin.token, buffer = std::move(buffer)](const RpcRecord& record,
                                                                       const Write3Res& result) {
        m_model.GetOctets().EndWrite(token, GetOutcome(record, result.status), result.count);
    };
    return {std::move(end), address};
}

VerifyingClient::Effect<Create3Args>
VerifyingClient::Begin(const Create3Args& args)
{
    const auto token = m_model.GetNames().BeginCreate({args.where.dir, args.where.name},
                                                      args.mode,
                                                      args.attributes.size);
    return {[this, token](const RpcRecord& record, const Create3Res& result) {
        m_model.GetNames().EndCreate(token,
                                     GetOutcome(record, result.status),
                                     ToView(result.object));
    }};
}

template <typename Args>
VerifyingClient::Effect<Args>
VerifyingClient::BeginMake(const Args& args, Ftype3 type, ByteVector target)
{
    const auto token = m_model.GetNames().BeginNames({{args.where.dir, args.where.name}});
    return {[this, token, type, target = std::move(target)](const RpcRecord& record,
                                                            const Make3Res& result) {
        m_model.GetNames().EndMake(token,
                                   GetOutcome(record, result.status),
                                   type,
                                   ToView(result.object),
                                   target);
    }};
}

VerifyingClient::Effect<Mkdir3Args>
VerifyingClient::Begin(const Mkdir3Args& args)
{
    return BeginMake(args, Ftype3::DIR);
}

VerifyingClient::Effect<Symlink3Args>
VerifyingClient::Begin(const Symlink3Args& args)
{
    return BeginMake(args, Ftype3::LNK, {args.path.octets.begin(), args.path.octets.end()});
}

VerifyingClient::Effect<Mknod3Args>
VerifyingClient::Begin(const Mknod3Args& args)
{
    return BeginMake(args, args.type);
}

template <typename Args>
VerifyingClient::Effect<Args>
VerifyingClient::BeginRemove(const Args& args)
{
    const auto token = m_model.GetNames().BeginNames({{args.object.dir, args.object.name}});
    return {[this, token](const RpcRecord& record, const Wcc3Res& result) {
        m_model.GetNames().EndRemove(token, GetOutcome(record, result.status));
    }};
}

VerifyingClient::Effect<Remove3Args>
VerifyingClient::Begin(const Remove3Args& args)
{
    return BeginRemove(args);
}

VerifyingClient::Effect<Rmdir3Args>
VerifyingClient::Begin(const Rmdir3Args& args)
{
    return BeginRemove(args);
}

VerifyingClient::Effect<Rename3Args>
VerifyingClient::Begin(const Rename3Args& args)
{
    const auto token = m_model.GetNames().BeginNames(
        {{args.from.dir, args.from.name}, {args.to.dir, args.to.name}});
    return {[this, token](const RpcRecord& record, const Rename3Res& result) {
        m_model.GetNames().EndRename(token, GetOutcome(record, result.status));
    }};
}

VerifyingClient::Effect<Link3Args>
VerifyingClient::Begin(const Link3Args& args)
{
    const auto token = m_model.GetNames().BeginNames({{args.link.dir, args.link.name}});
    return {[this, token, file = args.file](const RpcRecord& record, const Link3Res& result) {
        m_model.GetNames().EndLink(token, GetOutcome(record, result.status), file);
    }};
}

VerifyingClient::Effect<Readdirplus3Args>
VerifyingClient::Begin(const Readdirplus3Args& args)
{
    return {[this, dir = args.dir](const RpcRecord& record, const Readdirplus3Res& result) {
        if (!Succeeded(record, result.status))
        {
            return;
        }
        for (const auto& entry : result.entries)
        {
            if (entry.handle)
            {
                m_model.Bind(dir, entry.name, *entry.handle);
            }
        }
    }};
}

VerifyingClient::Effect<Getacl3Args>
VerifyingClient::Begin(const Getacl3Args& args)
{
    const auto version = m_model.GetAcls().GetAclVersion(args.object);
    return {[this, object = args.object, version](const RpcRecord& record,
                                                  const Getacl3Res& result) {
        if (Succeeded(record, result.status))
        {
            m_model.GetAcls().CheckAcls(object,
                                        version,
                                        Give(result.access, (result.mask & NFS_ACL) != 0),
                                        Give(result.defaultAcl, (result.mask & NFS_DFACL) != 0));
        }
    }};
}

VerifyingClient::Effect<Setacl3Args>
VerifyingClient::Begin(const Setacl3Args& args)
{
    const auto convert = [mask = args.mask](const NfsAcl& acl, uint32_t bit) {
        return (mask & bit) != 0 ? acl.ToPosixAcl() : PosixAcl();
    };
    const auto token = m_model.GetAcls().BeginSetAcls(args.object,
                                                      convert(args.access, NFS_ACL),
                                                      convert(args.defaultAcl, NFS_DFACL));
    return {[this, token](const RpcRecord& record, const Setacl3Res& result) {
        m_model.GetAcls().EndAclChange(token, GetOutcome(record, result.status));
    }};
}

ContentModel&
VerifyingClient::GetModel()
{
    return m_model;
}

const ContentModel&
VerifyingClient::GetModel() const
{
    return m_model;
}

void
VerifyingClient::Register(uint32_t xid, NfsOperation operation, Target&& target)
{
    ++m_issuedCounts.at(operation.GetIndex());
    m_outstanding[m_number] = {xid, operation, Simulator::Now(), std::move(target)};
}

void
VerifyingClient::Complete(uint64_t number,
                          NfsOperation operation,
                          const RpcRecord& record,
                          uint64_t octets)
{
    ++m_completedCounts.at(operation.GetIndex());
    m_failed += record.outcome == RpcOutcome::SUCCESS ? 0 : 1;
    m_outstanding.erase(number);
    if (m_completed)
    {
        m_completed(operation, record, octets);
    }
}

std::vector<std::string>
VerifyingClient::DescribeOutstanding() const
{
    std::vector<std::string> described;
    described.reserve(m_outstanding.size());
    for (const auto& [number, operation] : m_outstanding)
    {
        const ReferenceTree& tree = m_model.GetTree();
        std::string path = tree.GetPath(tree.FindHandle(operation.target.object));
        path += operation.target.name.empty() ? "" : "/" + operation.target.name;
        std::array<char, 16> xid;
        std::snprintf(xid.data(), xid.size(), "0x%08x", operation.xid);
        std::string line = std::string(operation.operation.GetName()) + " xid " + xid.data() +
                           " of '" + path + "'";
        if (IsRanged(operation.operation))
        {
            line += " offset " + std::to_string(operation.target.offset) + " count " +
                    std::to_string(operation.target.count);
        }
        line += ", issued at " + std::to_string(operation.issued.GetNanoSeconds()) + " ns";
        described.push_back(std::move(line));
    }
    return described;
}

} // namespace ns3::nfsrdma
