/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/verifying-client.h"

#include "host/buffer-store.h"
#include "workload/check/pattern-buffer.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <type_traits>
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

/// \return octets of file data that an operation moved.
template <typename Result>
uint64_t
CountData(const Result& result)
{
    if constexpr (std::is_same_v<Result, Read3Res> || std::is_same_v<Result, Write3Res>)
    {
        return result.status == Nfs3Status::OK ? result.count : 0;
    }
    else
    {
        return 0;
    }
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

template <typename Args, typename Update>
Nfs3Completion<typename Args::Result>
VerifyingClient::Wrap(Update update, Nfs3Completion<typename Args::Result> done)
{
    return [alive = std::weak_ptr<VerifyingClient*>(m_alive),
            number = ++m_number,
            update = std::move(update),
            done = std::move(done)](RpcRecord& record, const typename Args::Result& result) {
        const auto client = alive.lock();
        if (client == nullptr)
        {
            return;
        }
        update(std::as_const(record), result);
        (*client)->Complete(number, Args::PROCEDURE, record, CountData(result));
        done(record, result);
    };
}

template <typename Args, typename Update>
void
VerifyingClient::Submit(Method<Args> method,
                        const Args& args,
                        Target target,
                        Update update,
                        Nfs3Completion<typename Args::Result> done)
{
    const uint32_t xid = ((*m_nfs).*method)(args, Wrap<Args>(std::move(update), std::move(done)));
    Register(xid, Args::PROCEDURE, std::move(target));
}

template <typename Args>
void
VerifyingClient::Submit(Method<Args> method,
                        const Args& args,
                        Target target,
                        Nfs3Completion<typename Args::Result> done)
{
    Submit(
        method,
        args,
        std::move(target),
        [](const RpcRecord&, const typename Args::Result&) {},
        std::move(done));
}

void
VerifyingClient::Issue(const Null3Args& /* args */, Nfs3Completion<Null3Res> done)
{
    const uint32_t xid =
        m_nfs->Null(Wrap<Null3Args>([](const RpcRecord&, const Null3Res&) {}, std::move(done)));
    Register(xid, Nfs3Procedure::NULLPROC, {});
}

void
VerifyingClient::Issue(const Getattr3Args& args, Nfs3Completion<Getattr3Res> done)
{
    Submit(&Nfs3Calls::Getattr, args, {args.object, {}, 0, 0}, std::move(done));
}

void
VerifyingClient::Issue(const Setattr3Args& args, Nfs3Completion<Setattr3Res> done)
{
    const auto token = args.attributes.size
                           ? m_model.GetOctets().BeginSetSize(args.object, *args.attributes.size)
                           : NO_CONTENT_TOKEN;
    const auto chmod = args.attributes.mode
                           ? m_model.GetAcls().BeginSetMode(args.object, *args.attributes.mode)
                           : NO_CONTENT_TOKEN;
    Submit(
        &Nfs3Calls::Setattr,
        args,
        {args.object, {}, 0, 0},
        [this, token, chmod](const RpcRecord& record, const Setattr3Res& result) {
            m_model.GetOctets().EndSetSize(token, GetOutcome(record, result.status));
            m_model.GetAcls().EndAclChange(chmod, GetOutcome(record, result.status));
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Lookup3Args& args, Nfs3Completion<Lookup3Res> done)
{
    Submit(
        &Nfs3Calls::Lookup,
        args,
        {args.what.dir, args.what.name, 0, 0},
        [this, what = args.what](const RpcRecord& record, const Lookup3Res& result) {
            if (Succeeded(record, result.status))
            {
                m_model.Bind(what.dir, what.name, result.object);
            }
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Access3Args& args, Nfs3Completion<Access3Res> done)
{
    Submit(&Nfs3Calls::Access, args, {args.object, {}, 0, 0}, std::move(done));
}

void
VerifyingClient::Issue(const Readlink3Args& args, Nfs3Completion<Readlink3Res> done)
{
    Submit(
        &Nfs3Calls::Readlink,
        args,
        {args.symlink, {}, 0, 0},
        [this, symlink = args.symlink](const RpcRecord& record, const Readlink3Res& result) {
            if (Succeeded(record, result.status))
            {
                m_model.GetOctets().CheckLink(symlink, result.path.octets);
            }
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Read3Args& args, Nfs3Completion<Read3Res> done)
{
    const auto token = m_model.GetOctets().BeginRead(args.file, args.offset, args.count);
    auto buffer = MakeBuffer(m_memory, args.count);
    const uint64_t address = buffer->GetAddress();
    auto update =
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
    const uint32_t xid =
        m_nfs->Read(args, address, Wrap<Read3Args>(std::move(update), std::move(done)));
    Register(xid, Nfs3Procedure::READ, {args.file, {}, args.offset, args.count});
}

void
VerifyingClient::Issue(const Write3Args& args, Nfs3Completion<Write3Res> done)
{
    const auto begin = m_model.GetOctets().BeginWrite(args.file, args.offset, args.count);
    auto buffer = MakeBuffer(m_memory, args.count);
    FillBuffer(*buffer, begin.pattern, args.offset, args.count);
    const uint64_t address = buffer->GetAddress();
    auto update = [this, token = begin.token, buffer = std::move(buffer)](const RpcRecord& record,
                                                                          const Write3Res& result) {
        m_model.GetOctets().EndWrite(token, GetOutcome(record, result.status), result.count);
    };
    const uint32_t xid =
        m_nfs->Write(args, address, Wrap<Write3Args>(std::move(update), std::move(done)));
    Register(xid, Nfs3Procedure::WRITE, {args.file, {}, args.offset, args.count});
}

void
VerifyingClient::Issue(const Create3Args& args, Nfs3Completion<Create3Res> done)
{
    const auto token = m_model.GetNames().BeginCreate({args.where.dir, args.where.name},
                                                      args.mode,
                                                      args.attributes.size);
    Submit(
        &Nfs3Calls::Create,
        args,
        {args.where.dir, args.where.name, 0, 0},
        [this, token](const RpcRecord& record, const Create3Res& result) {
            m_model.GetNames().EndCreate(token,
                                         GetOutcome(record, result.status),
                                         ToView(result.object));
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Mkdir3Args& args, Nfs3Completion<Mkdir3Res> done)
{
    const auto token = m_model.GetNames().BeginNames({{args.where.dir, args.where.name}});
    Submit(
        &Nfs3Calls::Mkdir,
        args,
        {args.where.dir, args.where.name, 0, 0},
        [this, token](const RpcRecord& record, const Mkdir3Res& result) {
            m_model.GetNames().EndMake(token,
                                       GetOutcome(record, result.status),
                                       Ftype3::DIR,
                                       ToView(result.object),
                                       {});
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Symlink3Args& args, Nfs3Completion<Symlink3Res> done)
{
    const auto token = m_model.GetNames().BeginNames({{args.where.dir, args.where.name}});
    ByteVector target(args.path.octets.begin(), args.path.octets.end());
    Submit(
        &Nfs3Calls::Symlink,
        args,
        {args.where.dir, args.where.name, 0, 0},
        [this, token, target = std::move(target)](const RpcRecord& record,
                                                  const Symlink3Res& result) {
            m_model.GetNames().EndMake(token,
                                       GetOutcome(record, result.status),
                                       Ftype3::LNK,
                                       ToView(result.object),
                                       target);
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Mknod3Args& args, Nfs3Completion<Mknod3Res> done)
{
    const auto token = m_model.GetNames().BeginNames({{args.where.dir, args.where.name}});
    Submit(
        &Nfs3Calls::Mknod,
        args,
        {args.where.dir, args.where.name, 0, 0},
        [this, token, type = args.type](const RpcRecord& record, const Mknod3Res& result) {
            m_model.GetNames().EndMake(token,
                                       GetOutcome(record, result.status),
                                       type,
                                       ToView(result.object),
                                       {});
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Remove3Args& args, Nfs3Completion<Remove3Res> done)
{
    const auto token = m_model.GetNames().BeginNames({{args.object.dir, args.object.name}});
    Submit(
        &Nfs3Calls::Remove,
        args,
        {args.object.dir, args.object.name, 0, 0},
        [this, token](const RpcRecord& record, const Remove3Res& result) {
            m_model.GetNames().EndRemove(token, GetOutcome(record, result.status));
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Rmdir3Args& args, Nfs3Completion<Rmdir3Res> done)
{
    const auto token = m_model.GetNames().BeginNames({{args.object.dir, args.object.name}});
    Submit(
        &Nfs3Calls::Rmdir,
        args,
        {args.object.dir, args.object.name, 0, 0},
        [this, token](const RpcRecord& record, const Rmdir3Res& result) {
            m_model.GetNames().EndRemove(token, GetOutcome(record, result.status));
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Rename3Args& args, Nfs3Completion<Rename3Res> done)
{
    const auto token = m_model.GetNames().BeginNames(
        {{args.from.dir, args.from.name}, {args.to.dir, args.to.name}});
    Submit(
        &Nfs3Calls::Rename,
        args,
        {args.from.dir, args.from.name, 0, 0},
        [this, token](const RpcRecord& record, const Rename3Res& result) {
            m_model.GetNames().EndRename(token, GetOutcome(record, result.status));
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Link3Args& args, Nfs3Completion<Link3Res> done)
{
    const auto token = m_model.GetNames().BeginNames({{args.link.dir, args.link.name}});
    Submit(
        &Nfs3Calls::Link,
        args,
        {args.link.dir, args.link.name, 0, 0},
        [this, token, file = args.file](const RpcRecord& record, const Link3Res& result) {
            m_model.GetNames().EndLink(token, GetOutcome(record, result.status), file);
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Readdir3Args& args, Nfs3Completion<Readdir3Res> done)
{
    Submit(&Nfs3Calls::Readdir, args, {args.dir, {}, 0, 0}, std::move(done));
}

void
VerifyingClient::Issue(const Readdirplus3Args& args, Nfs3Completion<Readdirplus3Res> done)
{
    Submit(
        &Nfs3Calls::Readdirplus,
        args,
        {args.dir, {}, 0, 0},
        [this, dir = args.dir](const RpcRecord& record, const Readdirplus3Res& result) {
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
        },
        std::move(done));
}

void
VerifyingClient::Issue(const Fsstat3Args& args, Nfs3Completion<Fsstat3Res> done)
{
    Submit(&Nfs3Calls::Fsstat, args, {args.fsroot, {}, 0, 0}, std::move(done));
}

void
VerifyingClient::Issue(const Fsinfo3Args& args, Nfs3Completion<Fsinfo3Res> done)
{
    Submit(&Nfs3Calls::Fsinfo, args, {args.fsroot, {}, 0, 0}, std::move(done));
}

void
VerifyingClient::Issue(const Pathconf3Args& args, Nfs3Completion<Pathconf3Res> done)
{
    Submit(&Nfs3Calls::Pathconf, args, {args.object, {}, 0, 0}, std::move(done));
}

void
VerifyingClient::Issue(const Commit3Args& args, Nfs3Completion<Commit3Res> done)
{
    Submit(&Nfs3Calls::Commit, args, {args.file, {}, args.offset, args.count}, std::move(done));
}

void
VerifyingClient::Issue(const AclNull3Args& /* args */, Nfs3Completion<Null3Res> done)
{
    const uint32_t xid =
        m_acl->Null(Wrap<AclNull3Args>([](const RpcRecord&, const Null3Res&) {}, std::move(done)));
    Register(xid, NfsAcl3Procedure::NULLPROC, {});
}

void
VerifyingClient::Issue(const Getacl3Args& args, Nfs3Completion<Getacl3Res> done)
{
    auto update = [this,
                   object = args.object,
                   version = m_model.GetAcls().GetAclVersion(
                       args.object)](const RpcRecord& record, const Getacl3Res& result) {
        if (Succeeded(record, result.status))
        {
            m_model.GetAcls().CheckAcls(object,
                                        version,
                                        Give(result.access, (result.mask & NFS_ACL) != 0),
                                        Give(result.defaultAcl, (result.mask & NFS_DFACL) != 0));
        }
    };
    const uint32_t xid = m_acl->Getacl(args, Wrap<Getacl3Args>(std::move(update), std::move(done)));
    Register(xid, NfsAcl3Procedure::GETACL, {args.object, {}, 0, 0});
}

void
VerifyingClient::Issue(const Setacl3Args& args, Nfs3Completion<Setacl3Res> done)
{
    const auto convert = [mask = args.mask](const NfsAcl& acl, uint32_t bit) {
        return (mask & bit) != 0 ? acl.ToPosixAcl() : PosixAcl();
    };
    const auto token = m_model.GetAcls().BeginSetAcls(args.object,
                                                      convert(args.access, NFS_ACL),
                                                      convert(args.defaultAcl, NFS_DFACL));
    auto update = [this, token](const RpcRecord& record, const Setacl3Res& result) {
        m_model.GetAcls().EndAclChange(token, GetOutcome(record, result.status));
    };
    const uint32_t xid = m_acl->Setacl(args, Wrap<Setacl3Args>(std::move(update), std::move(done)));
    Register(xid, NfsAcl3Procedure::SETACL, {args.object, {}, 0, 0});
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
