/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_FLAVOUR_H
#define NFSRDMA_RPC_SECURITY_FLAVOUR_H

#include "rpc/client-transport.h"
#include "rpc/message.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <memory>

namespace ns3::nfsrdma
{

class RpcClient;

/**
 * \brief The client's side of a security flavour: puts header, credential and verifier in front of
 * a call's arguments, and checks what comes back.
 *
 * Several RpcClients of a host that call the same server may share one.
 */
class RpcSecurity : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \brief Hands a call to \p client's transport, now or when the flavour is ready for it.
     *
     * \param call carries arguments only in \p call->call; its record has XID, program, version and
     * procedure. Its \p completed gets the reply as if there were no flavour: arguments and results
     * in clear. A flavour may call again, under another XID, of which it tells \p client
     * (RpcClient::Rename()); the record has the last one.
     */
    virtual void Submit(RpcClient& client, std::unique_ptr<RpcTransportCall> call) = 0;

    /// \return what \p octets of arguments cost the processor before the call is submitted.
    [[nodiscard]] virtual Time GetCallCost(uint32_t /*octets*/) const
    {
        return Time(0);
    }

    /// \return what \p octets of a reply cost the processor before the program gets it.
    [[nodiscard]] virtual Time GetReplyCost(uint32_t /*octets*/) const
    {
        return Time(0);
    }

    /// Gives up what the server keeps for the flavour; its call is pending at \p client's transport
    /// when this returns.
    virtual void End(RpcClient& /*client*/)
    {
    }

    /// Ends a call of \p client with CANCELLED that waits for the flavour. \return whether there is
    /// one.
    virtual bool Cancel(const RpcClient& /* client */, uint32_t /* xid */)
    {
        return false;
    }

    /// The host has crashed: what this end kept for the flavour is gone.
    virtual void Forget()
    {
    }

    /// \return one line per thing that calls wait for before their submission.
    [[nodiscard]] virtual std::vector<std::string> DescribeWaiting() const
    {
        return {};
    }
};

/// Flavour AUTH_NONE, RFC 5531 section 8.1.
class AuthNoneSecurity : public RpcSecurity
{
  public:
    static TypeId GetTypeId();

    void Submit(RpcClient& client, std::unique_ptr<RpcTransportCall> call) override;
};

/// Flavour AUTH_SYS, RFC 5531 section 8.2, with one credential.
class AuthSysSecurity : public RpcSecurity
{
  public:
    static TypeId GetTypeId();

    void SetCredential(const AuthSysCredential& credential);

    void Submit(RpcClient& client, std::unique_ptr<RpcTransportCall> call) override;

  private:
    RpcCallHeader m_header;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_FLAVOUR_H
