/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/directory-lock.h"

#include "scenarios/simulator/keys/scenario-error.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace ns3::nfsrdma
{

DirectoryLock::DirectoryLock(const std::string& directory)
    : m_descriptor(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    if (m_descriptor >= 0 && flock(m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
        close(m_descriptor);
        throw ScenarioError("--out",
                            "",
                            Quote(directory),
                            "a directory that no other run uses now");
    }
}

DirectoryLock::~DirectoryLock()
{
    if (m_descriptor >= 0)
    {
        close(m_descriptor);
    }
}

} // namespace ns3::nfsrdma
