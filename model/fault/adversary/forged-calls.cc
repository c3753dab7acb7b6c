/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/header-spoiler.h"
#include "fault/adversary/rogue-requester.h"

namespace ns3::nfsrdma
{

namespace
{

/**
 * \brief Sends bursts of calls without a look at the credits granted (RFC 8166 section 3.3.1): each
 * lists a directory, so that it keeps a thread of the server busy for a while.
 */
class CreditOverrun : public RogueRequester
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<CreditOverrun, RogueRequester>("CreditOverrun",
                                                                        "Burst",
                                                                        &CreditOverrun::m_burst);
        return tid;
    }

  protected:
    void Act(RogueConnection& connection) override
    {
        constexpr uint32_t INLINE = 1024;
        Readdirplus3Args args;
        args.dir = GetHost().baitDirectory;
        args.dircount = INLINE;
        args.maxcount = INLINE;
        uint32_t sent = 0;
        while (sent < m_burst && connection.Send(MakeCall(TakeXid(), args)))
        {
            ++sent;
        }
        NoteDone("sends " + std::to_string(sent) + " calls at once");
    }

  private:
    uint32_t m_burst{0};
};

/**
 * \brief Sends calls that are longer than the receives which the server has posted: beyond its
 * inline threshold.
 */
class OversizeSends : public RogueRequester
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<OversizeSends, RogueRequester>("OversizeSends",
                                                                        "Octets",
                                                                        &OversizeSends::m_octets);
        return tid;
    }

  protected:
    void Act(RogueConnection& connection) override
    {
        ByteVector call = MakeCall(TakeXid(), Getattr3Args{GetHost().baitFile});
        call.resize(connection.GetServerReceiveSize() + m_octets);
        if (connection.Send(call))
        {
            NoteDone("sends a message that is too long");
        }
    }

  private:
    uint32_t m_octets{0};
};

/**
 * \brief Sends calls whose transport headers are spoilt in one of the ways of HeaderSpoiler.
 */
class MalformedCalls : public RogueRequester
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<MalformedCalls, RogueRequester>("MalformedCalls");
        return tid;
    }

  protected:
    void Act(RogueConnection& connection) override
    {
        RpcRdmaChunkLists chunks;
        const auto drawSegment = [this] {
            constexpr uint32_t ANYTHING = 65536;
            return RpcRdmaSegment{GetRandom().GetInteger(1, UINT32_MAX),
                                  GetRandom().GetInteger(1, ANYTHING),
                                  GetRandom().GetInteger(0, ANYTHING)};
        };
        if (GetRandom().GetInteger(0, 1) == 1)
        {
            chunks.writeList.push_back({drawSegment()});
        }
        if (GetRandom().GetInteger(0, 1) == 1)
        {
            chunks.replyChunk = RpcRdmaWriteChunk{drawSegment(), drawSegment()};
        }
        const HeaderSpoiler spoiler(
            [this](uint32_t bound) { return GetRandom().GetInteger(0, bound - 1); });
        ByteVector call = MakeCall(TakeXid(), Getattr3Args{GetHost().baitFile}, chunks);
        RpcRdmaHeader header;
        header.chunks = chunks;
        const std::string what = spoiler.Spoil(call, header.GetEncodedSize());
        if (connection.Send(call))
        {
            NoteDone(what);
        }
    }
};

/**
 * \brief Sends well-formed calls with chunk lists that a responder has to check before it acts on
 * them, as the patches that were posted for Linux's svcrdma in 2026 do.
 */
class MalformedChunks : public RogueRequester
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeRoleType<MalformedChunks, RogueRequester>("MalformedChunks",
                                                                          "Kind",
                                                                          &MalformedChunks::m_kind);
        return tid;
    }

  protected:
    void Act(RogueConnection& connection) override
    {
        constexpr uint32_t LARGE = 65536;
        constexpr uint32_t OVERSIZE = 512 * 1024 * 1024;
        constexpr uint32_t BEYOND = 4096;
        Read3Args args;
        args.file = GetHost().baitFile;
        args.count = LARGE;
        RpcRdmaChunkLists chunks;
        const RpcRdmaSegment anything{GetRandom().GetInteger(1, UINT32_MAX), LARGE, 0};
        const int kind = m_kind == ALL ? static_cast<int>(m_next++ % ALL) : m_kind;
        std::string what;
        switch (kind)
        {
        case NO_SEGMENTS:
            chunks.writeList.emplace_back();
            args.count = BEYOND / 2;
            what = "a Write chunk without segments";
            break;
        case LONG_SEGMENT:
            chunks.readList.push_back({0, {anything.handle, OVERSIZE, 0}});
            what = "a Read segment of 512 MiB";
            break;
        case POSITION:
            chunks.readList.push_back({BEYOND, anything});
            what = "a Position beyond the message";
            break;
        default:
            what = "a large reply without room";
            break;
        }
        if (connection.Send(MakeCall(TakeXid(), args, chunks)))
        {
            NoteDone("asks with " + what);
        }
    }

  private:
    enum : int
    {
        NO_SEGMENTS,
        LONG_SEGMENT,
        POSITION,
        NO_ROOM,
        ALL
    };

    int m_kind{ALL};
    uint64_t m_next{0};
};

NS_OBJECT_ENSURE_REGISTERED(CreditOverrun);
NS_OBJECT_ENSURE_REGISTERED(OversizeSends);
NS_OBJECT_ENSURE_REGISTERED(MalformedCalls);
NS_OBJECT_ENSURE_REGISTERED(MalformedChunks);

} // namespace

} // namespace ns3::nfsrdma
