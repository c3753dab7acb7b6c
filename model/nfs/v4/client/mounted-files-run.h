/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_MOUNTED_FILES_RUN_H
#define NFSRDMA_NFS_V4_CLIENT_MOUNTED_FILES_RUN_H

// The templates of Nfs4FileClient, for its source files.

#include "nfs/types/verifier-number.h"
#include "nfs/v4/client/mounted-files.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

inline Nfs4Fh
MakeFh(const FileRef& object)
{
    return Nfs4Fh(object.octets);
}

inline FileRef
MakeRef(const Nfs4Fh& handle)
{
    const ByteSpan octets = handle.AsSpan();
    return {ByteVector(octets.begin(), octets.end())};
}

inline std::shared_ptr<Nfs4OpenFile>
ToOpenFile(const std::shared_ptr<OpenFile>& file)
{
    auto opened = std::dynamic_pointer_cast<Nfs4OpenFile>(file);
    NS_ASSERT_MSG(opened, "the file was opened by another client");
    return opened;
}

/// \return what is to be told when the stateid of \p open that was \p sent is an old one.
inline std::function<void()>
MakeOlder(Nfs4HeldState::OpenPtr open, std::shared_ptr<Nfs4StateId> sent)
{
    return [open = std::move(open), sent = std::move(sent)] { open->NoteOld(*sent); };
}

template <typename Reply>
FileClient::Done<Reply>
Nfs4FileClient::Track(Done<Reply> done)
{
    ++m_pending;
    return [self = Ptr<Nfs4FileClient>(this), done = std::move(done)](const Reply& reply) {
        --self->m_pending;
        if (done)
        {
            done(reply);
        }
    };
}

template <typename Reply>
void
Nfs4FileClient::EndSoon(const Reply& reply, Done<Reply> done)
{
    Simulator::ScheduleNow([reply, done = std::move(done)] { done(reply); });
}

template <typename Reply>
void
Nfs4FileClient::Run(const Nfs4TaskPtr& task,
                    std::function<void(const Nfs4TaskReply& result, Reply& reply)> take,
                    Done<Reply> done)
{
    task->done = [take = std::move(take), done = std::move(done)](const Nfs4TaskReply& result) {
        Reply reply;
        reply.outcome = result.outcome;
        reply.repeated = result.repeated;
        reply.status = static_cast<uint32_t>(result.status);
        if (result.IsOk())
        {
            take(result, reply);
        }
        done(reply);
    };
    m_client->Submit(task);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_MOUNTED_FILES_RUN_H
