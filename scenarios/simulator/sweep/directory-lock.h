/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_DIRECTORY_LOCK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_DIRECTORY_LOCK_H

#include <string>

namespace ns3::nfsrdma
{

/// Keeps a directory of results for one program at a time, as long as the object lives. A file
/// system without such locks grants it.
class DirectoryLock
{
  public:
    /// Throws ScenarioError when another program has \p directory, which is there.
    explicit DirectoryLock(const std::string& directory);
    ~DirectoryLock();
    DirectoryLock(const DirectoryLock&) = delete;
    DirectoryLock& operator=(const DirectoryLock&) = delete;

  private:
    int m_descriptor;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_DIRECTORY_LOCK_H
