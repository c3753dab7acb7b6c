/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_WINDOW_FIXTURE_H
#define NFSRDMA_TEST_WINDOW_FIXTURE_H

#include "rnic/memory-fixture.h"

namespace ns3::nfsrdma
{

/**
 * \brief A regular region of the server without remote rights, and a window that may be bound over
 * octets OFFSET to OFFSET + LENGTH of it.
 */
class WindowTest : public MemoryTest
{
  protected:
    static constexpr uint32_t SIZE = 10000;
    static constexpr uint64_t OFFSET = 4000;
    static constexpr uint32_t LENGTH = 1000;
    static constexpr uint8_t KEY = 0x21;

    void SetUp() override
    {
        MemoryTest::SetUp();
        m_memory = m_server.Fill(Pattern(SIZE, 9));
        m_region = RegisterAll(m_server, m_memory, ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND, IOVA);
        m_window = m_server.device->AllocateMemoryWindow(m_server.domain).value();
    }

    [[nodiscard]] WindowBinding Binding(uint32_t access) const
    {
        return {KEY, m_region, IOVA + OFFSET, LENGTH, access};
    }

    /// Binds the window with \p access rights; \return its STag.
    Stag BindNow(uint32_t access)
    {
        ExecuteAtServer(Bind(1, m_window, Binding(access)));
        EXPECT_TRUE(m_window->IsBound());
        return m_window->GetStag();
    }

    /// \return octets of the memory from \p offset on.
    [[nodiscard]] ByteVector Octets(uint64_t offset, uint32_t length) const
    {
        ByteVector octets(length);
        m_memory.Read(offset, octets);
        return octets;
    }

    HostBuffer m_memory;
    Ptr<MemoryRegion> m_region;
    Ptr<MemoryWindow> m_window;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_WINDOW_FIXTURE_H
