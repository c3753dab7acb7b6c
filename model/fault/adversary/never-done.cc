/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/never-done.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NeverDone);
NS_OBJECT_ENSURE_REGISTERED(ReplyDrain);

TypeId
NeverDone::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::NeverDone")
                            .SetParent<RogueRequester>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<NeverDone>()
                            .AddAttribute("Octets",
                                          "Data asked for with each call (octets). Default: well "
                                          "beyond any inline threshold in use.",
                                          UintegerValue(65536),
                                          MakeUintegerAccessor(&NeverDone::m_octets),
                                          MakeUintegerChecker<uint32_t>(1, 1048576));
    return tid;
}

NeverDone::NeverDone() = default;
NeverDone::~NeverDone() = default;

void
NeverDone::DoDispose()
{
    RogueRequester::DoDispose();
    m_windows.clear();
}

uint64_t
NeverDone::GetErrors() const
{
    return m_errors;
}

bool
NeverDone::Pulls() const
{
    return true;
}

void
NeverDone::Act(RogueConnection& connection)
{
    Window& window = m_windows[connection.GetNumber()];
    if (window.outstanding >= window.granted)
    {
        return;
    }
    Read3Args args;
    args.file = GetHost().baitFile;
    args.count = m_octets;
    window.outstanding += connection.Send(MakeCall(TakeXid(), args)) ? 1 : 0;
}

void
NeverDone::HandleReply(RogueConnection& connection, const RpcRdmaHeader& header)
{
    Window& window = m_windows[connection.GetNumber()];
    window.granted = std::max(header.credit, 1U);
    window.outstanding -= window.outstanding > 0 ? 1 : 0;
    if (header.proc == RpcRdmaProc::ERROR)
    {
        ++m_errors;
    }
    else if (!header.chunks.readList.empty())
    {
        HandleExposed(connection, header);
    }
}

void
NeverDone::HandleExposed(RogueConnection& /* connection */, const RpcRdmaHeader& /* header */)
{
    NoteDone("withholds RDMA_DONE");
}

void
NeverDone::Forget(uint32_t connection)
{
    m_windows.erase(connection);
}

TypeId
ReplyDrain::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::ReplyDrain")
            .SetParent<NeverDone>()
            .SetGroupName("NfsRdma")
            .AddConstructor<ReplyDrain>()
            .AddAttribute("ReadSize",
                          "Pulled with each RDMA Read (octets). Default: the least there is.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ReplyDrain::m_readSize),
                          MakeUintegerChecker<uint32_t>(1, RogueConnection::MAX_READ))
            .AddAttribute("ReadPause",
                          "Between the end of an RDMA Read and the next (Time). Default: 100 us.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&ReplyDrain::m_readPause),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

ReplyDrain::ReplyDrain() = default;
ReplyDrain::~ReplyDrain() = default;

void
ReplyDrain::DoDispose()
{
    for (auto& [number, line] : m_lines)
    {
        line.next.Cancel();
    }
    m_lines.clear();
    NeverDone::DoDispose();
}

void
ReplyDrain::DoStop()
{
    for (auto& [number, line] : m_lines)
    {
        line.next.Cancel();
    }
    NeverDone::DoStop();
}

void
ReplyDrain::HandleExposed(RogueConnection& connection, const RpcRdmaHeader& header)
{
    NoteDone("pulls a reply " + std::to_string(m_readSize) + " octets at a time");
    Line& line = m_lines[connection.GetNumber()];
    line.connection = Ptr<RogueConnection>(&connection);
    line.pulls.push_back({header.xid, header.chunks.readList});
    if (!line.reading && !line.next.IsRunning())
    {
        ReadSome(connection.GetNumber());
    }
}

void
ReplyDrain::ReadSome(uint32_t connection)
{
    Line& line = m_lines.at(connection);
    if (line.pulls.empty() || !IsActive())
    {
        return;
    }
    Pull& pull = line.pulls.front();
    const RpcRdmaSegment& segment = pull.segments[pull.segment].target;
    const uint32_t length = std::min(m_readSize, segment.length - pull.offset);
    line.reading = line.connection->Read(segment, pull.offset, length);
    pull.offset += length;
    if (pull.offset == segment.length)
    {
        ++pull.segment;
        pull.offset = 0;
    }
}

void
ReplyDrain::HandleRead(RogueConnection& connection)
{
    const auto found = m_lines.find(connection.GetNumber());
    if (found == m_lines.end())
    {
        return;
    }
    Line& line = found->second;
    line.reading = false;
    if (line.pulls.front().segment == line.pulls.front().segments.size())
    {
        RpcRdmaHeader done;
        done.xid = line.pulls.front().xid;
        done.credit = 1;
        done.proc = RpcRdmaProc::DONE;
        ByteVector octets(done.GetEncodedSize());
        ByteWriter writer(octets);
        done.Encode(writer);
        connection.Send(octets);
        line.pulls.erase(line.pulls.begin());
    }
    line.next =
        Simulator::Schedule(m_readPause, &ReplyDrain::ReadSome, this, connection.GetNumber());
}

void
ReplyDrain::Forget(uint32_t connection)
{
    if (const auto found = m_lines.find(connection); found != m_lines.end())
    {
        found->second.next.Cancel();
        m_lines.erase(found);
    }
    NeverDone::Forget(connection);
}

} // namespace ns3::nfsrdma
