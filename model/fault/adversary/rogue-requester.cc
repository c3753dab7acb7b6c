/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/rogue-requester.h"

#include "mpa/internet-address.h"
#include "nfs/v3/status3.h"
#include "rpc/message.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RogueRequester);

TypeId
RogueRequester::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RogueRequester")
            .SetParent<AdversaryRole>()
            .SetGroupName("NfsRdma")
            .AddAttribute("Every",
                          "Between acts on a connection (Time). Default: a thousand a second.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&RogueRequester::m_every),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Count",
                          "Rules broken at most (count); 0: any number. Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RogueRequester::m_count),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Connections",
                          "Connections at a time (count). Default: one.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RogueRequester::m_connections),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("ReconnectDelay",
                          "From the end of a connection to the next (Time). Default: 1 ms.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&RogueRequester::m_reconnectDelay),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

RogueRequester::RogueRequester()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
RogueRequester::DoDispose()
{
    for (Slot& slot : m_slots)
    {
        slot.next.Cancel();
        if (slot.connection)
        {
            slot.connection->Abandon();
        }
    }
    m_slots.clear();
    AdversaryRole::DoDispose();
}

int64_t
RogueRequester::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
RogueRequester::DoStart()
{
    m_nextXid = m_random->GetInteger(1, UINT32_MAX);
    m_slots.resize(m_connections);
    for (uint32_t number = 0; number < m_connections; ++number)
    {
        Open(number);
    }
}

void
RogueRequester::DoStop()
{
    for (Slot& slot : m_slots)
    {
        slot.next.Cancel();
        if (slot.connection)
        {
            slot.connection->Close();
        }
    }
}

void
RogueRequester::Open(uint32_t number)
{
    Slot& slot = m_slots[number];
    RogueConnectionOwner& owner = *this;
    slot.connection = Create<RogueConnection>(GetHost(), owner, number);
    if (!slot.connection->Open(Pulls()))
    {
        slot.connection->Abandon();
        slot.connection = nullptr;
        slot.next = Simulator::Schedule(m_reconnectDelay, &RogueRequester::Open, this, number);
    }
}

void
RogueRequester::ActNow(uint32_t number)
{
    Slot& slot = m_slots[number];
    if (!IsActive() || !slot.connection || !slot.connection->IsOpen() || !MayAct())
    {
        return;
    }
    slot.next = Simulator::Schedule(m_every, &RogueRequester::ActNow, this, number);
    Act(*slot.connection);
}

void
RogueRequester::HandleClosed(RogueConnection& connection)
{
    const uint32_t number = connection.GetNumber();
    Slot& slot = m_slots[number];
    slot.next.Cancel();
    slot.connection = nullptr;
    Forget(number);
    if (IsActive() && MayAct())
    {
        slot.next = Simulator::Schedule(m_reconnectDelay, &RogueRequester::Open, this, number);
    }
}

void
RogueRequester::HandleMessage(RogueConnection& connection, const ByteVector& message)
{
    ByteReader reader(message);
    if (const auto header = RpcRdmaHeader::Decode(reader))
    {
        HandleReply(connection, *header);
    }
}

void
RogueRequester::NoteDone(const std::string& what)
{
    NoteBroken(what, GetHostOf(GetHost().target));
}

bool
RogueRequester::MayAct() const
{
    return m_count == 0 || GetBroken() < m_count;
}

ByteVector
RogueRequester::WrapCall(uint32_t xid,
                         uint32_t procedure,
                         const ByteVector& arguments,
                         const RpcRdmaChunkLists& chunks) const
{
    constexpr uint32_t CREDITS = 64;
    RpcRdmaHeader header;
    header.xid = xid;
    header.credit = CREDITS;
    header.chunks = chunks;
    RpcCallHeader call;
    call.xid = xid;
    call.program = NFS_PROGRAM;
    call.version = NFS_V3;
    call.procedure = procedure;
    call.flavor = RpcAuthFlavor::SYS;
    call.authSys = GetHost().credential;
    XdrWriter rpc;
    call.Encode(rpc);

    ByteVector message(header.GetEncodedSize());
    ByteWriter writer(message);
    header.Encode(writer);
    message.insert(message.end(), rpc.GetOctets().begin(), rpc.GetOctets().end());
    message.insert(message.end(), arguments.begin(), arguments.end());
    return message;
}

} // namespace ns3::nfsrdma
