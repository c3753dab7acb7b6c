/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"

namespace ns3::nfsrdma::test
{
namespace
{

TEST_F(Nfs4ServerOperations, NullAndUnknownProcedures)
{
    auto call = std::make_shared<RpcServerCall>();
    RpcAcceptStatus status{RpcAcceptStatus::SYSTEM_ERR};
    const auto done = [&status](RpcServerReply&& reply) { status = reply.status; };
    m_server->Dispatch(call, done);
    EXPECT_EQ(status, RpcAcceptStatus::SUCCESS);
    call->header.procedure = 2;
    m_server->Dispatch(call, done);
    EXPECT_EQ(status, RpcAcceptStatus::PROC_UNAVAIL);
}

TEST_F(Nfs4ServerOperations, MinorVersions)
{
    m_minorVersion = 3;
    EXPECT_EQ(Call({PutrootfhArgs4()}).results.status, Nfs4Status::MINOR_VERS_MISMATCH);
    m_minorVersion = 0;
    EXPECT_EQ(Call({}).results.status, Nfs4Status::OK);
    const auto answer = Call({PutrootfhArgs4(), ReclaimCompleteArgs4()});
    EXPECT_EQ(answer.results.status, Nfs4Status::OP_ILLEGAL);
    EXPECT_EQ(answer.results.ops.size(), 2U);
}

TEST_F(Nfs4ServerOperations, WhatMayComeFirst)
{
    EXPECT_EQ(Call({PutrootfhArgs4()}).results.status, Nfs4Status::OP_NOT_IN_SESSION);
    EXPECT_EQ(Call({ExchangeIdArgs4(), PutrootfhArgs4()}).results.status, Nfs4Status::NOT_ONLY_OP);
    Mount();
    const auto twice = InSession({SequenceArgs4()});
    EXPECT_EQ(twice.results.status, Nfs4Status::SEQUENCE_POS);
    SequenceArgs4 stranger;
    EXPECT_EQ(Call({stranger}).results.status, Nfs4Status::BADSESSION);
}

TEST_F(Nfs4ServerOperations, TooManyOperations)
{
    Mount();
    std::vector<Nfs4ArgOp> ops(8, PutrootfhArgs4());
    EXPECT_EQ(InSession(ops).results.status, Nfs4Status::TOO_MANY_OPS);
    m_minorVersion = 0;
    ops.assign(51, PutrootfhArgs4());
    EXPECT_EQ(Call(ops).results.status, Nfs4Status::RESOURCE);
}

TEST_F(Nfs4ServerOperations, BadOperationIsAnsweredInItsPlace)
{
    Mount();
    Compound4Args args;
    args.minorVersion = 1;
    SequenceArgs4 sequence;
    sequence.sessionId = m_session;
    sequence.sequenceId = ++m_sequence;
    args.ops = {sequence, PutrootfhArgs4(), GetattrArgs4()};
    XdrWriter writer;
    args.Encode(writer);
    RpcReceivedMessage message;
    message.octets = writer.Take();
    message.octets.resize(message.octets.size() - 4);
    const auto answer = Dispatch(std::move(message));
    EXPECT_EQ(answer.accepted, RpcAcceptStatus::SUCCESS);
    EXPECT_EQ(GetStatuses(answer),
              (std::vector<Nfs4Status>{Nfs4Status::OK, Nfs4Status::OK, Nfs4Status::BADXDR}));
    RpcReceivedMessage cut;
    cut.octets = {0, 0, 0, 0, 0, 0};
    EXPECT_EQ(Dispatch(std::move(cut)).accepted, RpcAcceptStatus::GARBAGE_ARGS);
}

TEST_F(Nfs4ServerOperations, NoFilehandle)
{
    Mount();
    EXPECT_EQ(InSession({GetfhArgs4()}).results.status, Nfs4Status::NOFILEHANDLE);
    EXPECT_EQ(InSession({RestorefhArgs4()}).results.status, Nfs4Status::NOFILEHANDLE);
    EXPECT_EQ(InSession({GetDirDelegationArgs4()}).results.status, Nfs4Status::NOFILEHANDLE);
    EXPECT_EQ(InSession({PutrootfhArgs4(), WantDelegationArgs4()}).results.status,
              Nfs4Status::NOTSUPP);
}

// ---- slots and the reply cache ----

TEST_F(Nfs4ServerOperations, ReplayOfACachedReply)
{
    Mount();
    CreateArgs4 create;
    create.name = "made";
    const auto first = InSession({Put(m_root), create, GetfhArgs4()}, true);
    EXPECT_EQ(first.results.status, Nfs4Status::OK);
    --m_sequence;
    const auto again = InSession({Put(m_root), create, GetfhArgs4()}, true);
    EXPECT_EQ(again.payload.octets, first.payload.octets);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::CREATE), 1U) << "carried out once";
}

TEST_F(Nfs4ServerOperations, ReplayThatWasNotCached)
{
    Mount();
    InSession({Put(m_root), GetfhArgs4()});
    --m_sequence;
    const auto again = InSession({Put(m_root), GetfhArgs4()});
    EXPECT_EQ(GetStatuses(again),
              (std::vector<Nfs4Status>{Nfs4Status::OK, Nfs4Status::RETRY_UNCACHED_REP}));
    EXPECT_EQ(GetOp(again.results.ops[1]), Nfs4Op::PUTFH);
}

TEST_F(Nfs4ServerOperations, ReplyTooBig)
{
    ExchangeIdArgs4 exchange;
    exchange.ownerId = {1};
    const auto exchanged = Call({exchange});
    m_client = Get<ExchangeIdRes4>(exchanged, 0).clientId;
    CreateSessionArgs4 create = MakeCreateSession(1);
    create.fore.maxResponseSize = 300;
    create.fore.maxResponseSizeCached = 120;
    m_session = Get<CreateSessionRes4>(Call({create}), 0).sessionId;
    ASSERT_EQ(InSession({ReclaimCompleteArgs4()}).results.status, Nfs4Status::OK);

    GetattrArgs4 attributes;
    attributes.attrRequest = Nfs4Bitmap::FromWords({0x0010011a, 0x00b0a23a});
    const auto big = InSession({Put(m_root), attributes, attributes});
    EXPECT_EQ(big.results.status, Nfs4Status::REP_TOO_BIG);
    const auto cached = InSession({Put(m_root), attributes}, true);
    EXPECT_EQ(cached.results.status, Nfs4Status::REP_TOO_BIG_TO_CACHE);

    // An operation that changes something is not even begun.
    CreateArgs4 make;
    make.name = "never";
    const auto refused = InSession({Put(m_root), make}, true);
    EXPECT_EQ(refused.results.status, Nfs4Status::REP_TOO_BIG_TO_CACHE);
    EXPECT_FALSE(m_store->FindPath(m_root, "never"));

    // READ gives what fits.
    const auto read = InSession({Put(m_file), MakeRead(0, 4096)});
    EXPECT_EQ(read.results.status, Nfs4Status::OK);
    EXPECT_LE(24 + read.payload.GetLength(), 300U);
    EXPECT_GT(Get<ReadRes4>(read, 2).data.length, 100U);
}

TEST_F(Nfs4ServerOperations, RequestTooBig)
{
    ExchangeIdArgs4 exchange;
    exchange.ownerId = {1};
    m_client = Get<ExchangeIdRes4>(Call({exchange}), 0).clientId;
    CreateSessionArgs4 create = MakeCreateSession(1);
    create.fore.maxRequestSize = 200;
    m_session = Get<CreateSessionRes4>(Call({create}), 0).sessionId;
    LookupArgs4 lookup;
    lookup.name.assign(200, 'n');
    EXPECT_EQ(InSession({PutrootfhArgs4(), lookup}).results.status, Nfs4Status::REQ_TOO_BIG);
}

} // namespace
} // namespace ns3::nfsrdma::test
