/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_ACL_STORM_H
#define NFSRDMA_WORKLOAD_GENERATE_ACL_STORM_H

#include "workload/generate/file-setup.h"
#include "workload/generate/requests.h"
#include "workload/generate/weighted-choice.h"

#include "ns3/random-variable-stream.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A storm of access lists: each request sets or gets the list of one of Files files, chosen
 * at random. A list that is set has a number of entries by the distribution AclEntries, so that a
 * client cannot know how long the list is that it gets.
 *
 * SETUP makes the files and gives each a list. Of one file no two lists are set at the same time,
 * so that all can be verified; a set that finds no free file is a get. In a shared tree the files
 * are those of all clients, and lists that two of them set at the same time are not verified.
 * Results: "getacl" and "setacl"; octets are 12 for each entry.
 *
 * Attributes: Files (count), AclEntries (a list COUNT:WEIGHT), SetFraction (0 to 1).
 */
class AclWorkload : public RequestWorkload
{
  public:
    static TypeId GetTypeId();
    AclWorkload();

    /// \return nothing when \p text can be the attribute AclEntries, else what is expected.
    [[nodiscard]] static tl::expected<void, std::string> CheckAclEntries(const std::string& text);
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoSetUp() override;
    void DoDispose() override;

  private:
    bool SetAclEntries(const std::string& text);

    [[nodiscard]] std::string GetAclEntries() const
    {
        return m_aclEntriesText;
    }

    void SetFirst(std::size_t index);
    void StartRequest(Time arrived);
    /// \return a list of a number of entries drawn.
    [[nodiscard]] PosixAcl DrawAcl();
    void Get(std::size_t file, Time arrived);
    void Set(std::size_t file, Time arrived);

    uint32_t m_files{0};
    std::string m_aclEntriesText;
    WeightedChoice m_aclEntries;
    double m_setFraction{0};

    Ptr<UniformRandomVariable> m_file;
    Ptr<UniformRandomVariable> m_operation;
    Ptr<UniformRandomVariable> m_length;
    std::unique_ptr<FileSetup> m_layout;
    std::vector<bool> m_setting; ///< Files whose list is being set.
    uint32_t m_nextId{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_ACL_STORM_H
