/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/acl-file-calls.h"
#include "nfs/v2/file-client2.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

template <typename Reply>
void
EndNotSupported(FileClient::Done<Reply> done)
{
    Reply reply;
    reply.status = static_cast<uint32_t>(Nfs3Status::NOTSUPP);
    Simulator::ScheduleNow([reply, done = std::move(done)] { done(reply); });
}

} // namespace

void
Nfs2FileClient::SetAclClient(Ptr<NfsAcl2Client> acl)
{
    m_acl = acl;
}

bool
Nfs2FileClient::HasAcls() const
{
    return m_acls && m_acl != nullptr;
}

void
Nfs2FileClient::GetAcls(const FileRef& object, Done<FileAclReply> done)
{
    ++m_pending;
    const auto tracked = [self = Ptr<Nfs2FileClient>(this),
                          done = std::move(done)](const FileAclReply& reply) {
        --self->m_pending;
        done(reply);
    };
    if (!HasAcls())
    {
        EndNotSupported<FileAclReply>(tracked);
        return;
    }
    m_acl->Getacl({ToHandle(object), NFS_ACL_MASK},
                  [tracked](const RpcRecord& record, const Getacl2Res& result) {
                      FileAclReply reply;
                      reply.outcome = record.outcome;
                      reply.status = static_cast<uint32_t>(result.status);
                      TakeAcls(reply, result);
                      tracked(reply);
                  });
}

void
Nfs2FileClient::SetAcls(const FileRef& object,
                        const PosixAcl& access,
                        const PosixAcl& defaultAcl,
                        Done<FileReply> done)
{
    ++m_pending;
    const auto tracked = [self = Ptr<Nfs2FileClient>(this),
                          done = std::move(done)](const FileReply& reply) {
        --self->m_pending;
        done(reply);
    };
    if (!HasAcls())
    {
        EndNotSupported<FileReply>(tracked);
        return;
    }
    const auto args = MakeSetaclArgs<Setacl2Args>(ToHandle(object), access, defaultAcl);
    m_acl->Setacl(args, [tracked](const RpcRecord& record, const Attr2Res& result) {
        FileReply reply;
        reply.outcome = record.outcome;
        reply.status = static_cast<uint32_t>(result.status);
        tracked(reply);
    });
}

} // namespace ns3::nfsrdma
