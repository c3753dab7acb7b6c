/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tls/session.h"

#include "tls/library.h"

#include "ns3/abort.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

namespace ns3::nfsrdma
{

void
TlsSession::Free::operator()(ssl_st* session) const
{
    SSL_free(session);
}

TlsSession::TlsSession(const TlsEndpoint& endpoint,
                       const std::string& name,
                       const std::string& server)
    : m_endpoint(endpoint),
      m_octets("session " + name)
{
    const TlsLibrary::Drawing drawing(m_octets);
    m_session.reset(SSL_new(endpoint.GetContext()));
    SSL* const session = m_session.get();
    BIO* const in = BIO_new(BIO_s_mem());
    BIO* const out = BIO_new(BIO_s_mem());
    NS_ABORT_MSG_UNLESS(session != nullptr && in != nullptr && out != nullptr,
                        "OpenSSL makes no session");
    BIO_set_mem_eof_return(in, -1);
    SSL_set_bio(session, in, out);
    SSL_set_app_data(session, this);
    SSL_set_info_callback(session, NoteEvent);
    SSL_CTX_set_keylog_callback(endpoint.GetContext(), NoteSecret);
    if (endpoint.GetSide() == TlsEndpoint::Side::SERVER)
    {
        SSL_set_accept_state(session);
        return;
    }
    SSL_set_connect_state(session);
    NS_ABORT_MSG_UNLESS(SSL_set_tlsext_host_name(session, server.c_str()) == 1 &&
                            SSL_set1_host(session, server.c_str()) == 1,
                        "OpenSSL takes no name of a server");
}

TlsSession::~TlsSession() = default;

void
TlsSession::NoteSecret(const ssl_st* session, const char* line)
{
    static_cast<TlsSession*>(SSL_get_app_data(session))->m_keyLog.emplace_back(line);
}

void
TlsSession::NoteEvent(const ssl_st* session, int where, int value)
{
    if ((where & SSL_CB_ALERT) == 0)
    {
        return;
    }
    constexpr int DESCRIPTION = 0xff;
    auto& self = *static_cast<TlsSession*>(SSL_get_app_data(session));
    const int description = value & DESCRIPTION;
    if (description == SSL_AD_CLOSE_NOTIFY || description == SSL_AD_USER_CANCELLED)
    {
        return;
    }
    ++((where & SSL_CB_READ) != 0 ? self.m_statistics.alertsReceived
                                  : self.m_statistics.alertsSent);
    self.m_failure = SSL_alert_desc_string_long(value);
}

void
TlsSession::Start()
{
    const TlsLibrary::Drawing drawing(m_octets);
    Advance();
}

void
TlsSession::Advance()
{
    ERR_clear_error();
    const int result = SSL_do_handshake(m_session.get());
    if (result != 1)
    {
        Fail(result);
        return;
    }
    const unsigned char* protocol = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(m_session.get(), &protocol, &size);
    m_state = size > 0 ? State::OPEN : State::FAILED;
    m_wasOpen = size > 0;
    if (m_state == State::FAILED)
    {
        m_failure = "no application protocol";
    }
}

void
TlsSession::Fail(int result)
{
    const int error = SSL_get_error(m_session.get(), result);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE)
    {
        return;
    }
    const bool isClosed = error == SSL_ERROR_ZERO_RETURN;
    m_state = isClosed && m_state == State::OPEN ? State::CLOSED : State::FAILED;
    if (m_state == State::FAILED && m_failure.empty())
    {
        m_failure = "closed";
    }
    ERR_clear_error();
}

ByteVector
TlsSession::Receive(ByteSpan octets)
{
    const TlsLibrary::Drawing drawing(m_octets);
    ByteVector plaintext;
    if (m_state == State::CLOSED || m_state == State::FAILED || octets.empty())
    {
        return plaintext;
    }
    SSL* const session = m_session.get();
    const int taken =
        BIO_write(SSL_get_rbio(session), octets.data(), static_cast<int>(octets.size()));
    NS_ABORT_MSG_UNLESS(taken == static_cast<int>(octets.size()), "OpenSSL takes no octets");
    if (m_state == State::HANDSHAKE)
    {
        Advance();
    }
    std::size_t size = 0;
    while (m_state == State::OPEN)
    {
        const std::size_t read = TlsRecords::MAX_SIZE;
        plaintext.resize(size + read);
        std::size_t count = 0;
        ERR_clear_error();
        const int result = SSL_read_ex(session, plaintext.data() + size, read, &count);
        if (result != 1)
        {
            Fail(result);
            break;
        }
        size += count;
        ++m_statistics.recordsReceived;
    }
    plaintext.resize(size);
    m_statistics.octetsReceived += size;
    return plaintext;
}

ByteVector
TlsSession::Protect(ByteSpan plaintext)
{
    NS_ABORT_MSG_UNLESS(m_state == State::OPEN, "a TLS session that is not open has data to send");
    const TlsLibrary::Drawing drawing(m_octets);
    SSL* const session = m_session.get();
    const TlsRecords& records = m_endpoint.GetRecords();
    if (records.rekeyOctets > 0 && m_sinceKeyUpdate >= records.rekeyOctets)
    {
        NS_ABORT_MSG_UNLESS(SSL_key_update(session, SSL_KEY_UPDATE_NOT_REQUESTED) == 1,
                            "OpenSSL makes no KeyUpdate");
        ++m_statistics.keyUpdatesSent;
        m_sinceKeyUpdate = 0;
    }
    std::size_t written = 0;
    ERR_clear_error();
    const bool isWritten = plaintext.empty() ||
                           SSL_write_ex(session, plaintext.data(), plaintext.size(), &written) == 1;
    NS_ABORT_MSG_UNLESS(isWritten, "OpenSSL makes no records");
    m_sinceKeyUpdate += written;
    m_statistics.octetsSent += written;
    m_statistics.recordsSent += (written + records.recordSize - 1) / records.recordSize;
    return TakeOutput();
}

bool
TlsSession::HasOutput() const
{
    return BIO_ctrl_pending(SSL_get_wbio(m_session.get())) > 0;
}

ByteVector
TlsSession::TakeOutput()
{
    BIO* const out = SSL_get_wbio(m_session.get());
    ByteVector octets(BIO_ctrl_pending(out));
    if (!octets.empty())
    {
        const int count = BIO_read(out, octets.data(), static_cast<int>(octets.size()));
        NS_ABORT_MSG_UNLESS(count == static_cast<int>(octets.size()), "OpenSSL gives no octets");
    }
    return octets;
}

void
TlsSession::Close()
{
    if (m_state == State::OPEN)
    {
        const TlsLibrary::Drawing drawing(m_octets);
        SSL_shutdown(m_session.get());
        ERR_clear_error();
    }
}

bool
TlsSession::IsPeerAuthenticated() const
{
    return SSL_get0_peer_certificate(m_session.get()) != nullptr &&
           SSL_get_verify_result(m_session.get()) == X509_V_OK;
}

} // namespace ns3::nfsrdma
