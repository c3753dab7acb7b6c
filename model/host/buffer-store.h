/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_BUFFER_STORE_H
#define NFSRDMA_HOST_BUFFER_STORE_H

#include "host/memory.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Buffers of a host that are used again and again, as programs and page pools do: the one
 * given back last is the next of its size. Aggregated to the HostMemory.
 *
 * Without Reuse every buffer is a new allocation.
 */
class HostBufferStore : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return a buffer of \p memory for \p length octets (at least 1). One that was used before
    /// holds what it held; it comes back when the last owner is gone.
    static std::shared_ptr<HostBuffer> Take(const Ptr<HostMemory>& memory,
                                            uint64_t length,
                                            HostMemoryPurpose purpose = HostMemoryUse::OTHER);

    /// Frees the buffers of \p memory that are not in use.
    static void Clear(const Ptr<HostMemory>& memory)
    {
        Find(memory)->m_free.clear();
    }

  protected:
    void DoDispose() override;

  private:
    using Buffer = std::unique_ptr<HostBuffer>;

    static Ptr<HostBufferStore> Find(const Ptr<HostMemory>& memory);
    void Return(Buffer buffer);

    bool m_reuse{false};
    bool m_disposed{false};
    std::map<uint64_t, std::vector<Buffer>> m_free; ///< By octets.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_BUFFER_STORE_H
