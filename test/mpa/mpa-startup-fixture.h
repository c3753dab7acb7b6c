/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_MPA_STARTUP_FIXTURE_H
#define NFSRDMA_TEST_MPA_MPA_STARTUP_FIXTURE_H

#include "mpa/connection.h"
#include "mpa/fake-byte-stream.h"
#include "mpa/startup-keys.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

inline ByteVector
FromHex(const std::string& hex)
{
    ByteVector octets;
    std::string digits;
    for (const char c : hex)
    {
        if (c != ' ')
        {
            digits += c;
        }
    }
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    {
        octets.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    }
    return octets;
}

inline ByteVector
Concatenate(const ByteVector& a, const ByteVector& b)
{
    ByteVector both(a);
    both.insert(both.end(), b.begin(), b.end());
    return both;
}

/// One MpaConnection on a FakeByteStream, with everything it tells its owner.
class MpaStartupTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        connection = CreateObject<MpaConnection>();
        // The frames of the tests are those of Linux siw.
        connection->GetSettings()->SetAttribute("Crc", BooleanValue(false));
        stream = CreateObject<FakeByteStream>();
        connection->GetCallbacks().request = MakeCallback(&MpaStartupTest::OnRequest, this);
        connection->GetCallbacks().operational = MakeCallback(&MpaStartupTest::OnOperational, this);
        connection->GetCallbacks().rejected = MakeCallback(&MpaStartupTest::OnRejected, this);
        connection->GetCallbacks().ulpdu = MakeCallback(&MpaStartupTest::HandleUlpdu, this);
        connection->GetCallbacks().ready = MakeCallback(&MpaStartupTest::OnReady, this);
        connection->GetCallbacks().error = MakeCallback(&MpaStartupTest::OnError, this);
        connection->GetCallbacks().closed = MakeCallback(&MpaStartupTest::OnClosed, this);
    }

    void TearDown() override
    {
        connection = nullptr;
        stream = nullptr;
        Simulator::Destroy();
    }

    virtual void OnRequest(const MpaStartupParameters& peer)
    {
        request = peer;
        connection->Accept(local);
    }

    virtual void OnUlpdu(ByteSpan ulpdu)
    {
        ulpdus.emplace_back(ulpdu.begin(), ulpdu.end());
    }

    void HandleUlpdu(ByteSpan ulpdu, bool /* placed */)
    {
        OnUlpdu(ulpdu);
    }

    void OnOperational(const MpaStartupParameters& agreed)
    {
        operational = agreed;
    }

    void OnRejected(ByteSpan privateData)
    {
        rejection = ByteVector(privateData.begin(), privateData.end());
    }

    void OnReady()
    {
        ++readyCalls;
    }

    void OnError(MpaError e)
    {
        error = e;
    }

    void OnClosed()
    {
        closed = true;
    }

    void StartInitiator()
    {
        connection->StartInitiator(stream, local);
        stream->Establish();
    }

    void StartResponder()
    {
        stream->connected = true;
        connection->StartResponder(stream);
    }

    void ExpectClosedWith(MpaError expected)
    {
        ASSERT_TRUE(error.has_value());
        EXPECT_EQ(*error, expected);
        EXPECT_EQ(connection->GetState(), MpaConnection::State::CLOSED);
        EXPECT_TRUE(stream->closed);
        EXPECT_FALSE(operational.has_value());
    }

    /// A good Reply this side cannot go on with: the owner may say so, then closes.
    void ExpectObstructedBy(MpaError expected)
    {
        ASSERT_TRUE(error.has_value());
        EXPECT_EQ(*error, expected);
        EXPECT_EQ(connection->GetState(), MpaConnection::State::OBSTRUCTED);
        EXPECT_FALSE(stream->closed);
        EXPECT_TRUE(connection->CanSend());
        EXPECT_FALSE(operational.has_value());
    }

    Ptr<MpaConnection> connection;
    Ptr<FakeByteStream> stream;
    MpaStartupParameters local;
    std::optional<MpaStartupParameters> request;
    std::optional<MpaStartupParameters> operational;
    std::optional<ByteVector> rejection;
    std::optional<MpaError> error;
    std::vector<ByteVector> ulpdus;
    int readyCalls{0};
    bool closed{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_MPA_STARTUP_FIXTURE_H
