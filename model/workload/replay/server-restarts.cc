/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/server-restarts.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ServerRestarts);

TypeId
ServerRestarts::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ServerRestarts")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ServerRestarts>();
    return tid;
}

void
ServerRestarts::SetServer(const Ptr<RpcServer>& rpc,
                          std::function<void()> stop,
                          std::function<void()> start)
{
    m_rpc = rpc;
    m_stop = std::move(stop);
    m_start = std::move(start);
    m_rpc->TraceConnectWithoutContext("CallTaken", MakeCallback(&ServerRestarts::TakeCall, this));
}

void
ServerRestarts::DoDispose()
{
    if (m_rpc != nullptr)
    {
        m_rpc->TraceDisconnectWithoutContext("CallTaken",
                                             MakeCallback(&ServerRestarts::TakeCall, this));
    }
    m_rpc = nullptr;
    m_stop = nullptr;
    m_start = nullptr;
    m_restarts.clear();
    Object::DoDispose();
}

void
ServerRestarts::AddClient(const std::vector<RecordedRestart>& restarts)
{
    for (std::size_t i = 0; i < restarts.size(); ++i)
    {
        if (i == m_restarts.size())
        {
            Restart& restart = m_restarts.emplace_back();
            restart.down = restarts[i].down;
            restart.calls += i; // What earlier ones have lost is taken once more.
        }
        m_restarts[i].calls += restarts[i].calls - 1;
        ++m_restarts[i].clients;
    }
}

void
ServerRestarts::Await(std::size_t number, std::function<void()> go)
{
    Restart& restart = m_restarts.at(number);
    restart.waiting.push_back(std::move(go));
    if (restart.waiting.size() != restart.clients)
    {
        return;
    }
    restart.isDue = true;
    for (auto& waiting : restart.waiting)
    {
        Simulator::ScheduleNow([then = std::move(waiting)] { then(); });
    }
    restart.waiting.clear();
}

void
ServerRestarts::TakeCall(const RpcCallHeader& /* header */,
                         Time /* queued */,
                         uint64_t /* thread */)
{
    ++m_taken;
    if (m_next == m_restarts.size() || !m_restarts[m_next].isDue ||
        m_taken < m_restarts[m_next].calls)
    {
        return;
    }
    const Time down = m_restarts[m_next++].down;
    // The call is on its way to the program.
    Simulator::ScheduleNow([self = Ptr<ServerRestarts>(this)] {
        if (self->m_stop)
        {
            self->m_stop();
        }
    });
    Simulator::Schedule(down, [self = Ptr<ServerRestarts>(this)] {
        if (self->m_start)
        {
            self->m_start();
        }
    });
}

} // namespace ns3::nfsrdma
