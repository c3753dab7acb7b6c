/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_SERVER_SIDE_COPY_H
#define NFSRDMA_NFS_V4_CLIENT_SERVER_SIDE_COPY_H

#include "nfs/v4/client/operation-runner.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>

namespace ns3::nfsrdma
{

struct FileCopyReply : FileReply
{
    uint64_t count{0}; ///< Octets.
};

/// What is copied, and where to. Octets.
struct Nfs4CopyRange
{
    Nfs4HeldState::OpenPtr from;
    uint64_t fromOffset{0};
    std::shared_ptr<Nfs4OpenFile> to;
    uint64_t toOffset{0};
    uint64_t count{0};
};

/**
 * \brief A copy that the server makes (RFC 7862 section 4), from COPY to its end: COPY, CB_OFFLOAD,
 * COMMIT, as often as need be.
 *
 * One of more than two transfers is asynchronous, as with Linux: it ends with CB_OFFLOAD, after a
 * COMMIT when that is needed, and begins anew when the verifier has changed or the server has lost
 * it. When CB_OFFLOAD does not come, OFFLOAD_STATUS asks again and again.
 */
class Nfs4ServerSideCopy : public std::enable_shared_from_this<Nfs4ServerSideCopy>
{
  public:
    using Done = FileClient::Done<FileCopyReply>;

    /// \param statusDelay without CB_OFFLOAD, before OFFLOAD_STATUS asks; 0: it never does
    Nfs4ServerSideCopy(Nfs4OperationRunner& runner,
                       Nfs4CopyRange range,
                       Time statusDelay,
                       Done done);

    /// Sends COPY; what is under way keeps this.
    void Send();

  private:
    void Take(const Nfs4TaskReply& result);
    void AwaitOffload();
    void SchedulePoll();
    void Poll();
    void CancelOffload();
    /// \param commit what has been copied is to be committed first
    void End(bool commit);

    Nfs4OperationRunner& m_runner;
    Nfs4CopyRange m_range;
    Time m_statusDelay;
    Done m_done;
    bool m_synchronous;
    Nfs4StateId m_id; ///< Of the COPY under way, when it is asynchronous.
    Nfs4Verifier m_verifier{};
    FileCopyReply m_reply;
    EventId m_poll;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_SERVER_SIDE_COPY_H
