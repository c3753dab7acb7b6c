/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/size-meter.h"

namespace ns3::nfsrdma
{

void
Nfs4SizeMeter::Item(const Nfs4Attributes& attributes)
{
    Add(2 * WORD, MAX_BITMAP + WORD);
    const uint32_t minimum = m_minimum;
    Nfs4Attributes::ForEach(attributes, [this](Nfs4Attr attribute, const auto& value) {
        using Value = typename std::decay_t<decltype(value)>::value_type;
        if (m_request != nullptr && m_request->Has(static_cast<uint32_t>(attribute)))
        {
            Item(Value{});
        }
    });
    // The server leaves out what it does not have.
    m_minimum = minimum;
}

void
Nfs4SizeMeter::Item(const OpenDelegation4& delegation)
{
    const uint32_t minimum = m_minimum + WORD;
    OpenDelegation4 largest = delegation;
    largest.type = OpenDelegationType4::WRITE;
    OpenDelegation4::Fields(largest, *this);
    m_minimum = minimum;
}

} // namespace ns3::nfsrdma
