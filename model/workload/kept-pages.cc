/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/kept-pages.h"

namespace ns3::nfsrdma
{

namespace
{

bool
IsSame(const NfsTime3& a, const NfsTime3& b)
{
    return a.seconds == b.seconds && a.nseconds == b.nseconds;
}

bool
IsSameVersion(const Fattr3& a, const Fattr3& b)
{
    return a.size == b.size && IsSame(a.mtime, b.mtime) && IsSame(a.ctime, b.ctime);
}

} // namespace

bool
KeptPages::Open(const std::optional<Fattr3>& attributes)
{
    const bool same =
        !m_written && (!attributes || (m_attributes && IsSameVersion(*attributes, *m_attributes)));
    if (attributes)
    {
        m_attributes = attributes;
    }
    m_written = false;
    if (!same)
    {
        m_pages = OctetSet();
    }
    return same;
}

void
KeptPages::Close(const OctetSet& pages, bool written)
{
    m_pages = pages;
    m_written = written;
}

void
KeptPages::Forget()
{
    *this = KeptPages();
}

} // namespace ns3::nfsrdma
