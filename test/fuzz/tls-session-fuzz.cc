/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rpc/tcp/record-marking.h"
#include "tls/endpoint.h"
#include "tls/identity.h"
#include "tls/session.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t SEED = 1;
constexpr uint32_t RECORD_LIMIT = 1 << 20;

const TlsEndpoint&
GetEndpoint(TlsEndpoint::Side side)
{
    static const TlsEndpoint client(TlsEndpoint::Side::CLIENT,
                                    SEED,
                                    TlsIdentity::MakeHost(SEED, "client-0"),
                                    TlsRecords());
    static const TlsEndpoint server(TlsEndpoint::Side::SERVER,
                                    SEED,
                                    TlsIdentity::MakeHost(SEED, "server-0"),
                                    TlsRecords());
    return side == TlsEndpoint::Side::CLIENT ? client : server;
}

/// A client and a server, as far as they get without anybody between them.
struct Pair
{
    Pair()
        : client(GetEndpoint(TlsEndpoint::Side::CLIENT), "client", "server-0"),
          server(GetEndpoint(TlsEndpoint::Side::SERVER), "server", "")
    {
        client.Start();
        server.Start();
    }

    void Open()
    {
        while (client.HasOutput() || server.HasOutput())
        {
            FuzzExpect(server.Receive(client.TakeOutput()).empty());
            FuzzExpect(client.Receive(server.TakeOutput()).empty());
        }
        FuzzExpect(client.GetState() == TlsSession::State::OPEN);
        FuzzExpect(server.GetState() == TlsSession::State::OPEN);
    }

    TlsSession client;
    TlsSession server;
};

/// Has \p session receive \p octets in pieces. \return the plaintext.
ByteVector
ReceiveInPieces(TlsSession& session, ByteSpan octets, std::size_t piece)
{
    ByteVector plaintext;
    while (!octets.empty())
    {
        const ByteSpan now = octets.first(std::min(piece, octets.size()));
        octets = octets.subspan(now.size());
        const ByteVector more = session.Receive(now);
        plaintext.insert(plaintext.end(), more.begin(), more.end());
    }
    return plaintext;
}

/// What nobody with the keys has sent is no plaintext, and a session that has FAILED says so.
void
ReceiveForeign(TlsSession& session, ByteSpan octets, std::size_t piece)
{
    const bool wasOpen = session.WasOpen();
    FuzzExpect(ReceiveInPieces(session, octets, piece).empty());
    FuzzExpect(session.GetState() != TlsSession::State::CLOSED);
    FuzzExpect(session.WasOpen() == wasOpen);
    FuzzExpect((session.GetState() == TlsSession::State::FAILED) == !session.GetFailure().empty());
    static_cast<void>(session.TakeOutput());
    FuzzExpect(session.Receive(octets).empty());
}

/// The octets are a message: what one session protects the other one reads, whatever the pieces.
void
PassOn(ByteSpan message, std::size_t piece)
{
    Pair pair;
    pair.Open();
    const ByteVector record = MarkRecord(message, RpcFragmentHeader::MAX_LENGTH);
    const ByteVector sent = pair.client.Protect(record);
    FuzzExpect(sent.size() >= record.size() + TlsRecords::OVERHEAD);
    const ByteVector received = ReceiveInPieces(pair.server, sent, piece);
    FuzzExpect(received == record);
    FuzzExpect(pair.server.GetState() == TlsSession::State::OPEN);
    RecordMarkingDecoder decoder(RECORD_LIMIT);
    ByteSpan rest(received);
    const auto taken = decoder.Take(rest);
    FuzzExpect(taken && *taken && rest.empty() && SameOctets(**taken, message));
}

/// One octet of what is protected is altered: nothing from its record on is read.
void
Alter(ByteSpan message, std::size_t piece)
{
    Pair pair;
    pair.Open();
    constexpr std::size_t RECORD_HEAD = 5;
    ByteVector sent = pair.client.Protect(message);
    const std::size_t place = RECORD_HEAD + message[0] % (sent.size() - RECORD_HEAD);
    sent[place] ^= 1U << (message[0] % 8);
    const ByteVector received = ReceiveInPieces(pair.server, sent, piece);
    FuzzExpect(received.size() < message.size());
    FuzzExpect(std::equal(received.begin(), received.end(), message.begin()));
}

} // namespace

/// The first octet says what becomes of the rest, the second in what pieces it comes.
void
FuzzOne(ByteSpan input)
{
    constexpr std::size_t HEAD = 2;
    constexpr std::size_t MOST = 1 << 16;
    if (input.size() <= HEAD || input.size() > MOST)
    {
        return;
    }
    const std::size_t piece = 1U + input[1];
    const ByteSpan rest = input.subspan(HEAD);
    Pair pair;
    switch (input[0] % 6)
    {
    case 0:
        ReceiveForeign(pair.server, rest, piece);
        break;
    case 1:
        ReceiveForeign(pair.client, rest, piece);
        break;
    case 2:
        pair.Open();
        ReceiveForeign(pair.server, rest, piece);
        break;
    case 3:
        pair.Open();
        ReceiveForeign(pair.client, rest, piece);
        break;
    case 4:
        PassOn(rest, piece);
        break;
    default:
        Alter(rest, piece);
        break;
    }
}

} // namespace ns3::nfsrdma
