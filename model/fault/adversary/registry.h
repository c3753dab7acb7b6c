/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_REGISTRY_H
#define NFSRDMA_FAULT_ADVERSARY_REGISTRY_H

#include "fault/adversary/role.h"

#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A role as scenarios name it.
struct AdversaryEntry
{
    const char* name;
    AdversarySide side;
    /// Of a client: its NFS client is mounted and its workloads run, beside the role. A server with
    /// a role serves as any other.
    bool ridesOnStack;
    TypeId (*getTypeId)(); ///< Of a class that comes from AdversaryRole.
};

/**
 * \brief The roles there are. A further one needs its class, a line here, and its keys in
 * scenarios/simulator/keys/adversary.cc, whose targets are attributes of the class.
 */
class AdversaryRegistry
{
  public:
    static const std::vector<AdversaryEntry>& GetEntries();
    static std::vector<std::string> GetNames();
    /// \return the names of roles of \p side.
    static std::vector<std::string> GetNames(AdversarySide side);
    /// \return null for another name.
    static const AdversaryEntry* Find(const std::string& name);
    /// \return a new role, or null when there is no such name.
    static Ptr<AdversaryRole> Create(const std::string& name);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_REGISTRY_H
