/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_RECORD_CARRIER_H
#define NFSRDMA_RPC_TCP_RECORD_CARRIER_H

#include "rpc/tcp/record-marking.h"

#include <cstdint>
#include <functional>

namespace ns3::nfsrdma
{

/// Why a connection that carries records is over.
enum class RpcTcpEnd
{
    FAILED,          ///< It could not be made.
    PEER_CLOSED,     ///< The peer closed it.
    RESET,           ///< It was reset, or TCP gave up.
    RECORD_TOO_LONG, ///< The peer's record passes the limit; closed here.
    NO_RPC,          ///< The peer's record is no RPC message of the right kind; closed here.
    LOCAL,           ///< It was closed here.
    AGED,            ///< Nothing was received for a period; closed here.
    LIMITED,         ///< The server had too many, and this was the oldest; closed here.
    TLS_REFUSED,     ///< The server does not answer STARTTLS, and the client wants nothing else.
    TLS_FAILED,      ///< The handshake of TLS has failed, or the peer has left during it.
    TLS_TIMED_OUT,   ///< It, or the answer to AUTH_TLS, did not come in time; closed here.
    TLS_SPURIOUS,    ///< Something came in clear where only a handshake may; closed here.
    TLS_ALERT ///< A record of TLS was not authentic, or the peer has sent an alert; closed here.
};

[[nodiscard]] const char* ToString(RpcTcpEnd end);

/// What a connection for records is to be like.
struct RpcTcpSettings
{
    uint32_t maxRecord{0};                               ///< Octets received at most.
    uint32_t maxFragment{RpcFragmentHeader::MAX_LENGTH}; ///< Octets sent at most in one.
};

/**
 * \brief One TCP connection that carries RPC messages as records, RFC 5531 section 11:
 * RpcTcpConnection on a plain ns-3 socket, HostRecordConnection on a socket of the host that costs
 * its cores something.
 */
class RpcRecordCarrier
{
  public:
    /// What the owner is told.
    struct Events
    {
        std::function<void()> connected; ///< May be null for an accepted connection.
        std::function<void(ByteVector&& record)> record;
        std::function<void(RpcTcpEnd end)> ended; ///< Once; not after Close().
        std::function<void()> secured{};          ///< The handshake of TLS is done; may be null.
    };

    RpcRecordCarrier() = default;
    virtual ~RpcRecordCarrier() = default;
    RpcRecordCarrier(const RpcRecordCarrier&) = delete;
    RpcRecordCarrier& operator=(const RpcRecordCarrier&) = delete;

    /// Sends a message as a record; what finds no room in the socket waits here.
    virtual void Send(ByteSpan message) = 0;
    /// No more events; FIN after what the socket has taken.
    virtual void Close() = 0;
    /// Closes the connection, and tells the owner so.
    virtual void Fail(RpcTcpEnd end) = 0;
    /// \return its port of this host; 0 when it has none.
    [[nodiscard]] virtual uint16_t GetLocalPort() const = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_RECORD_CARRIER_H
