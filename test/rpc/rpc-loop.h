/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPC_RPC_LOOP_H
#define NFSRDMA_TEST_RPC_RPC_LOOP_H

#include "rpc/client.h"
#include "rpc/record.h"
#include "rpc/server.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/// A program of one procedure that adds two words after 10 us.
class AdderProgram : public RpcProgram
{
  public:
    explicit AdderProgram(uint32_t version)
        : m_version(version)
    {
    }

    [[nodiscard]] uint32_t GetProgram() const override
    {
        return 400000;
    }

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return m_version;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        started.push_back(Simulator::Now());
        RpcServerReply reply;
        reply.isOfSession = isOfSession;
        XdrReader reader(ByteSpan(call->message.octets).subspan(call->argumentsPosition));
        const uint32_t sum = reader.ReadU32() + reader.ReadU32();
        if (call->header.procedure != 1)
        {
            reply.status = RpcAcceptStatus::PROC_UNAVAIL;
        }
        else if (!reader.Ok())
        {
            reply.status = RpcAcceptStatus::GARBAGE_ARGS;
        }
        XdrWriter writer;
        writer.WriteU32(sum);
        reply.results.octets = writer.Take();
        Simulator::Schedule(
            MicroSeconds(10),
            [done, held = std::make_shared<RpcServerReply>(reply)] { done(std::move(*held)); });
    }

    std::vector<Time> started;
    bool isOfSession{false}; ///< Each call is.

  private:
    uint32_t m_version;
};

/// \return a call of \p program that adds 1 and 2.
inline RpcReceivedMessage
MakeAdderCall(const AdderProgram& program, uint32_t xid)
{
    RpcCallHeader header;
    header.xid = xid;
    header.program = program.GetProgram();
    header.version = program.GetVersion();
    header.procedure = 1;
    XdrWriter writer;
    header.Encode(writer);
    writer.WriteU32(1);
    writer.WriteU32(2);
    RpcReceivedMessage message;
    message.octets = writer.Take();
    return message;
}

/// Hands calls to a server in the same place, and can spoil the replies.
class LoopTransport : public RpcClientTransport
{
  public:
    explicit LoopTransport(Ptr<RpcServer> server)
        : m_server(server)
    {
    }

    void Submit(std::unique_ptr<RpcTransportCall> call) override
    {
        const std::shared_ptr<RpcTransportCall> held = std::move(call);
        RpcReceivedMessage message;
        message.octets = held->call.octets;
        ++m_pending;
        m_server->Receive(std::move(message), [this, held](RpcPayload&& payload) {
            --m_pending;
            RpcReceivedMessage reply;
            reply.octets = std::move(payload.octets);
            reply.octets.resize(std::min<std::size_t>(reply.octets.size(), replyLimit));
            held->completed(held->record, std::move(reply));
        });
    }

    [[nodiscard]] uint32_t GetPending() const override
    {
        return m_pending;
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override
    {
        return {};
    }

    std::size_t replyLimit{SIZE_MAX};

  private:
    Ptr<RpcServer> m_server;
    uint32_t m_pending{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPC_RPC_LOOP_H
