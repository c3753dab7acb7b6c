/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_HOST_RECORD_CONNECTION_H
#define NFSRDMA_RPC_TCP_HOST_RECORD_CONNECTION_H

#include "host/cpu.h"
#include "mpa/byte-stream.h"
#include "rpc/tcp/record-carrier.h"
#include "rpc/tcp/soft-interrupt.h"
#include "rpc/tcp/transport-security.h"
#include "wire/ring.h"

#include "ns3/event-id.h"

#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief Records over a TCP socket of a host, as its cores send and read them.
 *
 * Sending, one message after the other (XPRT_LOCKED, xpt_mutex): HostCosts::tcpSendCost for the
 * message; for each piece of it that TCP gives to the adapter tcpOutputCost, the copy into the
 * socket and the checksum. A piece waits for room in the send buffer.
 *
 * At a client a work queue reads: it is woken (tcpWakeUp), copies what has come, and needs
 * tcpReadCost for each message. A server's connection does not read: the thread that takes a call
 * does, whose cost is GetReadCost(). It takes no further octets while it is stopped, so that they
 * fill the socket's buffer.
 *
 * With StartTls() records go through TLS (kTLS in software): tlsSendCost and tlsReceiveCost of the
 * octets and tlsRecordCost of the records of TLS are added to what sending and reading need. The
 * handshake is that of a daemon (tlshd), which begins RpcTlsSettings::handshakeLatency later and
 * needs tlsHandshakeCost for each flight. What is to be sent meanwhile waits for its end.
 */
class HostRecordConnection : public RpcRecordCarrier,
                             public std::enable_shared_from_this<HostRecordConnection>
{
  public:
    /// Which end of the connection it is.
    enum class Side
    {
        CLIENT,
        SERVER
    };

    /// \param stream connected, at a server, or connecting
    /// \return the connection; it listens to \p stream from now on.
    [[nodiscard]] static std::shared_ptr<HostRecordConnection> Create(
        const Ptr<ByteStream>& stream,
        const Ptr<HostCpu>& cpu,
        Side side,
        const RpcTcpSettings& settings,
        Events events);
    ~HostRecordConnection() override;

    void Send(ByteSpan message) override;
    void Close() override;
    void Fail(RpcTcpEnd end) override;
    [[nodiscard]] uint16_t GetLocalPort() const override;

    /// RST, and no more events.
    void Abort();

    /// Puts TLS between records and the stream: what was sent before stays in clear, and what has
    /// come in clear is dropped (RpcTlsSettings::spuriousTraffic: or ends the connection).
    /// Events::secured says when the handshake is done; a failure is a TLS_FAILED, a handshake that
    /// takes longer than the settings say a TLS_TIMED_OUT. \param server of a client: the name that
    /// the server's certificate must have
    void StartTls(const Ptr<RpcTls>& tls, const std::string& server)
    {
        PrepareTls(tls, server);
        ShakeHands();
    }

    /// The first half of StartTls(): from now on TLS alone may come, and waits.
    void PrepareTls(const Ptr<RpcTls>& tls, const std::string& server);
    /// The second half: the daemon is asked for the handshake, whose time begins. \param hold is
    /// let go when it has ended, in whichever way
    void ShakeHands(std::shared_ptr<void> hold = nullptr);

    /// \return null: in clear.
    [[nodiscard]] const TlsSession* GetTlsSession() const
    {
        return m_session.get();
    }

    /// Takes no octets out of the stream from now on.
    void StopReading();
    /// Takes octets again.
    void ResumeReading();

    /// \return what a thread needs a core for to read a message of \p octets.
    [[nodiscard]] Time GetReadCost(uint64_t octets) const;
    /// \return the soft interrupt that its packets pass; null when there is none.
    [[nodiscard]] Ptr<TcpSoftInterrupt> GetSoftInterrupt() const;

    /// \return when the first octet came of the record that was told of last.
    [[nodiscard]] Time GetArrival() const
    {
        return m_arrival;
    }

    /// \return messages that are not yet wholly in the socket.
    [[nodiscard]] std::size_t GetUnsent() const
    {
        return m_records.size();
    }

  private:
    HostRecordConnection(const Ptr<ByteStream>& stream,
                         const Ptr<HostCpu>& cpu,
                         Side side,
                         const RpcTcpSettings& settings,
                         Events&& events);

    /// A record on its way into the socket.
    struct Outgoing
    {
        ByteVector octets;
        std::size_t from{0};     ///< What is before is in the socket.
        bool isProtected{false}; ///< By TLS.
    };

    void Attach();
    void Detach();
    void HandleEstablished();
    void HandleReceive();
    void HandleEnd(StreamEnd end);
    void Pump();
    void Push(uint32_t octets);
    [[nodiscard]] HostWork GetSendWork(const Outgoing& record, uint32_t octets) const;
    /// \return records of TLS that begin in these octets of a message.
    [[nodiscard]] uint64_t CountTlsRecords(uint64_t from, uint64_t octets) const;
    /// \param perPage what 4 KiB cost
    [[nodiscard]] Time GetTlsCost(Time perPage, uint64_t octets, uint64_t records) const;
    void BeginHandshake();
    void GoOnShakingHands();
    /// Gives the stream what the session has to send, and looks whether the handshake is over.
    void EndFlight();
    void EndHandshake();
    /// Gives the stream what the session has to send, unless a record is on its way.
    void PushSessionOutput();
    /// \return whether the session has ended: then the connection is closed.
    bool CloseWithSession();
    void EndSession();
    /// Gives the session what has come before the peer's FIN: an alert may be in it.
    void ReadLastAlert();
    void HandleHandshakeTimer();
    [[nodiscard]] uint32_t GetPiece() const;
    void Read();
    void FinishReading();
    /// Takes records out of \p octets, then tells of each when it has been read.
    /// \param tlsCost what it took to decrypt them
    void Take(ByteSpan octets, Time tlsCost = Time(0));
    void TakeAtOnce();
    void After(Time time, std::function<void(HostRecordConnection&)> what);

    Ptr<ByteStream> m_stream;
    Ptr<HostCpu> m_cpu;
    Side m_side;
    RpcTcpSettings m_settings;
    Events m_events;
    bool m_connected;
    RecordMarkingDecoder m_decoder;
    HostThread m_sender;
    HostThread m_reader;
    Ptr<HostLock> m_lock; ///< transport_lock of a client; null: it costs nothing.
    Ring<Outgoing> m_records;
    bool m_sending{false};
    bool m_reading{false};
    bool m_stopped{false};
    ByteVector m_rest; ///< Taken from the stream, behind the record that stopped reading.
    Time m_began;      ///< When the record under way began to come.
    Time m_arrival;
    Ptr<RpcTls> m_tls; ///< Null: in clear.
    std::unique_ptr<TlsSession> m_session;
    HostThread m_daemon;      ///< Does the handshake.
    bool m_shaking{false};    ///< The handshake has begun, and not ended.
    bool m_daemonBusy{false}; ///< It is awaited, or at work.
    Time m_handshakeBegin;    ///< When TLS was asked for.
    EventId m_handshakeTimer;
    std::shared_ptr<void> m_handshakeHold; ///< Until the handshake has ended.
    Ring<ByteVector> m_held;               ///< Records to be sent after the handshake.
    ByteVector m_early;                    ///< Plaintext that has come with its last octets.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_HOST_RECORD_CONNECTION_H
