/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/pinned-pages.h"

#include "host/memory.h"

#include "ns3/assert.h"

#include <utility>

namespace ns3::nfsrdma
{

PinnedPages::PinnedPages(Ptr<HostMemory> memory, uint64_t pages, HostMemoryAccount account)
    : m_memory(memory),
      m_pages(pages),
      m_account(account)
{
}

PinnedPages::~PinnedPages()
{
    Release();
}

PinnedPages::PinnedPages(PinnedPages&& other) noexcept
    : m_memory(std::exchange(other.m_memory, nullptr)),
      m_pages(std::exchange(other.m_pages, 0)),
      m_account(other.m_account)
{
}

PinnedPages&
PinnedPages::operator=(PinnedPages&& other) noexcept
{
    if (this != &other)
    {
        Release();
        m_memory = std::exchange(other.m_memory, nullptr);
        m_pages = std::exchange(other.m_pages, 0);
        m_account = other.m_account;
    }
    return *this;
}

std::optional<PinnedPages>
PinnedPages::Pin(Ptr<HostMemory> memory, uint64_t pages, HostMemoryAccount account)
{
    if (pages == 0)
    {
        return PinnedPages();
    }
    if (!memory->Pin(pages))
    {
        return std::nullopt;
    }
    memory->Charge(account, HostMemoryCharge::REGISTERED, pages * HostMemory::PAGE_SIZE, 0);
    return PinnedPages(memory, pages, account);
}

PinnedPages
PinnedPages::Split(uint64_t pages)
{
    NS_ASSERT_MSG(pages <= m_pages, "more pages than are held");
    if (pages == 0)
    {
        return {};
    }
    m_pages -= pages;
    return PinnedPages(m_memory, pages, m_account);
}

void
PinnedPages::Release()
{
    if (m_pages != 0)
    {
        m_memory->Charge(m_account,
                         HostMemoryCharge::REGISTERED,
                         0,
                         m_pages * HostMemory::PAGE_SIZE);
        m_memory->Unpin(m_pages);
        m_pages = 0;
    }
    m_memory = nullptr;
}

} // namespace ns3::nfsrdma
