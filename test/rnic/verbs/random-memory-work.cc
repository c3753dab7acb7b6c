/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/random-verbs.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3::nfsrdma::reference
{

SendWork
RandomVerbs::ChooseRegistration(const PairName& name)
{
    const PairRules& pair = *m_model->FindPair(name);
    const auto& tagged = m_model->GetHost(name.host).memory.tagged;
    SendWork work;
    work.opcode = Opcode::REGISTER_MR;
    work.signaled = Chance(70);
    std::vector<uint32_t> fit;
    for (const auto& [index, memory] : tagged)
    {
        const bool asked =
            std::any_of(pair.sends.begin(), pair.sends.end(), [index = index](const auto& other) {
                return other->opcode == Opcode::REGISTER_MR && other->region == index;
            });
        const bool usable = !memory.valid && memory.domain == pair.domain && !asked;
        if (!memory.window && (usable || Chance(1)))
        {
            fit.push_back(index);
        }
    }
    if (fit.empty() || m_hosts[name.host].buffers.empty())
    {
        return ChooseTransfer(name);
    }
    work.region = Choose(fit);
    const Range buffer = Choose(m_hosts[name.host].buffers);
    uint64_t length = 1 + Below(buffer.length);
    const uint64_t most = uint64_t{tagged.at(*work.region).maxPages} * 4096;
    if (!Chance(FAULT_PERCENT))
    {
        length = std::min(length, most - 4095);
    }
    uint64_t address = buffer.address + Below(buffer.length - length + 1);
    if (Chance(FAULT_PERCENT))
    {
        address += Below(3000);
    }
    work.registration.key = m_hosts[name.host].nextKey++;
    work.registration.range = {address, Chance(1) ? 0 : length};
    work.registration.first = Chance(50)   ? address
                              : Chance(50) ? m_random() >> Below(64)
                                           : ~uint64_t{0} - length + Below(2);
    work.registration.access = ChooseAccess();
    if ((work.registration.access & ZERO_BASED) != 0)
    {
        work.registration.first = 0;
    }
    return work;
}

SendWork
RandomVerbs::ChooseInvalidation(const PairName& name)
{
    const PairRules& pair = *m_model->FindPair(name);
    SendWork work;
    work.opcode = Opcode::LOCAL_INVALIDATE;
    work.signaled = Chance(70);
    std::vector<uint32_t> stags;
    for (const auto& [index, memory] : m_model->GetHost(name.host).memory.tagged)
    {
        if (memory.domain == pair.domain || Chance(2))
        {
            stags.push_back(index << 8 | memory.key);
        }
    }
    work.invalidateStag = stags.empty() || Chance(FAULT_PERCENT)
                              ? static_cast<uint32_t>(m_random()) >> Below(20)
                              : Choose(stags);
    return work;
}

uint32_t
RandomVerbs::ChooseAccess()
{
    constexpr std::array<uint32_t, 5> ACCESS{LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ,
                                             LOCAL_WRITE | REMOTE_WRITE,
                                             REMOTE_READ,
                                             LOCAL_WRITE,
                                             REMOTE_WRITE};
    return ACCESS.at(Chance(70) ? 0 : Below(ACCESS.size())) | (Chance(40) ? WINDOW_BIND : 0) |
           (Chance(20) ? ZERO_BASED : 0);
}

SendWork
RandomVerbs::ChooseBinding(const PairName& name)
{
    const PairRules& pair = *m_model->FindPair(name);
    std::vector<uint32_t> windows;
    std::vector<uint32_t> regions;
    for (const auto& [index, memory] : m_model->GetHost(name.host).memory.tagged)
    {
        const bool fit = memory.domain == pair.domain && memory.valid != memory.window &&
                         (memory.window || (memory.access & WINDOW_BIND) != 0);
        if (fit || Chance(1))
        {
            (memory.window ? windows : regions).push_back(index);
        }
    }
    if (windows.empty() || regions.empty())
    {
        return ChooseTransfer(name);
    }
    SendWork work;
    work.opcode = Opcode::BIND_WINDOW;
    work.signaled = Chance(70);
    work.window = Choose(windows);
    work.region = Choose(regions);
    const TaggedMemory& region = m_model->GetHost(name.host).memory.tagged.at(*work.region);
    const uint64_t size = std::max<uint64_t>(region.range.length, 1);
    const uint64_t from = Below(size);
    work.registration.key = m_hosts[name.host].nextKey++;
    work.registration.first = region.first + from;
    work.registration.range.length = 1 + Below(size - from) + (Chance(2) ? Below(100) : 0);
    work.registration.access = REMOTE_READ | (Chance(70) ? REMOTE_WRITE : 0) |
                               (Chance(20) ? ZERO_BASED : 0) | (Chance(2) ? LOCAL_WRITE : 0);
    return work;
}

} // namespace ns3::nfsrdma::reference
