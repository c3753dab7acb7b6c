/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_REVERSE_DIRECTION_FIXTURE_H
#define NFSRDMA_TEST_RPCRDMA_REVERSE_DIRECTION_FIXTURE_H

#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3::nfsrdma
{

/// A program on a client that gives back its arguments, after a while.
class CallbackProgram : public RpcProgram
{
  public:
    static constexpr uint32_t PROGRAM = 0x40000000;
    static constexpr uint32_t VERSION = 1;

    [[nodiscard]] uint32_t GetProgram() const override
    {
        return PROGRAM;
    }

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return VERSION;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        ++calls;
        auto reply = std::make_shared<RpcServerReply>();
        reply->results.octets = results;
        if (results.empty())
        {
            reply->results.octets.assign(call->message.octets.begin() + call->argumentsPosition,
                                         call->message.octets.end());
        }
        Simulator::Schedule(delay, [done, reply] { done(std::move(*reply)); });
    }

    Time delay{MicroSeconds(10)};
    ByteVector results; ///< Of every call, when not empty.
    uint32_t calls{0};
};

/// \return the octets of \p text: pairs of hexadecimal digits, and spaces.
inline ByteVector
HexOctets(const std::string& text)
{
    ByteVector octets;
    std::string digits;
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) {
        return c != ' ';
    });
    for (std::size_t i = 0; i < digits.size(); i += 2)
    {
        octets.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    }
    return octets;
}

inline RpcRdmaFixedHeader
DecodeFixed(const ByteVector& message)
{
    ByteReader reader(message);
    return RpcRdmaFixedHeader::Decode(reader).value();
}

/// A client that serves calls of its server.
class ReverseDirection : public RpcRdmaTest
{
  protected:
    struct Outcome
    {
        RpcRecord record;
        uint32_t ends{0};
        bool intact{false};
    };

    void SetUp() override
    {
        m_callbacks = Create<CallbackProgram>();
        m_callbackServer = CreateObject<RpcServer>();
        m_callbackServer->Register(m_callbacks);
        m_callbackServer->SetAttribute("Threads", UintegerValue(64));
        RpcRdmaTest::SetUp();
        m_reverse = m_server->GetReverseTransport(m_clientHost.address);
        m_reverse->TraceConnectWithoutContext("CallSent",
                                              MakeCallback(&ReverseDirection::HandleSent, this));
        m_reverseClient = CreateObject<RpcClient>();
        m_reverseClient->SetTransport(m_reverse);
        m_reverseClient->SetProgram(CallbackProgram::PROGRAM, CallbackProgram::VERSION);
    }

    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetReverseServer(m_callbackServer);
    }

    /// Connects, and lets the client send first, before which an iWARP server may not.
    void Meet()
    {
        Connect();
        Greet();
    }

    void Greet()
    {
        m_client->Connect();
        Take(4);
        Run();
    }

    void HandleSent(const RpcRecord&)
    {
        m_mostOutstanding = std::max(m_mostOutstanding, m_reverse->GetOutstanding());
        EXPECT_LE(m_reverse->GetOutstanding(), m_reverse->GetCredits());
    }

    std::shared_ptr<Outcome> CallBack(uint32_t length)
    {
        auto outcome = std::make_shared<Outcome>();
        RpcArguments arguments;
        arguments.octets.resize(RoundUp4(length));
        for (std::size_t i = 0; i < arguments.octets.size(); ++i)
        {
            arguments.octets[i] = static_cast<uint8_t>(i * 7 + length);
        }
        RpcReplyEstimate reply;
        reply.head = RpcReplyHeader::ACCEPTED_SIZE + arguments.octets.size();
        m_reverseClient->Call(1,
                              RpcArguments(arguments),
                              reply,
                              [outcome, sent = arguments.octets](RpcRecord& record,
                                                                 const RpcReceivedMessage&,
                                                                 XdrReader& reader) {
                                  ++outcome->ends;
                                  outcome->record = record;
                                  const ByteSpan back = reader.Rest();
                                  outcome->intact = record.outcome == RpcOutcome::SUCCESS &&
                                                    ByteVector(back.begin(), back.end()) == sent;
                              });
        return outcome;
    }

    Ptr<CallbackProgram> m_callbacks;
    Ptr<RpcServer> m_callbackServer;
    Ptr<SvcRdmaReverseTransport> m_reverse;
    Ptr<RpcClient> m_reverseClient;
    uint32_t m_mostOutstanding{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_REVERSE_DIRECTION_FIXTURE_H
