/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/server-restarts.h"

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
    Object::DoDispose();
}

void
ServerRestarts::Add(uint64_t calls, Time down)
{
    m_restarts.push_back({calls + m_restarts.size(), down});
}

void
ServerRestarts::TakeCall(const RpcCallHeader& /* header */, Time /* queued */)
{
    ++m_taken;
    if (m_restarts.empty() || m_restarts.front().calls != m_taken)
    {
        return;
    }
    const Time down = m_restarts.front().down;
    m_restarts.front().calls = 0;
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
            self->m_restarts.pop_front();
            self->m_start();
        }
    });
}

} // namespace ns3::nfsrdma
