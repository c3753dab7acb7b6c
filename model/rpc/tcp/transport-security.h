/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_TRANSPORT_SECURITY_H
#define NFSRDMA_RPC_TCP_TRANSPORT_SECURITY_H

#include "settings/setting.h"
#include "tls/endpoint.h"
#include "tls/session.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// How RPC connections of a host over TCP are protected: tls.def has the fields.
struct RpcTlsSettings
{
    /// What a client asks for.
    enum Mode
    {
        NONE,
        OPPORTUNISTIC,
        TLS,
        MTLS
    };

    /// What a server requires.
    enum Required
    {
        ANY,
        ENCRYPTED,
        AUTHENTICATED
    };

    /// How a server answers a call with AUTH_TLS when it does not offer TLS.
    enum Refusal
    {
        ACCEPTED, ///< As another NULL call, without STARTTLS.
        DENIED    ///< AUTH_ERROR, AUTH_BADCRED.
    };

    /// What comes of traffic in clear where only a handshake may follow.
    enum Spurious
    {
        DISCARD,
        CLOSE
    };

#define SETTING(type, name, ...) type name{};
#define SETTING_PART(part, name, ...)
#include "rpc/tcp/tls.def"
#undef SETTING_PART
#undef SETTING

    TlsRecords records;

    [[nodiscard]] static const std::vector<Setting<RpcTlsSettings>>& GetRows();
};

/// What an RpcTls counts.
struct RpcTlsStatistics
{
    uint64_t probes{0};           ///< Of a client: calls with AUTH_TLS sent.
    uint64_t refused{0};          ///< Of a client: of those, not answered with STARTTLS.
    uint64_t handshakes{0};       ///< That have ended well.
    uint64_t handshakesFailed{0}; ///< That have not.
    uint64_t timedOut{0};       ///< Handshakes, and calls with AUTH_TLS, that did not end in time.
    uint64_t spurious{0};       ///< Messages, or parts, in clear where only a handshake may follow.
    uint64_t alertsSent{0};     ///< All but close_notify and user_canceled.
    uint64_t alertsReceived{0}; ///< All but close_notify and user_canceled.
    uint64_t badRecordMac{0};   ///< Records that were not authentic.
    uint64_t closeNotify{0};    ///< Received.
    uint64_t recordsSent{0};    ///< Of application data.
    uint64_t octetsSent{0};     ///< Of plaintext.
    uint64_t octetsReceived{0}; ///< Of plaintext.
    uint64_t keyUpdates{0};     ///< Sent.
};

/**
 * \brief TLS of a host for its RPC connections over TCP (RFC 9289), as a client or as a server:
 * what is set, its certificate, and what is counted.
 *
 *     client                                  server
 *       | -- NULL call, AUTH_TLS --------------> |
 *       | <-- reply, verifier "STARTTLS" ------- |
 *       | -- ClientHello (ALPN sunrpc, SNI) ---> |     each side HandshakeLatency after that
 *       | <-- ServerHello ... Finished --------- |
 *       | -- [Certificate ...] Finished -------> |
 *       | == RPC records in TLS records, calls of the server too ==
 *
 * The server asks for a certificate, which a client shows with mode mtls. Sessions are not resumed.
 * Either side gives up a handshake that has not ended in time, and closes the connection.
 * A record that is not authentic is answered with the alert bad_record_mac (RFC 8446 section 5.2)
 * and ends the connection; Linux's kTLS ends it without one.
 */
class RpcTls : public Object
{
  public:
    static TypeId GetTypeId();

    /// \param side of this host
    /// \param name of this host, in its certificate
    void SetHost(TlsEndpoint::Side side, const std::string& name)
    {
        m_side = side;
        m_name = name;
    }

    /// \return whether a client asks for TLS, or a server requires it.
    [[nodiscard]] bool IsUsed() const
    {
        return IsAskedFor() || m_settings.serverRequires != RpcTlsSettings::ANY;
    }

    [[nodiscard]] const RpcTlsSettings& GetSettings() const
    {
        return m_settings;
    }

    /// \return whether a client with these settings asks for TLS.
    [[nodiscard]] bool IsAskedFor() const
    {
        return m_settings.mode != RpcTlsSettings::NONE;
    }

    /// \param name of the session: no two of a run may have the same
    /// \param server of a client: the name that the server's certificate must have
    [[nodiscard]] std::unique_ptr<TlsSession> MakeSession(const std::string& name,
                                                          const std::string& server);

    /// \return whether a connection has what the settings require.
    /// \param session null: it is in clear
    [[nodiscard]] bool IsEnough(const TlsSession* session) const;

    /// Adds what \p session has counted, and its secrets; once, when it is over.
    void AddSession(const TlsSession& session);
    /// The handshake of \p session has ended, well or not, \p time after it was begun.
    void NoteHandshake(const TlsSession& session, Time time);
    /// A client has sent a call with AUTH_TLS.
    void NoteProbe();
    /// The answer to it was another than STARTTLS.
    void NoteRefusal();
    /// A handshake, or the answer to a call with AUTH_TLS, was waited for in vain.
    void NoteTimeout();
    /// Something has come in clear where only a handshake may follow. \return whether the
    /// connection is to be closed.
    [[nodiscard]] bool NoteSpurious();

    /// \return of the sessions that are over, and of those that are open.
    [[nodiscard]] RpcTlsStatistics GetStatistics() const;

    /// Secrets of sessions, lines of the NSS key log format: of those that are over, as they ended,
    /// then of those that are open; nothing unless attribute KeepSecrets is set.
    [[nodiscard]] std::vector<std::string> ListSecrets() const;

    /// Trace source "Handshake": a handshake has ended, in which time, and why it has failed
    /// (empty: it has not).
    typedef void (*HandshakeTracedCallback)(Time time, const std::string& failure);
    /// Trace source "Ended": a session that was open is over, by an alert of this name (empty: by
    /// close_notify, or with its connection).
    typedef void (*EndedTracedCallback)(const std::string& alert);

  protected:
    void DoDispose() override;

  private:
    [[nodiscard]] std::unique_ptr<TlsEndpoint> MakeEndpoint() const;

    RpcTlsSettings m_settings;
    uint64_t m_seed{1};
    bool m_keepsSecrets{false};
    TlsEndpoint::Side m_side{TlsEndpoint::Side::CLIENT};
    std::string m_name;
    std::unique_ptr<TlsEndpoint> m_endpoint; ///< Made for the first session.
    std::vector<const TlsSession*> m_open;   ///< In the order in which they began.
    std::vector<std::string> m_secrets;      ///< Of sessions that are over.
    RpcTlsStatistics m_statistics;
    TracedCallback<Time, const std::string&> m_handshakeTrace;
    TracedCallback<const std::string&> m_endedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_TRANSPORT_SECURITY_H
