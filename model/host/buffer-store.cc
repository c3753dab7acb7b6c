/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/buffer-store.h"

#include "ns3/boolean.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(HostBufferStore);

TypeId
HostBufferStore::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::HostBufferStore")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<HostBufferStore>()
            .AddAttribute("Reuse",
                          "Buffers of workloads and of RDMA Reads of servers are used again. "
                          "Default: each is a new allocation at a new address, so that one that is "
                          "used too late is found.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostBufferStore::m_reuse),
                          MakeBooleanChecker());
    return tid;
}

void
HostBufferStore::DoDispose()
{
    m_disposed = true;
    m_free.clear();
    Object::DoDispose();
}

Ptr<HostBufferStore>
HostBufferStore::Find(const Ptr<HostMemory>& memory)
{
    Ptr<HostBufferStore> store = memory->GetObject<HostBufferStore>();
    if (!store)
    {
        store = CreateObject<HostBufferStore>();
        memory->AggregateObject(store);
    }
    return store;
}

std::shared_ptr<HostBuffer>
HostBufferStore::Take(const Ptr<HostMemory>& memory, uint64_t length, HostMemoryPurpose purpose)
{
    const Ptr<HostBufferStore> store = Find(memory);
    if (!store->m_reuse)
    {
        return std::make_shared<HostBuffer>(memory, length, purpose);
    }
    constexpr uint64_t PAGE = HostMemory::PAGE_SIZE;
    const uint64_t room = (length + PAGE - 1) / PAGE * PAGE;
    std::vector<Buffer>& free = store->m_free[room];
    Buffer buffer;
    if (free.empty())
    {
        buffer = std::make_unique<HostBuffer>(memory, room);
    }
    else
    {
        buffer = std::move(free.back());
        free.pop_back();
    }
    buffer->SetPurpose(purpose);
    return {buffer.release(), [store](HostBuffer* returned) { store->Return(Buffer(returned)); }};
}

void
HostBufferStore::Return(Buffer buffer)
{
    if (!m_disposed)
    {
        buffer->SetPurpose(HostMemoryUse::OTHER);
        m_free[buffer->GetLength()].push_back(std::move(buffer));
    }
}

} // namespace ns3::nfsrdma
