/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/message-filler.h"
#include "nfs/message-types.h"
#include "nfs/nfs3-loop.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma::test
{

/// Calls made by hand, straight to the RPC server.
class Nfs3BadCalls : public Nfs3Loop
{
  protected:
    RpcReplyHeader Send(RpcReceivedMessage&& message)
    {
        std::optional<RpcReplyHeader> header;
        m_rpcServer->Receive(std::move(message), [&](RpcPayload&& reply) {
            XdrReader reader(reply.octets);
            header = RpcReplyHeader::Decode(reader).value();
        });
        Simulator::Run();
        EXPECT_TRUE(header);
        return header.value_or(RpcReplyHeader());
    }

    RpcAcceptStatus SendCall(uint32_t procedure, const ByteVector& arguments)
    {
        return Send(MakeMessage(procedure, arguments)).acceptStatus;
    }

    static RpcReceivedMessage MakeMessage(uint32_t procedure, const ByteVector& arguments)
    {
        RpcCallHeader header;
        header.xid = 77;
        header.program = NFS_PROGRAM;
        header.version = NFS_V3;
        header.procedure = procedure;
        XdrWriter writer;
        header.Encode(writer);
        writer.WriteFixedOpaque(arguments);
        RpcReceivedMessage message;
        message.octets = writer.Take();
        return message;
    }

    template <typename Args>
    static ByteVector Encoded(const Args& args)
    {
        XdrWriter writer;
        EncodeXdr(writer, args);
        return writer.Take();
    }

    void AddItem(RpcReceivedMessage& message, uint32_t position, uint32_t length)
    {
        const auto owner = std::make_shared<HostBuffer>(m_serverMemory, length);
        message.items.push_back({position, owner->GetAddress(), length, owner});
    }

    RpcReceivedMessage MakeReducedWrite(uint32_t count, uint32_t chunkLength)
    {
        Write3Args args;
        args.file =
            HandleOf(m_store->AddFile(m_root, "w" + std::to_string(count), 0, {0666, 0, 0}));
        args.count = count;
        args.data = Nfs3Data::Reduced(count);
        RpcReceivedMessage message =
            MakeMessage(static_cast<uint32_t>(Nfs3Procedure::WRITE), Encoded(args));
        AddItem(message, message.octets.size(), chunkLength);
        return message;
    }
};

TEST_F(Nfs3BadCalls, ArgumentsCutAtEachWordAreGarbage)
{
    MessageGenerator generator(9);
    uint64_t garbage = 0;
    ForEachType<Nfs3ArgTypes>([&](auto args) {
        using Args = decltype(args);
        generator.Fill(args);
        const ByteVector octets = Encoded(args);
        for (std::size_t length = 0; length < octets.size(); length += 4)
        {
            const ByteVector cut(octets.begin(), octets.begin() + length);
            EXPECT_EQ(SendCall(static_cast<uint32_t>(Args::PROCEDURE), cut),
                      RpcAcceptStatus::GARBAGE_ARGS)
                << ToString(Args::PROCEDURE) << " cut to " << length;
            ++garbage;
        }
    });
    EXPECT_EQ(m_server->GetGarbageCalls(), garbage);
}

TEST_F(Nfs3BadCalls, ProceduresAboveCommitAreUnavailable)
{
    EXPECT_EQ(SendCall(22, {}), RpcAcceptStatus::PROC_UNAVAIL);
    EXPECT_EQ(SendCall(0xffffffff, {}), RpcAcceptStatus::PROC_UNAVAIL);
    EXPECT_EQ(SendCall(0, {}), RpcAcceptStatus::SUCCESS);
}

TEST_F(Nfs3BadCalls, WriteCountMustBeTheDatasLength)
{
    Write3Args args;
    args.file = m_rootHandle;
    const ByteVector data(8);
    args.data = Nfs3Data(data);
    args.count = 4;
    EXPECT_EQ(SendCall(static_cast<uint32_t>(Nfs3Procedure::WRITE), Encoded(args)),
              RpcAcceptStatus::GARBAGE_ARGS);
}

TEST_F(Nfs3BadCalls, ReducedWriteIsTakenInItsPlaceOnly)
{
    EXPECT_EQ(Send(MakeReducedWrite(5001, 5001)).acceptStatus, RpcAcceptStatus::SUCCESS);
    EXPECT_EQ(Send(MakeReducedWrite(5002, 5004)).acceptStatus, RpcAcceptStatus::SUCCESS)
        << "a chunk may include the pad";
    EXPECT_EQ(Send(MakeReducedWrite(5003, 5000)).acceptStatus, RpcAcceptStatus::GARBAGE_ARGS)
        << "a chunk shorter than its item";
    RpcReceivedMessage elsewhere = MakeReducedWrite(5005, 5005);
    elsewhere.items.front().position -= 4;
    EXPECT_EQ(Send(std::move(elsewhere)).acceptStatus, RpcAcceptStatus::GARBAGE_ARGS);
    RpcReceivedMessage another = MakeReducedWrite(5006, 5006);
    AddItem(another, another.octets.size() + RoundUp4(5006), 4);
    EXPECT_EQ(Send(std::move(another)).acceptStatus, RpcAcceptStatus::GARBAGE_ARGS)
        << "a chunk behind the last argument";
}

TEST_F(Nfs3BadCalls, ReducedItemsOfOtherProceduresAreGarbage)
{
    RpcReceivedMessage message =
        MakeMessage(static_cast<uint32_t>(Nfs3Procedure::GETATTR), Encoded(Getattr3Args()));
    AddItem(message, message.octets.size(), 4);
    EXPECT_EQ(Send(std::move(message)).acceptStatus, RpcAcceptStatus::GARBAGE_ARGS);
}

TEST_F(Nfs3BadCalls, RandomArgumentsNeverHarm)
{
    MessageGenerator generator(10);
    for (int i = 0; i < 3000; ++i)
    {
        ByteVector arguments = generator.Octets(4 * generator.Below(40));
        for (auto& octet : arguments)
        {
            octet = generator.Below(6) == 0 ? octet & 0x0f : 0;
        }
        const RpcAcceptStatus status = SendCall(generator.Below(NFS3_PROCEDURES), arguments);
        EXPECT_TRUE(status == RpcAcceptStatus::SUCCESS || status == RpcAcceptStatus::GARBAGE_ARGS);
    }
}

TEST_F(Nfs3BadCalls, CallersWithoutAuthSysAreNobody)
{
    const InodeNumber dir = m_store->AddDirectory(m_root, "d", {0700, 0, 0});
    Lookup3Args args;
    args.what = {HandleOf(dir), "x"};
    std::optional<Lookup3Res> results;
    m_rpcServer->Receive(MakeMessage(static_cast<uint32_t>(Nfs3Procedure::LOOKUP), Encoded(args)),
                         [&](RpcPayload&& reply) {
                             XdrReader reader(reply.octets);
                             ASSERT_TRUE(RpcReplyHeader::Decode(reader));
                             results = DecodeXdr<Lookup3Res>(reader).value();
                         });
    Simulator::Run();
    ASSERT_TRUE(results);
    EXPECT_EQ(results->status, Nfs3Status::ACCES);
}

TEST_F(Nfs3Loop, CutRepliesAreBadReplies)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 40);
    std::size_t whole = 0;
    m_transport->SetReplyFilter(
        [&](RpcReceivedMessage& message) { whole = message.octets.size(); });
    ByteVector out;
    ReadInto(HandleOf(file), 0, 40, out);
    for (std::size_t length = 0; length < whole; length += 4)
    {
        m_transport->SetReplyFilter(
            [length](RpcReceivedMessage& message) { message.octets.resize(length); });
        const auto result = ReadInto(HandleOf(file), 0, 40, out);
        EXPECT_EQ(m_record.outcome, RpcOutcome::BAD_REPLY) << length;
        EXPECT_EQ(result.status, Nfs3Status::SERVERFAULT);
    }
}

TEST_F(Nfs3Loop, ReadRepliesWithTheWrongLength)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 100);
    uint32_t shortReplies = 0;
    m_client->TraceConnectWithoutContext(
        "ShortData",
        Callback<void, uint32_t>([&](uint32_t /* xid */) { ++shortReplies; }));
    m_transport->SetReduction(false, true);
    ByteVector out;
    m_transport->SetReplyFilter(
        [](RpcReceivedMessage& message) { message.items.at(0).length = 60; });
    auto result = ReadInto(HandleOf(file), 0, 100, out);
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(result.count, 60U) << "only what the chunk holds";
    EXPECT_FALSE(result.eof);
    EXPECT_EQ(shortReplies, 1U);

    constexpr std::size_t countAt = RpcReplyHeader::ACCEPTED_SIZE + 4 + 88;
    m_transport->SetReplyFilter(
        [](RpcReceivedMessage& message) { message.octets[countAt + 3] = 99; });
    result = ReadInto(HandleOf(file), 0, 100, out);
    EXPECT_EQ(m_record.outcome, RpcOutcome::BAD_REPLY) << "count is not the data's length";
    EXPECT_EQ(shortReplies, 2U);

    m_transport->SetReduction(false, false);
    m_transport->SetReplyFilter([](RpcReceivedMessage& message) {
        message.octets[countAt + 3] = 104;
        message.octets[countAt + 11] = 104;
        message.octets.resize(message.octets.size() + 4);
    });
    result = ReadInto(HandleOf(file), 0, 100, out);
    EXPECT_EQ(m_record.outcome, RpcOutcome::BAD_REPLY) << "more than was asked for";
}

TEST_F(Nfs3Loop, AThreadIsHeldWhileTheStorageWorks)
{
    m_storage->SetAttribute("MetadataCost", TimeValue(MicroSeconds(100)));
    m_rpcServer->SetAttribute("Threads", UintegerValue(2));
    m_rpcServer->SetAttribute("CallCost", TimeValue(MicroSeconds(10)));
    m_rpcClient->SetAttribute("CallCost", TimeValue(Time(0)));
    m_rpcClient->SetAttribute("ReplyCost", TimeValue(Time(0)));
    std::vector<Time> ended;
    for (int i = 0; i < 4; ++i)
    {
        m_client->Call(Getattr3Args{m_rootHandle},
                       [&](RpcRecord& /* record */, const Getattr3Res& /* result */) {
                           ended.push_back(Simulator::Now());
                       });
    }
    EXPECT_EQ(m_client->GetPending(), 4U);
    Simulator::Run();
    EXPECT_EQ(ended,
              (std::vector<Time>{MicroSeconds(110),
                                 MicroSeconds(110),
                                 MicroSeconds(220),
                                 MicroSeconds(220)}));
}

TEST_F(Nfs3Loop, ServedTraceTellsEachProcedure)
{
    std::vector<std::string> served;
    m_server->TraceConnectWithoutContext(
        "Served",
        Callback<void, Nfs3Procedure, Nfs3Status, Time>(
            [&](Nfs3Procedure procedure, Nfs3Status status, Time taken) {
                served.push_back(std::string(ToString(procedure)) + " " + ToString(status) + " " +
                                 std::to_string(taken.GetMicroSeconds()));
            }));
    CreateFile("f");
    Do(Lookup3Args{{m_rootHandle, "none"}});
    EXPECT_EQ(served, (std::vector<std::string>{"CREATE NFS3_OK 23", "LOOKUP NFS3ERR_NOENT 3"}));
}

} // namespace ns3::nfsrdma::test
