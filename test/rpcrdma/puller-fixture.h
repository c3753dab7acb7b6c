/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_PULLER_FIXTURE_H
#define NFSRDMA_TEST_RPCRDMA_PULLER_FIXTURE_H

#include "rdma-host.h"
#include "rpcrdma/posted-chains.h"
#include "rpcrdma/registration/chunk-registrar.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// Sinks of an RNIC's regions; RDMA Reads are carried out by hand.
class PullerTest : public testing::Test
{
  protected:
    static constexpr uint32_t PAGE = HostMemory::PAGE_SIZE;
    /// Offset at the peer, and octets, of each Read.
    using Sources = std::vector<std::pair<uint64_t, uint32_t>>;

    void SetUp() override
    {
        m_host = MakeRdmaHost(1, CreateObject<EthernetChannel>(), 9000);
    }

    void TearDown() override
    {
        m_registrar.reset();
        Simulator::Destroy();
    }

    /// \param pages of a region
    /// \param regions of the device; 0: as many as it has
    void MakeRegistrar(uint32_t pages, uint32_t regions = 0)
    {
        if (regions > 0)
        {
            m_host.device->SetAttribute("MaxMrs", UintegerValue(regions));
        }
        RegistrationSettings settings;
        settings.regionPages = pages;
        m_domain = *m_host.device->AllocateProtectionDomain();
        m_registrar = ChunkRegistrar::Create(m_host.device, m_domain, settings);
    }

    /// The octet that a peer has at \p offset of its memory.
    static uint8_t GetOctet(uint64_t offset)
    {
        return static_cast<uint8_t>(offset * 7 + offset / 251);
    }

    static ByteVector MakeOctets(uint64_t offset, uint32_t length)
    {
        ByteVector octets(length);
        for (uint32_t i = 0; i < length; ++i)
        {
            octets[i] = GetOctet(offset + i);
        }
        return octets;
    }

    /// The oldest chain completes, and its Reads have put octets into their sinks.
    void CompleteReads(std::size_t index)
    {
        for (const SendWorkRequest& read : m_posted.GetReads(index))
        {
            const ScatterGatherElement& sink = read.elements.at(0);
            m_host.memory->Write(sink.address, MakeOctets(read.remoteOffset, sink.length));
        }
        m_posted.CompleteOne();
    }

    /// Completes all there is, Reads with their octets.
    void CompleteAll()
    {
        while (m_posted.GetOpen() > 0)
        {
            CompleteReads(m_posted.chains.size() - m_posted.GetOpen());
        }
    }

    [[nodiscard]] Sources GetSources(std::size_t chain) const
    {
        Sources sources;
        for (const SendWorkRequest& read : m_posted.GetReads(chain))
        {
            sources.emplace_back(read.remoteOffset, read.elements.at(0).length);
        }
        return sources;
    }

    RdmaHost m_host;
    Ptr<ProtectionDomain> m_domain;
    PostedChains m_posted;
    std::unique_ptr<ChunkRegistrar> m_registrar;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_PULLER_FIXTURE_H
