/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MEMORY_FIXTURE_H
#define NFSRDMA_TEST_MEMORY_FIXTURE_H

#include "rnic/rnic-fixture.h"

#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief A connection whose both sides may send; the memory under test is the server's, the peer
 * that reaches for it the client.
 */
class MemoryTest : public RnicTest
{
  protected:
    static constexpr uint64_t PAGE = HostMemory::PAGE_SIZE;
    static constexpr uint64_t IOVA = 0x1234567800000010;
    static constexpr uint32_t WRITABLE = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE;
    static constexpr uint32_t ALL_REMOTE = ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ;
    static constexpr uint32_t ALL_RIGHTS = ACCESS_LOCAL_WRITE | ALL_REMOTE;

    void SetUp() override;

    /// A regular region over all of \p buffer, from \p iova.
    static Ptr<MemoryRegion> RegisterAll(RnicHost& host,
                                         const HostBuffer& buffer,
                                         uint32_t access,
                                         uint64_t iova);
    static SendWorkRequest Bind(uint64_t id,
                                Ptr<MemoryWindow> window,
                                const WindowBinding& binding);
    /// Has the server execute \p request and expects success.
    void ExecuteAtServer(const SendWorkRequest& request);
    /// The client writes Pattern(\p length, \p seed) there, and all is well.
    void ExpectWritten(Stag stag, uint64_t offset, uint32_t length, uint8_t seed);
    /// The client reads there, and gets \p octets.
    void ExpectRead(Stag stag, uint64_t offset, const ByteVector& octets);
    /// The client writes \p length octets there: the server refuses with \p reason, places nothing.
    void ExpectWriteRefused(Stag stag, uint64_t offset, uint32_t length, const std::string& reason);
    /// The client reads there: the server refuses with \p reason, the Read fails.
    void ExpectReadRefused(Stag stag, uint64_t offset, uint32_t length, const std::string& reason);
    /// Both sides have ended the stream for \p reason, found by the server.
    void ExpectTerminated(const std::string& reason);

  private:
    /// A region of the client of \p length octets that the server may answer Reads to.
    Ptr<MemoryRegion> GetSink(uint32_t length);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MEMORY_FIXTURE_H
