/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_ACCEPTOR_H
#define NFSRDMA_RPC_SECURITY_ACCEPTOR_H

#include "rpc/message.h"
#include "rpc/payload.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <memory>

namespace ns3::nfsrdma
{

/// Protects the reply of one call as its flavour wants it.
class RpcReplySealer
{
  public:
    virtual ~RpcReplySealer() = default;

    /// \return what the reply costs the processor.
    [[nodiscard]] virtual Time GetCost(const RpcPayload& results) const = 0;
    /// \return the whole reply; \p results count when \p header says SUCCESS.
    [[nodiscard]] virtual RpcPayload Seal(RpcReplyHeader header, RpcPayload&& results) = 0;
};

/// What is to be done with a call that an RpcAcceptor has looked at.
struct RpcAcceptance
{
    enum class Action
    {
        DISPATCH, ///< To its program; arguments are in clear now.
        REPLY,    ///< It is answered with \p reply, which is whole.
        DENY,     ///< It is refused with \p status.
        DROP,     ///< Nothing is answered.
    };

    Action action{Action::DENY};
    RpcAuthStatus status{RpcAuthStatus::BADCRED};
    RpcPayload reply;
    std::shared_ptr<RpcReplySealer> sealer; ///< For DISPATCH.
    AuthSysCredential identity;             ///< For DISPATCH: who the server takes the caller for.
};

/**
 * \brief The server's side of a security flavour with verifiers: looks at each call before its
 * program does.
 */
class RpcAcceptor : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return what a call of \p octets costs a thread.
    [[nodiscard]] virtual Time GetCost(const RpcCallHeader& header, uint32_t octets) const = 0;
    /// \param argumentsPosition offset of the arguments in the octets of \p message; they are
    /// replaced by those in clear
    [[nodiscard]] virtual RpcAcceptance Accept(const RpcCallHeader& header,
                                               RpcReceivedMessage& message,
                                               uint32_t argumentsPosition) = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_ACCEPTOR_H
