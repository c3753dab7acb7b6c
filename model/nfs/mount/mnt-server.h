/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_MNT_SERVER_H
#define NFSRDMA_NFS_MOUNT_MNT_SERVER_H

#include "nfs/mount/mnt-messages.h"
#include "nfs/store/files.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// The mounts of one host, as /var/lib/nfs/rmtab: what DUMP tells. In order of mounting.
class MountTable
{
  public:
    /// An entry that is there already stays where it is.
    void Add(const MountEntry& entry);
    void Remove(const MountEntry& entry);
    void RemoveAll(const std::string& host);

    [[nodiscard]] const std::vector<MountEntry>& GetEntries() const
    {
        return m_entries;
    }

  private:
    std::vector<MountEntry> m_entries;
};

/**
 * \brief One version of program 100005 (mountd) over a file store: gives the handles of exports,
 * and of directories below them, as Linux's mountd does.
 *
 * The path of an export is its name in the store, after "/" when it has none. Every host may mount
 * every export. A client is named by its address, as mountd names one that no name server knows.
 */
class MountServer : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    /// \param version 1, 2 or 3
    /// \param table of the host
    MountServer(uint32_t version, std::shared_ptr<MountTable> table);

    void SetFileStore(Ptr<FileStore> store)
    {
        m_store = store;
    }

    /// \param names "sys", "krb5", "krb5i", "krb5p", separated by commas (RpcServer's attribute
    /// Security): what MNT of version 3 tells. Default: sys.
    void SetFlavors(const std::string& names);

    [[nodiscard]] uint32_t GetProgram() const override;

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return m_version;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        done(Serve(*call));
    }

    /// \return the path that clients mount \p exportName by.
    [[nodiscard]] static std::string GetPath(const std::string& exportName);

  private:
    void DoDispose() override;

    struct Found
    {
        MountStatus status{MountStatus::OK};
        InodeNumber directory{0}; ///< OK.
    };

    [[nodiscard]] RpcServerReply Serve(const RpcServerCall& call);
    [[nodiscard]] Found Find(const std::string& path) const;
    [[nodiscard]] Mount3Res Mount3(const std::string& host, const std::string& path);
    [[nodiscard]] Mount1Res Mount1(const std::string& host, const std::string& path);
    [[nodiscard]] Mount2PathConf GetPathConf(const std::string& path) const;
    [[nodiscard]] ExportList ListExports() const;

    uint32_t m_version;
    std::shared_ptr<MountTable> m_table;
    Ptr<FileStore> m_store;
    std::vector<uint32_t> m_flavors;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_MNT_SERVER_H
