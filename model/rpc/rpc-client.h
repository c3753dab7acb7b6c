/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_RPC_CLIENT_H
#define NFSRDMA_RPC_RPC_CLIENT_H

#include "rpc/rpc-client-transport.h"
#include "rpc/rpc-message.h"

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <functional>

namespace ns3::nfsrdma
{

/// Arguments of a call as the program encodes them: what follows the RPC call header.
struct RpcArguments
{
    ByteVector head; ///< Up to and with the item's length word.
    std::optional<RpcDataItem> item;
    ByteVector tail; ///< What follows the item and its pad.
};

/**
 * \brief The client end of ONC RPC for one program and version: XIDs, credential, headers.
 *
 * XIDs count up from the attribute FirstXid. Procedure 0 goes without credential, as Linux's ping.
 *
 * Attributes: FirstXid, CallCost (Time before the transport gets a call), ReplyCost (Time between
 * the transport's end of an RPC and the program's), CopyRate (at which RpcRecord::copiedBytes
 * lengthen the ReplyCost; what a call's pull-up takes is counted there too).
 */
class RpcClient : public Object
{
  public:
    static TypeId GetTypeId();
    RpcClient();
    ~RpcClient() override;

    void SetTransport(Ptr<RpcClientTransport> transport);
    void SetProgram(uint32_t program, uint32_t version);
    void SetCredential(const AuthSysCredential& credential);

    /**
     * \brief The end of a call.
     * \param record how it went; programStatus may be set by the callee
     * \param results the message; when accepted, \p reader stands at the program's results
     */
    using Completion = std::function<
        void(RpcRecord& record, const RpcReceivedMessage& results, XdrReader& reader)>;

    /// Calls a procedure. \p reply counts the RPC reply header (RpcReplyHeader::ACCEPTED_SIZE).
    /// \return the XID
    uint32_t Call(uint32_t procedure,
                  RpcArguments&& arguments,
                  const RpcReplyEstimate& reply,
                  Completion completion);

    [[nodiscard]] Ptr<RpcClientTransport> GetTransport() const;

    /// Trace source "RpcCompleted": fired after each Completion has run.
    typedef void (*RpcCompletedTracedCallback)(const RpcRecord& record);

  protected:
    void DoDispose() override;

  private:
    void Finish(RpcRecord& record, RpcReceivedMessage&& message, const Completion& completion);
    void Deliver(RpcRecord& record,
                 const RpcReceivedMessage& message,
                 const Completion& completion);

    Ptr<RpcClientTransport> m_transport;
    RpcCallHeader m_header;
    RpcAuthFlavor m_flavor{RpcAuthFlavor::NONE}; ///< Of all procedures but NULL.
    uint32_t m_nextXid{0};
    Time m_callCost;
    Time m_replyCost;
    DataRate m_copyRate;
    TracedCallback<const RpcRecord&> m_rpcCompleted;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_RPC_CLIENT_H
