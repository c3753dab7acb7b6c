/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "rpc/security/gss-context.h"
#include "rpc/security/gss-credential.h"
#include "rpc/security/krb5-token.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t KEY = 1;

void
CheckCredential(ByteSpan body)
{
    if (const auto credential = RpcSecGssCredential::DecodeBody(body))
    {
        XdrWriter writer;
        credential->EncodeBody(writer);
        FuzzExpect(writer.GetOctets().size() == credential->EncodedBodySize());
        FuzzExpect(SameOctets(writer.GetOctets(), body));
    }
}

void
CheckCreationToken(ByteSpan token)
{
    if (const auto decoded = Krb5Token::Decode(token))
    {
        const auto again = Krb5Token::Decode(decoded->Encode());
        FuzzExpect(again && again->kind == decoded->kind && again->nonce == decoded->nonce &&
                   again->size == decoded->size);
    }
}

/// A body that is accepted holds data which both ends read alike when it is made again.
void
CheckBody(ByteSpan input, GssEnctype enctype, RpcSecGssService service)
{
    GssContext maker(enctype, KEY, GssContext::Role::INITIATOR);
    const GssContext reader(enctype, KEY, GssContext::Role::ACCEPTOR);
    XdrReader received(input);
    if (const auto data = RpcSecGssBody::Decode(received, reader, service, 0))
    {
        FuzzExpect(data->size() <= input.size());
    }
    const size_t whole = input.size() & ~size_t{3};
    XdrWriter writer;
    RpcSecGssBody::Encode(writer, maker, service, 0, input.first(whole));
    XdrReader made(writer.GetOctets());
    const auto data = RpcSecGssBody::Decode(made, reader, service, 0);
    FuzzExpect(data && SameOctets(*data, input.first(whole)));
}

} // namespace

/// The first octet chooses the enctype; what follows is each of the things that a peer sends.
void
FuzzOne(ByteSpan input)
{
    if (input.empty())
    {
        return;
    }
    const auto names = GetGssEnctypeNames();
    const GssEnctype enctype = *FindGssEnctype(names[input[0] % names.size()]);
    const ByteSpan octets = input.subspan(1);
    CheckCredential(octets);
    CheckXdrRoundTrip<RpcSecGssInitResult>(octets);
    CheckCreationToken(octets);
    const GssContext acceptor(enctype, KEY, GssContext::Role::ACCEPTOR);
    FuzzExpect(!acceptor.VerifyMic({}, octets) || octets.size() == GssContext::GetMicSize(enctype));
    for (const auto service : {RpcSecGssService::INTEGRITY, RpcSecGssService::PRIVACY})
    {
        CheckBody(octets, enctype, service);
    }
}

} // namespace ns3::nfsrdma
