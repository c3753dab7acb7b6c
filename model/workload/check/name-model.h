/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_NAME_MODEL_H
#define NFSRDMA_WORKLOAD_CHECK_NAME_MODEL_H

#include "nfs/v3/types3.h"
#include "workload/check/octet-model.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Which names a client's export should have, as its operations on them begin and end. Names
 * that operations outstanding together may both change are left open.
 */
class NameModel
{
  public:
    /// \param octets which follows what a CREATE cuts
    NameModel(ContentState& state, OctetModel& octets);

    struct Name
    {
        HandleView dir;
        std::string name;
    };

    /// An operation begins that may change these names, which it ends with.
    [[nodiscard]] ContentToken BeginNames(const std::vector<Name>& names);
    /// A CREATE begins; one that may cut an existing file is told as such.
    [[nodiscard]] ContentToken BeginCreate(const Name& name,
                                           CreateMode3 mode,
                                           const std::optional<uint64_t>& size);
    void EndCreate(ContentToken token, ChangeOutcome outcome, const OptionalHandle& handle);
    /// MKDIR, SYMLINK and MKNOD; \p target is SYMLINK's.
    void EndMake(ContentToken token,
                 ChangeOutcome outcome,
                 Ftype3 type,
                 const OptionalHandle& handle,
                 ByteSpan target);
    /// REMOVE and RMDIR.
    void EndRemove(ContentToken token, ChangeOutcome outcome);
    /// RENAME: the names are the old and the new one.
    void EndRename(ContentToken token, ChangeOutcome outcome);
    void EndLink(ContentToken token, ChangeOutcome outcome, const HandleView& file);

    /// \return operations begun and not ended.
    [[nodiscard]] std::size_t GetActiveCount() const
    {
        return m_active.size();
    }

  private:
    /// An operation on names.
    struct ActiveNames
    {
        std::vector<std::pair<ReferenceId, std::string>> names;
        bool conflict{false};
        ContentToken truncation{NO_CONTENT_TOKEN}; ///< CREATE of an existing file.
        std::optional<uint64_t> size;              ///< CREATE of a new file.
    };

    /// Takes the operation off the list, and makes \p change when the server has made it; names
    /// that are open then are marked.
    void End(ContentToken token,
             ChangeOutcome outcome,
             const std::function<void(const ActiveNames& active)>& change);
    [[nodiscard]] bool IsKnown(const ActiveNames& active) const;
    void LeaveOpen(const ActiveNames& active);

    ContentState& m_state;
    OctetModel& m_octets;
    std::map<ContentToken, ActiveNames> m_active;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_NAME_MODEL_H
