/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/captured-rpcs.h"
#include "nfs/v4/captured-tree.h"
#include "nfs/v4/server-fixture.h"

#include "ns3/boolean.h"

#include <map>

namespace ns3::nfsrdma::test
{
namespace
{

using Key = ByteVector;

Key
ToKey(const Nfs4Fh& handle)
{
    const ByteSpan octets = handle.AsSpan();
    return {octets.begin(), octets.end()};
}

template <typename T>
Key
ToKey(const T& octets)
{
    return {octets.begin(), octets.end()};
}

Key
ToKey(Nfs4ClientId id)
{
    XdrWriter writer;
    writer.WriteU64(id);
    return writer.Take();
}

/// A COMPOUND of the capture with its answer.
struct Exchange
{
    const CapturedRpc* rpc{nullptr};
    Compound4Args args;
    Compound4Res results;
};

class Nfs4ServerCapture : public Nfs4ServerFixture
{
  protected:
    void Preload() override
    {
    }

    void Load(const char* name)
    {
        m_rpcs = ReadCapturedRpcs(name);
        CapturedTree tree;
        for (const CapturedRpc& rpc : m_rpcs)
        {
            if (rpc.reverse)
            {
                m_exchanges.push_back({&rpc, {}, {}});
                continue;
            }
            if (rpc.callHeader.procedure == 1 && rpc.replyTransport)
            {
                Exchange exchange = Read(rpc);
                tree.Take(exchange.args, exchange.results);
                m_exchanges.push_back(std::move(exchange));
            }
        }
        for (const auto& [handle, number] : tree.Build(*m_store))
        {
            m_octets[ToKey(handle)] = ToKey(GetHandle(number));
        }
        EXPECT_FALSE(m_octets.empty());
    }

    static Exchange Read(const CapturedRpc& rpc)
    {
        Exchange exchange{&rpc, {}, {}};
        XdrReader reader(rpc.GetArguments());
        auto items = Nfs4DataItems::OfCall(rpc.call, static_cast<uint32_t>(rpc.argumentsPosition));
        exchange.args = *Compound4Args::Decode(reader, &items);
        XdrReader resultReader(rpc.GetResults());
        auto resultItems = Nfs4DataItems::OfReply(rpc.reply);
        exchange.results = *Compound4Res::Decode(resultReader, &resultItems);
        return exchange;
    }

    /// Puts the server's identifiers in the place of the captured ones.
    void Substitute(ByteVector& octets) const
    {
        for (std::size_t at = 0; at + 8 <= octets.size();)
        {
            std::size_t step = 4;
            for (const std::size_t length : {16U, 12U, 8U})
            {
                if (at + length > octets.size())
                {
                    continue;
                }
                const auto from = octets.begin() + static_cast<std::ptrdiff_t>(at);
                // A session's identifier may be a stateid's and four zeros: it stands first only.
                const auto& known = at == FIRST_ARGUMENT && length == 16 ? m_sessions : m_octets;
                const auto found =
                    known.find(Key(from, from + static_cast<std::ptrdiff_t>(length)));
                if (found != known.end() && found->second.size() == length)
                {
                    std::copy(found->second.begin(), found->second.end(), from);
                    step = length;
                    break;
                }
            }
            at += step;
        }
    }

    void Learn(const Nfs4ResOp& captured, const Nfs4ResOp& own)
    {
        if (const auto* id = std::get_if<ExchangeIdRes4>(&captured))
        {
            m_octets[ToKey(id->clientId)] = ToKey(std::get<ExchangeIdRes4>(own).clientId);
        }
        else if (const auto* session = std::get_if<CreateSessionRes4>(&captured))
        {
            m_sessions[ToKey(session->sessionId)] =
                ToKey(std::get<CreateSessionRes4>(own).sessionId);
        }
        else if (const auto* handle = std::get_if<GetfhRes4>(&captured))
        {
            m_octets[ToKey(handle->object)] = ToKey(std::get<GetfhRes4>(own).object);
        }
        else if (const auto* open = std::get_if<OpenRes4>(&captured))
        {
            const auto& mine = std::get<OpenRes4>(own);
            m_octets[ToKey(open->stateid.other)] = ToKey(mine.stateid.other);
            if (open->delegation.type == OpenDelegationType4::READ)
            {
                m_octets[ToKey(open->delegation.stateid.other)] =
                    ToKey(mine.delegation.stateid.other);
            }
        }
        else if (const auto* readdir = std::get_if<ReaddirRes4>(&captured))
        {
            const auto& mine = std::get<ReaddirRes4>(own);
            if (!readdir->entries.empty() && !mine.entries.empty())
            {
                m_octets[ToKey(readdir->entries.back().cookie)] = ToKey(mine.entries.back().cookie);
            }
        }
        else if (const auto* lock = std::get_if<LockRes4>(&captured))
        {
            m_octets[ToKey(lock->lockStateid.other)] =
                ToKey(std::get<LockRes4>(own).lockStateid.other);
        }
    }

    static uint32_t GetSize(const Nfs4ResOp& result)
    {
        XdrWriter writer;
        Nfs4Encoder encoder(writer);
        std::visit([&encoder](const auto& r) { encoder(r); }, result);
        const Nfs3Data* item = GetItem(result);
        const bool reduced = item != nullptr && item->reduced;
        return static_cast<uint32_t>(writer.GetSize()) + (reduced ? RoundUp4(item->length) : 0);
    }

    void Compare(const Exchange& exchange, const Answer& answer)
    {
        EXPECT_EQ(answer.results.status, exchange.results.status) << exchange.rpc->ToString();
        ASSERT_EQ(answer.results.ops.size(), exchange.results.ops.size())
            << exchange.rpc->ToString();
        for (std::size_t i = 0; i < answer.results.ops.size(); ++i)
        {
            const Nfs4ResOp& captured = exchange.results.ops[i];
            const Nfs4ResOp& own = answer.results.ops[i];
            ++m_compared;
            ASSERT_EQ(GetOp(own), GetOp(captured));
            if (GetStatus(own) != GetStatus(captured) || GetSize(own) != GetSize(captured))
            {
                m_differences.push_back(
                    exchange.rpc->ToString() + " " + ToString(GetOp(own)) + " " +
                    ToString(GetStatus(own)) + " " + std::to_string(GetSize(own)) + " for " +
                    ToString(GetStatus(captured)) + " " + std::to_string(GetSize(captured)));
            }
            if (GetStatus(captured) == Nfs4Status::OK && GetStatus(own) == Nfs4Status::OK)
            {
                Learn(captured, own);
            }
        }
    }

    void Replay(const Exchange& exchange)
    {
        RpcReceivedMessage message;
        const ByteSpan arguments = exchange.rpc->GetArguments();
        message.octets.assign(arguments.begin(), arguments.end());
        Substitute(message.octets);
        for (RpcReceivedItem item : exchange.rpc->call.items)
        {
            item.position -= static_cast<uint32_t>(exchange.rpc->argumentsPosition);
            item.owner = std::make_shared<HostBuffer>(m_memory, item.length);
            item.address = item.owner->GetAddress();
            message.items.push_back(item);
        }
        Compare(exchange, Dispatch(std::move(message)));
    }

    void Recall(const CapturedRpc& rpc)
    {
        for (const auto& state : m_server->GetState().states.GetOf(GetClient()))
        {
            if (state->kind == Nfs4State::Kind::DELEGATION)
            {
                EXPECT_TRUE(m_server->BreakDelegations(state->file.first));
            }
        }
        Simulator::Run();
        ASSERT_EQ(m_transport->GetPending(), 1U);
        EXPECT_EQ(m_transport->GetCall(0).octets.size(), rpc.call.octets.size());
        const ByteSpan results = rpc.GetResults();
        m_transport->Answer(ByteVector(results.begin(), results.end()));
    }

    Nfs4ClientId GetClient()
    {
        return m_server->GetState().clients.GetConfirmed().front()->id;
    }

    /// Every result has the captured status and size.
    void CheckDifferences() const
    {
        EXPECT_TRUE(m_differences.empty());
        for (const std::string& difference : m_differences)
        {
            ADD_FAILURE() << difference;
        }
    }

    std::vector<CapturedRpc> m_rpcs;
    std::vector<Exchange> m_exchanges;
    /// Tag, minor version, count, and the first operation's number.
    static constexpr std::size_t FIRST_ARGUMENT = 16;

    std::map<Key, Key> m_sessions; ///< Captured sessions, and the server's in their place.
    std::map<Key, Key> m_octets;   ///< Captured identifiers, and the server's in their place.
    std::vector<std::string> m_differences;
    uint32_t m_compared{0};
};

TEST_F(Nfs4ServerCapture, FunctionalRun)
{
    Load("linux-6.1-nfs-v4.1-mtu1500");
    for (const Exchange& exchange : m_exchanges)
    {
        if (exchange.rpc->reverse)
        {
            Recall(*exchange.rpc);
        }
        else
        {
            Replay(exchange);
        }
    }
    EXPECT_GT(m_compared, 2500U);
    CheckDifferences();
}

TEST_F(Nfs4ServerCapture, Restart)
{
    m_server->SetAttribute("RecordClients", BooleanValue(false));
    Load("linux-6.1-nfs-v4.1-nfsd-restart");
    for (const Exchange& exchange : m_exchanges)
    {
        const auto* sequence = std::get_if<SequenceRes4>(&exchange.results.ops.front());
        if (sequence != nullptr && sequence->status == Nfs4Status::BADSESSION)
        {
            const uint64_t verifier = m_server->GetState().settings.writeVerifier.back();
            m_server->Restart();
            EXPECT_NE(m_server->GetState().settings.writeVerifier.back(), verifier);
        }
        Replay(exchange);
    }
    EXPECT_GT(m_compared, 100U);
    CheckDifferences();
}

} // namespace
} // namespace ns3::nfsrdma::test
