/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_NAME_MODEL_H
#define NFSRDMA_WORKLOAD_CHECK_NAME_MODEL_H

#include "nfs/v3/types3.h"
#include "workload/check/listing-model.h"
#include "workload/check/octet-model.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Which names an export should have, as operations on them begin and end, of one client or
 * of several. Names that operations outstanding together have both changed are left open; one that
 * was refused has changed nothing.
 *
 * What one client makes another may find before the first has its reply: that it is there is known
 * from then on.
 */
class NameModel
{
  public:
    /// \param octets which follows what a CREATE cuts
    /// \param listings which are told of names that change
    NameModel(ContentState& state, OctetModel& octets, ListingModel& listings);

    struct Name
    {
        HandleView dir;
        std::string name;
    };

    /// An operation begins that may change these names, which it ends with.
    [[nodiscard]] ContentToken BeginNames(const std::vector<Name>& names);
    /// MKDIR and SYMLINK begin. \param target SYMLINK's
    [[nodiscard]] ContentToken BeginMake(const Name& name, Ftype3 type, const std::string& target);
    /// A client has found \p name, with \p handle: what is being made with that name is there.
    void Found(const Name& name, const HandleView& handle);
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
        std::set<ContentToken> outstanding;        ///< Others that may change one of the names.
        bool conflict{false};                      ///< Such a one has ended, and may have.
        std::optional<Ftype3> made;                ///< What it makes.
        std::string target;                        ///< LNK.
        ContentToken truncation{NO_CONTENT_TOKEN}; ///< CREATE of an existing file.
        std::optional<uint64_t> size;              ///< CREATE of a new file.
    };

    /// Takes the operation off the list, and makes \p change when the server has made it; names
    /// that are open then are marked.
    void End(ContentToken token,
             ChangeOutcome outcome,
             const std::function<void(const ActiveNames& active)>& change);
    /// Tells the listings, and the tree, that an operation on names begins or ends.
    void Touch(const ActiveNames& active, bool begins);
    /// Adds what \p active makes. \return it
    ReferenceId Make(const ActiveNames& active, Ftype3 type, const OptionalHandle& handle);
    [[nodiscard]] bool IsKnown(const ActiveNames& active) const;
    void LeaveOpen(const ActiveNames& active);
    /// An operation was refused: names that only it left open are certain.
    void CloseNames(ContentToken token, const ActiveNames& active);

    ContentState& m_state;
    OctetModel& m_octets;
    ListingModel& m_listings;
    std::map<ContentToken, ActiveNames> m_active;
    /// Names that are open only because of what is outstanding, by directory and name.
    std::map<std::pair<ReferenceId, std::string>, std::set<ContentToken>> m_waiting;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_NAME_MODEL_H
