/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/rogue-requester.h"
#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

/**
 * \brief Offers to pull replies, asks for large ones without a chunk, and never tells that it has
 * pulled them (section 4.1.3 of the draft): the server keeps each registered.
 *
 * It heeds credits. Whole replies are not read at all; see ReplyDrain for one that does, slowly.
 */
class NeverDone : public RogueRequester
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeRoleType<NeverDone, RogueRequester>("NeverDone", "Octets", &NeverDone::m_octets);
        return tid;
    }

  protected:
    void DoDispose() override
    {
        RogueRequester::DoDispose();
        m_windows.clear();
    }

    void Act(RogueConnection& connection) override
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

    void HandleReply(RogueConnection& connection, const RpcRdmaHeader& header) override
    {
        Window& window = m_windows[connection.GetNumber()];
        window.granted = std::max(header.credit, 1U);
        window.outstanding -= window.outstanding > 0 ? 1 : 0;
        if (header.proc != RpcRdmaProc::ERROR && !header.chunks.readList.empty())
        {
            HandleExposed(connection, header);
        }
    }

    void Forget(uint32_t connection) override
    {
        m_windows.erase(connection);
    }

    [[nodiscard]] bool Pulls() const override
    {
        return true;
    }

    /// A reply has come as a Read chunk.
    virtual void HandleExposed(RogueConnection& /* connection */, const RpcRdmaHeader& /* header */)
    {
        NoteDone("withholds RDMA_DONE");
    }

  private:
    struct Window
    {
        uint32_t granted{1};
        uint32_t outstanding{0};
    };

    uint32_t m_octets{0};
    std::map<uint32_t, Window> m_windows; ///< By connection.
};

/**
 * \brief Offers to pull replies, and pulls each a few octets at a time, so that it stays exposed.
 * When it has them all it says so.
 */
class ReplyDrain : public NeverDone
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<ReplyDrain, NeverDone>("ReplyDrain",
                                                                "ReadSize",
                                                                &ReplyDrain::m_readSize,
                                                                "ReadPause",
                                                                &ReplyDrain::m_readPause);
        return tid;
    }

  protected:
    void DoDispose() override
    {
        for (auto& [number, line] : m_lines)
        {
            line.next.Cancel();
        }
        m_lines.clear();
        NeverDone::DoDispose();
    }

    void DoStop() override
    {
        for (auto& [number, line] : m_lines)
        {
            line.next.Cancel();
        }
        NeverDone::DoStop();
    }

    void HandleExposed(RogueConnection& connection, const RpcRdmaHeader& header) override
    {
        NoteDone("pulls a reply " + std::to_string(m_readSize) + " octets at a time");
        Line& line = m_lines[connection.GetNumber()];
        line.connection = Ptr<RogueConnection>(&connection);
        line.pulls.push_back({header.xid, header.chunks.readList});
        if (!line.reading && !IsPending(line.next))
        {
            ReadSome(connection.GetNumber());
        }
    }

    void HandleRead(RogueConnection& connection) override
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

    void Forget(uint32_t connection) override
    {
        if (const auto found = m_lines.find(connection); found != m_lines.end())
        {
            found->second.next.Cancel();
            m_lines.erase(found);
        }
        NeverDone::Forget(connection);
    }

  private:
    /// A reply that is being pulled.
    struct Pull
    {
        uint32_t xid{0};
        std::vector<RpcRdmaReadSegment> segments;
        std::size_t segment{0};
        uint32_t offset{0};
    };

    /// The pulls of a connection, one after the other.
    struct Line
    {
        Ptr<RogueConnection> connection;
        std::vector<Pull> pulls;
        bool reading{false};
        EventId next;
    };

    void ReadSome(uint32_t connection)
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

    uint32_t m_readSize{0};
    Time m_readPause;
    std::map<uint32_t, Line> m_lines;
};

NS_OBJECT_ENSURE_REGISTERED(NeverDone);
NS_OBJECT_ENSURE_REGISTERED(ReplyDrain);

} // namespace

} // namespace ns3::nfsrdma
