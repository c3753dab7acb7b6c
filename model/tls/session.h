/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TLS_SESSION_H
#define NFSRDMA_TLS_SESSION_H

#include "tls/endpoint.h"
#include "tls/random-octets.h"
#include "wire/bytes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct ssl_st;

namespace ns3::nfsrdma
{

/// What a TlsSession counts.
struct TlsSessionStatistics
{
    uint64_t recordsSent{0};     ///< Of application data.
    uint64_t octetsSent{0};      ///< Of plaintext.
    uint64_t recordsReceived{0}; ///< Of application data.
    uint64_t octetsReceived{0};  ///< Of plaintext.
    uint64_t keyUpdatesSent{0};  ///< RFC 8446 section 4.6.3.
    uint64_t alertsSent{0};      ///< All but close_notify and user_canceled.
    uint64_t alertsReceived{0};  ///< All but close_notify and user_canceled.
};

/**
 * \brief A TLS 1.3 session (RFC 8446) between octets: what a stream has brought goes in, what it is
 * to carry comes out.
 *
 *     HANDSHAKE -- both Finished --> OPEN -- close_notify of the peer --> CLOSED
 *         |                            |
 *         +------ an alert, a record that is not authentic ------> FAILED
 *
 * The octets follow from those that go in and from the session's name: there is no clock and no
 * other random number. A session that has FAILED still has its alert to send, in TakeOutput().
 */
class TlsSession
{
  public:
    enum class State
    {
        HANDSHAKE,
        OPEN,
        CLOSED,
        FAILED
    };

    /**
     * \param endpoint must live as long
     * \param name that random numbers follow from: no two sessions of a run may have the same
     * \param server of a client: the name that it sends (SNI), and that the certificate must have
     */
    TlsSession(const TlsEndpoint& endpoint, const std::string& name, const std::string& server);
    ~TlsSession();
    TlsSession(const TlsSession&) = delete;
    TlsSession& operator=(const TlsSession&) = delete;

    /// Of a client: makes the ClientHello. Of a server: nothing to send yet.
    void Start();

    /// Takes what the stream has brought. \return the plaintext that it completes.
    [[nodiscard]] ByteVector Receive(ByteSpan octets);

    /// \param plaintext to send; the session must be OPEN
    /// \return its records, and before them a KeyUpdate when it is time for one.
    [[nodiscard]] ByteVector Protect(ByteSpan plaintext);

    /// \return whether TakeOutput() has any.
    [[nodiscard]] bool HasOutput() const;

    /// \return what there is to send: handshake, alerts.
    [[nodiscard]] ByteVector TakeOutput();

    /// Has close_notify sent, if the session is OPEN.
    void Close();

    [[nodiscard]] State GetState() const
    {
        return m_state;
    }

    /// \return whether it is or was OPEN.
    [[nodiscard]] bool WasOpen() const
    {
        return m_wasOpen;
    }

    /// \return whether the peer has shown a certificate of the authority.
    [[nodiscard]] bool IsPeerAuthenticated() const;

    /// \return why it has FAILED: the alert's name ("bad record mac"), in either direction; empty:
    /// it has not.
    [[nodiscard]] const std::string& GetFailure() const
    {
        return m_failure;
    }

    /// \return its secrets so far, each as a line of the NSS key log format.
    [[nodiscard]] const std::vector<std::string>& GetKeyLog() const
    {
        return m_keyLog;
    }

    [[nodiscard]] const TlsSessionStatistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    struct Free
    {
        void operator()(ssl_st* session) const;
    };

    static void NoteSecret(const ssl_st* session, const char* line);
    static void NoteEvent(const ssl_st* session, int where, int value);

    /// Goes on with the handshake.
    void Advance();
    void Fail(int result);

    const TlsEndpoint& m_endpoint;
    RandomOctets m_octets;
    std::unique_ptr<ssl_st, Free> m_session;
    State m_state{State::HANDSHAKE};
    bool m_wasOpen{false};
    uint64_t m_sinceKeyUpdate{0}; ///< Octets of plaintext.
    std::string m_failure;
    std::vector<std::string> m_keyLog;
    TlsSessionStatistics m_statistics;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TLS_SESSION_H
