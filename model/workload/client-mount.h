/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CLIENT_MOUNT_H
#define NFSRDMA_WORKLOAD_CLIENT_MOUNT_H

#include "host/memory.h"
#include "nfs/types/file-client.h"
#include "nfs/v3/calls3.h"
#include "rpc/client.h"
#include "workload/check/content-model.h"
#include "workload/replay/tree-reader.h"
#include "workload/shared-tree.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The mount of one client, which all workloads of that client share: its NFS clients, its
 * export, and what that should hold.
 *
 * FileClient::Mount() is called once, for the first that asks.
 */
class ClientMount
{
  public:
    /// \param index of the client in the cluster; seeds the content
    ClientMount(uint32_t index, const Ptr<HostMemory>& memory);
    ~ClientMount() = default;
    ClientMount(const ClientMount&) = delete;
    ClientMount& operator=(const ClientMount&) = delete;

    // The clients; null where no workload needs it. Before the workloads start.

    Ptr<Nfs3Calls> nfs;
    Ptr<NfsAcl3Calls> acl;
    Ptr<FileClient> files;
    std::vector<Ptr<RpcClient>> calls; ///< Of all of them: who makes their calls.
    std::string exportName;            ///< NFSv4: what the export is called in the server's root.

    /// The root of the export and what it holds at first (null: nothing); once.
    void SetExport(const NfsFh3& root, std::shared_ptr<const Tree> tree);

    /// Its export is also that of other clients, which have \p tree in common; once, before
    /// SetExport(), which must not have a tree then.
    void SetSharedTree(std::shared_ptr<SharedTree> tree)
    {
        m_content = tree->GetContent();
        m_sharedTree = std::move(tree);
    }

    /// \return what the clients of its export have in common; null: no other client works in it.
    [[nodiscard]] const std::shared_ptr<SharedTree>& GetSharedTree() const
    {
        return m_sharedTree;
    }

    /// Requests that start now have arrived at \p time, and waited since; none: they have not.
    void SetArrival(std::optional<Time> time)
    {
        for (const auto& client : calls)
        {
            client->SetArrival(time);
        }
    }

    /// Requests that start now are submitted by \p thread; null: each by one of its own.
    void SetSubmitter(const Ptr<HostThread>& thread)
    {
        for (const auto& client : calls)
        {
            client->SetSubmitter(thread);
        }
    }

    /// The directory in which its locks are met by those of others; once.
    void SetShared(FileRef directory)
    {
        m_shared = std::move(directory);
    }

    [[nodiscard]] const FileRef& GetShared() const
    {
        return m_shared;
    }

    /// \return the first of \p count numbers of processes of this host that nobody else has.
    [[nodiscard]] uint32_t TakeProcesses(uint32_t count);

    using Done = std::function<void(const FileReply& reply)>;
    /// Mounts through the FileClient, or waits for that; \p done is called later, or at once when
    /// it is mounted.
    void Mount(Done done);
    /// Undoes it, when it has been mounted; \p done is called at once when not.
    void Unmount(std::function<void()> done);

    /// A workload that has mounted without the FileClient: Unmount() calls \p unmount, which calls
    /// what it is given when it is through.
    void SetUnmount(std::function<void(std::function<void()>)> unmount)
    {
        m_unmount = std::move(unmount);
    }

    [[nodiscard]] uint32_t GetIndex() const
    {
        return m_index;
    }

    [[nodiscard]] const Ptr<HostMemory>& GetMemory() const
    {
        return m_memory;
    }

    [[nodiscard]] const NfsFh3& GetRoot() const
    {
        return m_root;
    }

    [[nodiscard]] const FileRef& GetRootRef() const
    {
        return m_rootRef;
    }

    /// \return what the export holds at first; null: nothing.
    [[nodiscard]] const Tree* GetTree() const
    {
        return m_tree.get();
    }

    [[nodiscard]] const std::shared_ptr<ContentModel>& GetContent() const
    {
        return m_content;
    }

  private:
    enum class State
    {
        UNMOUNTED,
        MOUNTING,
        MOUNTED,
        FAILED
    };

    void Mounted(const FileReply& reply);

    uint32_t m_index;
    Ptr<HostMemory> m_memory;
    NfsFh3 m_root;
    FileRef m_rootRef;
    FileRef m_shared;
    uint32_t m_nextProcess{1};
    std::shared_ptr<const Tree> m_tree;
    std::shared_ptr<ContentModel> m_content;
    std::shared_ptr<SharedTree> m_sharedTree;
    State m_state{State::UNMOUNTED};
    FileReply m_reply; ///< Of Mount().
    std::function<void(std::function<void()>)> m_unmount;
    std::vector<Done> m_waiting;
    std::shared_ptr<ClientMount*> m_alive;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CLIENT_MOUNT_H
