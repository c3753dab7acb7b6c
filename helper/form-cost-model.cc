/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/form-cost-model.h"

#include "helper/rpc-message-size.h"
#include "host/transfer-time.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/message/transport-header.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t PAGE = 4096;
constexpr uint32_t CQE = 64;
constexpr uint32_t READ_SEGMENT = sizeof(uint32_t) + RpcRdmaReadSegment::SIZE;
constexpr uint32_t WRITE_SEGMENT = RpcRdmaReadSegment::SIZE + sizeof(uint32_t);
constexpr uint32_t READ_REQUEST = 28;

int64_t
CountPages(uint64_t octets)
{
    return static_cast<int64_t>((octets + PAGE - 1) / PAGE);
}

int64_t
CountRegions(const FormCostEnd& end, uint64_t octets)
{
    const int64_t pages =
        std::max<int64_t>(1, std::min(end.regionPages, end.device.maxFastRegisterPages));
    return (CountPages(octets) + pages - 1) / pages;
}

Time
GetPost(const FormCostEnd& end, uint32_t requests)
{
    return end.cpu->GetPostCost(requests, 0) + end.device.doorbell + end.device.wqeFetch;
}

Time
GetNotification(const FormCostEnd& end)
{
    const Time written =
        end.device.cqeWrite + GetTransferTime(CQE, end.device.pcieRate) + end.device.pcieSwitch;
    const Time told = end.device.polling ? Time(0)
                                         : end.device.interruptLatency +
                                               end.cpu->GetInterruptCost() + end.cpu->GetWakeUp();
    return written + told + end.cpu->GetPollCost();
}

Time
GetFastRegistration(const FormCostEnd& end, uint64_t octets)
{
    return end.device.registerBase * CountRegions(end, octets) +
           end.device.registerPerPage * CountPages(octets);
}

/// \return what \p work of the memory unit takes longer than \p meanwhile, which goes on beside it.
Time
GetExcess(Time work, Time meanwhile)
{
    return std::max(work - meanwhile, Time(0));
}

Time
GetEngine(const FormCostEnd& end)
{
    return end.device.txPerWqe + end.device.txPerFpdu;
}

} // namespace

FormCostModel::FormCostModel(const FormCostEnd& client,
                             const FormCostEnd& server,
                             const FormCostPath& path,
                             const FormCostRules& rules)
    : m_client(client),
      m_server(server),
      m_path(path),
      m_rules(rules)
{
}

FormCosts
FormCostModel::Get(const RpcRecord& record) const
{
    FormCosts costs;
    if (record.callReason == CallReason::NOT_SENT)
    {
        return costs;
    }
    const auto fits = [](uint64_t octets) {
        return octets + RpcRdmaHeader::MINIMUM_SIZE <= RpcRdmaPrivateData::MAXIMUM_INLINE;
    };
    const uint64_t call = GetCallMessageSize(record);
    const uint64_t callItem = std::min(record.callReducible, call);
    costs.callChunk = GetCallChunk(call, callItem);
    if (fits(call))
    {
        costs.callInline = GetCallInline(call, callItem);
    }
    const uint64_t reply = GetReplyMessageSize(record);
    if (reply == 0)
    {
        return costs;
    }
    const uint64_t replyItem = std::min(record.replyReducible, reply);
    const uint64_t room = replyItem > 0 ? record.replyReducible : record.replyMaximum;
    costs.replyChunk = GetReplyChunk(reply, replyItem, room);
    if (fits(reply))
    {
        costs.replyInline = GetReplyInline(reply, replyItem);
    }
    return costs;
}

uint64_t
FormCostModel::CountFrames(uint64_t octets) const
{
    return std::max<uint64_t>(1, (octets + m_path.payload - 1) / m_path.payload);
}

Time
FormCostModel::GetWire(uint64_t octets) const
{
    const uint64_t frames = CountFrames(octets);
    const uint64_t last = octets - (frames - 1) * m_path.payload + m_path.overhead;
    return GetTransferTime(octets + frames * m_path.overhead, m_path.rate) +
           GetTransferTime(last, m_path.rate) * int64_t{m_path.links - 1} + m_path.latency;
}

Time
FormCostModel::GetTransit(const FormCostEnd& from, const FormCostEnd& to, uint64_t octets) const
{
    const uint64_t frames = CountFrames(octets);
    const uint64_t first = std::min<uint64_t>(octets, m_path.payload);
    const uint64_t last = octets - (frames - 1) * m_path.payload;
    const Time started = GetEngine(from) + from.device.pcieLatency + from.device.pcieSwitch * 2 +
                         GetTransferTime(first, from.device.pcieRate);
    const Time placed = to.device.rxPerFpdu + to.device.pcieLatency + to.device.pcieSwitch +
                        GetTransferTime(last, to.device.pcieRate);
    return started + GetWire(octets) + placed;
}

Time
FormCostModel::GetSend(const FormCostEnd& from,
                       const FormCostEnd& to,
                       uint64_t octets,
                       uint32_t requests) const
{
    return GetPost(from, requests) + GetTransit(from, to, octets) + GetNotification(to);
}

Time
FormCostModel::GetRead(uint64_t octets) const
{
    const Time asked = m_server.mapCost * CountRegions(m_server, octets) + GetPost(m_server, 2) +
                       GetExcess(GetFastRegistration(m_server, octets), GetEngine(m_server)) +
                       GetEngine(m_server) + GetWire(READ_REQUEST) + m_client.device.rxPerFpdu +
                       m_client.device.readRequestTurnaround;
    return asked + GetTransit(m_client, m_server, octets) + GetNotification(m_server) -
           m_server.cpu->GetPollCost();
}

Time
FormCostModel::GetRegistration(uint64_t octets) const
{
    const Time mapped = m_client.mapCost * CountRegions(m_client, octets);
    const Time meanwhile = GetEngine(m_client) + m_client.device.pcieLatency;
    if (m_rules.registration == "frwr")
    {
        return mapped + GetExcess(GetFastRegistration(m_client, octets), meanwhile);
    }
    if (m_rules.registration == "memory-window")
    {
        return mapped +
               GetExcess(m_client.device.bindCost * CountRegions(m_client, octets), meanwhile);
    }
    if (m_rules.registration == "regular")
    {
        return m_client.device.GetHostRegistration(static_cast<uint64_t>(CountPages(octets)));
    }
    return m_rules.registration == "preregistered" ? m_client.cpu->GetCopyTime(octets) : Time(0);
}

Time
FormCostModel::GetInvalidation(uint64_t octets) const
{
    const bool byWork = m_rules.registration == "frwr" || m_rules.registration == "memory-window";
    if (m_rules.registration == "regular")
    {
        return m_client.device.GetHostDeregistration(static_cast<uint64_t>(CountPages(octets)));
    }
    const int64_t regions = CountRegions(m_client, octets);
    if (!byWork || (m_rules.remoteInvalidation && regions == 1))
    {
        return {};
    }
    return GetPost(m_client, static_cast<uint32_t>(regions)) +
           m_client.device.invalidateCost * regions + GetNotification(m_client);
}

Time
FormCostModel::GetCallInline(uint64_t call, uint64_t item) const
{
    const Time taken = call < m_rules.bufferSize ? m_client.cpu->GetCopyTime(item)
                                                 : m_client.mapCost * CountPages(item);
    return taken + GetSend(m_client, m_server, RpcRdmaHeader::MINIMUM_SIZE + call, 1);
}

Time
FormCostModel::GetCallChunk(uint64_t call, uint64_t item) const
{
    const uint64_t moved = item > 0 ? item : call;
    const uint64_t header =
        RpcRdmaHeader::MINIMUM_SIZE + READ_SEGMENT * CountRegions(m_client, moved);
    return GetRegistration(moved) + GetSend(m_client, m_server, header + call - moved, 2) +
           GetRead(moved) + GetInvalidation(moved);
}

Time
FormCostModel::GetReplyInline(uint64_t reply, uint64_t item) const
{
    return m_server.mapCost * CountPages(item) +
           GetSend(m_server, m_client, RpcRdmaHeader::MINIMUM_SIZE + reply, 1) +
           m_client.cpu->GetCopyTime(item);
}

Time
FormCostModel::GetReplyChunk(uint64_t reply, uint64_t item, uint64_t room) const
{
    const uint64_t moved = item > 0 ? item : reply;
    const uint64_t header = RpcRdmaHeader::MINIMUM_SIZE + sizeof(uint32_t) +
                            WRITE_SEGMENT * CountRegions(m_client, room);
    const uint64_t frames = CountFrames(moved);
    const uint64_t last = moved - (frames - 1) * m_path.payload;
    const Time written =
        GetTransferTime(std::min<uint64_t>(moved, m_path.payload), m_server.device.pcieRate) +
        GetWire(moved) - GetWire(0) + m_client.device.rxPerFpdu +
        GetTransferTime(last, m_client.device.pcieRate);
    return GetRegistration(room) + written +
           GetSend(m_server, m_client, header + reply - moved, 1) + GetInvalidation(room);
}

} // namespace ns3::nfsrdma
