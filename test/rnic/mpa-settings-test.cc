/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

class DeviceMpaSettings : public RnicTest
{
};

TEST_F(DeviceMpaSettings, AreThoseOfEveryConnection)
{
    const auto first = m_client.device->CreateConnection();
    const auto second = m_client.device->CreateConnection();
    EXPECT_EQ(first->GetSettings(), m_client.device->GetMpaSettings());
    EXPECT_EQ(second->GetSettings(), first->GetSettings());
    EXPECT_NE(m_server.device->GetMpaSettings(), m_client.device->GetMpaSettings());
}

TEST_F(DeviceMpaSettings, AreReachedAsAnAttribute)
{
    PointerValue value;
    m_client.device->GetAttribute("MpaSettings", value);
    EXPECT_EQ(value.Get<MpaSettings>(), m_client.device->GetMpaSettings());
    const auto other = CreateObject<MpaSettings>();
    other->SetAttribute("Crc", BooleanValue(true));
    m_client.device->SetAttribute("MpaSettings", PointerValue(other));
    EXPECT_TRUE(m_client.device->CreateConnection()->GetSettings()->GetValues().policy.crc);
}

TEST_F(DeviceMpaSettings, HaveTheReadDepthOfTheDevice)
{
    m_client.device->SetAttribute("MaxIrd", UintegerValue(7));
    EXPECT_EQ(m_client.device->CreateConnection()->GetSettings()->GetValues().policy.maxIrd, 7);
}

TEST_F(DeviceMpaSettings, StayAsTheyAreWhenAConnectionFallsBack)
{
    constexpr bool REVISION_1 = true;
    const auto fallback = m_client.device->CreateConnection(REVISION_1);
    EXPECT_EQ(fallback->GetSettings()->GetValues().policy.revision, 1);
    EXPECT_EQ(m_client.device->GetMpaSettings()->GetValues().policy.revision, 2);
}

class AwareTransport : public RnicTest
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->GetTransport()->SetAttribute("Transport", EnumValue(MpaTransport::AWARE));
    }
};

TEST_F(AwareTransport, PlacesOutOfOrder)
{
    const auto connection = m_client.device->CreateConnection();
    EXPECT_TRUE(connection->GetSettings()->GetValues().segments.outOfOrderPlacement);
}

} // namespace ns3::nfsrdma
