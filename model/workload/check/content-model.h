/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_CONTENT_MODEL_H
#define NFSRDMA_WORKLOAD_CHECK_CONTENT_MODEL_H

#include "workload/check/acl-model.h"
#include "workload/check/content-state.h"
#include "workload/check/listing-model.h"
#include "workload/check/name-model.h"
#include "workload/check/octet-model.h"
#include "workload/check/staleness-model.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief What an export should hold, kept up to date as the operations of its clients complete.
 *
 * Each operation on octets, names or access lists is told at its begin and at its end, so that
 * operations that were outstanding together are known: what they leave open is not compared, but
 * counted. Operations on handles that the model does not know are followed as far as that goes.
 */
class ContentModel
{
  public:
    /// \param client index in the cluster of its client, or one of them; seeds the content
    explicit ContentModel(uint32_t client);
    ContentModel(const ContentModel&) = delete;
    ContentModel& operator=(const ContentModel&) = delete;

    /// The export's initial content, as TreeLoader puts it into a FileStore.
    void Load(const Tree& tree)
    {
        m_state.tree.Load(tree);
    }

    void SetRoot(const HandleView& root);

    /// Several clients work in the export.
    void SetShared()
    {
        m_state.shared = true;
    }

    [[nodiscard]] bool IsShared() const
    {
        return m_state.shared;
    }

    /// The server said that \p name in \p dir has \p handle.
    void Bind(const HandleView& dir, const std::string& name, const HandleView& handle);

    [[nodiscard]] OctetModel& GetOctets()
    {
        return m_octets;
    }

    [[nodiscard]] NameModel& GetNames()
    {
        return m_names;
    }

    [[nodiscard]] ListingModel& GetListings()
    {
        return m_listings;
    }

    [[nodiscard]] AclModel& GetAcls()
    {
        return m_acls;
    }

    [[nodiscard]] StalenessModel& GetStaleness()
    {
        return m_staleness;
    }

    [[nodiscard]] const ReferenceTree& GetTree() const
    {
        return m_state.tree;
    }

    /// \return what READs and READLINKs gave, compared.
    [[nodiscard]] const ContentCheck& GetReadCheck() const
    {
        return m_state.reads;
    }

    /// \return operations begun and not ended.
    [[nodiscard]] std::size_t GetActiveCount() const
    {
        return m_octets.GetActiveCount() + m_names.GetActiveCount() + m_acls.GetActiveCount();
    }

  private:
    ContentState m_state;
    OctetModel m_octets;
    ListingModel m_listings;
    NameModel m_names;
    AclModel m_acls;
    StalenessModel m_staleness;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_CONTENT_MODEL_H
