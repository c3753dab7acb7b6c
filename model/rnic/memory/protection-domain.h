/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_PROTECTION_DOMAIN_H
#define NFSRDMA_RNIC_MEMORY_PROTECTION_DOMAIN_H

#include "ns3/object.h"
#include "ns3/traced-value.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief A protection domain: queue pairs use only memory of their own domain.
 */
class ProtectionDomain : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return a number unique on the device, 1 or more; 0 once destroyed.
    [[nodiscard]] uint32_t GetHandle() const
    {
        return m_handle;
    }

    // For the device only.
    void Bind(uint32_t handle)
    {
        m_handle = handle;
    }

    void AddUser()
    {
        ++m_users;
    }

    void RemoveUser()
    {
        --m_users;
    }

    [[nodiscard]] bool IsUsed() const
    {
        return m_users.Get() != 0;
    }

  private:
    uint32_t m_handle{0};
    TracedValue<uint32_t> m_users{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_PROTECTION_DOMAIN_H
