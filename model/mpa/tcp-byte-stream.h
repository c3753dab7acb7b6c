/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_TCP_BYTE_STREAM_H
#define NFSRDMA_MPA_TCP_BYTE_STREAM_H

#include "mpa/byte-stream.h"
#include "mpa/stream-tcp-socket.h"

#include "ns3/inet-socket-address.h"

namespace ns3::nfsrdma
{

/**
 * \brief A ByteStream on one StreamTcpSocket, whose kind decides how segments are cut.
 *
 * How TCP's end maps to StreamEnd: FIN from the peer is GRACEFUL, RST on an established connection
 * RESET; refused, unreachable, or out of retransmissions is FAILED. After Close() and after Abort()
 * no callback is made any more; the socket closes by itself (StreamTcpSocket::CloseInOrder).
 *
 * The space callback is made only when a SendUnit() was refused or GetTxAvailable() had returned
 * less than a segment, and then only once a segment fits again.
 */
class TcpByteStream : public ByteStream
{
  public:
    static TypeId GetTypeId();
    ~TcpByteStream() override;

    /// \return a stream connecting \p socket, which is new, to \p remote.
    static Ptr<TcpByteStream> Connect(Ptr<StreamTcpSocket> socket, const Address& remote);
    /// \return the stream of \p accepted, which is established.
    static Ptr<TcpByteStream> Accept(Ptr<StreamTcpSocket> accepted);

    [[nodiscard]] bool SendUnit(Ptr<Packet> unit) override;
    [[nodiscard]] uint32_t GetTxAvailable() const override;

    [[nodiscard]] uint32_t GetEmss() const override
    {
        return m_socket ? m_socket->GetEmss() : 0;
    }

    [[nodiscard]] Ptr<Packet> ReceiveAtMost(uint32_t limit) override;

    [[nodiscard]] uint64_t GetReceivedOctets() const override
    {
        return m_receivedOctets;
    }

    [[nodiscard]] uint32_t GetUnitRoom() const override
    {
        return m_socket ? m_socket->GetUnitRoom() : 0;
    }

    [[nodiscard]] uint32_t GetOutOfOrderOctets() const override
    {
        return m_socket ? m_socket->GetOutOfOrderOctets() : 0;
    }

    [[nodiscard]] uint64_t GetHeldOctets() const override
    {
        return m_socket ? m_socket->GetHeldOctets() : 0;
    }

    [[nodiscard]] uint64_t GetWaitingOctets() const override
    {
        return m_socket ? m_socket->GetWaitingOctets() : 0;
    }

    void SetSegmentCallback(SegmentCallback callback) override;
    void Close() override;
    void Abort() override;

    [[nodiscard]] Address GetPeerAddress() const override
    {
        return m_peer;
    }

    [[nodiscard]] Address GetLocalAddress() const override;

    /// \return the socket, for its attributes and trace sources.
    [[nodiscard]] Ptr<StreamTcpSocket> GetSocket() const
    {
        return m_socket;
    }

  protected:
    void DoDispose() override;

  private:
    void Attach(Ptr<StreamTcpSocket> socket);
    void Detach();
    void Leave(void (StreamTcpSocket::*how)());
    void DoLeave(void (StreamTcpSocket::*how)());
    void HandleConnected(Ptr<Socket> socket);
    void HandleConnectFailed(Ptr<Socket> socket);

    void HandleReceive(Ptr<Socket> /* socket */)
    {
        Notify(m_callbacks.receive);
    }

    bool HandleSegment(int32_t distance, Ptr<const Packet> octets);

    void HandleEmss()
    {
        Notify(m_callbacks.emss);
    }

    void HandleBuffers(uint64_t held, uint64_t waiting);
    void HandleSpace(Ptr<Socket> socket, uint32_t available);
    void HandleNormalClose(Ptr<Socket> socket);
    void HandleErrorClose(Ptr<Socket> socket);
    void End(StreamEnd end);
    void Notify(Callback<void> callback);

    bool IsOpen() const
    {
        return m_connected && !m_left && !m_ended;
    }

    uint32_t SegmentOrBuffer() const;

    Ptr<StreamTcpSocket> m_socket;
    Address m_peer;
    bool m_connected{false};
    bool m_ended{false}; ///< By the peer or the network.
    bool m_left{false};  ///< By the owner.
    mutable bool m_cameShort{false};
    uint64_t m_receivedOctets{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_TCP_BYTE_STREAM_H
