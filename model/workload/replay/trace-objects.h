/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_TRACE_OBJECTS_H
#define NFSRDMA_WORKLOAD_REPLAY_TRACE_OBJECTS_H

#include "nfs/v3/types3.h"
#include "workload/replay/trace.h"
#include "workload/replay/tree-reader.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief What the objects of a trace are in the simulation, as learnt from replies: their file
 * handles, the place in each directory, the change time that a SETATTR's guard needs.
 */
class ReplayObjects
{
  public:
    /// Where the next READDIR of a directory goes on.
    struct Cursor
    {
        uint64_t cookie{0};
        Nfs3Verifier verifier{{}};
    };

    /// \param trace to be replayed
    /// \param tree tells which object a name found by READDIRPLUS is; may be null
    ReplayObjects(const Trace& trace, const Tree* tree);

    /// A handle known otherwise than from a reply.
    void SetHandle(const std::string& object, const NfsFh3& handle)
    {
        m_handles[object] = handle;
    }

    [[nodiscard]] std::optional<NfsFh3> FindHandle(const std::string& object) const;
    [[nodiscard]] Cursor GetCursor(const TraceRow& row) const;
    /// \return the guard to send: the object's latest change time where the recorded guard held,
    /// the recorded one otherwise.
    [[nodiscard]] std::optional<NfsTime3> GetGuard(const TraceRow& row) const;

    // What a successful reply to a row tells.

    /// \return false when the row's result object had another handle before.
    bool LearnHandle(const TraceRow& row, const NfsFh3& handle);
    void LearnAttributes(const std::string& object, const PostOpAttr& attributes);
    void LearnEntries(const TraceRow& row, const Readdir3Res& result);
    void LearnEntries(const TraceRow& row, const Readdirplus3Res& result);

  private:
    std::map<std::string, NfsFh3> m_handles;
    /// By directory and name, objects of the tree that some row is about.
    std::map<std::pair<std::string, std::string>, std::string> m_names;
    std::map<std::string, Cursor> m_cursors; ///< By directory.
    std::set<std::string> m_guarded;
    std::map<std::string, NfsTime3> m_changeTimes; ///< Of guarded objects.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_TRACE_OBJECTS_H
