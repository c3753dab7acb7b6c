/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V4_CAPTURED_RPCS_H
#define NFSRDMA_TEST_NFS_V4_CAPTURED_RPCS_H

#include "helper/capture/rpcrdma-conversation.h"
#include "rpc/message.h"
#include "rpc/payload.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// One RPC of a capture, its chunks put back in place but for the reduced items.
struct CapturedRpc
{
    bool reverse{false}; ///< The responder called.
    RpcRdmaHeader callTransport;
    std::size_t callOctets{0}; ///< Of the Send.
    RpcReceivedMessage call;
    RpcCallHeader callHeader;
    std::size_t argumentsPosition{0};

    std::size_t replyOctets{0}; ///< Of the Send; 0 without.
    std::optional<RpcRdmaHeader> replyTransport;
    RpcReceivedMessage reply; ///< When there is one, as all below.
    RpcReplyHeader replyHeader;
    std::size_t resultsPosition{0};

    /// \return "XID 0x1234abcd".
    [[nodiscard]] std::string ToString() const;
    [[nodiscard]] ByteSpan GetArguments() const;
    [[nodiscard]] ByteSpan GetResults() const;
};

/// \return all RPCs of a capture whose octets are all in it, by order of calls.
[[nodiscard]] std::vector<CapturedRpc> ReadCapturedRpcsOf(const std::string& path);
/// The same of a capture under test/data.
[[nodiscard]] std::vector<CapturedRpc> ReadCapturedRpcs(const std::string& name);

/// The captures of NFSv4.1.
inline constexpr const char* NFS41_CAPTURES[]{"linux-6.1-nfs-v4.1-mount",
                                              "linux-6.1-nfs-v4.1-mtu1500",
                                              "linux-6.1-nfs-v4.1-nfsd-restart"};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V4_CAPTURED_RPCS_H
