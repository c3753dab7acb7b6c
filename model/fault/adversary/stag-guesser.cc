/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/attack-messages.h"
#include "fault/adversary/connection-attack.h"
#include "host/memory.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/message/read-chunk-extension.h"

#include "ns3/random-variable-stream.h"

#include <limits>
#include <optional>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t KEY_BITS = 8;
constexpr Stag KEY_MASK = (1U << KEY_BITS) - 1;
/// Names no memory: what this host is asked to read, it makes up.
constexpr Stag OWN_STAG = 0x5a5a00;
constexpr uint32_t GUESSED_OCTETS = 16;
constexpr Stag SINK_STAG = 0x5a5b00;

/// An STag of the server, and where it begins.
struct SeenStag
{
    Stag stag{0};
    uint64_t offset{0};
};

/**
 * \brief Aims RDMA Writes or Reads at STags of the server that were not given to it.
 *
 * A connection first makes a Call that is in a Read chunk, and answers the server's Read: so it
 * sees an STag of the server, as good clients do. Then it guesses, each time with a Call of
 * procedure NULL behind the operation: when that is served, the STag was good.
 *
 * Notes what each guess came to: "placed" (written) or "read"; "found" (the STag is good, the range
 * or the right is not); "foreign" (it is of another protection domain); "unknown"; "unanswered".
 * After the last three, and "found", the server has ended the connection with a Terminate.
 */
class StagGuesser : public ConnectionAttackRole
{
  public:
    /// How STags are guessed.
    enum Strategy
    {
        NEAR,       ///< Indices around the first one seen, its key.
        SEQUENTIAL, ///< One after the other from the one seen on.
        RANDOM,     ///< Any.
        REPLAY      ///< The one seen, while a later Call has its region registered.
    };

    enum Operation
    {
        WRITE,
        READ
    };

    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeRoleType<StagGuesser, ConnectionAttackRole>("StagGuesser",
                                                            "Strategy",
                                                            &StagGuesser::m_strategy,
                                                            "Operation",
                                                            &StagGuesser::m_operation,
                                                            "Window",
                                                            &StagGuesser::m_window,
                                                            "OffsetSpan",
                                                            &StagGuesser::m_offsetSpan);
        return tid;
    }

    StagGuesser()
        : m_random(CreateObject<UniformRandomVariable>())
    {
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_random->SetStream(stream);
        return 1;
    }

    [[nodiscard]] Strategy GetStrategy() const
    {
        return static_cast<Strategy>(m_strategy);
    }

    [[nodiscard]] Operation GetOperation() const
    {
        return static_cast<Operation>(m_operation);
    }

    /// \return the next guess of a connection that has seen \p seen; the first one ever is where
    /// memory of others that connected at the same time is near.
    [[nodiscard]] SeenStag Guess(const SeenStag& seen)
    {
        ++m_guesses;
        SeenStag guess = seen;
        if (m_strategy == REPLAY)
        {
            return guess;
        }
        const auto pages = static_cast<uint32_t>(m_offsetSpan / HostMemory::PAGE_SIZE);
        m_first = m_first.value_or(seen);
        guess.offset += uint64_t{m_random->GetInteger(0, pages)} * HostMemory::PAGE_SIZE;
        switch (m_strategy)
        {
        case NEAR: {
            const uint32_t away = m_random->GetInteger(0, 2 * m_window) - m_window;
            guess.stag =
                ((m_first->stag >> KEY_BITS) + away) << KEY_BITS | (m_first->stag & KEY_MASK);
            break;
        }
        case SEQUENTIAL:
            guess.stag = m_first->stag + static_cast<Stag>(m_guesses);
            break;
        default:
            guess.stag = m_random->GetInteger(0, std::numeric_limits<uint32_t>::max());
            break;
        }
        return guess;
    }

    // For attempts only.
    void NoteHit()
    {
        Note(m_operation == WRITE ? "placed" : "read");
    }

    [[nodiscard]] bool IsGuessing() const
    {
        return IsActive();
    }

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t number) override;

  private:
    int m_strategy{NEAR};
    int m_operation{WRITE};
    uint32_t m_window{0};
    uint64_t m_offsetSpan{0};
    std::optional<SeenStag> m_first;
    uint64_t m_guesses{0};
    Ptr<UniformRandomVariable> m_random;
};

/// One connection: sees an STag, then guesses until the server ends it.
class GuessingStream : public RawMpaStream
{
  public:
    GuessingStream(StagGuesser& role, uint32_t number)
        : m_role(role),
          m_xid(number << XIDS_BITS)
    {
    }

  protected:
    void HandleOperational() override
    {
        CallInChunk();
    }

    void HandleSegment(const Segment& segment) override
    {
        switch (segment.opcode)
        {
        case RdmapOpcode::READ_REQUEST:
            HandleReadRequest(segment.payload);
            break;
        case RdmapOpcode::READ_RESPONSE:
            m_answered = true;
            break;
        default:
            HandleReply();
            break;
        }
    }

    void HandleTerminate(TerminateReason reason) override
    {
        if (m_phase == Phase::GUESSING)
        {
            m_phase = Phase::OVER;
            m_role.Note(Judge(reason));
        }
    }

    void HandleEnd() override
    {
        if (m_phase == Phase::GUESSING)
        {
            m_role.Note("unanswered");
        }
        m_role.Retire();
    }

  private:
    static constexpr uint32_t XIDS_BITS = 12;

    enum class Phase
    {
        LOOKING,  ///< The Call in a chunk is under way.
        AGAIN,    ///< REPLAY: so is another, whose Read is not answered.
        GUESSING, ///< The Call behind a guess is under way.
        OVER
    };

    static const char* Judge(TerminateReason reason)
    {
        const auto is = [&reason](auto error) { return reason == TerminateReason::From(error); };
        if (is(DdpError::TAGGED_NOT_ASSOCIATED) || is(RdmapError::PROTECTION_NOT_ASSOCIATED))
        {
            return "foreign";
        }
        if (is(DdpError::TAGGED_BOUNDS) || is(RdmapError::PROTECTION_BOUNDS) ||
            is(RdmapError::PROTECTION_ACCESS) || is(DdpError::TAGGED_WRAP))
        {
            return "found";
        }
        return "unknown";
    }

    void SendNext(ByteSpan message)
    {
        SendUlpdu(AttackMessages::MakeSend(++m_sends, message));
    }

    void CallInChunk()
    {
        m_call = AttackMessages::MakeNullCall(++m_xid);
        SendNext(
            AttackMessages::MakeNullInChunk(m_xid,
                                            {{OWN_STAG, static_cast<uint32_t>(m_call.size()), 0}}));
    }

    void HandleReadRequest(ByteSpan payload)
    {
        ByteReader reader(payload);
        const auto request = RdmaReadRequest::Decode(reader);
        if (!request)
        {
            return;
        }
        if (m_phase == Phase::AGAIN)
        {
            m_seen.offset = request->sinkOffset;
            Guess();
            return;
        }
        m_seen = {request->sinkStag, request->sinkOffset};
        const std::size_t length = std::min<std::size_t>(request->length, m_call.size());
        SendUlpdu(AttackMessages::MakeReadResponse(request->sinkStag,
                                                   request->sinkOffset,
                                                   ByteSpan(m_call).first(length)));
    }

    void HandleReply()
    {
        if (m_phase == Phase::LOOKING && m_role.GetStrategy() == StagGuesser::REPLAY)
        {
            m_phase = Phase::AGAIN;
            CallInChunk();
            return;
        }
        if (m_phase == Phase::GUESSING)
        {
            const bool isRead = m_role.GetOperation() == StagGuesser::READ;
            if (!isRead || m_answered)
            {
                m_role.NoteHit();
            }
        }
        Guess();
    }

    void Guess()
    {
        if (!m_role.IsGuessing())
        {
            m_phase = Phase::OVER;
            Abort();
            return;
        }
        m_phase = Phase::GUESSING;
        m_answered = false;
        const SeenStag guess = m_role.Guess(m_seen);
        if (m_role.GetOperation() == StagGuesser::WRITE)
        {
            SendUlpdu(AttackMessages::MakeWrite(guess.stag,
                                                guess.offset,
                                                ByteVector(GUESSED_OCTETS, 0xee)));
        }
        else
        {
            SendUlpdu(AttackMessages::MakeReadRequest(
                ++m_reads,
                {SINK_STAG, 0, GUESSED_OCTETS, guess.stag, guess.offset}));
        }
        SendNext(AttackMessages::MakeNullMessage(++m_xid));
    }

    StagGuesser& m_role;
    uint32_t m_xid;
    Phase m_phase{Phase::LOOKING};
    ByteVector m_call;
    SeenStag m_seen;
    uint32_t m_sends{0};
    uint32_t m_reads{0};
    bool m_answered{false};
};

std::unique_ptr<RawStream>
StagGuesser::MakeAttempt(uint64_t number)
{
    auto stream = std::make_unique<GuessingStream>(*this, static_cast<uint32_t>(number + 1));
    ByteVector privateData = RpcRdmaPrivateData{}.Encode();
    if (m_operation == READ)
    {
        ReadChunkExtension extension;
        extension.requester = true;
        const ByteVector more = extension.Encode();
        privateData.insert(privateData.end(), more.begin(), more.end());
    }
    Start(*stream, std::move(privateData));
    return stream;
}

NS_OBJECT_ENSURE_REGISTERED(StagGuesser);

} // namespace

} // namespace ns3::nfsrdma
