/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/tcp-preset.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/tcp-linux-reno.h"
#include "ns3/tcp-prr-recovery.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

DataCenterTcpPreset::DataCenterTcpPreset()
    : congestionControl(TcpLinuxReno::GetTypeId()),
      recovery(TcpPrrRecovery::GetTypeId())
{
}

uint32_t
DataCenterTcpPreset::SegmentSizeFor(uint16_t mtu) const
{
    const uint32_t headers = IP_AND_TCP_HEADERS + (timestamps ? TIMESTAMP_OPTION : 0);
    NS_ABORT_MSG_IF(mtu <= headers, "MTU " << mtu << " leaves no room for TCP payload");
    return mtu - headers;
}

void
DataCenterTcpPreset::Apply(uint16_t mtu) const
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(congestionControl));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", TypeIdValue(recovery));
    Config::SetDefault("ns3::RttEstimator::InitialEstimation", TimeValue(initialRtt));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(minRto));
    // ns-3 has max(srtt + max(G, 4 rttvar), MinRto): with G = MinRto it is Linux's.
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(minRto));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(sack));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(timestamps));
    Config::SetDefault("ns3::TcpSocketBase::WindowScaling", BooleanValue(windowScaling));
    Config::SetDefault("ns3::TcpSocketBase::UseEcn",
                       EnumValue(ecn ? TcpSocketState::On : TcpSocketState::Off));
    Config::SetDefault("ns3::TcpSocketBase::MaxSegLifetime",
                       DoubleValue(maxSegmentLifetime.GetSeconds()));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(delAckTimeout));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(delAckCount));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(connTimeout));
    Config::SetDefault("ns3::TcpSocket::ConnCount", UintegerValue(connCount));
    Config::SetDefault("ns3::TcpSocket::DataRetries", UintegerValue(dataRetries));
    Config::SetDefault("ns3::TcpSocket::PersistTimeout", TimeValue(persistTimeout));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(initialCwnd));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(sndBufSize));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(rcvBufSize));
    Config::SetDefault("ns3::TcpSocket::TcpNoDelay", BooleanValue(noDelay));
    Config::SetDefault("ns3::TcpSocket::SegmentSize",
                       UintegerValue(segmentSize > 0 ? segmentSize : SegmentSizeFor(mtu)));
}

} // namespace ns3::nfsrdma
