/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/memory.h"

#include "wire/simulation-clock.h"
#include "wire/spare-octets.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(HostMemory);

namespace
{

constexpr uint64_t FIRST_ADDRESS = 0x100000000;
constexpr int64_t TIMER_SLACK = 1000000; // Nanoseconds; one event then does for many writes.

constexpr uint64_t
PagesOf(uint64_t length)
{
    return (length + HostMemory::PAGE_SIZE - 1) / HostMemory::PAGE_SIZE;
}

} // namespace

TypeId
HostMemory::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::HostMemory")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<HostMemory>()
            .AddAttribute("MaxPinnedPages",
                          "Limit of pages pinned at once (4 KiB pages). Default: 2^30, 4 TiB, that "
                          "is none: Linux hosts with RDMA run with RLIMIT_MEMLOCK unlimited.",
                          UintegerValue(1U << 30),
                          MakeUintegerAccessor(&HostMemory::m_maxPinnedPages),
                          MakeUintegerChecker<uint64_t>())
            .AddTraceSource("PinnedPages",
                            "Pages pinned have changed: before, after.",
                            MakeTraceSourceAccessor(&HostMemory::m_pinnedPages),
                            "ns3::TracedValueCallback::Uint64")
            .AddTraceSource("Allocated",
                            "Octets allocated for a use have changed: before, after.",
                            MakeTraceSourceAccessor(&HostMemory::m_allocatedTrace),
                            "ns3::nfsrdma::HostMemory::AllocatedTracedCallback")
            .AddTraceSource("Charged",
                            "Octets that the account of a connection holds have changed: before, "
                            "after.",
                            MakeTraceSourceAccessor(&HostMemory::m_chargedTrace),
                            "ns3::nfsrdma::HostMemory::ChargedTracedCallback");
    return tid;
}

HostMemory::HostMemory()
    : m_nextAddress(FIRST_ADDRESS)
{
    SimulationClock::Start();
}

void
HostMemory::DoDispose()
{
    m_timer.Cancel();
    m_posted.clear();
    Object::DoDispose();
}

uint64_t
HostMemory::Allocate(uint64_t length, HostMemoryPurpose purpose)
{
    NS_ABORT_MSG_IF(length == 0, "an allocation of no octets");
    const uint64_t base = m_nextAddress;
    if (m_allocations.size() == m_allocations.capacity())
    {
        m_allocations.reserve(m_allocations.size() + m_allocations.size() / 4 + 4);
    }
    m_allocations.push_back({base, length, purpose, nullptr});
    m_allocatedBytes += length;
    m_nextAddress += (PagesOf(length) + 1) * PAGE_SIZE;
    Enter(length, purpose);
    return base;
}

HostMemory::Allocation&
HostMemory::Get(uint64_t address) const
{
    const auto found = std::lower_bound(
        m_allocations.begin(),
        m_allocations.end(),
        address,
        [](const Allocation& allocation, uint64_t sought) { return allocation.base < sought; });
    NS_ABORT_MSG_IF(found == m_allocations.end() || found->base != address || found->length == 0,
                    "no allocation at address " << address);
    return *found;
}

void
HostMemory::Free(uint64_t address)
{
    Settle();
    Allocation& allocation = Get(address);
    const auto length = std::exchange(allocation.length, 0);
    const auto purpose = allocation.purpose;
    if (allocation.pages)
    {
        m_residentPages -= std::count_if(allocation.pages.get(),
                                         allocation.pages.get() + PagesOf(length),
                                         [](const auto& page) { return !page.IsEmpty(); });
        allocation.pages.reset();
    }
    ++m_freed;
    Compact();
    m_allocatedBytes -= length;
    TakeOff(length, purpose);
}

void
HostMemory::Compact()
{
    const auto isFreed = [](const Allocation& allocation) { return allocation.length == 0; };
    while (!m_allocations.empty() && isFreed(m_allocations.back()))
    {
        m_allocations.pop_back();
        --m_freed;
    }
    if (m_freed > m_allocations.size() / 2)
    {
        m_allocations.erase(std::remove_if(m_allocations.begin(), m_allocations.end(), isFreed),
                            m_allocations.end());
        m_freed = 0;
    }
}

void
HostMemory::SetPurpose(uint64_t address, HostMemoryPurpose purpose)
{
    Allocation& allocation = Get(address);
    const auto length = allocation.length;
    const auto before = std::exchange(allocation.purpose, purpose);
    TakeOff(length, before);
    Enter(length, purpose);
}

void
HostMemory::Enter(uint64_t length, HostMemoryPurpose purpose)
{
    const auto [use, account] = purpose;
    ChangeUse(use, length, 0);
    Charge(account, static_cast<HostMemoryCharge>(use), length, 0);
}

void
HostMemory::TakeOff(uint64_t length, HostMemoryPurpose purpose)
{
    const auto [use, account] = purpose;
    Charge(account, static_cast<HostMemoryCharge>(use), 0, length);
    ChangeUse(use, 0, length);
}

void
HostMemory::Charge(HostMemoryAccount account, HostMemoryCharge charge, uint64_t more, uint64_t less)
{
    if (account != 0)
    {
        const uint64_t before = m_accounts.Change(account, charge, more, less);
        m_chargedTrace(account, charge, before, before + more - less);
    }
}

void
HostMemory::ChangeUse(HostMemoryUse use, uint64_t more, uint64_t less)
{
    uint64_t& octets = m_bytesOfUse[static_cast<std::size_t>(use)];
    const uint64_t before = octets;
    octets += more - less;
    m_allocatedTrace(use, before, octets);
}

HostMemory::Allocation*
HostMemory::Find(uint64_t address, uint64_t length) const
{
    const auto holds = [address, length](const Allocation& allocation) {
        return allocation.length != 0 && address >= allocation.base &&
               address - allocation.base <= allocation.length &&
               length <= allocation.length - (address - allocation.base);
    };
    if (m_latest < m_allocations.size() && holds(m_allocations[m_latest]))
    {
        return &m_allocations[m_latest];
    }
    const auto after = std::upper_bound(
        m_allocations.begin(),
        m_allocations.end(),
        address,
        [](uint64_t sought, const Allocation& allocation) { return sought < allocation.base; });
    if (after == m_allocations.begin() || !holds(*std::prev(after)))
    {
        return nullptr;
    }
    m_latest = static_cast<std::size_t>(std::prev(after) - m_allocations.begin());
    return &m_allocations[m_latest];
}

bool
HostMemory::TryWrite(uint64_t address, ByteSpan octets)
{
    if (octets.empty())
    {
        return true;
    }
    Settle();
    Allocation* allocation = Find(address, octets.size());
    if (allocation == nullptr)
    {
        return false;
    }
    WritePages(*allocation, address - allocation->base, octets);
    return true;
}

bool
HostMemory::TryRead(uint64_t address, MutableByteSpan out) const
{
    if (out.empty())
    {
        return true;
    }
    Settle();
    const Allocation* allocation = Find(address, out.size());
    if (allocation == nullptr)
    {
        return false;
    }
    ReadPages(*allocation, address - allocation->base, out);
    return true;
}

bool
HostMemory::TryReadBehindPosts(uint64_t address, MutableByteSpan out) const
{
    if (!TryRead(address, out))
    {
        return false;
    }
    for (const Posted& posted : m_posted)
    {
        const uint64_t begin = std::max(address, posted.address);
        const uint64_t end = std::min(address + out.size(), posted.address + posted.octets.size());
        if (begin < end)
        {
            std::copy_n(posted.octets.data() + (begin - posted.address),
                        end - begin,
                        out.data() + (begin - address));
        }
    }
    return true;
}

void
HostMemory::Post(Time due, uint64_t address, ByteSpan octets, uint32_t poster)
{
    Settle();
    m_posts.posted += octets.size();
    Posted posted{due, address, poster, SpareOctets::Take()};
    posted.octets.assign(octets.data(), octets.data() + octets.size());
    m_posted.InsertInOrder(std::move(posted), &Posted::due);
    if (!m_timer.IsRunning())
    {
        HandleTimer();
    }
}

void
HostMemory::HandleTimer()
{
    Settle();
    if (!m_posted.empty())
    {
        m_timer.Plan(SimulationClock::Now(),
                     m_posted.back().due + NanoSeconds(TIMER_SLACK),
                     &HostMemory::HandleTimer,
                     this);
    }
}

void
HostMemory::HastenPosts(uint32_t poster)
{
    Settle();
    const auto others =
        std::stable_partition(m_posted.begin(), m_posted.end(), [poster](const Posted& posted) {
            return posted.poster == poster;
        });
    std::for_each(m_posted.begin(), others, [this](Posted& posted) { CarryOut(posted); });
    m_posted.erase(m_posted.begin(), others);
}

void
HostMemory::CarryOut(Time until) const
{
    while (!m_posted.empty() && m_posted.front().due <= until)
    {
        CarryOut(m_posted.front());
        m_posted.pop_front();
    }
}

void
HostMemory::CarryOut(Posted& posted) const
{
    Allocation* const allocation = Find(posted.address, posted.octets.size());
    if (allocation == nullptr)
    {
        m_posts.lost += posted.octets.size();
    }
    else
    {
        m_posts.written += posted.octets.size();
        WritePages(*allocation, posted.address - allocation->base, posted.octets);
    }
    SpareOctets::Give(std::move(posted.octets));
}

uint64_t
HostMemory::GetPostedOctets() const
{
    Settle();
    uint64_t octets = 0;
    for (const Posted& posted : m_posted)
    {
        octets += posted.octets.size();
    }
    return octets;
}

void
HostMemory::Write(uint64_t address, ByteSpan octets)
{
    const bool inside = TryWrite(address, octets);
    NS_ABORT_MSG_UNLESS(inside, "write outside an allocation at address " << address);
}

void
HostMemory::Read(uint64_t address, MutableByteSpan out) const
{
    const bool inside = TryRead(address, out);
    NS_ABORT_MSG_UNLESS(inside, "read outside an allocation at address " << address);
}

MutableByteSpan
HostMemory::GetRoom(uint64_t address, uint64_t length)
{
    Settle();
    Allocation* allocation = Find(address, length);
    NS_ABORT_MSG_IF(allocation == nullptr, "room outside an allocation at address " << address);
    return GetRoom(*allocation, address - allocation->base, length);
}

MutableByteSpan
HostMemory::GetRoom(Allocation& allocation, uint64_t offset, uint64_t length) const
{
    if (!allocation.pages)
    {
        allocation.pages = std::make_unique<MemoryPage[]>(PagesOf(allocation.length));
    }
    const uint64_t within = offset % PAGE_SIZE;
    MemoryPage& page = allocation.pages[offset / PAGE_SIZE];
    m_residentPages += page.IsEmpty() ? 1 : 0;
    return page.GetRoom(static_cast<uint32_t>(within),
                        static_cast<uint32_t>(std::min(length, PAGE_SIZE - within)));
}

void
HostMemory::WritePages(Allocation& allocation, uint64_t offset, ByteSpan octets) const
{
    while (!octets.empty())
    {
        const auto room = GetRoom(allocation, offset, octets.size());
        std::copy_n(octets.data(), room.size(), room.data());
        octets = octets.subspan(room.size());
        offset += room.size();
    }
}

void
HostMemory::ReadPages(const Allocation& allocation, uint64_t offset, MutableByteSpan out)
{
    if (!allocation.pages)
    {
        std::fill_n(out.data(), out.size(), uint8_t{0});
        return;
    }
    while (!out.empty())
    {
        const uint64_t within = offset % PAGE_SIZE;
        const auto count = std::min<uint64_t>(out.size(), PAGE_SIZE - within);
        allocation.pages[offset / PAGE_SIZE].Read(static_cast<uint32_t>(within), out.first(count));
        out = out.subspan(count);
        offset += count;
    }
}

bool
HostMemory::CanPin(uint64_t pages) const
{
    const uint64_t limit = std::min(m_maxPinnedPages, m_pressure.value_or(m_maxPinnedPages));
    return m_pinnedPages <= limit && pages <= limit - m_pinnedPages;
}

bool
HostMemory::Pin(uint64_t pages)
{
    if (!CanPin(pages))
    {
        return false;
    }
    m_pinnedPages += pages;
    m_peakPinnedPages = std::max(m_peakPinnedPages, m_pinnedPages.Get());
    return true;
}

void
HostMemory::Unpin(uint64_t pages)
{
    NS_ASSERT_MSG(pages <= m_pinnedPages, "more pages than are pinned");
    m_pinnedPages -= pages;
}

HostBuffer::HostBuffer(Ptr<HostMemory> memory, uint64_t length, HostMemoryPurpose purpose)
    : m_memory(memory),
      m_address(memory->Allocate(length, purpose)),
      m_length(length)
{
}

HostBuffer::~HostBuffer()
{
    Release();
}

HostBuffer::HostBuffer(HostBuffer&& other) noexcept
    : m_memory(std::exchange(other.m_memory, nullptr)),
      m_address(std::exchange(other.m_address, 0)),
      m_length(std::exchange(other.m_length, 0))
{
}

HostBuffer&
HostBuffer::operator=(HostBuffer&& other) noexcept
{
    if (this != &other)
    {
        Release();
        m_memory = std::exchange(other.m_memory, nullptr);
        m_address = std::exchange(other.m_address, 0);
        m_length = std::exchange(other.m_length, 0);
    }
    return *this;
}

void
HostBuffer::Release()
{
    if (m_memory)
    {
        m_memory->Free(m_address);
        m_memory = nullptr;
    }
}

} // namespace ns3::nfsrdma
