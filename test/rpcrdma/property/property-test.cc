/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-net-device.h"
#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/policy/credit-grant.h"
#include "rpcrdma/policy/remote-invalidation.h"
#include "rpcrdma/policy/reply-chunk.h"
#include "rpcrdma/property/guarded-buffer.h"
#include "rpcrdma/property/mix-program.h"
#include "rpcrdma/registration/strategy.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <memory>
#include <random>
#include <sstream>

namespace ns3::nfsrdma
{
namespace
{

/// Loses some of the frames that a node would receive, or all.
class LossyPort : public ErrorModel
{
  public:
    uint32_t perMille{0};
    std::mt19937_64 random{1};

  private:
    bool DoCorrupt(Ptr<Packet> /* packet */) override
    {
        return perMille > 0 && random() % 1000 < perMille;
    }

    void DoReset() override
    {
        perMille = 0;
    }
};

/**
 * One seed: RPCs of any form, under policies and faults that the seed chooses. Each RPC ends once;
 * what is no success has a status; a success has the right octets; nothing is written outside the
 * memory lent, nor after the end of the RPC; what is not idempotent is carried out once at most; no
 * object is left on either device.
 *
 * A seed that fails is run alone with --gtest_filter='*RpcRdmaProperty.Holds/SEED'.
 */
class RpcRdmaProperty : public RpcRdmaTest, public testing::WithParamInterface<uint64_t>
{
  protected:
    struct Item
    {
        std::unique_ptr<GuardedBuffer> memory;
        uint32_t length{0};
        bool eligible{false};
    };

    struct Operation
    {
        uint32_t number{0};
        uint32_t procedure{MixProgram::ONCE};
        std::vector<Item> arguments;
        std::vector<Item> results;
        std::vector<uint32_t> lengths; ///< Of the results that are given.
        bool cancelled{false};
        bool exceeds{false}; ///< A result is longer than was said.
        uint32_t ends{0};
        RpcRecord record;
    };

    RpcRdmaProperty()
        : m_random(GetParam())
    {
    }

    void SetUp() override
    {
        m_plain = GetParam() % 10 == 0;
        m_careless = !m_plain && Chance(10);
        RpcRdmaTest::SetUp();
        m_mix = Create<MixProgram>(m_serverHost.memory);
        m_mix->serviceTime = MicroSeconds(Below(200));
        m_rpcServer->Register(m_mix);
        m_rpcClient->SetProgram(MixProgram::PROGRAM, MixProgram::VERSION);
        for (const Ptr<Node>& node : {m_clientHost.node, m_serverHost.node})
        {
            const auto port = Create<LossyPort>();
            port->random.seed(m_random());
            DynamicCast<EthernetNetDevice>(node->GetDevice(node->GetNDevices() - 1))
                ->SetReceiveErrorModel(port);
            m_ports.push_back(port);
        }
    }

    uint32_t Below(uint32_t bound)
    {
        return static_cast<uint32_t>(m_random() % bound);
    }

    bool Chance(uint32_t percent)
    {
        return Below(100) < percent;
    }

    /// \return one of \p names, \p plain for a plain seed.
    std::string OneName(const std::vector<std::string>& names, const std::string& plain)
    {
        const std::string name = OneOf(names);
        return m_plain ? plain : name;
    }

    template <typename T>
    T OneOf(const std::vector<T>& values)
    {
        return values[Below(static_cast<uint32_t>(values.size()))];
    }

    template <typename T>
    void Set(const Ptr<Object>& object, const std::string& name, const T& value)
    {
        object->SetAttribute(name, value);
        Ptr<const AttributeChecker> checker;
        m_story << ' ' << name << '=' << value.SerializeToString(checker);
    }

    void ConfigureDevice(Ptr<RnicDevice> device) override
    {
        if (m_plain)
        {
            return;
        }
        if (Chance(15))
        {
            m_scarce = true;
            Set(device, "MaxMrs", UintegerValue(3 + Below(10))); // registrations are refused
        }
        if (Chance(20))
        {
            Set(device, "SendWithInvalidate", BooleanValue(false));
        }
        if (Chance(20))
        {
            Set(device, "MaxFastRegisterPages", UintegerValue(1 + Below(16)));
        }
        if (Chance(10))
        {
            Set(device, "MaxPrivateData", UintegerValue(Below(8)));
        }
    }

    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("Reconnect", BooleanValue(true));
        client->SetAttribute("RetryDelay", TimeValue(MilliSeconds(1)));
        client->SetAttribute("ReconnectDelay", TimeValue(MilliSeconds(1)));
        client->SetAttribute("ReconnectDelayMaximum", TimeValue(MilliSeconds(10)));
        client->SetAttribute("Timeout", TimeValue(MilliSeconds(40)));
        client->SetAttribute("Soft", BooleanValue(true));
        client->SetAttribute("IdleTimeout", TimeValue(Time(0)));
        const std::vector<uint32_t> sizes{1024, 2048, 4096, 16384};
        Set(client,
            "ReplyMechanism",
            StringValue(OneName(ReplyMechanismPolicy::GetNames(), "linux")));
        Set(client, "CallForm", StringValue(OneName(CallFormPolicy::GetNames(), "linux")));
        Set(client, "Registration", StringValue(OneOf(RegistrationPolicy::GetNames())));
        const std::string strategy = OneName(ChunkRegistrar::GetNames(), "frwr");
        // Nothing holds a careless server back from the rest of memory.
        const bool unsafe = m_careless && strategy == "all-physical";
        Set(client, "RegistrationStrategy", StringValue(unsafe ? "frwr" : strategy));
        Set(client, "PoolBuffers", UintegerValue(4 + Below(60)));
        Set(client, "CacheCapacity", UintegerValue(4 + Below(60)));
        Set(client, "ReplyRules", StringValue(OneOf(ReplyHeaderRules::GetNames())));
        Set(client, "InlineSend", UintegerValue(OneOf(sizes)));
        Set(client, "InlineReceive", UintegerValue(OneOf(sizes)));
        Set(client, "Slots", UintegerValue(1 + Below(32)));
        Set(client, "RemoteInvalidation", BooleanValue(Chance(70)));
        Set(client, "WritePadSegment", BooleanValue(Chance(50)));
        Set(client, "ProtectWritePad", BooleanValue(true));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        const std::vector<uint32_t> sizes{1024, 2048, 4096, 16384};
        Set(server, "CreditGrant", StringValue(OneOf(CreditGrantPolicy::GetNames())));
        Set(server, "HeaderRules", StringValue(OneOf(CallHeaderRules::GetNames())));
        Set(server,
            "RemoteInvalidationPolicy",
            StringValue(OneOf(RemoteInvalidationPolicy::GetNames())));
        const std::string strategy = OneName(ChunkRegistrar::GetNames(), "frwr");
        const bool windows = strategy == "memory-window"; // No sinks of RDMA Reads.
        Set(server, "RegistrationStrategy", StringValue(windows ? "frwr" : strategy));
        Set(server, "RemoteInvalidation", BooleanValue(Chance(50)));
        Set(server, "ReplyChunk", StringValue(OneName(ReplyChunkPolicy::GetNames(), "linux")));
        Set(server, "InlineSend", UintegerValue(OneOf(sizes)));
        // Without, a reply may be longer than the client's receives, as with Linux's server.
        Set(server, "HonourSizes", BooleanValue(true));
        Set(server, "InlineReceive", UintegerValue(OneOf(sizes)));
        Set(server, "Credits", UintegerValue(1 + Below(64)));
        Set(server, "WritePages", UintegerValue(1 + Below(8)));
        Set(server,
            "FailedCallMemory",
            UintegerValue(m_careless || m_scarce || Chance(50) ? 16 : 0));
        Set(server, "Careless", BooleanValue(m_careless));
    }

    uint32_t ChooseLength()
    {
        const std::vector<uint32_t> bounds{1, 8, 200, 1100, 5000, 20000, 150000};
        return Below(OneOf(bounds));
    }

    Item MakeItem(const ByteVector& content)
    {
        Item item;
        item.length = static_cast<uint32_t>(content.size());
        item.eligible = Chance(70);
        item.memory = std::make_unique<GuardedBuffer>(m_clientHost.memory, Below(4096), content);
        return item;
    }

    void MakeOperation(uint32_t number)
    {
        Operation& operation = *m_operations.emplace_back(std::make_unique<Operation>());
        operation.number = number;
        operation.procedure = Chance(50) ? MixProgram::ONCE : MixProgram::AGAIN;
        const uint32_t most = m_plain ? 1 : 3;
        const uint32_t arguments = std::min(OneOf<uint32_t>({0, 0, 1, 1, 2, 3}), most);
        for (uint32_t i = 0; i < arguments; ++i)
        {
            operation.arguments.push_back(MakeItem(MakeMixPattern(number, i, ChooseLength())));
        }
        if (operation.procedure == MixProgram::AGAIN)
        {
            const uint32_t results = std::min(OneOf<uint32_t>({0, 1, 1, 2, 3}), most);
            for (uint32_t i = 0; i < results; ++i)
            {
                operation.results.push_back(MakeItem(ByteVector(ChooseLength(), 0xc3)));
                const uint32_t room = operation.results.back().length;
                // Now and then the program gives more than it was said to.
                operation.lengths.push_back(Chance(5) ? room + 1 + Below(10000) : Below(room + 1));
                operation.exceeds = operation.exceeds || operation.lengths.back() > room;
            }
        }
    }

    static RpcArguments Encode(const Operation& operation)
    {
        RpcArguments arguments;
        XdrWriter writer;
        writer.WriteU32(operation.number);
        writer.WriteU32(static_cast<uint32_t>(operation.arguments.size()));
        for (const Item& item : operation.arguments)
        {
            writer.WriteU32(item.length);
            if (item.length > 0)
            {
                arguments.items.push_back({item.memory->GetAddress(),
                                           item.length,
                                           item.eligible,
                                           static_cast<uint32_t>(writer.GetSize()),
                                           nullptr});
            }
        }
        writer.WriteU32(static_cast<uint32_t>(operation.results.size()));
        for (std::size_t i = 0; i < operation.results.size(); ++i)
        {
            writer.WriteU32(operation.lengths[i]);
            writer.WriteBool(operation.results[i].eligible && operation.results[i].length > 0);
        }
        writer.WriteU32(MixProgram::WORD);
        arguments.octets = writer.Take();
        return arguments;
    }

    static RpcReplyEstimate Estimate(const Operation& operation)
    {
        RpcReplyEstimate reply;
        reply.head = RpcReplyHeader::ACCEPTED_SIZE + 8 + (operation.results.empty() ? 0 : 4);
        reply.tail = 4;
        for (const Item& item : operation.results)
        {
            reply.tail += 4 + Pad4(item.length);
            if (item.length > 0)
            {
                reply.items.push_back({item.length, item.memory->GetAddress(), item.eligible});
            }
        }
        reply.minimum = RpcReplyHeader::ACCEPTED_SIZE;
        return reply;
    }

    void Submit(Operation& operation)
    {
        const uint32_t xid = m_rpcClient->Call(operation.procedure,
                                               Encode(operation),
                                               Estimate(operation),
                                               [this, &operation](RpcRecord& record,
                                                                  const RpcReceivedMessage& message,
                                                                  XdrReader& reader) {
                                                   Complete(operation, record, message, reader);
                                               });
        if (Chance(8))
        {
            operation.cancelled = true;
            Simulator::Schedule(MicroSeconds(Below(1000)),
                                [this, xid] { m_rpcClient->Cancel(xid); });
        }
    }

    void Complete(Operation& operation,
                  const RpcRecord& record,
                  const RpcReceivedMessage& message,
                  XdrReader& reader)
    {
        ++operation.ends;
        operation.record = record;
        EXPECT_EQ(operation.ends, 1U);
        if (record.outcome == RpcOutcome::SUCCESS)
        {
            ++m_successes;
            CheckResults(operation, message, reader);
        }
        for (std::size_t i = 0; i < operation.arguments.size(); ++i)
        {
            Item& item = operation.arguments[i];
            EXPECT_EQ(item.memory->Read(),
                      MakeMixPattern(operation.number, static_cast<uint32_t>(i), item.length));
        }
        for (std::vector<Item>* items : {&operation.arguments, &operation.results})
        {
            for (Item& item : *items)
            {
                EXPECT_TRUE(item.memory->IsGuarded()) << "operation " << operation.number;
                item.memory->Close();
            }
        }
    }

    static void CheckResults(const Operation& operation,
                             const RpcReceivedMessage& message,
                             XdrReader& reader)
    {
        SCOPED_TRACE("operation " + std::to_string(operation.number));
        EXPECT_EQ(reader.ReadU32(), operation.number);
        EXPECT_EQ(reader.ReadU32(), operation.results.size());
        std::size_t chunk = 0;
        for (std::size_t i = 0; i < operation.results.size(); ++i)
        {
            const Item& item = operation.results[i];
            const uint32_t length = reader.ReadU32();
            EXPECT_EQ(length, operation.lengths[i]);
            const ByteVector expected =
                MakeMixPattern(operation.number, 100 + static_cast<uint32_t>(i), length);
            const bool offered = item.eligible && item.length > 0;
            if (length > 0 && offered && message.IsReduced(chunk))
            {
                ByteVector octets = item.memory->Read();
                EXPECT_LE(length, octets.size());
                octets.resize(length);
                EXPECT_EQ(octets, expected);
            }
            else
            {
                const ByteSpan octets = reader.ReadFixedOpaque(length);
                EXPECT_EQ(ByteVector(octets.begin(), octets.end()), expected);
            }
            chunk += offered ? 1 : 0;
        }
        EXPECT_EQ(reader.ReadU32(), MixProgram::WORD);
        EXPECT_TRUE(reader.Ok());
        EXPECT_EQ(reader.Remaining(), 0U);
    }

    void Restart(Time down)
    {
        m_server->Stop();
        Simulator::Schedule(down, [this] {
            if (!m_over)
            {
                m_server->Listen();
            }
        });
    }

    void ScheduleFault()
    {
        const Time start = MicroSeconds(Below(20000));
        const Time length = MicroSeconds(Below(30000));
        switch (Below(4))
        {
        case 0: {
            const uint32_t perMille = 1 + Below(60);
            m_story << " loss " << perMille << "/1000 at " << start.As(Time::US);
            SetLoss(start, perMille);
            SetLoss(start + length, 0);
            break;
        }
        case 1:
            m_story << " cut at " << start.As(Time::US) << " for " << length.As(Time::US);
            SetLoss(start, 1000);
            SetLoss(start + length, 0);
            break;
        case 2:
            m_story << " restart at " << start.As(Time::US) << " for " << length.As(Time::US);
            Simulator::Schedule(start, [this, length] { Restart(length); });
            break;
        default: {
            const uint32_t credits = 1 + Below(64);
            m_story << " credits " << credits << " at " << start.As(Time::US);
            Simulator::Schedule(start, [this, credits] { m_server->SetCredits(credits); });
            break;
        }
        }
    }

    void SetLoss(Time when, uint32_t perMille)
    {
        Simulator::Schedule(when, [this, perMille] {
            for (const auto& port : m_ports)
            {
                port->perMille = perMille;
            }
        });
    }

    void RunFor(Time time)
    {
        Simulator::Stop(time);
        Run();
    }

    void ExpectNothingLeft()
    {
        m_over = true;
        m_client->Disconnect();
        RunFor(Seconds(10));
        m_server->Stop();
        RunFor(Seconds(10));
        EXPECT_EQ(m_client->GetPending(), 0U);
        EXPECT_TRUE(m_client->DescribeWaiting().empty());
        EXPECT_EQ(m_server->GetConnectionCount(), 0U);
        EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
        EXPECT_TRUE(IsZero(m_serverHost.device->GetCensus()));
        EXPECT_EQ(m_serverHost.memory->GetAllocationCount(), 0U);
        EXPECT_EQ(m_server->GetStatistics().receiveOctets, 0U);
    }

    std::mt19937_64 m_random;
    std::ostringstream m_story;
    bool m_plain{false}; ///< No fault, no limit, policies of Linux: all must go well.
    bool m_careless{false};
    bool m_scarce{false};
    bool m_over{false};
    uint32_t m_successes{0};
    Ptr<MixProgram> m_mix;
    std::vector<Ptr<LossyPort>> m_ports;
    std::vector<std::unique_ptr<Operation>> m_operations;
};

TEST_P(RpcRdmaProperty, Holds)
{
    const uint32_t faults = m_plain ? 0 : OneOf<uint32_t>({0, 1, 1, 2, 3});
    for (uint32_t i = 0; i < faults; ++i)
    {
        ScheduleFault();
    }
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + ":" + m_story.str());
    ASSERT_TRUE(m_server->Listen());
    m_client->Connect();
    for (uint32_t i = 0; i < 30; ++i)
    {
        MakeOperation(i);
        Simulator::Schedule(MicroSeconds(Below(25000)), [this, i] { Submit(*m_operations[i]); });
    }
    RunFor(Seconds(20));
    for (const auto& operation : m_operations)
    {
        EXPECT_EQ(operation->ends, 1U) << "operation " << operation->number;
        if (operation->procedure == MixProgram::ONCE)
        {
            EXPECT_LE(m_mix->executions[operation->number], 1U);
        }
        if (m_plain && !operation->cancelled && !operation->exceeds)
        {
            EXPECT_EQ(operation->record.outcome, RpcOutcome::SUCCESS)
                << "operation " << operation->number;
        }
        if (operation->record.outcome == RpcOutcome::SUCCESS)
        {
            EXPECT_GE(m_mix->executions[operation->number], 1U);
        }
    }
    EXPECT_EQ(m_mix->garbage, 0U);
    ExpectNothingLeft();
    for (const auto& operation : m_operations)
    {
        for (const std::vector<Item>* items : {&operation->arguments, &operation->results})
        {
            for (const Item& item : *items)
            {
                EXPECT_TRUE(operation->ends == 0 || item.memory->IsUntouched())
                    << "operation " << operation->number;
            }
        }
    }
    RecordProperty("successes", static_cast<int>(m_successes));
}

INSTANTIATE_TEST_SUITE_P(Quick,
                         RpcRdmaProperty,
                         testing::Range(uint64_t{0}, uint64_t{60}),
                         testing::PrintToStringParamName());
/// Seeds that have found a defect.
INSTANTIATE_TEST_SUITE_P(Regression,
                         RpcRdmaProperty,
                         testing::Values(1562, 1611, 1673),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Slow,
                         RpcRdmaProperty,
                         testing::Range(uint64_t{1000}, uint64_t{1250}),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Nightly,
                         RpcRdmaProperty,
                         testing::Range(uint64_t{1250}, uint64_t{2000}),
                         testing::PrintToStringParamName());

} // namespace
} // namespace ns3::nfsrdma
