/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_FRAME_EVENT_H
#define NFSRDMA_FAULT_FRAME_EVENT_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

/// What a frame can be or bring, as a fault plan names it. See model/FAULTS.md for the rules.
enum class FaultEventKind : uint8_t
{
    SEGMENT,        ///< Any TCP segment, each time it is sent.
    DATA,           ///< One with payload, each time it is sent.
    RETRANSMISSION, ///< One whose payload, not empty, was sent before.
    ACK,            ///< One without payload, SYN, FIN and RST.
    SYN,
    FIN,
    RST,
    MPA_REQUEST,
    MPA_REPLY,
    FPDU,
    RDMA_WRITE, ///< From here on, messages: an event is the first FPDU of one.
    READ_REQUEST,
    READ_RESPONSE,
    SEND, ///< Any kind of Send.
    SEND_INVALIDATE,
    SEND_SOLICITED,
    TERMINATE,
    RDMA_MSG,
    RDMA_NOMSG,
    RDMA_DONE,
    RDMA_ERROR,
    RPC_CALL,
    RPC_REPLY,
};

/// How many there are.
inline constexpr std::size_t FAULT_EVENT_KINDS = 23;

/// \return the name that fault plans use: "rdma-write".
[[nodiscard]] std::string_view ToString(FaultEventKind kind);
/// \return the kind that \p name stands for; none for another word.
[[nodiscard]] std::optional<FaultEventKind> FindFaultEventKind(std::string_view name);
/// \return the names, in the order of the kinds.
[[nodiscard]] std::vector<std::string_view> GetFaultEventNames();

/// Which RPC a message is about.
struct RpcName
{
    std::string_view program; ///< "nfs", "nfsacl" or "callback"; empty: another one, or unknown.
    /// The procedure; of a COMPOUND "COMPOUND" and the operations, as far as they can be decoded.
    std::vector<std::string_view> procedures;
};

/// Something that a frame is or brings.
struct FaultEvent
{
    FaultEventKind kind{FaultEventKind::SEGMENT};
    std::optional<uint32_t> xid;        ///< Of events of RPC-over-RDMA and RPC.
    std::shared_ptr<const RpcName> rpc; ///< Of RPC_CALL and RPC_REPLY; null: unknown.
    std::optional<std::size_t> fpdu;    ///< Index among those of the frame; none: not about one.

    /// \return "rdma-write", "rpc-call nfs READ xid 0x1234".
    [[nodiscard]] std::string ToText() const;
};

/// Which events a fault waits for.
struct FaultEventPattern
{
    FaultEventKind kind{FaultEventKind::SEGMENT};
    std::optional<uint32_t> xid;
    std::string program;   ///< "nfs", "nfsacl", "callback"; empty: any.
    std::string procedure; ///< "READ"; empty: any.

    [[nodiscard]] bool Matches(const FaultEvent& event) const;
};

/// \return "0x00001234".
[[nodiscard]] std::string XidToText(uint32_t xid);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_FRAME_EVENT_H
