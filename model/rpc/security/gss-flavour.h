/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_GSS_FLAVOUR_H
#define NFSRDMA_RPC_SECURITY_GSS_FLAVOUR_H

#include "host/memory.h"
#include "rpc/security/flavour.h"
#include "rpc/security/gss-costs.h"

#include "ns3/traced-callback.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a GssSecurity counts.
struct GssSecurityStatistics
{
    uint64_t contextsCreated{0};
    uint64_t contextsRefused{0}; ///< The server did not create one.
    uint64_t contextsLost{0};    ///< The server knew one no longer.
    uint64_t badVerifiers{0};    ///< Replies whose verifier is wrong.
    uint64_t badBodies{0};       ///< Replies whose results were changed under a MIC or a seal.
    uint64_t callsRepeated{0};   ///< Calls made again, under another XID.
};

/**
 * \brief Flavour RPCSEC_GSS (RFC 2203) over Kerberos on the client: krb5, krb5i or krb5p, with one
 * context.
 *
 *     no context --first call--> RPCSEC_GSS_INIT --reply--> context --End()--> RPCSEC_GSS_DESTROY
 *         ^                                                    |
 *         +------- CREDPROBLEM, CTXPROBLEM, last number -------+
 *
 * Calls wait while there is no context; when none can be made they end with REJECTED, or as the
 * transport ended the attempt.
 *
 * Under krb5 a call's header is authentic and data items may be reduced as ever. Under krb5i and
 * krb5p the items are put into the arguments, which a MIC or a seal covers; the transport must not
 * reduce then, and the room for the reply grows by what the flavour adds.
 *
 * A retransmission needs a new sequence number (RFC 2203 section 5.3.3.1), so the call has
 * RpcTransportCall::reencode. A call that the server answers with CREDPROBLEM or CTXPROBLEM is made
 * again in a new context; one answered with GARBAGE_ARGS under krb5i or krb5p, in the same.
 * What costs the processor is in GssCosts. See GssContext about the cryptography: there is none.
 */
class GssSecurity : public RpcSecurity
{
  public:
    static TypeId GetTypeId();
    GssSecurity();
    ~GssSecurity() override;

    /// Whom contexts are for; default "client".
    void SetPrincipal(const std::string& principal)
    {
        m_principal = principal;
    }

    /// Where the items of calls are; needed for krb5i and krb5p.
    void SetHostMemory(Ptr<HostMemory> memory)
    {
        m_memory = memory;
    }

    /// Default: one of its own.
    void SetCosts(Ptr<GssCosts> costs)
    {
        m_costs = costs;
    }

    void Submit(RpcClient& client, std::unique_ptr<RpcTransportCall> call) override;

    [[nodiscard]] Time GetCallCost(uint32_t octets) const override
    {
        return m_costs->GetMessageCost(m_service, octets);
    }

    [[nodiscard]] Time GetReplyCost(uint32_t octets) const override
    {
        return m_costs->GetMessageCost(m_service, octets);
    }

    void End(RpcClient& client) override;
    bool Cancel(const RpcClient& client, uint32_t xid) override;
    void Forget() override;
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

    [[nodiscard]] bool HasContext() const
    {
        return m_context != nullptr;
    }

    [[nodiscard]] const GssSecurityStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// Trace source "ContextCreated": with the acceptor's window.
    typedef void (*ContextCreatedTracedCallback)(uint32_t window);
    /// Trace source "ContextLost": auth_stat of the reply that said so.
    typedef void (*ContextLostTracedCallback)(uint32_t authStatus);

  protected:
    void DoDispose() override;

  private:
    struct Context;
    struct HeldCall;
    enum class Verdict;

    void SetService(std::string name);
    [[nodiscard]] std::string GetServiceName() const;
    void SetEnctype(std::string name);
    [[nodiscard]] std::string GetEnctypeName() const;

    void Send(const std::shared_ptr<HeldCall>& held);
    [[nodiscard]] RpcPayload Encode(HeldCall& held, uint32_t xid) const;
    void Enlarge(RpcReplyEstimate& reply) const;
    void HandleReply(const std::shared_ptr<HeldCall>& held,
                     RpcRecord& record,
                     RpcReceivedMessage&& message);
    Verdict Open(const HeldCall& held, RpcReceivedMessage& message);
    void LoseContext(uint32_t authStatus);

    void CreateContext(RpcClient& client);
    void SendInit(Ptr<RpcClient> client);
    void HandleInit(uint64_t nonce, RpcRecord& record, const RpcReceivedMessage& message);
    [[nodiscard]] bool TakeInitResult(uint64_t nonce, const RpcReceivedMessage& message);

    RpcSecGssService m_service{RpcSecGssService::NONE};
    GssEnctype m_enctype{GssEnctype::AES256_CTS_HMAC_SHA1_96};
    uint32_t m_tokenSize{0};
    uint32_t m_repeats{0};
    std::string m_principal{"client"};
    Ptr<HostMemory> m_memory;
    Ptr<GssCosts> m_costs;

    std::shared_ptr<Context> m_context;
    bool m_creating{false};
    uint32_t m_contextCount{0};
    std::vector<std::shared_ptr<HeldCall>> m_waiting; ///< For a context, in order.
    GssSecurityStatistics m_statistics;
    TracedCallback<uint32_t> m_contextCreatedTrace;
    TracedCallback<uint32_t> m_contextLostTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_GSS_FLAVOUR_H
