/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_PROGRAM_H
#define NFSRDMA_RPC_PROGRAM_H

#include "rpc/message-limits.h"
#include "rpc/message.h"
#include "rpc/payload.h"
#include "wire/ip-address.h"

#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/// An error that a program is told to answer a call with, in place of carrying it out.
struct RpcOrderedAnswer
{
    std::string operation;     ///< Of several that the call has; empty: the first that counts.
    uint32_t programStatus{0}; ///< Of the program's errors.
    bool ofHandles{false};     ///< Of several operations, the first that uses a filehandle counts.
};

/// A call as a program sees it. reader stands at the program's arguments.
struct RpcServerCall
{
    RpcCallHeader header;
    RpcReceivedMessage message;
    uint32_t argumentsPosition{0}; ///< Offset of the arguments in message.octets.
    IpAddress source;              ///< The client's address, as RpcServer::Receive() was told.
    uint64_t connection{0};        ///< The connection that it came over; 0: not known.
    /// Octets at most of a message in the reverse direction of that connection.
    uint32_t reverseLimit{UINT32_MAX};
    std::optional<RpcOrderedAnswer> ordered{}; ///< None: it is carried out.
};

/// The program's answer: accept status, and for SUCCESS the results (without the RPC header).
struct RpcServerReply
{
    RpcAcceptStatus status{RpcAcceptStatus::SUCCESS};
    RpcPayload results;
    /// Nothing is sent, and nothing remembered: the call is carried out when it is sent again.
    bool dropped{false};
    uint32_t operations{0}; ///< That the call consisted of, and were carried out; 0: of one.
    /// The call was of a session, which takes the lock of the program's clients and sessions before
    /// the operations and after them (HostCosts::serverSessionHold).
    bool isOfSession{false};
};

/// A program and version served by an RpcServer (NFSv3, for one).
class RpcProgram : public Object
{
  public:
    static TypeId GetTypeId();

    using Done = std::function<void(RpcServerReply&&)>;

    [[nodiscard]] virtual uint32_t GetProgram() const = 0;
    [[nodiscard]] virtual uint32_t GetVersion() const = 0;

    /// \return how large calls and replies can be; default: any size.
    [[nodiscard]] virtual RpcMessageLimits GetMessageLimits() const
    {
        return {};
    }

    /// Carries a call out; calls \p done once, now or later. Holds a server thread until then.
    virtual void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) = 0;

    /// \return whether a call that is carried out twice does no harm; else the server's duplicate
    /// request cache sees to it that it is not. Default: true.
    [[nodiscard]] virtual bool IsIdempotent(uint32_t /* procedure */) const
    {
        return true;
    }

    /// The same of one call, for programs whose procedures do different things. Default: by
    /// procedure.
    [[nodiscard]] virtual bool IsIdempotentCall(const RpcCallHeader& header,
                                                const RpcReceivedMessage& /* message */,
                                                uint32_t /* argumentsPosition */) const
    {
        return IsIdempotent(header.procedure);
    }

    /// A connection that calls may have come over (RpcServerCall::connection) is no more. Default:
    /// nothing.
    virtual void HandleConnectionEnd(uint64_t /*connection*/)
    {
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_PROGRAM_H
