/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPC_GSS_FIXTURE_H
#define NFSRDMA_TEST_RPC_GSS_FIXTURE_H

#include "rpc/flatten.h"
#include "rpc/rpc-loop.h"
#include "rpc/security/gss-acceptor.h"
#include "rpc/security/gss-flavour.h"

#include "ns3/string.h"

#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/// Carries calls 5 us each way, shows and spoils what passes, and loses what it is told to.
class SpoilingTransport : public RpcClientTransport
{
  public:
    SpoilingTransport(Ptr<RpcServer> server, Ptr<HostMemory> memory)
        : m_server(server),
          m_memory(memory)
    {
    }

    void Submit(std::unique_ptr<RpcTransportCall> call) override
    {
        Send(std::shared_ptr<RpcTransportCall>(std::move(call)));
    }

    /// Sends the calls again that got no reply, as after the loss of a connection.
    void Retransmit()
    {
        std::deque<std::shared_ptr<RpcTransportCall>> again;
        again.swap(m_unanswered);
        for (const auto& call : again)
        {
            if (call->reencode)
            {
                call->reencode(*call);
            }
            Send(call);
        }
    }

    /// Gives up what got no reply.
    bool Cancel(uint32_t xid) override
    {
        const auto found =
            std::find_if(m_unanswered.begin(), m_unanswered.end(), [xid](const auto& call) {
                return call->record.xid == xid;
            });
        if (found == m_unanswered.end())
        {
            return false;
        }
        const auto call = *found;
        m_unanswered.erase(found);
        call->record.outcome = RpcOutcome::CANCELLED;
        call->completed(call->record, {});
        return true;
    }

    [[nodiscard]] uint32_t GetPending() const override
    {
        return m_unanswered.size();
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override
    {
        return {};
    }

    std::vector<ByteVector> calls;
    std::vector<ByteVector> replies;
    std::vector<bool> noReduction;
    std::vector<RpcReplyEstimate> estimates;
    std::function<void(ByteVector&)> onCall;
    std::function<void(ByteVector&)> onReply;
    uint32_t loseCalls{0};
    uint32_t loseReplies{0};

  private:
    void Send(const std::shared_ptr<RpcTransportCall>& call)
    {
        m_unanswered.push_back(call);
        RpcReceivedMessage message;
        message.octets = Flatten(call->call, m_memory);
        if (onCall)
        {
            onCall(message.octets);
        }
        calls.push_back(message.octets);
        noReduction.push_back(call->noReduction);
        estimates.push_back(call->reply);
        if (loseCalls > 0)
        {
            --loseCalls;
            return;
        }
        Simulator::Schedule(
            MicroSeconds(5),
            [this, call, held = std::make_shared<RpcReceivedMessage>(std::move(message))] {
                m_server->Receive(std::move(*held), [this, call](RpcPayload&& payload) {
                    TakeReply(call, std::move(payload));
                });
            });
    }

    void TakeReply(const std::shared_ptr<RpcTransportCall>& call, RpcPayload&& payload)
    {
        if (payload.octets.empty())
        {
            return;
        }
        auto reply = std::make_shared<RpcReceivedMessage>();
        reply->octets = Flatten(payload, m_memory);
        if (onReply)
        {
            onReply(reply->octets);
        }
        replies.push_back(reply->octets);
        if (loseReplies > 0)
        {
            --loseReplies;
            return;
        }
        m_unanswered.erase(std::remove(m_unanswered.begin(), m_unanswered.end(), call),
                           m_unanswered.end());
        Simulator::Schedule(MicroSeconds(5),
                            [call, reply] { call->completed(call->record, std::move(*reply)); });
    }

    Ptr<RpcServer> m_server;
    Ptr<HostMemory> m_memory;
    std::deque<std::shared_ptr<RpcTransportCall>> m_unanswered;
};

/// A program that gives back its argument, an opaque; to procedure 2 as an item in host memory.
class MirrorProgram : public RpcProgram
{
  public:
    static constexpr uint32_t PROGRAM = 400001;
    static constexpr uint32_t MIRROR = 1;
    static constexpr uint32_t MIRROR_AS_ITEM = 2;

    explicit MirrorProgram(Ptr<HostMemory> memory)
        : m_memory(memory)
    {
    }

    [[nodiscard]] uint32_t GetProgram() const override
    {
        return PROGRAM;
    }

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return 1;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        callers.push_back(call->header.authSys);
        ++calls;
        XdrReader reader(ByteSpan(call->message.octets).subspan(call->argumentsPosition));
        const ByteSpan data = reader.ReadOpaque(UINT32_MAX);
        RpcServerReply reply;
        if (!reader.Ok() || reader.Remaining() != 0)
        {
            reply.status = RpcAcceptStatus::GARBAGE_ARGS;
            done(std::move(reply));
            return;
        }
        XdrWriter writer;
        if (call->header.procedure == MIRROR)
        {
            writer.WriteOpaque(data);
        }
        else
        {
            writer.WriteU32(data.size());
            auto owner = std::make_shared<HostBuffer>(m_memory, data.size());
            owner->Write(0, data);
            reply.results.items.push_back(
                {owner->GetAddress(), static_cast<uint32_t>(data.size()), true, 4, owner});
        }
        reply.results.octets = writer.Take();
        done(std::move(reply));
    }

    uint32_t calls{0};

    std::vector<AuthSysCredential> callers; ///< As the server takes them, one a call.

  private:
    Ptr<HostMemory> m_memory;
};

/// A client under a flavour of RPCSEC_GSS and a server, with a SpoilingTransport between them.
class GssTest : public ::testing::Test
{
  protected:
    struct Result
    {
        RpcRecord record;
        uint32_t ends{0};
        bool intact{false};
        Time end;
        uint32_t xid{0}; ///< Of the first try.
    };

    void SetUp() override
    {
        m_program = Create<MirrorProgram>(m_memory);
        m_server->Register(m_program);
        m_server->SetAcceptor(m_acceptor);
        m_acceptor->SetHostMemory(m_memory);
        m_transport = Create<SpoilingTransport>(m_server, m_memory);
        m_security->SetHostMemory(m_memory);
        m_client->SetTransport(m_transport);
        m_client->SetProgram(MirrorProgram::PROGRAM, 1);
        m_client->SetSecurity(m_security);
    }

    void TearDown() override
    {
        Simulator::Destroy();
        EXPECT_EQ(m_memory->GetAllocationCount(), 0U);
    }

    void SetService(const std::string& name)
    {
        m_security->SetAttribute("Service", StringValue(name));
    }

    static ByteVector MakeData(uint32_t length)
    {
        ByteVector data(length);
        uint32_t state = length + 12345;
        for (uint8_t& octet : data)
        {
            state = state * 1664525 + 1013904223;
            octet = static_cast<uint8_t>(state >> 24U);
        }
        return data;
    }

    std::shared_ptr<Result> Call(uint32_t length, uint32_t procedure = MirrorProgram::MIRROR)
    {
        auto result = std::make_shared<Result>();
        const ByteVector data = MakeData(length);
        RpcArguments arguments;
        XdrWriter writer;
        auto item = std::make_shared<HostBuffer>(m_memory, length + 1);
        writer.WriteU32(length);
        item->Write(0, data);
        arguments.octets = writer.Take();
        arguments.items.push_back({item->GetAddress(), length, true, 4, item});
        RpcReplyEstimate reply;
        reply.head = RpcReplyHeader::ACCEPTED_SIZE + 4;
        reply.tail = RoundUp4(length);
        reply.minimum = reply.head;
        result->xid = m_client->Call(
            procedure,
            std::move(arguments),
            reply,
            [result, data](RpcRecord& record, const RpcReceivedMessage&, XdrReader& reader) {
                ++result->ends;
                result->record = record;
                result->end = Simulator::Now();
                if (record.outcome == RpcOutcome::SUCCESS)
                {
                    const ByteSpan back = reader.ReadOpaque(UINT32_MAX);
                    result->intact = reader.Ok() && reader.Remaining() == 0 &&
                                     ByteVector(back.begin(), back.end()) == data;
                }
            });
        return result;
    }

    Ptr<HostMemory> m_memory{CreateObject<HostMemory>()};
    Ptr<RpcServer> m_server{CreateObject<RpcServer>()};
    Ptr<GssAcceptor> m_acceptor{CreateObject<GssAcceptor>()};
    Ptr<GssSecurity> m_security{CreateObject<GssSecurity>()};
    Ptr<RpcClient> m_client{CreateObject<RpcClient>()};
    Ptr<MirrorProgram> m_program;
    Ptr<SpoilingTransport> m_transport;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPC_GSS_FIXTURE_H
