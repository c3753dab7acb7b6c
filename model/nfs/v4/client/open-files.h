/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_OPEN_FILES_H
#define NFSRDMA_NFS_V4_CLIENT_OPEN_FILES_H

#include "nfs/v4/client/lock-calls.h"
#include "nfs/v4/client/operation-runner.h"

#include <memory>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Opens and closes files.
 *
 *     Open    OPEN, GETFH, ACCESS, GETATTR; none when a delegation covers it
 *     Close   CLOSE, with GETATTR unless a delegation is held; none while others have the file
 *             open, OPEN_DOWNGRADE when they need less; the last one gives up its locks first
 */
class Nfs4OpenFiles
{
  public:
    template <typename Reply>
    using Done = FileClient::Done<Reply>;

    Nfs4OpenFiles(Nfs4OperationRunner& runner, Nfs4LockCalls& locks);

    void Open(const FileOpen& request, Done<FileOpenReply> done);
    void Close(const std::shared_ptr<OpenFile>& file, Done<FileReply> done);

  private:
    struct Opening;
    using OpeningPtr = std::shared_ptr<Opening>;

    void Send(const OpeningPtr& opening);
    [[nodiscard]] CreateHow4 MakeCreateHow(const FileOpenHow& how) const;
    void Take(const OpeningPtr& opening, const Nfs4TaskReply& result);
    /// The file is open: sets what an exclusive create has left.
    void Finish(const OpeningPtr& opening, FileOpenReply reply);
    /// Gives up its locks, and closes it.
    void CloseUnlocked(const std::shared_ptr<Nfs4OpenFile>& file, Done<FileReply> done);
    /// \return a task that gives up what \p open has, or a part of it.
    [[nodiscard]] std::shared_ptr<Nfs4Task> MakeFinalTask(const Nfs4HeldState::OpenPtr& open) const;
    void SendClose(const Nfs4HeldState::OpenPtr& open, Done<FileReply> done);
    void SendDowngrade(const Nfs4HeldState::OpenPtr& open, Done<FileReply> done);

    Nfs4OperationRunner& m_runner;
    Nfs4LockCalls& m_locks;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_OPEN_FILES_H
