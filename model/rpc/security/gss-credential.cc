/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/security/gss-credential.h"

#include "wire/bytes.h"

#include <array>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<const char*, 3> SERVICES{"krb5", "krb5i", "krb5p"};

/// \return what follows the sequence number in \p octets, when that is \p sequence.
Decoded<ByteSpan>
StripSequence(ByteSpan octets, uint32_t sequence)
{
    if (octets.size() < XDR_WORD)
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    if (boost::endian::load_big_u32(octets.data()) != sequence)
    {
        return tl::unexpected(WireError::BAD_VALUE);
    }
    return octets.subspan(XDR_WORD);
}

Decoded<ByteVector>
DecodeIntegrity(XdrReader& reader, const GssContext& context, uint32_t sequence)
{
    const ByteSpan body = reader.ReadOpaque(UINT32_MAX);
    const ByteSpan mic = reader.ReadOpaque(UINT32_MAX);
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    if (!context.VerifyMic(body, mic))
    {
        return tl::unexpected(WireError::BAD_CHECKSUM);
    }
    const auto data = StripSequence(body, sequence);
    if (!data)
    {
        return tl::unexpected(data.error());
    }
    return ByteVector(data->begin(), data->end());
}

Decoded<ByteVector>
DecodePrivacy(XdrReader& reader, const GssContext& context, uint32_t sequence)
{
    const ByteSpan token = reader.ReadOpaque(UINT32_MAX);
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    auto body = context.Unwrap(token);
    if (!body)
    {
        return body;
    }
    if (const auto data = StripSequence(*body, sequence); !data)
    {
        return tl::unexpected(data.error());
    }
    body->erase(body->begin(), body->begin() + XDR_WORD);
    return body;
}

} // namespace

const char*
ToString(RpcSecGssService service)
{
    const uint32_t index = static_cast<uint32_t>(service) - 1;
    return index < SERVICES.size() ? SERVICES[index] : "unknown";
}

std::optional<RpcSecGssService>
FindRpcSecGssService(const std::string& name)
{
    for (uint32_t index = 0; index < SERVICES.size(); ++index)
    {
        if (name == SERVICES[index])
        {
            return static_cast<RpcSecGssService>(index + 1);
        }
    }
    return std::nullopt;
}

std::vector<std::string>
GetRpcSecGssServiceNames()
{
    return {SERVICES.begin(), SERVICES.end()};
}

uint32_t
RpcSecGssCredential::EncodedBodySize() const
{
    return 5 * XDR_WORD + RoundUp4(handle.size());
}

void
RpcSecGssCredential::EncodeBody(XdrWriter& writer) const
{
    writer.WriteU32(version);
    writer.WriteU32(static_cast<uint32_t>(procedure));
    writer.WriteU32(sequence);
    writer.WriteU32(static_cast<uint32_t>(service));
    writer.WriteOpaque(handle);
}

Decoded<RpcSecGssCredential>
RpcSecGssCredential::DecodeBody(ByteSpan body)
{
    XdrReader reader(body);
    RpcSecGssCredential credential;
    credential.version = reader.ReadU32();
    credential.procedure = static_cast<RpcSecGssProcedure>(reader.ReadU32());
    credential.sequence = reader.ReadU32();
    credential.service = static_cast<RpcSecGssService>(reader.ReadU32());
    const ByteSpan handle = reader.ReadOpaque(MAX_HANDLE);
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    if (reader.Remaining() != 0)
    {
        return tl::unexpected(WireError::TRAILING_DATA);
    }
    credential.handle.assign(handle.begin(), handle.end());
    return credential;
}

void
RpcSecGssInitResult::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(handle);
    writer.WriteU32(major);
    writer.WriteU32(minor);
    writer.WriteU32(window);
    writer.WriteOpaque(token);
}

Decoded<RpcSecGssInitResult>
RpcSecGssInitResult::Decode(XdrReader& reader)
{
    RpcSecGssInitResult result;
    const ByteSpan handle = reader.ReadOpaque(RpcSecGssCredential::MAX_HANDLE);
    result.major = reader.ReadU32();
    result.minor = reader.ReadU32();
    result.window = reader.ReadU32();
    const ByteSpan token = reader.ReadOpaque(MAX_TOKEN);
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    result.handle.assign(handle.begin(), handle.end());
    result.token.assign(token.begin(), token.end());
    return result;
}

ByteVector
EncodeGssNumber(uint32_t number)
{
    ByteVector octets(XDR_WORD);
    boost::endian::store_big_u32(octets.data(), number);
    return octets;
}

uint32_t
RpcSecGssBody::GetHeadOverhead(RpcSecGssService service)
{
    switch (service)
    {
    case RpcSecGssService::INTEGRITY:
        return XDR_WORD + XDR_WORD;
    case RpcSecGssService::PRIVACY:
        return XDR_WORD + GssContext::HEADER_SIZE + GssContext::CONFOUNDER_SIZE + XDR_WORD;
    default:
        return 0;
    }
}

uint32_t
RpcSecGssBody::GetTailOverhead(RpcSecGssService service, GssEnctype enctype)
{
    switch (service)
    {
    case RpcSecGssService::INTEGRITY:
        return XDR_WORD + RoundUp4(GssContext::GetMicSize(enctype));
    case RpcSecGssService::PRIVACY:
        return RoundUp4(GssContext::GetWrapOverhead(enctype)) - GssContext::HEADER_SIZE -
               GssContext::CONFOUNDER_SIZE;
    default:
        return 0;
    }
}

void
RpcSecGssBody::Encode(XdrWriter& writer,
                      GssContext& context,
                      RpcSecGssService service,
                      uint32_t sequence,
                      ByteSpan data)
{
    if (service == RpcSecGssService::NONE)
    {
        writer.WriteFixedOpaque(data);
        return;
    }
    XdrWriter body;
    body.Reserve(XDR_WORD + data.size());
    body.WriteU32(sequence);
    body.WriteFixedOpaque(data);
    if (service == RpcSecGssService::INTEGRITY)
    {
        writer.WriteOpaque(body.GetOctets());
        writer.WriteOpaque(context.MakeMic(body.GetOctets()));
    }
    else
    {
        writer.WriteOpaque(context.Wrap(body.GetOctets()));
    }
}

Decoded<ByteVector>
RpcSecGssBody::Decode(XdrReader& reader,
                      const GssContext& context,
                      RpcSecGssService service,
                      uint32_t sequence)
{
    if (service == RpcSecGssService::NONE)
    {
        const ByteSpan rest = reader.Rest();
        return ByteVector(rest.begin(), rest.end());
    }
    auto data = service == RpcSecGssService::INTEGRITY ? DecodeIntegrity(reader, context, sequence)
                                                       : DecodePrivacy(reader, context, sequence);
    if (data && reader.Remaining() != 0)
    {
        return tl::unexpected(WireError::TRAILING_DATA);
    }
    return data;
}

} // namespace ns3::nfsrdma
