/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_GSS_CREDENTIAL_H
#define NFSRDMA_RPC_SECURITY_GSS_CREDENTIAL_H

#include "rpc/security/gss-context.h"
#include "rpc/xdr-reader.h"
#include "rpc/xdr-writer.h"
#include "wire/decode-error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// gss_proc of a credential, RFC 2203 section 5.
enum class RpcSecGssProcedure : uint32_t
{
    DATA = 0,
    INIT = 1,
    CONTINUE_INIT = 2,
    DESTROY = 3
};

/// Service of a credential, RFC 2203 section 5; as a flavour of NFS it is called krb5, krb5i,
/// krb5p.
enum class RpcSecGssService : uint32_t
{
    NONE = 1,      ///< krb5: the call's header is authentic.
    INTEGRITY = 2, ///< krb5i: arguments and results are, too.
    PRIVACY = 3    ///< krb5p: and cannot be read.
};

/// \return "krb5", "krb5i" or "krb5p".
const char* ToString(RpcSecGssService service);
std::optional<RpcSecGssService> FindRpcSecGssService(const std::string& name);
/// \return the names above, in order.
std::vector<std::string> GetRpcSecGssServiceNames();

/// Credential body of flavor RPCSEC_GSS, version 1 (RFC 2203 section 5): 20 octets and the handle.
struct RpcSecGssCredential
{
    static constexpr uint32_t VERSION = 1;
    static constexpr uint32_t MAX_HANDLE = 256;
    /// Largest sequence number (RFC 2203 section 5.3.3.1).
    static constexpr uint32_t MAX_SEQUENCE = 0x80000000;

    uint32_t version{VERSION};
    RpcSecGssProcedure procedure{RpcSecGssProcedure::DATA};
    uint32_t sequence{0};
    RpcSecGssService service{RpcSecGssService::NONE};
    ByteVector handle;

    [[nodiscard]] uint32_t EncodedBodySize() const;
    void EncodeBody(XdrWriter& writer) const;
    /// The values of version, procedure and service are the receiver's to judge. TRUNCATED;
    /// TOO_LONG; TRAILING_DATA.
    [[nodiscard]] static Decoded<RpcSecGssCredential> DecodeBody(ByteSpan body);
};

/// rpc_gss_init_res, RFC 2203 section 5.2.3.1: results of a context's creation.
struct RpcSecGssInitResult
{
    static constexpr uint32_t COMPLETE = 0;                ///< gss_major: GSS_S_COMPLETE.
    static constexpr uint32_t CONTINUE_NEEDED = 1;         ///< gss_major: GSS_S_CONTINUE_NEEDED.
    static constexpr uint32_t DEFECTIVE_TOKEN = 9U << 16U; ///< GSS_S_DEFECTIVE_TOKEN.
    static constexpr uint32_t MAX_TOKEN = 65536;

    ByteVector handle;
    uint32_t major{COMPLETE};
    uint32_t minor{0};
    uint32_t window{0}; ///< Sequence numbers the acceptor's window spans.
    ByteVector token;

    void Encode(XdrWriter& writer) const;
    [[nodiscard]] static Decoded<RpcSecGssInitResult> Decode(XdrReader& reader);
};

/// \return what a MIC of a sequence number or a window is made over: it in network byte order.
ByteVector EncodeGssNumber(uint32_t number);

/**
 * \brief Arguments and results under service integrity and privacy, RFC 2203 sections 5.3.2.2 and
 * 5.3.2.3.
 *
 *     integrity:  length | sequence number | data | length of MIC | MIC over number and data
 *     privacy:    length | Wrap token that holds sequence number and data | pad
 */
class RpcSecGssBody
{
  public:
    /// \return octets in front of the data: length and number, or length and head of the token.
    [[nodiscard]] static uint32_t GetHeadOverhead(RpcSecGssService service);
    /// \return octets after data whose length is a multiple of 4.
    [[nodiscard]] static uint32_t GetTailOverhead(RpcSecGssService service, GssEnctype enctype);

    /// Appends the body for \p data to \p writer.
    static void Encode(XdrWriter& writer,
                       GssContext& context,
                       RpcSecGssService service,
                       uint32_t sequence,
                       ByteSpan data);
    /// \return the data of the body at \p reader, which must be all that is left. TRUNCATED;
    /// TRAILING_DATA; BAD_CHECKSUM; BAD_VALUE: another sequence number.
    [[nodiscard]] static Decoded<ByteVector> Decode(XdrReader& reader,
                                                    const GssContext& context,
                                                    RpcSecGssService service,
                                                    uint32_t sequence);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_GSS_CREDENTIAL_H
