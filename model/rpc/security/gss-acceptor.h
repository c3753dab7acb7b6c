/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_GSS_ACCEPTOR_H
#define NFSRDMA_RPC_SECURITY_GSS_ACCEPTOR_H

#include "host/memory.h"
#include "rpc/security/acceptor.h"
#include "rpc/security/gss-costs.h"
#include "rpc/security/gss-sequence-window.h"
#include "rpc/security/krb5-token.h"

#include "ns3/traced-callback.h"

#include <map>
#include <string>

namespace ns3::nfsrdma
{

/// What a GssAcceptor counts.
struct GssAcceptorStatistics
{
    uint64_t contextsCreated{0};
    uint64_t contextsDestroyed{0}; ///< At the client's wish.
    uint64_t contextsEvicted{0};   ///< For want of room.
    uint64_t contextsExpired{0};
    uint64_t badTokens{0};       ///< No context was created.
    uint64_t unknownContexts{0}; ///< Calls in a context that is not there.
    uint64_t badVerifiers{0};
    uint64_t badSequences{0}; ///< Calls dropped: the number was used before, or is too old.
    uint64_t badBodies{0};    ///< Arguments that were changed under a MIC or a seal.
};

/**
 * \brief RPCSEC_GSS (RFC 2203) over Kerberos on the server: the contexts of all clients.
 *
 * | found | answer |
 * |---|---|
 * | version not 1, service or procedure unknown | AUTH_REJECTEDCRED |
 * | INIT with a handle, or a control procedure other than NULL | AUTH_BADCRED |
 * | token that cannot be read | gss_major DEFECTIVE_TOKEN |
 * | handle unknown or expired; verifier's MIC wrong | RPCSEC_GSS_CREDPROBLEM |
 * | sequence number above 2^31 | RPCSEC_GSS_CTXPROBLEM |
 * | number used before, or below the window | none: dropped |
 * | arguments' MIC or seal wrong, another number in them, items in chunks | GARBAGE_ARGS |
 */
class GssAcceptor : public RpcAcceptor
{
  public:
    static TypeId GetTypeId();
    GssAcceptor();
    ~GssAcceptor() override;

    /// Where the items of results are; needed for krb5i and krb5p.
    void SetHostMemory(Ptr<HostMemory> memory)
    {
        m_memory = memory;
    }

    /// Default: one of its own.
    void SetCosts(Ptr<GssCosts> costs)
    {
        m_costs = costs;
    }

    /// Calls of \p principal are those of \p identity, as by an entry of idmapd's static mapping;
    /// calls of others are nobody's.
    void MapPrincipal(const std::string& principal, const AuthSysCredential& identity)
    {
        m_identities[principal] = identity;
    }

    /// Forgets every context, as a server does that starts anew.
    void Forget()
    {
        m_contexts.clear();
    }

    [[nodiscard]] Time GetCost(const RpcCallHeader& header, uint32_t octets) const override;
    [[nodiscard]] RpcAcceptance Accept(const RpcCallHeader& header,
                                       RpcReceivedMessage& message,
                                       uint32_t argumentsPosition) override;

    [[nodiscard]] uint32_t GetContextCount() const
    {
        return m_contexts.size();
    }

    [[nodiscard]] const GssAcceptorStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// Trace source "CallDropped": a call whose sequence number was not taken.
    typedef void (*CallDroppedTracedCallback)(const RpcCallHeader& header);

  protected:
    void DoDispose() override;

  private:
    class Sealer;

    struct Context
    {
        std::shared_ptr<GssContext> tokens;
        GssSequenceWindow window;
        Time expiry; ///< Never when zero.
        AuthSysCredential identity;
    };

    /// uid and gid of who is not known.
    static constexpr uint32_t NOBODY = 65534;

    using Contexts = std::map<ByteVector, Context>;

    [[nodiscard]] RpcAcceptance Deny(RpcAuthStatus status) const;
    [[nodiscard]] RpcAcceptance Init(const RpcCallHeader& header,
                                     ByteSpan message,
                                     uint32_t argumentsPosition);
    [[nodiscard]] RpcSecGssInitResult CreateContext(const Krb5Token& request);
    [[nodiscard]] AuthSysCredential Identify(const std::string& principal) const;
    [[nodiscard]] Contexts::iterator Find(const ByteVector& handle);
    [[nodiscard]] RpcAcceptance Open(const RpcCallHeader& header,
                                     RpcReceivedMessage& message,
                                     uint32_t argumentsPosition,
                                     std::shared_ptr<RpcReplySealer> sealer,
                                     const GssContext& tokens);

    uint32_t m_windowSize{0};
    uint32_t m_handleSize{0};
    uint32_t m_tokenSize{0};
    uint32_t m_maxContexts{0};
    Time m_lifetime;
    Ptr<HostMemory> m_memory;
    Ptr<GssCosts> m_costs;

    std::map<std::string, AuthSysCredential> m_identities; ///< By principal.
    Contexts m_contexts;                                   ///< By handle; handles ascend.
    uint32_t m_nextHandle{1};
    GssAcceptorStatistics m_statistics;
    TracedCallback<const RpcCallHeader&> m_callDroppedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_GSS_ACCEPTOR_H
