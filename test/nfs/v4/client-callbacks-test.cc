/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"
#include "nfs/v4/server/client-callbacks.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{
namespace
{

/// Callbacks to the mounted client of a server, beside the server's own.
class Nfs4Callbacks : public Nfs4ServerOperations
{
  protected:
    void SetUp() override
    {
        Nfs4ServerOperations::SetUp();
        Mount();
        m_routes.reverse = [this](const IpAddress& address, uint64_t connection) {
            EXPECT_EQ(address, CLIENT_ADDRESS);
            m_connections.push_back(connection);
            return m_transport;
        };
    }

    [[nodiscard]] Nfs4CallbackState GetCallbackState()
    {
        return m_server->GetState().clients.Find(m_client)->callbackState;
    }

    [[nodiscard]] Nfs4ClientCallbacks MakeCallbacks(uint32_t slots = 1)
    {
        Nfs4ServerState& state = m_server->GetState();
        return {m_name, m_routes, state.clients, state.sessions, Nfs4CallbackQueue::CLIENT, slots};
    }

    void Notify(Nfs4ClientCallbacks& callbacks)
    {
        Nfs4StateOwner owner;
        owner.clientId = m_client;
        callbacks.NotifyLock({GetHandle(m_file), owner});
        Simulator::Run();
    }

    /// Slots of the client's back channel.
    void Offer(uint32_t slots)
    {
        m_server->GetState().sessions.GetOf(m_client).front()->back.maxRequests = slots;
    }

    /// \param target the highest slot that the client wants to be used
    [[nodiscard]] ByteVector MakeAnswer(uint32_t target = 0) const
    {
        CbCompound4Res results;
        CbSequenceRes4 sequence;
        sequence.sessionId = m_session;
        sequence.targetHighestSlotId = target;
        results.ops = {sequence, CbNotifyLockRes4()};
        XdrWriter writer;
        results.Encode(writer);
        return writer.Take();
    }

    const std::string m_name{"server"};
    Nfs4CallbackRoutes m_routes;
    std::vector<uint64_t> m_connections; ///< That routes were asked for.
};

TEST_F(Nfs4Callbacks, WithoutAWayTheClientIsDown)
{
    m_routes.reverse = nullptr;
    auto callbacks = MakeCallbacks();
    Notify(callbacks);
    EXPECT_EQ(GetCallbackState(), Nfs4CallbackState::UP) << "a notice is no promise";
    callbacks.Offload(m_client, {}, [] { ADD_FAILURE() << "nobody can have answered"; });
    EXPECT_EQ(GetCallbackState(), Nfs4CallbackState::DOWN);
    EXPECT_EQ(callbacks.GetSent(m_client, Nfs4CbOp::OFFLOAD), 0U);
}

TEST_F(Nfs4Callbacks, SlotsAreCallbacksAtATime)
{
    Offer(3);
    auto callbacks = MakeCallbacks(2);
    for (int i = 0; i < 3; ++i)
    {
        Notify(callbacks);
    }
    EXPECT_EQ(callbacks.GetSent(m_client, Nfs4CbOp::NOTIFY_LOCK), 2U);
    m_transport->Answer(MakeAnswer(2));
    Simulator::Run();
    EXPECT_EQ(callbacks.GetSent(m_client, Nfs4CbOp::NOTIFY_LOCK), 3U);
}

/// Of 32 slots those that the client offers are used.
TEST_F(Nfs4Callbacks, TheClientBoundsTheSlots)
{
    Offer(3);
    auto callbacks = MakeCallbacks(32);
    for (int i = 0; i < 5; ++i)
    {
        Notify(callbacks);
    }
    EXPECT_EQ(callbacks.GetSent(m_client, Nfs4CbOp::NOTIFY_LOCK), 3U);
}

/// Slots 0 to 2 are in use when the client wants one at most.
TEST_F(Nfs4Callbacks, TheTargetOfAnAnswerIsFollowed)
{
    Offer(3);
    auto callbacks = MakeCallbacks(32);
    for (int i = 0; i < 5; ++i)
    {
        Notify(callbacks);
    }
    m_transport->Answer(MakeAnswer(0));
    Simulator::Run();
    EXPECT_EQ(callbacks.GetSent(m_client, Nfs4CbOp::NOTIFY_LOCK), 4U) << "slot 0 is free";
    m_transport->Answer(MakeAnswer(0));
    Simulator::Run();
    EXPECT_EQ(callbacks.GetSent(m_client, Nfs4CbOp::NOTIFY_LOCK), 4U) << "slot 1 is not used";
}

TEST_F(Nfs4Callbacks, OneChannelServesAllCallbacksToAClient)
{
    auto callbacks = MakeCallbacks();
    Notify(callbacks);
    Notify(callbacks);
    EXPECT_EQ(m_connections, std::vector<uint64_t>{1});
    EXPECT_EQ(callbacks.GetSent(m_client, Nfs4CbOp::NOTIFY_LOCK), 1U) << "one at a time";
    m_transport->Answer(MakeAnswer());
    Simulator::Run();
    EXPECT_EQ(callbacks.GetSent(m_client, Nfs4CbOp::NOTIFY_LOCK), 2U);
}

TEST_F(Nfs4Callbacks, TheEndOfACallbackSaysHowTheClientIs)
{
    auto callbacks = MakeCallbacks();
    Notify(callbacks);
    m_transport->Lose();
    Simulator::Run();
    EXPECT_EQ(GetCallbackState(), Nfs4CallbackState::DOWN);
    Notify(callbacks);
    m_transport->Answer(MakeAnswer());
    Simulator::Run();
    EXPECT_EQ(GetCallbackState(), Nfs4CallbackState::UP);
    Notify(callbacks);
    m_transport->Answer({});
    Simulator::Run();
    EXPECT_EQ(GetCallbackState(), Nfs4CallbackState::FAULT);
}

TEST_F(Nfs4Callbacks, NobodyIsToldOfADroppedChannel)
{
    auto callbacks = MakeCallbacks();
    Notify(callbacks);
    callbacks.Drop(m_client);
    m_transport->Lose();
    Simulator::Run();
    EXPECT_EQ(GetCallbackState(), Nfs4CallbackState::UP);
    EXPECT_EQ(callbacks.GetSent(m_client, Nfs4CbOp::NOTIFY_LOCK), 0U);
    Notify(callbacks);
    EXPECT_EQ(m_connections.size(), 2U) << "a channel of its own";
    callbacks.Close();
    m_transport->Lose();
    Simulator::Run();
    EXPECT_EQ(GetCallbackState(), Nfs4CallbackState::UP);
}

TEST_F(Nfs4Callbacks, CallbacksMoveToAConnectionThatIsLeft)
{
    auto callbacks = MakeCallbacks();
    Nfs4ServerState& state = m_server->GetState();
    Nfs4Client& client = *state.clients.Find(m_client);
    Notify(callbacks);
    state.sessions.Unbind(m_connection);
    callbacks.ReviewBackChannel(client);
    EXPECT_EQ(client.callbackState, Nfs4CallbackState::DOWN);
    uint32_t direction = Nfs4Session::FORE | Nfs4Session::BACK;
    ASSERT_EQ(state.sessions.Find(m_session)->Bind(7, direction), Nfs4Status::OK);
    callbacks.ReviewBackChannel(client);
    EXPECT_EQ(client.callbackState, Nfs4CallbackState::UP);
    EXPECT_EQ(m_connections, (std::vector<uint64_t>{1, 7}));
}

/// Several clients to be called back at once: when each call goes, and who waits for whom.
class Nfs4CallbackOrder : public ::testing::TestWithParam<Nfs4CallbackQueue>
{
  protected:
    static constexpr uint32_t CLIENTS = 4;

    /// A transport that notes when it gets calls, and never answers: its client is dead.
    class Dead : public RpcClientTransport
    {
      public:
        void Submit(std::unique_ptr<RpcTransportCall> call) override
        {
            submitted.push_back(Simulator::Now());
            m_calls.push_back(std::move(call));
        }

        [[nodiscard]] uint32_t GetPending() const override
        {
            return static_cast<uint32_t>(m_calls.size());
        }

        [[nodiscard]] std::vector<std::string> DescribeWaiting() const override
        {
            return {};
        }

        /// Calls keep the channels that wait for them.
        void Forget()
        {
            m_calls.clear();
        }

        std::vector<Time> submitted;

      private:
        std::vector<std::unique_ptr<RpcTransportCall>> m_calls;
    };

    ~Nfs4CallbackOrder() override
    {
        Simulator::Destroy();
    }
};

TEST_P(Nfs4CallbackOrder, OneQueueSpacesCallsAndNobodyWaitsForTheDead)
{
    const auto cpu = CreateObject<HostCpu>();
    cpu->SetAttribute("Cores", UintegerValue(CLIENTS));
    const auto worker = GetParam() == Nfs4CallbackQueue::SERVER
                            ? Create<HostThread>(HostContext::WORK_QUEUE)
                            : nullptr;
    std::vector<Ptr<Dead>> transports;
    std::vector<std::shared_ptr<Nfs4CallbackChannel>> channels;
    for (uint32_t client = 0; client < CLIENTS; ++client)
    {
        transports.push_back(CreateObject<Dead>());
        Nfs4CallbackChannel::Service service;
        service.transport = transports.back();
        service.cpu = cpu;
        service.worker = worker;
        channels.push_back(std::make_shared<Nfs4CallbackChannel>(service, [](auto) {}));
    }
    for (const auto& channel : channels)
    {
        channel->NotifyLock({});
        channel->NotifyLock({});
    }
    Simulator::Run();
    const bool spaced = GetParam() == Nfs4CallbackQueue::SERVER;
    for (uint32_t client = 0; client < CLIENTS; ++client)
    {
        // The second call of each waits for an answer that does not come; the others' first do not.
        ASSERT_EQ(transports[client]->submitted.size(), 1U);
        EXPECT_EQ(transports[client]->submitted.front(),
                  MicroSeconds(spaced ? 5 * (client + 1) : 5));
        transports[client]->Forget();
    }
}

INSTANTIATE_TEST_SUITE_P(Queues,
                         Nfs4CallbackOrder,
                         ::testing::Values(Nfs4CallbackQueue::CLIENT, Nfs4CallbackQueue::SERVER),
                         [](const auto& test) {
                             return test.param == Nfs4CallbackQueue::SERVER ? "OfTheServer"
                                                                            : "OfEachClient";
                         });

} // namespace
} // namespace ns3::nfsrdma::test
