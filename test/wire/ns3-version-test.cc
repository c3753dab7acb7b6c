/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/ns3-version.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

class Base : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::nfsrdma::Ns3VersionTestBase").SetParent<Object>();
        return tid;
    }
};

class Lamp : public Typed<Base>
{
  public:
    enum Colour
    {
        RED,
        GREEN = 7
    };

    enum class Glow : uint8_t
    {
        DIM,
        BRIGHT
    };

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::nfsrdma::Ns3VersionTestLamp")
                                .SetParent<Base>()
                                .AddConstructor<Lamp>()
                                .AddAttribute("Colour",
                                              "Of the light.",
                                              ToEnumValue(GREEN),
                                              MakeEnumFieldAccessor(&Lamp::colour),
                                              MakeEnumFieldChecker(RED, "red", GREEN, "green"));
        return tid;
    }

    Colour colour{RED};
};

/// Says when ProcessAck() is called, which has any parameters.
template <typename... More>
class Socket
{
  public:
    virtual ~Socket() = default;

    void Receive(More... more)
    {
        ProcessAck(1, more...);
    }

    std::vector<std::string> said;

  protected:
    virtual void ProcessAck(const int& /* number */, More... /* more */)
    {
        said.emplace_back("process");
    }
};

template <typename... More>
class Hooked : public AroundProcessAck<Socket<More...>>
{
  protected:
    void BeginAck() override
    {
        this->said.emplace_back("begin");
    }

    void EndAck() override
    {
        this->said.emplace_back("end");
    }
};

TEST(Ns3Version, AnEventIsPendingUntilItRunsOrIsCancelled)
{
    EXPECT_FALSE(IsPending(EventId()));
    const auto event = Simulator::Schedule(NanoSeconds(1), [] {});
    auto other = Simulator::Schedule(NanoSeconds(2), [] {});
    EXPECT_TRUE(IsPending(event));
    other.Cancel();
    EXPECT_FALSE(IsPending(other));
    Simulator::Run();
    EXPECT_FALSE(IsPending(event));
    Simulator::Destroy();
}

TEST(Ns3Version, AnEnumerationIsAnAttribute)
{
    const auto lamp = CreateObject<Lamp>();
    EXPECT_EQ(lamp->colour, Lamp::GREEN);
    EXPECT_TRUE(lamp->SetAttributeFailSafe("Colour", ToEnumValue(Lamp::RED)));
    EXPECT_EQ(lamp->colour, Lamp::RED);
    EXPECT_TRUE(lamp->SetAttributeFailSafe("Colour", EnumValue(Lamp::GREEN)));
    EXPECT_EQ(lamp->colour, Lamp::GREEN);
    EXPECT_TRUE(lamp->SetAttributeFailSafe("Colour", StringValue("red")));
    EnumValueOf<Lamp::Colour> value;
    lamp->GetAttribute("Colour", value);
    EXPECT_EQ(value.Get(), Lamp::RED);
    EXPECT_FALSE(lamp->SetAttributeFailSafe("Colour", StringValue("blue")));
    EXPECT_EQ(static_cast<Lamp::Glow>(ToEnumValue(Lamp::Glow::BRIGHT).Get()), Lamp::Glow::BRIGHT);
}

TEST(Ns3Version, AnObjectTellsTheTypeThatItWasMadeWith)
{
    EXPECT_EQ(CreateObject<Lamp>()->GetInstanceTypeId(), Lamp::GetTypeId());
}

TEST(Ns3Version, AMethodIsSurroundedWhateverItsParameters)
{
    const std::vector<std::string> expected{"begin", "process", "end"};
    Hooked<> one;
    one.Receive();
    EXPECT_EQ(one.said, expected);
    Hooked<bool, const int&> three;
    three.Receive(true, 3);
    EXPECT_EQ(three.said, expected);
}

} // namespace

} // namespace ns3::nfsrdma
