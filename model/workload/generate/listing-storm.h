/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_LISTING_STORM_H
#define NFSRDMA_WORKLOAD_GENERATE_LISTING_STORM_H

#include "settings/setting.h"
#include "workload/generate/file-setup.h"
#include "workload/generate/requests.h"

#include "ns3/random-variable-stream.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A storm of directory listings: each request lists one of Directories directories of
 * Entries empty files, chosen at random, from its begin to its end by READDIR or READDIRPLUS, each
 * call from the cookie of the last entry of the one before.
 *
 * SETUP makes the directories. Results: "listing", a whole listing, which is an error unless it
 * gave each name once and no other; "page", one call of it; octets are those of the names.
 *
 * Attributes: Directories, Entries (count), Plus, Count (octets).
 */
class ListingWorkload : public RequestWorkload
{
  public:
    /// What can be set: listing-storm.def has the fields.
    struct Settings
    {
#define SETTING(type, name, ...) type name{};
#include "workload/generate/listing-storm.def"
#undef SETTING

        [[nodiscard]] static const std::vector<Setting<Settings>>& GetRows();
    };

    static TypeId GetTypeId();
    ListingWorkload();

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoSetUp() override;
    void DoDispose() override;

  private:
    struct Listing
    {
        std::size_t directory{0};
        Time arrived;
        Time pageBegan;
        uint64_t cookie{0};
        uint64_t verifier{0};
        uint64_t octets{0};
        std::set<std::string> names;
        bool ok{true};
    };

    void MakeDirectory(uint32_t index);
    void Run();
    void NextPage(const std::shared_ptr<Listing>& listing);
    void TakePage(const std::shared_ptr<Listing>& listing, const FileListReply& reply);

    Settings m_settings;
    Ptr<UniformRandomVariable> m_choice;
    std::vector<std::unique_ptr<FileSetup>> m_layouts; ///< One a directory.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_LISTING_STORM_H
