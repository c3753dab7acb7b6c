/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_ACL_MODEL_H
#define NFSRDMA_WORKLOAD_CHECK_ACL_MODEL_H

#include "nfs/types/posix-acl.h"
#include "workload/check/content-state.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief Which access lists the objects of a client's export should have, as changes of them begin
 * and end; and the check of what GETACL gives.
 *
 * A change that was outstanding with another leaves the lists open until the next that is not.
 */
class AclModel
{
  public:
    explicit AclModel(ContentState& state);

    /// \return whether the object is known to be a directory.
    [[nodiscard]] bool IsDirectory(const HandleView& object) const;
    /// Both lists begin to be set; an absent one is sent as what no list can be.
    [[nodiscard]] ContentToken BeginSetAcls(const HandleView& object,
                                            std::optional<PosixAcl> access,
                                            std::optional<PosixAcl> defaultAcl);
    /// A SETATTR begins that sets the mode, which changes an access list.
    [[nodiscard]] ContentToken BeginSetMode(const HandleView& object, uint32_t mode);
    void EndAclChange(ContentToken token, ChangeOutcome outcome);

    /// A list that came from a server, or was not asked for.
    struct GivenAcl
    {
        bool given{false};
        std::optional<PosixAcl> acl; ///< Absent: what came is no list.
    };

    /// \return what CheckAcls() needs of the time when the GETACL begins.
    [[nodiscard]] uint64_t GetAclVersion(const HandleView& object) const;
    /// What a version's way of writing access lists leaves of them, as FileClient::MapAcls().
    using AclMapping =
        std::function<std::optional<PosixAclPair>(const PosixAclPair& acls, bool isDirectory)>;

    /// Compares what GETACL gave, unless a change was outstanding with it. \return false when it is
    /// wrong. \param mapping null: what the object has is given as it is
    bool CheckAcls(const HandleView& object,
                   uint64_t version,
                   const GivenAcl& access,
                   const GivenAcl& defaultAcl,
                   const AclMapping& mapping = nullptr);

    /// \return changes begun and not ended.
    [[nodiscard]] std::size_t GetActiveCount() const
    {
        return m_active.size();
    }

  private:
    /// A change of access lists.
    struct Active
    {
        ReferenceId object{ReferenceTree::NONE};
        std::optional<uint32_t> mode;       ///< SETATTR; absent: SETACL.
        std::optional<PosixAcl> access;     ///< SETACL; absent: no such list can be.
        std::optional<PosixAcl> defaultAcl; ///< SETACL; absent: no such list can be.
        bool conflict{false};
    };

    ContentToken Begin(Active&& active);
    void Apply(const Active& active, ReferenceObject& object);

    ContentState& m_state;
    std::map<ContentToken, Active> m_active;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_ACL_MODEL_H
