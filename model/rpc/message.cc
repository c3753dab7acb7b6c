/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/message.h"

#include "wire/bytes.h"

#include <algorithm>
#include <string_view>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t MSG_ACCEPTED = 0;
constexpr uint32_t MSG_DENIED = 1;
constexpr uint32_t RPC_MISMATCH = 0;
constexpr uint32_t AUTH_ERROR = 1;

constexpr std::string_view STARTTLS = "STARTTLS";

void
EncodeVerifier(XdrWriter& writer, const ByteVector& verifier)
{
    const auto flavor = verifier.empty() ? RpcAuthFlavor::NONE : RpcAuthFlavor::GSS;
    writer.WriteU32(static_cast<uint32_t>(flavor));
    writer.WriteOpaque(verifier);
}

void
DecodeVerifier(XdrReader& reader, RpcReplyHeader& header)
{
    const auto flavor = static_cast<RpcAuthFlavor>(reader.ReadU32());
    const ByteSpan body = reader.ReadOpaque(RpcCallHeader::MAX_AUTH_BODY);
    if (flavor == RpcAuthFlavor::GSS)
    {
        header.verifier.assign(body.begin(), body.end());
    }
    header.startTls = flavor == RpcAuthFlavor::NONE &&
                      std::equal(body.begin(), body.end(), STARTTLS.begin(), STARTTLS.end());
}

tl::unexpected<WireError>
TruncatedOr(const XdrReader& reader, WireError error)
{
    return tl::unexpected(reader.Ok() ? error : WireError::TRUNCATED);
}

} // namespace

uint32_t
AuthSysCredential::EncodedSize() const
{
    const uint32_t fixedWords = 7;
    return fixedWords * XDR_WORD + RoundUp4(machineName.size()) + XDR_WORD * gids.size();
}

void
AuthSysCredential::EncodeBody(XdrWriter& writer) const
{
    writer.WriteU32(stamp);
    writer.WriteString(machineName);
    writer.WriteU32(uid);
    writer.WriteU32(gid);
    writer.WriteU32(gids.size());
    for (const uint32_t group : gids)
    {
        writer.WriteU32(group);
    }
}

Decoded<AuthSysCredential>
AuthSysCredential::DecodeBody(ByteSpan body)
{
    XdrReader reader(body);
    AuthSysCredential credential;
    credential.stamp = reader.ReadU32();
    credential.machineName = reader.ReadString(MAX_MACHINE_NAME);
    credential.uid = reader.ReadU32();
    credential.gid = reader.ReadU32();
    const uint32_t count = reader.ReadU32();
    if (!reader.Ok() || count > MAX_GIDS || reader.Remaining() != std::size_t{count} * XDR_WORD)
    {
        return tl::unexpected(WireError::TOO_LONG);
    }
    credential.gids.reserve(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        credential.gids.push_back(reader.ReadU32());
    }
    return credential;
}

uint32_t
RpcCallHeader::EncodedSize() const
{
    const uint32_t callWords = 6;
    const uint32_t nullAuth = 2 * XDR_WORD;
    uint32_t credential = nullAuth;
    if (flavor == RpcAuthFlavor::SYS)
    {
        credential = authSys.EncodedSize();
    }
    else if (flavor == RpcAuthFlavor::GSS)
    {
        credential += gss.EncodedBodySize();
    }
    return callWords * XDR_WORD + credential + nullAuth + RoundUp4(verifier.size());
}

void
RpcCallHeader::EncodeToCredential(XdrWriter& writer) const
{
    writer.WriteU32(xid);
    writer.WriteU32(RPC_MSG_CALL);
    writer.WriteU32(RPC_VERSION);
    writer.WriteU32(program);
    writer.WriteU32(version);
    writer.WriteU32(procedure);
    writer.WriteU32(static_cast<uint32_t>(flavor));
    if (flavor == RpcAuthFlavor::SYS)
    {
        writer.WriteU32(authSys.EncodedSize() - 2 * XDR_WORD);
        authSys.EncodeBody(writer);
    }
    else if (flavor == RpcAuthFlavor::GSS)
    {
        writer.WriteU32(gss.EncodedBodySize());
        gss.EncodeBody(writer);
    }
    else
    {
        writer.WriteU32(0);
    }
}

void
RpcCallHeader::Encode(XdrWriter& writer) const
{
    EncodeToCredential(writer);
    EncodeVerifier(writer, verifier);
}

Decoded<RpcCallHeader>
RpcCallHeader::Decode(XdrReader& reader)
{
    RpcCallHeader header;
    const std::size_t start = reader.Position();
    header.xid = reader.ReadU32();
    if (const uint32_t type = reader.ReadU32(); type != RPC_MSG_CALL || !reader.Ok())
    {
        return TruncatedOr(reader, WireError::BAD_VALUE);
    }
    if (const uint32_t version = reader.ReadU32(); version != RPC_VERSION || !reader.Ok())
    {
        return TruncatedOr(reader, WireError::BAD_VERSION);
    }
    header.program = reader.ReadU32();
    header.version = reader.ReadU32();
    header.procedure = reader.ReadU32();

    header.flavor = static_cast<RpcAuthFlavor>(reader.ReadU32());
    const uint32_t credentialLength = reader.ReadU32();
    if (credentialLength > MAX_AUTH_BODY)
    {
        return tl::unexpected(WireError::TOO_LONG);
    }
    const ByteSpan credential = reader.ReadFixedOpaque(credentialLength);
    header.credentialEnd = static_cast<uint32_t>(reader.Position() - start);
    const auto verifierFlavor = static_cast<RpcAuthFlavor>(reader.ReadU32());
    const uint32_t verifierLength = reader.ReadU32();
    if (verifierLength > MAX_AUTH_BODY)
    {
        return tl::unexpected(WireError::TOO_LONG);
    }
    const ByteSpan verifier = reader.ReadFixedOpaque(verifierLength);
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    if (header.flavor == RpcAuthFlavor::SYS)
    {
        auto body = AuthSysCredential::DecodeBody(credential);
        if (!body)
        {
            return tl::unexpected(body.error());
        }
        header.authSys = std::move(*body);
    }
    else if (header.flavor == RpcAuthFlavor::GSS)
    {
        auto body = RpcSecGssCredential::DecodeBody(credential);
        if (!body)
        {
            return tl::unexpected(WireError::TOO_LONG);
        }
        header.gss = std::move(*body);
        if (verifierFlavor == RpcAuthFlavor::GSS)
        {
            header.verifier.assign(verifier.begin(), verifier.end());
        }
    }
    else if (header.flavor == RpcAuthFlavor::TLS && credentialLength != 0)
    {
        header.tlsFault = RpcAuthStatus::BADCRED;
    }
    else if (header.flavor == RpcAuthFlavor::TLS &&
             (verifierFlavor != RpcAuthFlavor::NONE || verifierLength != 0))
    {
        header.tlsFault = RpcAuthStatus::BADVERF;
    }
    return header;
}

void
RpcReplyHeader::Encode(XdrWriter& writer) const
{
    writer.WriteU32(xid);
    writer.WriteU32(RPC_MSG_REPLY);
    if (!denied)
    {
        writer.WriteU32(MSG_ACCEPTED);
        if (startTls)
        {
            writer.WriteU32(static_cast<uint32_t>(RpcAuthFlavor::NONE));
            writer.WriteString(std::string(STARTTLS));
        }
        else
        {
            EncodeVerifier(writer, verifier);
        }
        writer.WriteU32(static_cast<uint32_t>(acceptStatus));
        if (acceptStatus == RpcAcceptStatus::PROG_MISMATCH)
        {
            writer.WriteU32(low);
            writer.WriteU32(high);
        }
        return;
    }
    writer.WriteU32(MSG_DENIED);
    if (authStatus)
    {
        writer.WriteU32(AUTH_ERROR);
        writer.WriteU32(*authStatus);
        return;
    }
    writer.WriteU32(RPC_MISMATCH);
    writer.WriteU32(low);
    writer.WriteU32(high);
}

Decoded<RpcReplyHeader>
RpcReplyHeader::Decode(XdrReader& reader)
{
    RpcReplyHeader header;
    header.xid = reader.ReadU32();
    const uint32_t type = reader.ReadU32();
    const uint32_t replyStatus = reader.ReadU32();
    if (!reader.Ok() || type != RPC_MSG_REPLY || replyStatus > MSG_DENIED)
    {
        return TruncatedOr(reader, WireError::BAD_VALUE);
    }
    header.denied = replyStatus == MSG_DENIED;
    if (header.denied)
    {
        const uint32_t rejectStatus = reader.ReadU32();
        if (rejectStatus == AUTH_ERROR)
        {
            header.authStatus = reader.ReadU32();
        }
        else if (rejectStatus == RPC_MISMATCH)
        {
            header.low = reader.ReadU32();
            header.high = reader.ReadU32();
        }
        else
        {
            return TruncatedOr(reader, WireError::BAD_VALUE);
        }
    }
    else
    {
        DecodeVerifier(reader, header);
        const uint32_t status = reader.ReadU32();
        if (!reader.Ok() || status > static_cast<uint32_t>(RpcAcceptStatus::SYSTEM_ERR))
        {
            return TruncatedOr(reader, WireError::BAD_VALUE);
        }
        header.acceptStatus = static_cast<RpcAcceptStatus>(status);
        if (header.acceptStatus == RpcAcceptStatus::PROG_MISMATCH)
        {
            header.low = reader.ReadU32();
            header.high = reader.ReadU32();
        }
    }
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    return header;
}

} // namespace ns3::nfsrdma
