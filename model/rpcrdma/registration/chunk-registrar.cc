/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/chunk-registrar.h"

#include "host/iommu.h"
#include "rpcrdma/registration/all-physical.h"
#include "rpcrdma/registration/caching.h"
#include "rpcrdma/registration/frwr.h"
#include "rpcrdma/registration/memory-windows.h"
#include "rpcrdma/registration/pool.h"
#include "rpcrdma/registration/regular.h"
#include "settings/named.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaChunkRegistrar");

namespace
{

using Registrar = std::unique_ptr<ChunkRegistrar>;
using Device = Ptr<RnicDevice>;
using Domain = Ptr<ProtectionDomain>;

template <typename Strategy>
Registrar
Make(Device device, Domain domain, const RegistrationSettings& settings)
{
    return std::make_unique<Strategy>(device, domain, settings);
}

struct NamedStrategy
{
    const char* name;
    Registrar (*make)(Device, Domain, const RegistrationSettings&);
};

/// The strategy whose tags no element can name.
constexpr const char* WINDOWS = "memory-window";
/// Octets of a region of all memory.
constexpr uint64_t EVERYTHING = std::numeric_limits<uint64_t>::max();
/// A thread that has waited for a verb comes back from it.
const Time RETURN = NanoSeconds(1);

const NameTable<NamedStrategy>&
GetStrategies()
{
    static const NameTable<NamedStrategy> strategies{
        {"frwr", Make<FrwrRegistrar>},
        {WINDOWS, Make<MemoryWindowRegistrar>},
        {"regular", Make<RegularRegistrar>},
        {"all-physical", Make<AllPhysicalRegistrar>},
        {"preregistered", Make<PoolRegistrar>},
        {"cache", Make<CachingRegistrar>},
    };
    return strategies;
}

} // namespace

std::unique_ptr<ChunkRegistrar>
ChunkRegistrar::Create(Ptr<RnicDevice> device,
                       Ptr<ProtectionDomain> domain,
                       const RegistrationSettings& settings)
{
    const auto* const found = GetStrategies().Find(settings.strategy);
    return found == nullptr ? nullptr : found->make(device, domain, settings);
}

std::vector<std::string>
ChunkRegistrar::GetNames()
{
    return GetStrategies().GetNames();
}

std::vector<std::string>
ChunkRegistrar::GetSinkNames()
{
    auto names = GetNames();
    names.erase(std::find(names.begin(), names.end(), WINDOWS));
    return names;
}

std::string
ChunkRegistrar::GetSinkStrategy(const std::string& strategy)
{
    return strategy == WINDOWS ? "frwr" : strategy;
}

ChunkRegistrar::ChunkRegistrar(Ptr<RnicDevice> device,
                               Ptr<ProtectionDomain> domain,
                               const RegistrationSettings& settings)
    : m_device(device),
      m_domain(domain),
      m_maxPages(std::clamp(settings.regionPages, 1U, device->GetSettings().maxFastRegisterPages)),
      m_statistics(settings.statistics ? settings.statistics
                                       : std::make_shared<RegistrationStatistics>()),
      m_broker(RegionBroker::Of(device))
{
    m_broker->Enroll(*this);
}

ChunkRegistrar::~ChunkRegistrar()
{
    m_broker->Withdraw(*this);
    for (EventId& event : m_waiting)
    {
        event.Cancel();
    }
}

void
ChunkRegistrar::SetThread(Ptr<HostThread> thread, Time mapCost)
{
    m_thread = thread;
    m_mapCost = mapCost;
}

bool
ChunkRegistrar::Translates() const
{
    return m_thread && m_device->GetHostCpu()->GetIommu() != nullptr;
}

void
ChunkRegistrar::Map(const std::vector<MemoryPiece>& pieces)
{
    for (const MemoryPiece& piece : pieces)
    {
        if (Translates())
        {
            m_device->GetHostCpu()->GetIommu()->Map(*m_thread, piece);
        }
    }
}

void
ChunkRegistrar::Unmap(const std::vector<MemoryPiece>& pieces)
{
    for (const MemoryPiece& piece : pieces)
    {
        if (Translates())
        {
            m_device->GetHostCpu()->GetIommu()->Unmap(*m_thread, piece);
        }
    }
}

void
ChunkRegistrar::MapPiece(const Piece& piece, Registration& registration)
{
    ChargeMapping(1);
    if (Translates())
    {
        registration.mapped = {piece.address, piece.length};
        Map({registration.mapped});
    }
}

void
ChunkRegistrar::ChargeMapping(uint32_t count)
{
    if (m_thread)
    {
        m_device->GetHostCpu()->Run(*m_thread, count * m_mapCost);
    }
}

void
ChunkRegistrar::ChargeCopy(uint64_t octets)
{
    if (m_thread)
    {
        const Ptr<HostCpu> cpu = m_device->GetHostCpu();
        cpu->Run(*m_thread, HostWork().ThenCopy(cpu->GetCopyTime(octets)));
    }
}

std::optional<ChunkRegistrar::Registration>
ChunkRegistrar::Take(const Request& request, uint64_t address, uint32_t length, Chain& chain)
{
    if (!m_broker->MayTake(*this, request.use))
    {
        m_shortage = Shortage::REGIONS;
        return std::nullopt;
    }
    const auto attempt = [&] {
        return Register({request.slot, address, length, request.access, request.iova}, chain);
    };
    auto taken = attempt();
    const bool grows = request.grows || m_broker->HasTurn(*this);
    bool reclaims = m_broker->HasTurn(*this);
    m_takes = true;
    while (!taken && grows && !IsShortForNow())
    {
        const bool more = IsShortOfPages() ? m_broker->TakeBack(true)
                                           : Grow(1) > 0 || (reclaims && Reclaim()) ||
                                                 (!IsShortForNow() && m_broker->TakeBack(false));
        reclaims = false;
        if (!more)
        {
            break;
        }
        taken = attempt();
    }
    m_takes = false;
    if (taken)
    {
        taken->use = request.use;
        taken->counted = true;
        ++m_pieces.at(static_cast<std::size_t>(request.use));
    }
    return taken;
}

std::optional<ChunkRegistrar::Registration>
ChunkRegistrar::TakeSome(const Request& request, uint64_t address, uint32_t length, Chain& chain)
{
    uint32_t extent = GetExtent(address, length);
    auto taken = Take(request, address, extent, chain);
    const auto firstPage =
        static_cast<uint32_t>(HostMemory::PAGE_SIZE - address % HostMemory::PAGE_SIZE);
    while (!taken && IsShortOfPages() && extent > firstPage)
    {
        const auto pages = static_cast<uint32_t>((extent - firstPage) / HostMemory::PAGE_SIZE / 2);
        extent = firstPage + pages * static_cast<uint32_t>(HostMemory::PAGE_SIZE);
        taken = Take(request, address, extent, chain);
    }
    return taken;
}

void
ChunkRegistrar::GiveUp(uint32_t slot, const Registration& registration)
{
    if (registration.counted)
    {
        --m_pieces.at(static_cast<std::size_t>(registration.use));
    }
    if (registration.mapped.length != 0)
    {
        Unmap({registration.mapped});
    }
    Release(slot, registration);
    m_broker->Notify();
}

uint32_t
ChunkRegistrar::GetMost() const
{
    return std::numeric_limits<uint32_t>::max();
}

std::string
ChunkRegistrar::DescribeShortage() const
{
    if (IsShortOfPages())
    {
        return "more pages than the host lets be pinned";
    }
    return "more memory regions than the device has (" +
           std::to_string(m_device->GetSettings().maxMrs) + ") or the strategy may have";
}

uint32_t
ChunkRegistrar::GetExtent(uint64_t address, uint32_t length) const
{
    const uint64_t room =
        uint64_t{m_maxPages} * HostMemory::PAGE_SIZE - address % HostMemory::PAGE_SIZE;
    return static_cast<uint32_t>(std::min<uint64_t>(length, room));
}

bool
ChunkRegistrar::IsReady() const
{
    return m_ready <= Simulator::Now();
}

void
ChunkRegistrar::Await(std::function<void()> ready)
{
    if (IsReady())
    {
        ready();
        return;
    }
    while (!m_waiting.empty() && m_waiting.front().IsExpired())
    {
        m_waiting.pop_front();
    }
    m_waiting.push_back(
        Simulator::Schedule(m_ready - Simulator::Now(), [ready = std::move(ready)] { ready(); }));
}

bool
ChunkRegistrar::MayTryAgain()
{
    const bool momentary = m_shortage == Shortage::REFUSED;
    m_shortage = momentary ? Shortage::NONE : m_shortage;
    return momentary;
}

SendWorkRequest
ChunkRegistrar::MakeInvalidation(const Registration& registration)
{
    SendWorkRequest request;
    request.opcode = WorkRequestOpcode::LOCAL_INVALIDATE;
    request.signaled = false;
    request.invalidateStag = registration.segment.handle;
    return request;
}

bool
ChunkRegistrar::CheckPinning(uint64_t pages)
{
    const Ptr<HostMemory> memory = m_device->GetHostMemory();
    if (memory->CanPin(pages))
    {
        return true;
    }
    m_shortage = memory->IsUnderPressure() ? Shortage::PRESSURE : Shortage::PINNED;
    return false;
}

void
ChunkRegistrar::NoteRefusal(VerbsError error)
{
    NS_LOG_LOGIC("no memory region or window: " << ToString(error));
    m_shortage = error == VerbsError::TRY_AGAIN ? Shortage::REFUSED : Shortage::REGIONS;
}

void
ChunkRegistrar::WaitForVerb()
{
    const Time done = m_device->GetControlThread().GetFree();
    m_ready = std::max(m_ready, done);
    if (m_thread && m_thread->GetFree() < done)
    {
        m_device->GetHostCpu()->Run(*m_thread, done, RETURN);
    }
}

Ptr<MemoryRegion>
ChunkRegistrar::MakeRegion(uint64_t address, uint64_t length, uint32_t access, uint64_t iova)
{
    MemoryRegistration registration;
    registration.address = address;
    registration.length = length;
    if (length != EVERYTHING && !CheckPinning(registration.CountPages()))
    {
        return nullptr;
    }
    const auto region = m_device->RegisterMemory(m_domain, address, length, access, iova);
    if (!region)
    {
        const bool full = m_device->GetCensus().memoryRegions >= m_device->GetSettings().maxMrs;
        NoteRefusal(full ? region.error() : VerbsError::TRY_AGAIN);
        return nullptr;
    }
    ++m_allocated;
    ++m_statistics->registrations;
    if (length != EVERYTHING)
    {
        Map({{address, length}});
    }
    WaitForVerb();
    return *region;
}

void
ChunkRegistrar::DestroyRegion(const Ptr<MemoryRegion>& region)
{
    if (const auto result = m_device->Destroy(region); !result)
    {
        NS_LOG_WARN("a region is still in use: " << ToString(result.error()));
        return;
    }
    if (region->GetRegistration().length != EVERYTHING)
    {
        Unmap({{region->GetRegistration().address, region->GetRegistration().length}});
    }
    WaitForVerb();
}

Ptr<MemoryRegion>
ChunkRegistrar::MakeRegionOfAll(uint32_t access)
{
    return MakeRegion(0, EVERYTHING, access, 0);
}

void
ChunkRegistrar::Copy(uint64_t from, uint64_t to, uint32_t length)
{
    if (length == 0)
    {
        return;
    }
    const Ptr<HostMemory> memory = m_device->GetHostMemory();
    ByteVector octets(length);
    memory->Read(from, octets);
    memory->Write(to, octets);
    ++m_statistics->copies;
    m_statistics->copiedBytes += length;
    if (m_thread)
    {
        const Ptr<HostCpu> cpu = m_device->GetHostCpu();
        m_ready =
            std::max(m_ready, cpu->Run(*m_thread, HostWork().ThenCopy(cpu->GetCopyTime(length))));
    }
}

} // namespace ns3::nfsrdma
