/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/engine-defaults.h"

#include "mpa/stream-tcp-socket.h"
#include "toe/options.h"
#include "wire/ns3-version.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

constexpr int64_t LINUX_RTO_MIN_IN_TIMEOUT_MIN = 25; // 200 ms and two ticks of 4 ms.

template <typename Value>
Value
DefaultOf(TypeId type, const std::string& attribute)
{
    TypeId::AttributeInformation information;
    NS_ABORT_MSG_UNLESS(type.LookupAttributeByName(attribute, &information),
                        type.GetName() << " has no attribute " << attribute);
    Value value;
    value.DeserializeFromString(information.initialValue->SerializeToString(information.checker),
                                information.checker);
    return value;
}

uint32_t
NumberOf(const std::string& attribute)
{
    return static_cast<uint32_t>(DefaultOf<UintegerValue>(TcpSocket::GetTypeId(), attribute).Get());
}

Time
TimeOf(TypeId type, const std::string& attribute)
{
    return DefaultOf<TimeValue>(type, attribute).Get();
}

bool
IsOn(const std::string& attribute)
{
    return DefaultOf<BooleanValue>(TcpSocketBase::GetTypeId(), attribute).Get();
}

TcpEngineSettings::Control
ReadControl()
{
    const auto type = DefaultOf<TypeIdValue>(TcpL4Protocol::GetTypeId(), "SocketType").Get();
    return type.GetName() == "ns3::TcpCubic"   ? TcpEngineSettings::Control::CUBIC
           : type.GetName() == "ns3::TcpDctcp" ? TcpEngineSettings::Control::DCTCP
           : type.GetName() == "ns3::TcpBbr"   ? TcpEngineSettings::Control::BBR
                                               : TcpEngineSettings::Control::NEW_RENO;
}

TcpEngineSettings::Ecn
ReadEcn()
{
    switch (DefaultOf<EnumValueOf<TcpSocketState::UseEcn_t>>(TcpSocketBase::GetTypeId(), "UseEcn")
                .Get())
    {
    case TcpSocketState::On:
        return TcpEngineSettings::Ecn::ASK;
    case TcpSocketState::AcceptOnly:
        return TcpEngineSettings::Ecn::ACCEPT;
    default:
        return TcpEngineSettings::Ecn::OFF;
    }
}

} // namespace

TcpEngineSettings
ReadEngineDefaults(TcpEngineSettings settings)
{
    settings.timestamps = IsOn("Timestamp");
    settings.windowScaling = IsOn("WindowScaling");
    settings.sack = IsOn("Sack");
    settings.ecn = ReadEcn();
    settings.mss =
        NumberOf("SegmentSize") + (settings.timestamps ? TcpOptions::TIMESTAMP_OCTETS : 0);
    settings.assumedPeerMss = settings.mss;
    settings.sendBuffer = NumberOf("SndBufSize");
    settings.receiveBuffer = NumberOf("RcvBufSize");
    settings.control = ReadControl();
    if (settings.control == TcpEngineSettings::Control::DCTCP)
    {
        settings.ecn = TcpEngineSettings::Ecn::ASK;
    }
    if (settings.control == TcpEngineSettings::Control::BBR)
    {
        settings.ecn = TcpEngineSettings::Ecn::OFF;
    }
    settings.initialWindow = NumberOf("InitialCwnd");
    settings.rtoMin = TimeOf(TcpSocketBase::GetTypeId(), "MinRto");
    settings.initialRto = TimeOf(TcpSocket::GetTypeId(), "ConnTimeout");
    settings.delayedAck = TimeOf(TcpSocket::GetTypeId(), "DelAckTimeout");
    settings.worstDelayedAck = settings.delayedAck;
    settings.tailProbeMin = settings.rtoMin / LINUX_RTO_MIN_IN_TIMEOUT_MIN;
    settings.ackEvery = std::max(NumberOf("DelAckCount"), 1U);
    settings.invalidRatelimit = settings.delayedAck;
    settings.synRetries = NumberOf("ConnCount");
    settings.synackRetries = settings.synRetries;
    settings.retries2 = NumberOf("DataRetries");
    settings.timeWait =
        Seconds(2 * DefaultOf<DoubleValue>(TcpSocketBase::GetTypeId(), "MaxSegLifetime").Get());
    settings.pathMtuRaise = TimeOf(StreamTcpSocket::GetTypeId(), "PathMtuRaiseTimeout");
    settings.finTimeout = TimeOf(StreamTcpSocket::GetTypeId(), "CloseTimeout");
    return settings;
}

} // namespace ns3::nfsrdma
