/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FLOW_FIXTURE_H
#define NFSRDMA_TEST_FLOW_FIXTURE_H

#include "rnic/rnic-fixture.h"

#include <deque>

namespace ns3::nfsrdma
{

/**
 * \brief Any number of connections between the two nodes, each with completion queues of its own,
 * beside that of RnicTest, which does nothing.
 *
 * A flow posts whatever MakeWork() makes, so that there are always as many work requests as its
 * window allows, from Start() to the end of the measurement. Both its ends poll. The server posts
 * receives, for Sends, as they are used.
 */
class FlowTest : public RnicTest
{
  protected:
    struct Flow
    {
        uint32_t index{0};
        Ptr<QueuePair> client;
        Ptr<QueuePair> server;
        Ptr<CompletionQueue> clientCompletions;
        Ptr<CompletionQueue> serverCompletions;
        Ptr<CmId> clientId;
        Ptr<CmId> serverId;
        uint32_t window{0};      ///< Work requests outstanding.
        uint32_t signalEvery{1}; ///< Of so many work requests the last makes a completion.
        uint64_t posted{0};
        uint64_t completed{0};        ///< Work requests.
        uint64_t octets{0};           ///< Of work requests completed.
        std::deque<uint32_t> lengths; ///< Of work requests posted and not completed.
    };

    static constexpr uint64_t REGION_SIZE = 1 << 20;

    void SetUp() override;
    void ConfigureDevice(RnicHost& host) override;

    // Hooks.
    /// \return the next work request of \p flow.
    virtual SendWorkRequest MakeWork(Flow& flow);
    /// \return receives that \p flow keeps posted at the server, each of REGION_SIZE octets.
    virtual uint32_t GetReceives(const Flow& flow);
    /// A flow has been connected and not started.
    virtual void Prepare(Flow& flow);

    /// Sets an attribute of both devices, or of both hosts' processors.
    void SetDevices(const std::string& name, const AttributeValue& value);
    void SetProcessors(const std::string& name, const AttributeValue& value);
    /// Connects \p count more flows.
    void AddFlows(uint32_t count, uint32_t window, uint32_t signalEvery = 1);
    void Start();
    /// Runs for \p time more.
    static void RunFor(Time time);
    /// From now on no flow posts; runs until nothing is left to happen.
    void Finish();

    /// Work requests on the regions of both ends, at their begin.
    SendWorkRequest FlowWrite(uint32_t length) const;
    SendWorkRequest FlowSend(uint32_t length) const;
    SendWorkRequest FlowRead(uint32_t length) const;

    std::deque<Flow> m_flows;
    Ptr<MemoryRegion> m_source; ///< Of the client, for anything.
    Ptr<MemoryRegion> m_target; ///< Of the server, for anything.

  private:
    void Fill(Flow& flow);
    void Drain(Flow& flow, Ptr<CompletionQueue> queue);
    void HandleCompletions(Ptr<CompletionQueue> queue);
    Ptr<MemoryRegion> MakeRegion(RnicHost& host);

    bool m_running{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_FLOW_FIXTURE_H
