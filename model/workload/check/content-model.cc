/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-model.h"

namespace ns3::nfsrdma
{

ContentModel::ContentModel(uint32_t client)
    : m_state(client),
      m_octets(m_state),
      m_names(m_state, m_octets),
      m_acls(m_state)
{
}

void
ContentModel::Load(const Tree& tree)
{
    m_state.tree.Load(tree);
}

void
ContentModel::SetRoot(const HandleView& root)
{
    m_state.tree.Bind(ReferenceTree::ROOT, root);
}

const ReferenceTree&
ContentModel::GetTree() const
{
    return m_state.tree;
}

void
ContentModel::Bind(const HandleView& dir, const std::string& name, const HandleView& handle)
{
    const ReferenceId id = m_state.tree.Lookup(m_state.tree.FindHandle(dir), name);
    const ReferenceObject* object = m_state.tree.Find(id);
    if (object != nullptr && !object->handle)
    {
        m_state.tree.Bind(id, handle);
    }
}

const ContentCheck&
ContentModel::GetReadCheck() const
{
    return m_state.reads;
}

std::size_t
ContentModel::GetActiveCount() const
{
    return m_octets.GetActiveCount() + m_names.GetActiveCount() + m_acls.GetActiveCount();
}

} // namespace ns3::nfsrdma
