/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V4_SCRIPTED_SERVER_H
#define NFSRDMA_TEST_NFS_V4_SCRIPTED_SERVER_H

#include "nfs/v3/status3.h"
#include "nfs/v4/client/callback-program.h"
#include "nfs/v4/client/mounted-files.h"
#include "rpc/server.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// Hands calls to an RpcServer without a network; all items travel in the octets. A call may be
/// lost on its way, or its reply: then it ends as the transport says.
class ScriptedTransport : public RpcClientTransport
{
  public:
    ScriptedTransport(Ptr<RpcServer> server, Ptr<HostMemory> memory)
        : m_server(server),
          m_memory(memory)
    {
    }

    void Submit(std::unique_ptr<RpcTransportCall> call) override
    {
        ++m_pending;
        paths.push_back(call->path);
        Send(std::move(call));
    }

    [[nodiscard]] uint32_t GetPending() const override
    {
        return m_pending;
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override
    {
        return {};
    }

    [[nodiscard]] uint32_t GetPathCount() const override
    {
        return pathCount;
    }

    /// As Linux's over RDMA, with thresholds of 4096 octets.
    [[nodiscard]] RpcReverseLimits GetReverseLimits() const override
    {
        return {4068, 16};
    }

    uint32_t pathCount{1};      ///< Connections that it is said to be.
    std::vector<RpcPath> paths; ///< That calls have asked for.
    uint32_t loseCalls{0};      ///< Calls that do not reach the server.
    uint32_t loseReplies{0};    ///< Calls whose replies do not come back.
    Time retransmit; ///< A call that the server drops is sent again after it; 0: it is lost.
    RpcOutcome lossOutcome{RpcOutcome::TRANSPORT_ERROR};
    std::set<uint32_t> resendAfter; ///< Replies (from 1) that are lost: their calls are sent again.
    uint32_t resent{0};             ///< Such calls.
    uint64_t source{0};             ///< The client's address.
    Ptr<HostMemory> replyMemory;    ///< Of the server: where items of replies are.

  private:
    void Send(const std::shared_ptr<RpcTransportCall>& held)
    {
        ++held->record.transmissions;
        RpcReceivedMessage message;
        message.octets = Flatten(held->call, m_memory);
        if (loseCalls != 0)
        {
            --loseCalls;
            End(held, {});
            return;
        }
        m_server->Receive(
            std::move(message),
            [this, held](RpcPayload&& payload) {
                if (payload.octets.empty() && retransmit.IsStrictlyPositive())
                {
                    Simulator::Schedule(retransmit, [this, held] { Send(held); });
                    return;
                }
                EXPECT_LE(payload.GetLength(), held->reply.GetTotal());
                if (resendAfter.count(++m_replies) != 0)
                {
                    ++resent;
                    Simulator::Schedule(MicroSeconds(10), [this, held] { Resend(held); });
                    return;
                }
                RpcReceivedMessage reply;
                reply.octets = Flatten(payload, replyMemory);
                End(held, std::move(reply));
            },
            source);
    }

    void Resend(const std::shared_ptr<RpcTransportCall>& held)
    {
        --m_replies; // the same one again
        resendAfter.erase(m_replies + 1);
        Send(held);
    }

    /// \return the message with all its items.
    static ByteVector Flatten(const RpcPayload& payload, Ptr<HostMemory> memory)
    {
        ByteVector flat;
        std::size_t from = 0;
        for (const RpcDataItem& item : payload.items)
        {
            flat.insert(flat.end(),
                        payload.octets.begin() + static_cast<int64_t>(from),
                        payload.octets.begin() + item.offset);
            ByteVector data(item.length);
            memory->Read(item.address, data);
            data.resize(RoundUp4(item.length));
            flat.insert(flat.end(), data.begin(), data.end());
            from = item.offset;
        }
        flat.insert(flat.end(),
                    payload.octets.begin() + static_cast<int64_t>(from),
                    payload.octets.end());
        return flat;
    }

    void End(const std::shared_ptr<RpcTransportCall>& call, RpcReceivedMessage&& reply)
    {
        const bool lost = reply.octets.empty() || loseReplies != 0;
        loseReplies -= !reply.octets.empty() && loseReplies != 0 ? 1 : 0;
        const auto message = std::make_shared<RpcReceivedMessage>(std::move(reply));
        Simulator::Schedule(MicroSeconds(10), [this, call, lost, message] {
            --m_pending;
            call->record.outcome = lost ? lossOutcome : RpcOutcome::SUCCESS;
            call->completed(call->record, lost ? RpcReceivedMessage() : std::move(*message));
        });
    }

    Ptr<RpcServer> m_server;
    Ptr<HostMemory> m_memory;
    uint32_t m_pending{0};
    uint32_t m_replies{0};
};

/// A server that keeps just enough state to be asked, and does what a test tells it to.
class ScriptedServer : public RpcProgram
{
  public:
    [[nodiscard]] uint32_t GetProgram() const override
    {
        return NFS_PROGRAM;
    }

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return NFS_V4;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        RpcServerReply reply;
        if (call->header.procedure == NFSPROC4_NULL)
        {
            log.emplace_back("NULL");
            done(std::move(reply));
            return;
        }
        XdrReader reader(ByteSpan(call->message.octets).subspan(call->argumentsPosition));
        const auto args = Compound4Args::Decode(reader);
        ASSERT_TRUE(args);
        ASSERT_FALSE(args->error);
        const Compound4Res results = Answer(*args);
        XdrWriter writer;
        results.Encode(writer);
        reply.results.octets = writer.Take();
        Simulator::Schedule(delay,
                            [done, held = std::make_shared<RpcServerReply>(std::move(reply))] {
                                done(std::move(*held));
                            });
    }

    /// Forgets everything, as a server that boots.
    void Restart()
    {
        m_session = {};
        m_clients.clear();
        m_stateids.clear();
        m_slots.clear();
    }

    /// Forgets the session only.
    void ForgetSession()
    {
        m_session = {};
        m_slots.clear();
    }

    /// What it answers to the next operations of a kind, before it would carry them out.
    std::map<Nfs4Op, std::vector<Nfs4Status>> errors;
    std::vector<std::string> log; ///< COMPOUNDs taken: names of operations.
    std::vector<Compound4Args> calls;
    OpenDelegationType4 delegation{OpenDelegationType4::NONE};
    bool confirm{false};     ///< NFSv4.0: OPEN asks for OPEN_CONFIRM.
    uint32_t statusFlags{0}; ///< Of the next SEQUENCE.
    uint32_t slots{4};
    uint32_t leaseSeconds{90};
    Time delay{MicroSeconds(10)};
    std::map<std::string, ByteVector> files;
    uint64_t boots{1};

    [[nodiscard]] Nfs4StateId GetDelegationStateId() const
    {
        return m_delegation;
    }

    [[nodiscard]] Nfs4SessionId GetSession() const
    {
        return m_session;
    }

    [[nodiscard]] std::size_t GetStateIds() const
    {
        return m_stateids.size();
    }

  private:
    Compound4Res Answer(const Compound4Args& args)
    {
        calls.push_back(args);
        Compound4Res results;
        std::string names;
        for (const auto& op : args.ops)
        {
            names += names.empty() ? "" : " ";
            names += ToString(GetOp(op));
        }
        log.push_back(names);
        m_current.clear();
        for (const auto& op : args.ops)
        {
            auto& planned = errors[GetOp(op)];
            if (!planned.empty() && planned.front() != Nfs4Status::OK)
            {
                results.ops.push_back(MakeResult(GetOp(op), planned.front()));
                planned.erase(planned.begin());
            }
            else
            {
                if (!planned.empty())
                {
                    planned.erase(planned.begin());
                }
                results.ops.push_back(
                    std::visit([this](const auto& operation) { return Run(operation); }, op));
            }
            results.status = GetStatus(results.ops.back());
            if (results.status != Nfs4Status::OK)
            {
                break;
            }
        }
        return results;
    }

    template <typename Args>
    Nfs4ResOp Run(const Args& /* args */)
    {
        return Nfs4ResultOf<Args>();
    }

    Nfs4ResOp Run(const ExchangeIdArgs4& args)
    {
        ExchangeIdRes4 result;
        result.clientId = ++m_lastClient + (boots << 32);
        result.sequenceId = 1;
        m_clients = {result.clientId};
        EXPECT_TRUE(args.clientImplId);
        return result;
    }

    Nfs4ResOp Run(const CreateSessionArgs4& args)
    {
        CreateSessionRes4 result;
        if (m_clients.count(args.clientId) == 0)
        {
            result.status = Nfs4Status::STALE_CLIENTID;
            return result;
        }
        m_session[0] = ++m_sessions;
        m_slots.clear();
        result.sessionId = m_session;
        result.sequence = args.sequence;
        result.flags = CREATE_SESSION4_FLAG_CONN_BACK_CHAN;
        result.fore = args.fore;
        result.fore.maxRequests = slots;
        result.back = args.back;
        return result;
    }

    Nfs4ResOp Run(const DestroySessionArgs4& args)
    {
        DestroySessionRes4 result;
        result.status = args.sessionId == m_session ? Nfs4Status::OK : Nfs4Status::BADSESSION;
        m_session = {};
        return result;
    }

    Nfs4ResOp Run(const SequenceArgs4& args)
    {
        SequenceRes4 result;
        if (args.sessionId != m_session)
        {
            result.status = Nfs4Status::BADSESSION;
            return result;
        }
        uint32_t& last = m_slots[args.slotId];
        if (args.sequenceId == last)
        {
            result.status = Nfs4Status::SEQ_FALSE_RETRY;
            return result;
        }
        if (args.sequenceId != last + 1)
        {
            result.status = Nfs4Status::SEQ_MISORDERED;
            return result;
        }
        last = args.sequenceId;
        result.sessionId = args.sessionId;
        result.sequenceId = args.sequenceId;
        result.slotId = args.slotId;
        result.highestSlotId = slots - 1;
        result.targetHighestSlotId = slots - 1;
        result.statusFlags = statusFlags;
        statusFlags = 0;
        return result;
    }

    Nfs4ResOp Run(const SetclientidArgs4& /* args */)
    {
        SetclientidRes4 result;
        result.clientId = ++m_lastClient + (boots << 32);
        m_clients = {result.clientId};
        return result;
    }

    Nfs4ResOp Run(const RenewArgs4& args)
    {
        RenewRes4 result;
        result.status =
            m_clients.count(args.clientId) != 0 ? Nfs4Status::OK : Nfs4Status::STALE_CLIENTID;
        return result;
    }

    Nfs4ResOp Run(const PutrootfhArgs4& /* args */)
    {
        m_current = "/";
        return PutrootfhRes4();
    }

    Nfs4ResOp Run(const PutfhArgs4& args)
    {
        const ByteSpan octets = args.object.AsSpan();
        m_current.assign(octets.begin(), octets.end());
        return PutfhRes4();
    }

    Nfs4ResOp Run(const LookupArgs4& args)
    {
        LookupRes4 result;
        m_current = args.name;
        return result;
    }

    Nfs4ResOp Run(const GetfhArgs4& /* args */)
    {
        GetfhRes4 result;
        const ByteVector octets(m_current.begin(), m_current.end());
        result.object = Nfs4Fh(octets);
        return result;
    }

    Nfs4ResOp Run(const CreateArgs4& args)
    {
        m_current = args.name;
        return CreateRes4();
    }

    Nfs4ResOp Run(const GetattrArgs4& args)
    {
        GetattrRes4 result;
        const auto wants = [&args](Nfs4Attr attribute) {
            return args.attrRequest.Has(static_cast<uint32_t>(attribute));
        };
        if (wants(Nfs4Attr::SUPPORTED_ATTRS))
        {
            result.attributes.supportedAttrs =
                MakeAttrMask({Nfs4Attr::LEASE_TIME, Nfs4Attr::MAXREAD, Nfs4Attr::MAXWRITE});
        }
        if (wants(Nfs4Attr::LEASE_TIME))
        {
            result.attributes.leaseTime = leaseSeconds;
        }
        if (wants(Nfs4Attr::MAXREAD))
        {
            result.attributes.maxRead = 65536;
        }
        if (wants(Nfs4Attr::TYPE))
        {
            result.attributes.type = Ftype4::REG;
        }
        if (wants(Nfs4Attr::SIZE))
        {
            result.attributes.size = files[m_current].size();
        }
        if (wants(Nfs4Attr::OWNER))
        {
            result.attributes.owner = "1000";
        }
        return result;
    }

    Nfs4ResOp Run(const AccessArgs4& args)
    {
        return AccessRes4{Nfs4Status::OK, args.access, args.access};
    }

    Nfs4StateId MakeStateId()
    {
        Nfs4StateId stateid;
        stateid.seqid = 1;
        stateid.other[0] = static_cast<uint8_t>(boots);
        stateid.other[11] = ++m_lastStateId;
        m_stateids.insert(stateid.other);
        return stateid;
    }

    Nfs4ResOp Run(const OpenArgs4& args)
    {
        OpenRes4 result;
        if (m_clients.count(args.owner.clientId) == 0)
        {
            result.status = Nfs4Status::STALE_CLIENTID;
            return result;
        }
        if (args.claim.type == OpenClaim4::CLAIM_NULL)
        {
            m_current = args.claim.file;
        }
        result.stateid = MakeStateId();
        result.rflags = confirm ? OPEN4_RESULT_CONFIRM : 0;
        result.delegation.type = delegation;
        if (delegation != OpenDelegationType4::NONE)
        {
            m_delegation = MakeStateId();
            result.delegation.stateid = m_delegation;
        }
        return result;
    }

    Nfs4ResOp Run(const OpenConfirmArgs4& args)
    {
        OpenConfirmRes4 result;
        result.openStateid = args.openStateid;
        ++result.openStateid.seqid;
        return result;
    }

    [[nodiscard]] Nfs4Status Check(const Nfs4StateId& stateid) const
    {
        return m_stateids.count(stateid.other) != 0 ? Nfs4Status::OK : Nfs4Status::BAD_STATEID;
    }

    Nfs4ResOp Run(const CloseArgs4& args)
    {
        CloseRes4 result;
        result.status = Check(args.openStateid);
        m_stateids.erase(args.openStateid.other);
        return result;
    }

    Nfs4ResOp Run(const DelegreturnArgs4& args)
    {
        DelegreturnRes4 result;
        result.status = Check(args.stateid);
        m_stateids.erase(args.stateid.other);
        return result;
    }

    Nfs4ResOp Run(const TestStateidArgs4& args)
    {
        TestStateidRes4 result;
        for (const auto& stateid : args.stateids)
        {
            result.statusCodes.push_back(Check(stateid));
        }
        return result;
    }

    Nfs4ResOp Run(const LockArgs4& args)
    {
        LockRes4 result;
        result.lockStateid = args.newLockOwner ? MakeStateId() : args.lockOwner.lockStateid;
        return result;
    }

    Nfs4ResOp Run(const LockuArgs4& args)
    {
        LockuRes4 result;
        result.lockStateid = args.lockStateid;
        ++result.lockStateid.seqid;
        return result;
    }

    Nfs4ResOp Run(const ReadArgs4& args)
    {
        ReadRes4 result;
        result.status = Check(args.stateid);
        const auto& content = files[m_current];
        const auto first = std::min<uint64_t>(args.offset, content.size());
        const auto count = std::min<uint64_t>(args.count, content.size() - first);
        result.data = Nfs3Data(ByteSpan(content).subspan(first, count));
        result.eof = first + count == content.size();
        return result;
    }

    Nfs4ResOp Run(const WriteArgs4& args)
    {
        WriteRes4 result;
        result.status = Check(args.stateid);
        if (result.status == Nfs4Status::OK)
        {
            auto& content = files[m_current];
            content.resize(std::max<uint64_t>(content.size(), args.offset + args.data.length));
            std::copy(args.data.octets.begin(),
                      args.data.octets.end(),
                      content.begin() + static_cast<int64_t>(args.offset));
            result.count = args.data.length;
            result.committed = StableHow4::FILE_SYNC;
        }
        return result;
    }

    std::string m_current;
    std::set<Nfs4ClientId> m_clients;
    Nfs4ClientId m_lastClient{0};
    Nfs4SessionId m_session{};
    uint8_t m_sessions{0};
    std::map<uint32_t, uint32_t> m_slots;
    std::set<std::array<uint8_t, 12>> m_stateids;
    uint8_t m_lastStateId{0};
    Nfs4StateId m_delegation;
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V4_SCRIPTED_SERVER_H
