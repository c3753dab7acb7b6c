/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_REGISTRY_H
#define NFSRDMA_FAULT_ADVERSARY_REGISTRY_H

#include "fault/adversary/role.h"
#include "settings/named.h"

#include "ns3/type-id.h"

#include <vector>

namespace ns3::nfsrdma
{

/// A role as scenarios name it.
struct AdversaryEntry
{
    const char* name;
    AdversarySide side;
    /// Of a client: its NFS client is mounted and its workloads run, beside the role. A server with
    /// a role serves as any other; a host whose link has one is honest.
    bool ridesOnStack;
    const char* type; ///< Of its class, which comes from AdversaryRole, without the namespace.

    [[nodiscard]] TypeId GetType() const;
    /// \return a new role.
    [[nodiscard]] Ptr<AdversaryRole> Create() const;
};

/**
 * \brief The roles there are. A further one needs its class and, in roles.def, a row, and one for
 * each thing that can be set of it alone.
 */
[[nodiscard]] const NameTable<AdversaryEntry>& GetAdversaryRoles();

/// Adds a role from outside, as a plugin does; texts of \p entry are literals, and the attributes
/// of its class are those of \p rows. Throws std::invalid_argument when the name is taken.
void AddAdversaryRole(const AdversaryEntry& entry, const std::vector<SettingRow>& rows);

/// The same with the rows of a struct of settings.
template <typename S>
void
AddAdversaryRole(const AdversaryEntry& entry, const std::vector<Setting<S>>& rows)
{
    AddAdversaryRole(entry, std::vector<SettingRow>(rows.begin(), rows.end()));
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_REGISTRY_H
