/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_MEASURED_FILES_H
#define NFSRDMA_WORKLOAD_GENERATE_MEASURED_FILES_H

#include "workload/generate/file-setup.h"
#include "workload/life.h"

#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A workload on a FileClient, of any NFS version, that measures what it does.
 *
 * It mounts, then calls DoSetUp(); everything it makes is in a directory of the export's root,
 * which is named as the workload unless SetDirectory() says otherwise.
 *
 * Its operations are those of the protocol, one for one, as published mixes count them at servers;
 * with SystemCalls they are what an application asks of its host, which caches (CachedRequests).
 *
 * Attribute: SystemCalls.
 */
class FileWorkload : public Workload
{
  public:
    static TypeId GetTypeId();

    /// \return nothing when the attributes fit together, else what is expected of which attribute.
    /// A workload whose attributes do not must not be started.
    [[nodiscard]] virtual tl::expected<void, std::string> Validate() const
    {
        return {};
    }

    /// Names the directory it works in; before Start().
    void SetDirectory(const std::string& name)
    {
        m_directory = name;
    }

    /// When requests arrive whose arrivals are a trace: ascending times from the begin on; before
    /// Start(). Of kinds that have such requests.
    virtual void SetArrivalTimes(const std::shared_ptr<const std::vector<Time>>& /* times */)
    {
    }

    /// \return with those of its setup that did not succeed.
    [[nodiscard]] uint64_t GetFailed() const override
    {
        return Workload::GetFailed() + m_setupErrors;
    }

  protected:
    [[nodiscard]] std::string GetDirectory() const
    {
        return m_directory.empty() ? GetName() : m_directory;
    }

    void DoStart() override;
    /// The mount is there and the phase is SETUP: makes what is needed, then calls BecomeReady().
    virtual void DoSetUp() = 0;

    /// Makes what \p plan says, in \p layout, and then calls \p done; what cannot be made ends the
    /// workload.
    void MakeFiles(std::unique_ptr<FileSetup>& layout,
                   FileSetup::Plan plan,
                   std::function<void()> done);
    /// Setup could not be done: enters FINISHED.
    void GiveUp(uint64_t errors);

  private:
    std::string m_directory;
    uint64_t m_setupErrors{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_MEASURED_FILES_H
