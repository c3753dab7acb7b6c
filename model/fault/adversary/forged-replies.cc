/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/header-spoiler.h"
#include "fault/adversary/rogue-responder.h"
#include "wire/byte-writer.h"

#include <boost/endian/conversion.hpp>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

/// Where a transport header has its credits.
constexpr std::size_t GRANT_OFFSET = 8;

/// Writes beyond the end of a Write or Reply chunk with an RDMA Write of its own, before the reply
/// (section 3.1 of the draft; "a rogue responder", section 3.4).
class ReplyOverrun : public RogueResponder
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<ReplyOverrun, RogueResponder>("ReplyOverrun",
                                                                       "Octets",
                                                                       &ReplyOverrun::m_octets);
        return tid;
    }

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override
    {
        const RpcRdmaChunkLists& offered = reply.offered;
        const bool hasReplyChunk = offered.replyChunk && !offered.replyChunk->empty();
        const bool hasWriteChunk = !offered.writeList.empty() && !offered.writeList.back().empty();
        if (!hasReplyChunk && !hasWriteChunk)
        {
            return {};
        }
        const RpcRdmaSegment& last =
            hasReplyChunk ? offered.replyChunk->back() : offered.writeList.back().back();
        const auto junk = std::make_shared<HostBuffer>(GetHost().device->GetHostMemory(), m_octets);
        reply.held.push_back(junk);
        SendWorkRequest write;
        write.opcode = WorkRequestOpcode::RDMA_WRITE;
        write.elements.push_back({junk->GetAddress(), m_octets});
        write.remoteStag = last.handle;
        write.remoteOffset = last.offset + last.length;
        reply.chain.push_back(std::move(write));
        return hasReplyChunk ? "overruns a Reply chunk" : "overruns a Write chunk";
    }

  private:
    uint32_t m_octets{0};
};

/// Answers under an XID that is another call's or nobody's: rdma_xid and the XID of the RPC message
/// inline, if there is one, are changed alike. The answer may grant a number of credits of its own.
class ReplyWrongXid : public RogueResponder
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<ReplyWrongXid, RogueResponder>("ReplyWrongXid",
                                                                        "Credits",
                                                                        &ReplyWrongXid::m_credits);
        return tid;
    }

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override
    {
        auto& octets = reply.sends.front().octets;
        const uint32_t xid = reply.xid ^ (1U << GetRandom().GetInteger(0, 31));
        boost::endian::store_big_u32(octets.data(), xid);
        if (m_credits != 0)
        {
            boost::endian::store_big_u32(&octets[GRANT_OFFSET], m_credits);
        }
        if (octets.size() >= reply.headerLength + sizeof(xid))
        {
            boost::endian::store_big_u32(&octets[reply.headerLength], xid);
        }
        return "answers under a wrong XID";
    }

  private:
    uint32_t m_credits{0};
};

/// Sends a reply again: itself, or the one before it to the same client, whose call has long ended.
class ReplyReplay : public RogueResponder
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<ReplyReplay, RogueResponder>("ReplyReplay",
                                                                      "Copies",
                                                                      &ReplyReplay::m_copies);
        return tid;
    }

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override
    {
        const auto earlier = m_earlier.find(reply.client);
        const bool old = earlier != m_earlier.end() && GetRandom().GetInteger(0, 1) == 1;
        const ByteVector copy = old ? earlier->second : reply.sends.front().octets;
        reply.sends.insert(reply.sends.end(), m_copies, {copy, std::nullopt});
        return old ? "sends an old reply again" : "sends a reply twice";
    }

    void Watch(const SvcRdmaOutgoingReply& reply) override
    {
        if (!reply.sends.empty())
        {
            m_earlier[reply.client] = reply.sends.front().octets;
        }
    }

  private:
    uint32_t m_copies{0};
    std::map<IpAddress, ByteVector> m_earlier; ///< By client: an earlier reply.
};

/// Sends a reply as Send with Invalidate of an STag that is not its call's: one of an earlier call,
/// invalid by now, or one drawn at random.
class ReplyStaleInvalidation : public RogueResponder
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeRoleType<ReplyStaleInvalidation, RogueResponder>("ReplyStaleInvalidation",
                                                                 "Tag",
                                                                 &ReplyStaleInvalidation::m_tag);
        return tid;
    }

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override
    {
        const auto earlier = m_earlier.find(reply.client);
        if (m_tag == "stale" && earlier == m_earlier.end())
        {
            return {};
        }
        reply.sends.front().invalidates =
            m_tag == "stale" ? earlier->second : GetRandom().GetInteger(1, UINT32_MAX);
        return "invalidates an STag that is not the call's";
    }

    void Watch(const SvcRdmaOutgoingReply& reply) override
    {
        const RpcRdmaChunkLists& offered = reply.offered;
        if (offered.replyChunk && !offered.replyChunk->empty())
        {
            m_earlier[reply.client] = offered.replyChunk->front().handle;
        }
        else if (!offered.writeList.empty() && !offered.writeList.front().empty())
        {
            m_earlier[reply.client] = offered.writeList.front().front().handle;
        }
        else if (!offered.readList.empty())
        {
            m_earlier[reply.client] = offered.readList.front().target.handle;
        }
    }

  private:
    std::string m_tag;
    std::map<IpAddress, Stag> m_earlier; ///< By client: of a call that was answered.
};

/// Grants a number of credits that it must not, or cannot keep: 0 (RFC 8166 section 3.3.1), or more
/// than it has receives for, so that a client which believes it overruns them.
class ReplyFalseCredits : public RogueResponder
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeRoleType<ReplyFalseCredits, RogueResponder>("ReplyFalseCredits",
                                                            "Credits",
                                                            &ReplyFalseCredits::m_credits);
        return tid;
    }

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override
    {
        boost::endian::store_big_u32(&reply.sends.front().octets[GRANT_OFFSET], m_credits);
        return "grants " + std::to_string(m_credits) + " credits";
    }

  private:
    uint32_t m_credits{0};
};

/// Puts a Read list into a reply, which only calls have (RFC 8166 section 4.3.1), with an STag
/// drawn at random.
class ReplyReadList : public RogueResponder
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<ReplyReadList, RogueResponder>("ReplyReadList");
        return tid;
    }

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override
    {
        constexpr uint32_t ANYTHING = 8192;
        ByteVector list(sizeof(uint32_t) + RpcRdmaReadSegment::SIZE);
        ByteWriter writer(list);
        writer.WriteU32(1);
        writer.WriteU32(4 * GetRandom().GetInteger(0, 16));
        writer.WriteU32(GetRandom().GetInteger(1, UINT32_MAX));
        writer.WriteU32(GetRandom().GetInteger(1, ANYTHING));
        writer.WriteU64(0);
        auto& octets = reply.sends.front().octets;
        octets.insert(octets.begin() + RpcRdmaFixedHeader::SIZE, list.begin(), list.end());
        return "replies with a Read list";
    }
};

/// Spoils transport headers of replies, in one of the ways of HeaderSpoiler.
class MalformedReplies : public RogueResponder
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<MalformedReplies, RogueResponder>("MalformedReplies");
        return tid;
    }

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override
    {
        const HeaderSpoiler spoiler(
            [this](uint32_t bound) { return GetRandom().GetInteger(0, bound - 1); });
        return spoiler.Spoil(reply.sends.front().octets, reply.headerLength);
    }
};

/// Carries calls out and answers nothing.
class ReplyBlackHole : public RogueResponder
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<ReplyBlackHole, RogueResponder>("ReplyBlackHole");
        return tid;
    }

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override
    {
        reply.sends.clear();
        return "sends no reply";
    }
};

NS_OBJECT_ENSURE_REGISTERED(ReplyOverrun);
NS_OBJECT_ENSURE_REGISTERED(ReplyWrongXid);
NS_OBJECT_ENSURE_REGISTERED(ReplyReplay);
NS_OBJECT_ENSURE_REGISTERED(ReplyStaleInvalidation);
NS_OBJECT_ENSURE_REGISTERED(ReplyFalseCredits);
NS_OBJECT_ENSURE_REGISTERED(ReplyReadList);
NS_OBJECT_ENSURE_REGISTERED(MalformedReplies);
NS_OBJECT_ENSURE_REGISTERED(ReplyBlackHole);

} // namespace

} // namespace ns3::nfsrdma
