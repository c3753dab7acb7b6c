/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-model.h"

namespace ns3::nfsrdma
{

ContentModel::ContentModel(uint32_t client)
    : m_state(client),
      m_octets(m_state),
      m_listings(m_state),
      m_names(m_state, m_octets, m_listings),
      m_acls(m_state),
      m_staleness(m_state)
{
}

void
ContentModel::SetRoot(const HandleView& root)
{
    m_state.tree.Bind(ReferenceTree::ROOT, root);
}

void
ContentModel::Bind(const HandleView& dir, const std::string& name, const HandleView& handle)
{
    m_names.Found({dir, name}, handle);
    const ReferenceId id = m_state.tree.Lookup(m_state.tree.FindHandle(dir), name);
    const ReferenceObject* object = m_state.tree.Find(id);
    if (object != nullptr && !object->handle)
    {
        m_state.tree.Bind(id, handle);
    }
}

} // namespace ns3::nfsrdma
