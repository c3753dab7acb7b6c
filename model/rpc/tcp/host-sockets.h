/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_HOST_SOCKETS_H
#define NFSRDMA_RPC_TCP_HOST_SOCKETS_H

#include "host/cpu.h"
#include "mpa/tcp-engine.h"
#include "rpc/tcp/soft-interrupt.h"
#include "rpc/tcp/transport-security.h"

#include "ns3/node.h"

#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief TCP of a host in software, which runs on the host's cores: the TcpEngine of the node,
 * whose packets pass a soft interrupt (TcpSoftInterrupt) and whose segments end anywhere.
 */
class HostSockets : public Object
{
  public:
    static TypeId GetTypeId();

    /// Before anything else.
    void SetHost(Ptr<Node> node, Ptr<HostCpu> cpu);

    /// \param ports which local ports it may have, the last first; none: any of those that TCP
    /// gives out
    /// \return a stream that is connecting to \p remote; null when all of \p ports are taken.
    [[nodiscard]] Ptr<ByteStream> Connect(const Address& remote,
                                          const std::optional<LocalPorts>& ports = std::nullopt);
    /// \return false when the port is taken there.
    [[nodiscard]] bool Listen(const ListeningPoint& local, TcpEngine::AcceptCallback accepted);
    void StopListening(const ListeningPoint& local);

    [[nodiscard]] const Ptr<HostCpu>& GetCpu() const
    {
        return m_cpu;
    }

    /// Has the RPC connections of the host protected by TLS as \p tls says. Default: none is.
    void SetTls(Ptr<RpcTls> tls)
    {
        m_tls = tls;
    }

    /// \return null: TLS is neither asked for nor offered.
    [[nodiscard]] const Ptr<RpcTls>& GetTls() const
    {
        return m_tls;
    }

    /// \return the soft interrupt that packets of \p stream pass; null when it is no stream of
    /// HostSockets.
    [[nodiscard]] static Ptr<TcpSoftInterrupt> GetSoftInterrupt(const ByteStream& stream);

  protected:
    void DoDispose() override;

  private:
    [[nodiscard]] TcpEngineSettings GetSettings() const;

    Ptr<Node> m_node;
    Ptr<HostCpu> m_cpu;
    Ptr<TcpSegmentStage> m_interrupts;
    Ptr<RpcTls> m_tls;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_HOST_SOCKETS_H
