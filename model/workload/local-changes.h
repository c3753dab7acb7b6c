/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_LOCAL_CHANGES_H
#define NFSRDMA_WORKLOAD_LOCAL_CHANGES_H

#include "nfs/store/files.h"
#include "nfs/v4/server/service.h"
#include "workload/replay/trace.h"
#include "workload/replay/tree-reader.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A process on a server's own host is about to change a file that a client holds a delegation of.
struct LocalChange
{
    std::string path;   ///< From the root of the export, "/" between names.
    uint32_t grants{1}; ///< Which grant of a delegation of the file it comes after, from 1.
    Time delay;         ///< After that grant.
};

/**
 * \brief What recorded recalls of delegations came from, as far as the recording tells.
 *
 * \param client index of a client of the trace
 * \param tree names of objects that were there before; may be null
 * \return a change for each CB_RECALL of a delegation whose OPEN is recorded
 */
[[nodiscard]] std::vector<LocalChange> FindLocalChanges(const Trace& trace,
                                                        uint32_t client,
                                                        const Tree* tree);

/**
 * \brief Processes on the host of a server that change files while clients replay a recording.
 *
 * What they write is not recorded: delegations are broken, the octets of the files stay.
 */
class LocalChanges : public Object
{
  public:
    static TypeId GetTypeId();

    /// Both of this host; once.
    void SetServer(const Ptr<Nfs4Server>& server, const Ptr<FileStore>& store);

    /// \param root of the export that the change is in
    void Add(InodeNumber root, const LocalChange& change)
    {
        m_pending.push_back({root, change});
    }

    /// \return changes not made yet.
    [[nodiscard]] std::size_t GetPending() const
    {
        return m_pending.size();
    }

  private:
    struct Pending
    {
        InodeNumber root{0};
        LocalChange change;
    };

    void DoDispose() override;
    void TakeGrant(Nfs4ClientId client, InodeNumber file);

    Ptr<Nfs4Server> m_server;
    Ptr<FileStore> m_store;
    std::vector<Pending> m_pending;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_LOCAL_CHANGES_H
