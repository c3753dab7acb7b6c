/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"
#include "nfs/v4/server/client-callbacks.h"

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

    [[nodiscard]] Nfs4ClientCallbacks MakeCallbacks()
    {
        Nfs4ServerState& state = m_server->GetState();
        return {m_name, m_routes, state.clients, state.sessions};
    }

    void Notify(Nfs4ClientCallbacks& callbacks)
    {
        Nfs4StateOwner owner;
        owner.clientId = m_client;
        callbacks.NotifyLock({GetHandle(m_file), owner});
        Simulator::Run();
    }

    [[nodiscard]] ByteVector MakeAnswer() const
    {
        CbCompound4Res results;
        CbSequenceRes4 sequence;
        sequence.sessionId = m_session;
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

} // namespace
} // namespace ns3::nfsrdma::test
