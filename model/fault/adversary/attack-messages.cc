/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/attack-messages.h"

#include "nfs/v3/arguments.h"
#include "rdmap/control-field.h"
#include "rpc/message.h"
#include "rpc/xdr-writer.h"

namespace ns3::nfsrdma
{

namespace
{

/// Credits that a Call asks for.
constexpr uint32_t CREDITS = 8;

DdpUntaggedHeader
MakeHeader(RdmapOpcode opcode, uint32_t queue, uint32_t msn)
{
    DdpUntaggedHeader header;
    header.last = true;
    header.rsvdUlp = EncodeRdmapControl(opcode);
    header.queueNumber = queue;
    header.messageSequenceNumber = msn;
    return header;
}

DdpTaggedHeader
MakeTaggedHeader(RdmapOpcode opcode, Stag stag, uint64_t offset)
{
    DdpTaggedHeader header;
    header.last = true;
    header.rsvdUlp = EncodeRdmapControl(opcode);
    header.stag = stag;
    header.taggedOffset = offset;
    return header;
}

RpcCallHeader
MakeNfs3Call(uint32_t xid)
{
    RpcCallHeader call;
    call.xid = xid;
    call.program = NFS_PROGRAM;
    call.version = NFS_V3;
    return call;
}

template <typename Header>
ByteVector
Join(const Header& header, ByteSpan payload)
{
    ByteVector ulpdu(Header::SIZE + payload.size());
    ByteWriter writer(ulpdu);
    header.Encode(writer);
    writer.WriteBytes(payload);
    return ulpdu;
}

template <typename Message>
ByteVector
Encode(const Message& message, std::size_t size)
{
    ByteVector octets(size);
    ByteWriter writer(octets);
    message.Encode(writer);
    return octets;
}

RpcRdmaHeader
MakeTransportHeader(uint32_t xid, RpcRdmaProc proc)
{
    RpcRdmaHeader header;
    header.xid = xid;
    header.credit = CREDITS;
    header.proc = proc;
    return header;
}

} // namespace

ByteVector
AttackMessages::MakeUntagged(const DdpUntaggedHeader& header, ByteSpan payload)
{
    return Join(header, payload);
}

ByteVector
AttackMessages::MakeSend(uint32_t msn, ByteSpan payload)
{
    return Join(MakeHeader(RdmapOpcode::SEND, SEND_QUEUE, msn), payload);
}

ByteVector
AttackMessages::MakeWrite(Stag stag, uint64_t offset, ByteSpan payload)
{
    return Join(MakeTaggedHeader(RdmapOpcode::WRITE, stag, offset), payload);
}

ByteVector
AttackMessages::MakeReadRequest(uint32_t msn, const RdmaReadRequest& request)
{
    return Join(MakeHeader(RdmapOpcode::READ_REQUEST, READ_QUEUE, msn),
                Encode(request, RdmaReadRequest::SIZE));
}

ByteVector
AttackMessages::MakeReadResponse(Stag sink, uint64_t offset, ByteSpan payload)
{
    return Join(MakeTaggedHeader(RdmapOpcode::READ_RESPONSE, sink, offset), payload);
}

ByteVector
AttackMessages::MakeTerminate(TerminateReason reason)
{
    TerminateMessage message;
    message.reason = reason;
    return Join(MakeHeader(RdmapOpcode::TERMINATE, TERMINATE_QUEUE, 1),
                Encode(message, message.EncodedSize()));
}

ByteVector
AttackMessages::MakeNullCall(uint32_t xid)
{
    XdrWriter writer;
    MakeNfs3Call(xid).Encode(writer);
    return writer.Take();
}

ByteVector
AttackMessages::MakeReaddir(uint32_t xid,
                            const AuthSysCredential& credential,
                            const NfsFh3& directory,
                            uint32_t count)
{
    RpcCallHeader call = MakeNfs3Call(xid);
    call.procedure = static_cast<uint32_t>(Nfs3Procedure::READDIR);
    call.flavor = RpcAuthFlavor::SYS;
    call.authSys = credential;
    XdrWriter writer;
    call.Encode(writer);
    Readdir3Args args;
    args.dir = directory;
    args.count = count;
    EncodeXdr(writer, args);
    return writer.Take();
}

ByteVector
AttackMessages::MakeNullMessage(uint32_t xid)
{
    const auto header = MakeTransportHeader(xid, RpcRdmaProc::MSG);
    ByteVector message = Encode(header, header.GetEncodedSize());
    const ByteVector call = MakeNullCall(xid);
    message.insert(message.end(), call.begin(), call.end());
    return message;
}

ByteVector
AttackMessages::MakeNullInChunk(uint32_t xid, const std::vector<RpcRdmaSegment>& segments)
{
    auto header = MakeTransportHeader(xid, RpcRdmaProc::NOMSG);
    for (const RpcRdmaSegment& segment : segments)
    {
        header.chunks.readList.push_back({0, segment});
    }
    return Encode(header, header.GetEncodedSize());
}

} // namespace ns3::nfsrdma
