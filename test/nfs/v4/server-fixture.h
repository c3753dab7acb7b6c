/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V4_SERVER_FIXTURE_H
#define NFSRDMA_TEST_NFS_V4_SERVER_FIXTURE_H

#include "nfs/v4/server/service.h"
#include "wire/ip-address.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma::test
{

/// Keeps the calls that a server makes to a client, and answers them when told to.
class CallbackTransport : public RpcClientTransport
{
  public:
    void Submit(std::unique_ptr<RpcTransportCall> call) override
    {
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

    [[nodiscard]] const RpcPayload& GetCall(std::size_t index) const
    {
        return m_calls.at(index)->call;
    }

    /// Answers the oldest call.
    void Answer(const ByteVector& results)
    {
        auto call = std::move(m_calls.front());
        m_calls.erase(m_calls.begin());
        XdrReader reader(call->call.octets);
        RpcReplyHeader header;
        header.xid = reader.ReadU32();
        XdrWriter writer;
        header.Encode(writer);
        RpcReceivedMessage message;
        message.octets = writer.Take();
        message.octets.insert(message.octets.end(), results.begin(), results.end());
        call->record.outcome = RpcOutcome::SUCCESS;
        call->completed(call->record, std::move(message));
    }

    /// The oldest call ends without an answer.
    void Lose()
    {
        auto call = std::move(m_calls.front());
        m_calls.erase(m_calls.begin());
        call->record.outcome = RpcOutcome::DISCONNECTED;
        call->completed(call->record, RpcReceivedMessage());
    }

  private:
    void DoDispose() override
    {
        m_calls.clear();
        RpcClientTransport::DoDispose();
    }

    std::vector<std::unique_ptr<RpcTransportCall>> m_calls;
};

/**
 * \brief An Nfs4Server without a network: COMPOUNDs are handed to it, and its answers decoded.
 *
 * The store has one export "export", writable for all, with a directory "dir", a file "file" of
 * 10000 octets and a symlink "link" to "dir/target".
 */
class Nfs4ServerFixture : public testing::Test
{
  protected:
    static constexpr IpAddress CLIENT_ADDRESS{0x0a4d0002};

    void SetUp() override
    {
        m_memory = CreateObject<HostMemory>();
        m_store = CreateObject<FileStore>();
        m_server = CreateObject<Nfs4Server>();
        m_transport = CreateObject<CallbackTransport>();
        m_server->SetAttribute("DelegationReturnWait", TimeValue(Time(0)));
        SetAttributes();
        m_server->SetFileStore(m_store);
        m_server->SetHostMemory(m_memory);
        m_server->SetCallbackRoutes({[this](const IpAddress&, uint64_t) { return m_transport; },
                                     [this](const NetAddr4&) { return m_transport; },
                                     {}});
        Preload();
    }

    void TearDown() override
    {
        m_server->Dispose();
        m_transport->Dispose();
        m_store->Dispose();
        Simulator::Destroy();
    }

    /// Hook: attributes of store and server.
    virtual void SetAttributes()
    {
    }

    /// Hook: what is in the store.
    virtual void Preload()
    {
        m_root = m_store->CreateExport("export", {0777, 0, 0});
        m_dir = m_store->AddDirectory(m_root, "dir", {0777, 0, 0});
        m_file = m_store->AddFile(m_root, "file", 10000, {0666, 0, 0});
        m_link = m_store->AddSymlink(m_root, "link", "dir/target");
    }

    /// What came back.
    struct Answer
    {
        RpcAcceptStatus accepted{RpcAcceptStatus::SUCCESS};
        RpcPayload payload;
        RpcReceivedMessage received; ///< As a client has it when Write chunks take all items.
        Compound4Res results;
    };

    Answer Dispatch(RpcReceivedMessage&& message, const IpAddress& address = CLIENT_ADDRESS)
    {
        auto call = std::make_shared<RpcServerCall>();
        call->header.procedure = 1;
        call->header.flavor = RpcAuthFlavor::SYS;
        call->header.authSys.uid = m_uid;
        call->message = std::move(message);
        call->source = address;
        call->connection = m_connection;
        Answer answer;
        m_server->Dispatch(call, [&answer](RpcServerReply&& reply) {
            answer.accepted = reply.status;
            answer.payload = std::move(reply.results);
        });
        if (answer.accepted == RpcAcceptStatus::SUCCESS)
        {
            Decode(answer);
        }
        return answer;
    }

    static void Decode(Answer& answer)
    {
        answer.received.octets = answer.payload.octets;
        for (const RpcDataItem& item : answer.payload.items)
        {
            answer.received.items.push_back({0, item.address, item.length, item.owner});
        }
        XdrReader reader(answer.received.octets);
        auto items = Nfs4DataItems::OfReply(answer.received);
        auto results = Compound4Res::Decode(reader, &items);
        ASSERT_TRUE(results);
        EXPECT_EQ(reader.Remaining(), 0U);
        answer.results = std::move(*results);
    }

    Answer Call(std::vector<Nfs4ArgOp> ops)
    {
        Compound4Args args;
        args.minorVersion = m_minorVersion;
        args.ops = std::move(ops);
        args.opCount = static_cast<uint32_t>(args.ops.size());
        XdrWriter writer;
        args.Encode(writer);
        RpcReceivedMessage message;
        message.octets = writer.Take();
        return Dispatch(std::move(message));
    }

    /// A COMPOUND in the session, on a slot of its own sequence.
    Answer InSession(std::vector<Nfs4ArgOp> ops, bool cacheThis = false)
    {
        SequenceArgs4 sequence;
        sequence.sessionId = m_session;
        sequence.sequenceId = ++m_sequence;
        sequence.cacheThis = cacheThis;
        ops.insert(ops.begin(), sequence);
        return Call(std::move(ops));
    }

    /// EXCHANGE_ID to RECLAIM_COMPLETE.
    void Mount(const std::string& owner = "client", bool complete = true)
    {
        ExchangeIdArgs4 exchange;
        exchange.ownerId.assign(owner.begin(), owner.end());
        const auto exchanged = Call({exchange});
        const auto& id = Get<ExchangeIdRes4>(exchanged, 0);
        m_client = id.clientId;
        const auto created = Call({MakeCreateSession(id.sequenceId)});
        ASSERT_EQ(created.results.status, Nfs4Status::OK);
        m_session = Get<CreateSessionRes4>(created, 0).sessionId;
        m_sequence = 0;
        if (complete)
        {
            ASSERT_EQ(InSession({ReclaimCompleteArgs4()}).results.status, Nfs4Status::OK);
        }
    }

    [[nodiscard]] CreateSessionArgs4 MakeCreateSession(uint32_t sequence) const
    {
        CreateSessionArgs4 create;
        create.clientId = m_client;
        create.sequence = sequence;
        create.flags = CREATE_SESSION4_FLAG_CONN_BACK_CHAN | CREATE_SESSION4_FLAG_PERSIST;
        create.fore = {0, 1049620, 1049480, 7584, 8, 64, {}};
        create.back = {0, 4068, 4068, 0, 2, 16, {}};
        create.secParms.emplace_back();
        return create;
    }

    [[nodiscard]] Nfs4Fh GetHandle(InodeNumber number) const
    {
        return Nfs4Fh(m_store->GetHandle(number).AsSpan());
    }

    [[nodiscard]] PutfhArgs4 Put(InodeNumber number) const
    {
        PutfhArgs4 put;
        put.object = GetHandle(number);
        return put;
    }

    /// OPEN of an entry of the export's root, without create.
    [[nodiscard]] OpenArgs4 MakeOpen(const std::string& name,
                                     uint32_t access,
                                     const std::string& owner = "owner",
                                     uint32_t deny = 0) const
    {
        OpenArgs4 open;
        open.shareAccess = access;
        open.shareDeny = deny;
        open.owner.clientId = m_client;
        open.owner.owner.assign(owner.begin(), owner.end());
        open.claim.file = name;
        return open;
    }

    template <typename Result>
    [[nodiscard]] static const Result& Get(const Answer& answer, std::size_t index)
    {
        return std::get<Result>(answer.results.ops.at(index));
    }

    Ptr<HostMemory> m_memory;
    Ptr<FileStore> m_store;
    Ptr<Nfs4Server> m_server;
    Ptr<CallbackTransport> m_transport;
    InodeNumber m_root{0};
    InodeNumber m_dir{0};
    InodeNumber m_file{0};
    InodeNumber m_link{0};
    uint32_t m_uid{0};
    uint32_t m_minorVersion{1};
    uint64_t m_connection{1}; ///< That calls come over.
    Nfs4ClientId m_client{0};
    Nfs4SessionId m_session{};
    uint32_t m_sequence{0};
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V4_SERVER_FIXTURE_H
