/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/strategy.h"

#include <deque>

namespace ns3::nfsrdma
{
namespace
{

class LinuxRegistrationPolicy : public RegistrationPolicy
{
  public:
    void Add(uint32_t region) override
    {
        m_common.push_back(region);
    }

    std::optional<uint32_t> Take(uint32_t slot) override
    {
        if (slot < m_ofSlot.size() && !m_ofSlot[slot].empty())
        {
            return Pop(m_ofSlot[slot]);
        }
        return m_common.empty() ? std::nullopt : std::optional(Pop(m_common));
    }

    void Return(uint32_t slot, uint32_t region) override
    {
        if (slot >= m_ofSlot.size())
        {
            m_ofSlot.resize(slot + 1);
        }
        m_ofSlot[slot].push_back(region);
    }

    bool Reclaim() override
    {
        const std::size_t before = m_common.size();
        for (Stack& stack : m_ofSlot)
        {
            m_common.insert(m_common.end(), stack.begin(), stack.end());
            stack.clear();
        }
        return m_common.size() > before;
    }

  private:
    using Stack = std::vector<uint32_t>;

    static uint32_t Pop(Stack& stack)
    {
        const uint32_t region = stack.back();
        stack.pop_back();
        return region;
    }

    Stack m_common;
    std::vector<Stack> m_ofSlot;
};

class SharedFifoRegistrationPolicy : public RegistrationPolicy
{
  public:
    void Add(uint32_t region) override
    {
        m_free.push_back(region);
    }

    std::optional<uint32_t> Take(uint32_t /*slot*/) override
    {
        if (m_free.empty())
        {
            return std::nullopt;
        }
        const uint32_t region = m_free.front();
        m_free.pop_front();
        return region;
    }

    void Return(uint32_t /*slot*/, uint32_t region) override
    {
        m_free.push_back(region);
    }

    bool Reclaim() override
    {
        return false;
    }

  private:
    std::deque<uint32_t> m_free;
};

} // namespace

Registry<RegistrationPolicy>&
RegistrationPolicy::GetKinds()
{
    static Registry<RegistrationPolicy> kinds{
        {"linux", Make<LinuxRegistrationPolicy>},
        {"shared-fifo", Make<SharedFifoRegistrationPolicy>},
    };
    return kinds;
}

} // namespace ns3::nfsrdma
