/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/rotating-tags.h"

#include "ns3/abort.h"
#include "ns3/log.h"

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRotatingTags");

namespace
{

constexpr uint32_t KEYS = 256;

} // namespace

RotatingTags::RotatingTags(Ptr<RnicDevice> device,
                           std::unique_ptr<RegistrationPolicy> choice,
                           Verbs verbs)
    : m_device(device),
      m_choice(std::move(choice)),
      m_verbs(std::move(verbs))
{
    NS_ABORT_MSG_UNLESS(m_choice, "no such registration policy");
}

RotatingTags::~RotatingTags()
{
    for (const Entry& entry : m_entries)
    {
        if (entry.buffer)
        {
            Destroy(entry.buffer);
        }
    }
}

void
RotatingTags::Destroy(const Ptr<TaggedBuffer>& buffer)
{
    if (const auto result = m_verbs.destroy(buffer); !result)
    {
        NS_LOG_WARN("a region or window is still in use: " << ToString(result.error()));
    }
}

uint32_t
RotatingTags::Grow(uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        Ptr<TaggedBuffer> buffer = m_verbs.allocate();
        if (!buffer)
        {
            return i;
        }
        uint32_t number = m_entries.size();
        if (m_vacant.empty())
        {
            m_entries.emplace_back();
        }
        else
        {
            number = m_vacant.back();
            m_vacant.pop_back();
        }
        m_entries[number] = {buffer, 0};
        m_choice->Add(number);
    }
    return count;
}

bool
RotatingTags::GiveBack()
{
    constexpr uint32_t ANY_SLOT = 0;
    m_choice->Reclaim();
    const auto number = m_choice->Take(ANY_SLOT);
    if (!number)
    {
        return false;
    }
    Destroy(m_entries[*number].buffer);
    m_entries[*number] = Entry();
    m_vacant.push_back(*number);
    return true;
}

std::optional<RotatingTags::Tag>
RotatingTags::Take(uint32_t slot)
{
    const auto number = m_choice->Take(slot);
    if (!number)
    {
        return std::nullopt;
    }
    Entry& entry = m_entries[*number];
    ++entry.uses;
    const uint8_t key =
        m_device->ChooseStagKey(static_cast<uint8_t>(entry.buffer->GetStag() & (KEYS - 1)));
    return Tag{*number, entry.buffer, key};
}

void
RotatingTags::Return(uint32_t slot, uint32_t number)
{
    Entry& entry = m_entries[number];
    if (m_device->GetDefences().stagKeys != RnicDefences::FIXED && entry.uses >= KEYS)
    {
        Destroy(entry.buffer);
        entry = {m_verbs.allocate(), 0};
    }
    if (entry.buffer)
    {
        m_choice->Return(slot, number);
    }
    else
    {
        m_vacant.push_back(number);
    }
}

} // namespace ns3::nfsrdma
