/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nlm-lock-service.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NlmLockService);

namespace
{

constexpr uint32_t ERROR_NO_LOCKS = 37; // ENOLCK

NlmRequest
MakeRequest(const FileRef& file, const FileLock& lock)
{
    NlmRequest request;
    request.file = NfsFh3(file.octets);
    request.svid = lock.process;
    request.offset = lock.flock ? 0 : lock.offset;
    request.length = lock.flock ? 0 : lock.length;
    request.exclusive = lock.exclusive;
    return request;
}

FileLockReply
MakeReply(NlmStatus status)
{
    FileLockReply reply;
    reply.granted = status == NlmStatus::GRANTED;
    switch (status)
    {
    case NlmStatus::GRANTED:
    case NlmStatus::DENIED:
    case NlmStatus::BLOCKED:
        break;
    case NlmStatus::STALE_FH:
        reply.status = static_cast<uint32_t>(Nfs3Status::STALE);
        break;
    case NlmStatus::ROFS:
        reply.status = static_cast<uint32_t>(Nfs3Status::ROFS);
        break;
    case NlmStatus::FBIG:
        reply.status = static_cast<uint32_t>(Nfs3Status::FBIG);
        break;
    default:
        reply.status = ERROR_NO_LOCKS;
        break;
    }
    return reply;
}

} // namespace

TypeId
NlmLockService::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::NlmLockService")
                            .SetParent<FileLockService>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<NlmLockService>();
    return tid;
}

void
NlmLockService::DoDispose()
{
    m_client = nullptr;
    FileLockService::DoDispose();
}

void
NlmLockService::Lock(const FileRef& file, const FileLock& lock, bool wait, Done done)
{
    m_client->Lock(MakeRequest(file, lock), wait, [done = std::move(done)](NlmStatus status) {
        done(MakeReply(status));
    });
}

void
NlmLockService::Unlock(const FileRef& file, const FileLock& lock, Done done)
{
    m_client->Unlock(MakeRequest(file, lock),
                     [done = std::move(done)](NlmStatus status) { done(MakeReply(status)); });
}

void
NlmLockService::Test(const FileRef& file, const FileLock& lock, Done done)
{
    m_client->Test(
        MakeRequest(file, lock),
        [done = std::move(done)](NlmStatus status, const NlmHolder&) { done(MakeReply(status)); });
}

} // namespace ns3::nfsrdma
