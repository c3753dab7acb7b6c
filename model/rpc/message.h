/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_MESSAGE_H
#define NFSRDMA_RPC_MESSAGE_H

#include "rpc/security/gss-credential.h"
#include "rpc/xdr-reader.h"
#include "rpc/xdr-writer.h"
#include "wire/decode-error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// msg_type of a call (RFC 5531 section 9).
constexpr uint32_t RPC_MSG_CALL = 0;
/// msg_type of a reply.
constexpr uint32_t RPC_MSG_REPLY = 1;
/// The procedure that every program has, without arguments and results.
constexpr uint32_t RPC_NULL_PROCEDURE = 0;

/// Authentication flavours, RFC 5531 section 8.2.
enum class RpcAuthFlavor : uint32_t
{
    NONE = 0,
    SYS = 1,
    GSS = 6,
    TLS = 7 ///< RFC 9289 section 4.1: of a NULL call that asks for TLS.
};

/// AUTH_SYS credential body, RFC 5531 appendix A.
struct AuthSysCredential
{
    static constexpr uint32_t MAX_MACHINE_NAME = 255;
    static constexpr uint32_t MAX_GIDS = 16;

    uint32_t stamp{0};
    std::string machineName;
    uint32_t uid{0};
    uint32_t gid{0};
    std::vector<uint32_t> gids;

    /// \return octets of the credential with its flavor and length words.
    [[nodiscard]] uint32_t EncodedSize() const;
    /// Writes the body, without flavor and length.
    void EncodeBody(XdrWriter& writer) const;
    /// TOO_LONG when a limit is passed, or \p body does not hold exactly one credential.
    [[nodiscard]] static Decoded<AuthSysCredential> DecodeBody(ByteSpan body);
};

/// auth_stat, RFC 5531 section 9; from 13 on RFC 2203 section 4.
enum class RpcAuthStatus : uint32_t
{
    BADCRED = 1,
    REJECTEDCRED = 2,
    BADVERF = 3,
    REJECTEDVERF = 4,
    TOOWEAK = 5,
    RPCSEC_GSS_CREDPROBLEM = 13,
    RPCSEC_GSS_CTXPROBLEM = 14
};

/// Call header, RFC 5531 section 9. Without a credential the flavor is AUTH_NONE.
struct RpcCallHeader
{
    static constexpr uint32_t RPC_VERSION = 2;
    static constexpr uint32_t MAX_AUTH_BODY = 400;

    /// \return octets of the whole header.
    [[nodiscard]] uint32_t EncodedSize() const;
    uint32_t xid{0};
    uint32_t program{0};
    uint32_t version{0};
    uint32_t procedure{0};
    RpcAuthFlavor flavor{RpcAuthFlavor::NONE};
    AuthSysCredential authSys; ///< With flavor SYS; with GSS, who the server takes the caller for.
    RpcSecGssCredential gss;   ///< With flavor GSS.
    /// With flavor GSS: body of an RPCSEC_GSS verifier. Empty: the verifier is another, or null.
    ByteVector verifier;
    /// Decode() only: octets from the XID to the end of the credential, which a verifier is over.
    uint32_t credentialEnd{0};
    /// Decode() only, with flavor TLS: what is wrong with it (RFC 9289 section 4.1): BADCRED, the
    /// credential has a body; BADVERF, the verifier is not of AUTH_NONE, or has one.
    std::optional<RpcAuthStatus> tlsFault;

    void Encode(XdrWriter& writer) const;
    /// Writes the header up to and with the credential: the verifier is to follow.
    void EncodeToCredential(XdrWriter& writer) const;
    /// BAD_VALUE when it is no Call; BAD_VERSION when rpcvers is not 2 (xid is then in the octets);
    /// TOO_LONG when credential or verifier pass their limits or the credential is malformed;
    /// TRUNCATED.
    [[nodiscard]] static Decoded<RpcCallHeader> Decode(XdrReader& reader);
};

enum class RpcAcceptStatus : uint32_t
{
    SUCCESS = 0,
    PROG_UNAVAIL = 1,
    PROG_MISMATCH = 2,
    PROC_UNAVAIL = 3,
    GARBAGE_ARGS = 4,
    SYSTEM_ERR = 5
};

/// Reply header, RFC 5531 section 9: 24 octets when accepted with SUCCESS, and the verifier's body.
struct RpcReplyHeader
{
    static constexpr uint32_t ACCEPTED_SIZE = 24;

    uint32_t xid{0};
    bool denied{false};
    RpcAcceptStatus acceptStatus{RpcAcceptStatus::SUCCESS}; ///< When not denied.
    uint32_t low{0};                                        ///< PROG_MISMATCH and RPC_MISMATCH.
    uint32_t high{0};                                       ///< PROG_MISMATCH and RPC_MISMATCH.
    std::optional<uint32_t> authStatus; ///< denied with AUTH_ERROR; else RPC_MISMATCH.
    ByteVector verifier; ///< Accepted: body of an RPCSEC_GSS verifier; empty: null, or another.
    /// Accepted: the verifier is of AUTH_NONE with body "STARTTLS" (RFC 9289 section 4.1).
    bool startTls{false};

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<RpcReplyHeader> Decode(XdrReader& reader);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_MESSAGE_H
