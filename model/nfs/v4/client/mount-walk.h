/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_MOUNT_WALK_H
#define NFSRDMA_NFS_V4_CLIENT_MOUNT_WALK_H

#include "nfs/v4/client/operation-runner.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The way from a server's root to what is mounted of it, asked for as Linux 6.1 does
 * (nfs4_try_get_tree()): the root with SECINFO_NO_NAME (4.1 on), its handle, what the server can
 * do, and each name of the export's path.
 */
class Nfs4MountWalk
{
  public:
    using Done = FileClient::Done<FileReply>;

    explicit Nfs4MountWalk(Nfs4OperationRunner& runner);

    /// The names from the server's root to what is mounted, "/" between them. Default: the root.
    void SetExport(const std::string& path);
    /// Goes it, for a client that has a lease. One at a time.
    void Start(Done done);

    /// \return what is mounted; once it has ended.
    [[nodiscard]] const FileRef& GetRoot() const
    {
        return m_root;
    }

    /// \return octets that the server takes or gives in one READ or WRITE; 0: not known.
    [[nodiscard]] uint32_t GetMaxTransfer() const
    {
        return m_maxTransfer;
    }

  private:
    using TakeReply = std::function<void(const Nfs4TaskReply& result)>;

    /// A COMPOUND that is still to be sent.
    struct Step
    {
        std::function<Nfs4TaskPtr()> make;
        TakeReply take; ///< May be null.
    };

    void AddGetattr(std::function<Nfs4Bitmap()> mask,
                    std::function<void(const Nfs4Attributes& attributes)> take);
    void AddCapabilities();
    void AddFsInfo();
    void AddProbes();
    void AddName(const std::string& name, const TakeReply& takeHandle);
    void Next(const Done& done);

    Nfs4OperationRunner& m_runner;
    std::vector<std::string> m_export;
    std::deque<Step> m_steps;
    Nfs4Fh m_current;       ///< Of the last name looked up.
    Nfs4Bitmap m_supported; ///< Attributes of the server.
    FileRef m_root;
    uint32_t m_maxTransfer{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_MOUNT_WALK_H
