/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RNIC_FIXTURE_H
#define NFSRDMA_TEST_RNIC_FIXTURE_H

#include "rdma-host.h"
#include "rnic/connect/cm-id.h"

#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Status = WorkCompletionStatus;

/// One end of the connection under test, and everything it has seen.
struct RnicHost : RdmaHost
{
    Ptr<ProtectionDomain> domain;
    Ptr<CompletionQueue> sendCompletions;
    Ptr<CompletionQueue> receiveCompletions;
    Ptr<QueuePair> pair;
    Ptr<CmId> id;
    uint8_t nextKey{1};

    std::vector<WorkCompletion> sent;     ///< Polled from sendCompletions.
    std::vector<WorkCompletion> received; ///< Polled from receiveCompletions.
    std::vector<CmEvent> events;          ///< Of the connection's id.
    std::vector<QueuePairState> states;
    std::vector<std::string> terminatesSent;
    std::vector<std::string> terminatesReceived;
    std::vector<AsyncEventType> asyncEvents;

    [[nodiscard]] std::vector<WorkCompletionStatus> SentStatuses() const;
    [[nodiscard]] std::vector<WorkCompletionStatus> ReceivedStatuses() const;
    [[nodiscard]] std::vector<uint64_t> SentIds() const;
    [[nodiscard]] std::vector<uint64_t> ReceivedIds() const;
    [[nodiscard]] std::vector<CmEventType> EventTypes() const;

    /// Allocates memory that holds \p octets.
    [[nodiscard]] HostBuffer Fill(const ByteVector& octets) const;
    [[nodiscard]] HostBuffer Room(uint64_t length) const;
    [[nodiscard]] ByteVector Octets(const HostBuffer& buffer) const;
};

/**
 * \brief Two nodes on one Ethernet link, an RNIC on each, a client and a server queue pair.
 *
 * A case overrides what it wants different, connects, posts, runs until nothing is left to happen,
 * and looks at what the two hosts have seen.
 */
class RnicTest : public ::testing::Test
{
  protected:
    static constexpr uint16_t PORT = 20049;

    void SetUp() override;
    void TearDown() override;

    // Hooks.
    virtual void ConfigureDevice(RnicHost& host);
    virtual uint16_t GetMtu();
    /// \return whether the hosts have IPv6, too, and Connect() uses it.
    virtual bool IsOverIpv6();
    virtual QueuePairCapabilities GetCapabilities(const RnicHost& host);
    virtual uint32_t GetCompletionDepth();
    virtual CmConnectionParameters GetParameters(const RnicHost& host);
    /// \return what the server does with the request; nothing to accept it.
    virtual std::optional<ByteVector> GetRejection(const CmEvent& request);
    /// A completion has been polled by the handler of its queue.
    virtual void Completed(RnicHost& host, const WorkCompletion& completion);

    /// \return where the server listens.
    [[nodiscard]] Address GetServerAddress();
    /// Connects the client to the server and runs until that is over.
    void Connect();
    /// Sends an empty message to the server, which may send from then on, and forgets about it.
    void OpenResponder();
    /// Keeps \p buffer until the case ends.
    const HostBuffer& Keep(HostBuffer buffer);
    /// Runs until nothing is left to happen.
    static void Run();

    static ByteVector Pattern(std::size_t length, uint8_t seed = 1);
    static ScatterGatherElement Element(const HostBuffer& buffer);
    static SendWorkRequest Send(uint64_t id, const HostBuffer& buffer);
    static SendWorkRequest Register(uint64_t id,
                                    Ptr<MemoryRegion> region,
                                    const HostBuffer& buffer,
                                    uint8_t key,
                                    uint32_t access);
    static SendWorkRequest Invalidate(uint64_t id, Stag stag);
    static void PostReceive(RnicHost& host, uint64_t id, const HostBuffer& buffer);
    static void PostSend(RnicHost& host, const SendWorkRequest& request);
    /// Registers all of \p buffer, with its host address as iova, and runs.
    static Ptr<MemoryRegion> RegisterNow(RnicHost& host,
                                         const HostBuffer& buffer,
                                         uint32_t access,
                                         Ptr<ProtectionDomain> domain = nullptr);
    static SendWorkRequest Write(uint64_t id, const HostBuffer& source, Stag stag, uint64_t offset);
    static SendWorkRequest Read(uint64_t id,
                                const MemoryRegion& sink,
                                uint32_t length,
                                Stag stag,
                                uint64_t offset);
    /// Spoils an access to \p stag at \p offset as \p fault says: "index", "key", "beyond",
    /// "before", "wrap"; not for any other.
    static void SpoilAccess(const std::string& fault, Stag& stag, uint64_t& offset);
    /// The client sends with an invalidation of \p stag, for which the server has two receives.
    void SendInvalidating(Stag stag);
    /// Destroys everything a host has made but \p regions of it.
    static void DestroyAll(RnicHost& host, const std::vector<Ptr<MemoryRegion>>& regions);
    static bool IsZero(const RnicCensus& census);

    RnicHost m_client;
    RnicHost m_server;
    Ptr<CmId> m_listener;
    std::vector<CmEvent> m_requests;

  private:
    std::deque<HostBuffer> m_kept;

    void BuildHost(RnicHost& host, uint32_t number, Ptr<EthernetChannel> channel);
    void BuildVerbs(RnicHost& host);
    void HandleListenerEvent(Ptr<CmId> id, const CmEvent& event);
    void HandleClientEvent(Ptr<CmId> id, const CmEvent& event);
    void HandleServerEvent(Ptr<CmId> id, const CmEvent& event);
    void HandleCompletions(Ptr<CompletionQueue> queue);
    void Drain(RnicHost& host, Ptr<CompletionQueue> queue);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RNIC_FIXTURE_H
