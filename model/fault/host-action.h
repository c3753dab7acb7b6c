/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_HOST_ACTION_H
#define NFSRDMA_FAULT_HOST_ACTION_H

#include "wire/ip-address.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// What can go wrong inside a host; what each may say is in HOST_FAULTS.
enum class HostFaultKind : uint8_t
{
    RNIC_RESET, ///< The device forgets its queue pairs and registrations, and is silent meanwhile.
    QP_ERROR,   ///< A local catastrophic error: Terminate, work requests flushed.
    REGISTRATION_FAILURE, ///< Fast registrations complete with an error, which fails queue pairs.
    CQ_OVERFLOW,          ///< A completion queue overruns, which fails its queue pairs.
    SLOW_RECEIVER,        ///< Completions of receives are taken late.
    CRASH,                ///< The host is gone without a word with all that was in memory only, and
                          ///< boots after a while.
    THREAD_STALL,         ///< Threads of a server stand still.
    STORAGE_STALL,        ///< Storage of a server answers nothing.
    MEMORY_PRESSURE,      ///< Memory that is free for pinning and caching shrinks.
    REGION_SHORTAGE,      ///< The device has no memory regions left to allocate.
    RESTART,              ///< A server's nfsd is stopped in order and started again.
    PORT_DOWN,            ///< A port of the RNIC is dead, and its cable without a carrier.
    PORT_DEAF,            ///< A port of the RNIC receives nothing, and no end sees it.
    PORT_MUTE,            ///< What a port of the RNIC sends is lost, and no end sees it.
    ANSWER,               ///< A server answers a call with an error, and does nothing.
    RNIC_REMOVE,          ///< The device is removed in order: connections are closed, and when all
                          ///< who use it have let go it is gone.
    SLOT_SHRINK,          ///< A server takes slots away from sessions of NFSv4.1.
};

/// A HostFaultKind as fault plans write it: its name, and which fields of a HostFault it has.
struct HostFaultRow
{
    enum Use : uint8_t
    {
        NONE,
        OPTIONAL,
        NEEDED
    };

    std::string_view name;
    Use duration; ///< How long; OPTIONAL: at once, unless there is an amount.
    Use amount;   ///< Registrations that fail, threads (0: all) or pages that are left; a port;
                  ///< slots of each session (0: one).
    Use delay;    ///< Of each completion.
    Use peer;     ///< Whose connections.
    Use connection;
    const char* notOfClients{""}; ///< Why a client cannot have it; empty: it can.
    Use status{NONE};             ///< The error's name.
};

/// By kind.
inline constexpr std::array<HostFaultRow, 17> HOST_FAULTS{{
    {"rnic-reset", HostFaultRow::OPTIONAL, {}, {}, {}, {}},
    {"qp-error", {}, {}, {}, HostFaultRow::OPTIONAL, HostFaultRow::OPTIONAL},
    {"registration-failure", HostFaultRow::OPTIONAL, HostFaultRow::OPTIONAL, {}, {}, {}},
    {"cq-overflow", {}, {}, {}, HostFaultRow::OPTIONAL, HostFaultRow::OPTIONAL},
    {"slow-receiver", HostFaultRow::NEEDED, {}, HostFaultRow::NEEDED, HostFaultRow::OPTIONAL, {}},
    {"crash", HostFaultRow::NEEDED, {}, {}, {}, {}},
    {"thread-stall",
     HostFaultRow::NEEDED,
     HostFaultRow::OPTIONAL,
     {},
     {},
     {},
     "a client has no nfsd threads"},
    {"storage-stall", HostFaultRow::NEEDED, {}, {}, {}, {}, "a client has no storage"},
    {"memory-pressure", HostFaultRow::NEEDED, HostFaultRow::OPTIONAL, {}, {}, {}},
    {"region-shortage", HostFaultRow::OPTIONAL, HostFaultRow::OPTIONAL, {}, {}, {}},
    {"restart", HostFaultRow::OPTIONAL, {}, {}, {}, {}, "a client has no nfsd to restart"},
    {"port-down", HostFaultRow::NEEDED, HostFaultRow::OPTIONAL, {}, {}, {}},
    {"port-deaf", HostFaultRow::NEEDED, HostFaultRow::OPTIONAL, {}, {}, {}},
    {"port-mute", HostFaultRow::NEEDED, HostFaultRow::OPTIONAL, {}, {}, {}},
    {"answer", {}, {}, {}, {}, {}, "a client answers no calls of NFS", HostFaultRow::NEEDED},
    {"rnic-remove", HostFaultRow::OPTIONAL, {}, {}, {}, {}},
    {"slot-shrink", {}, HostFaultRow::OPTIONAL, {}, {}, {}, "a client has no slots to take away"},
}};

/// \return the name that fault plans use: "rnic-reset".
[[nodiscard]] std::string_view ToString(HostFaultKind kind);
/// \return the kind that \p name stands for; none for another word.
[[nodiscard]] std::optional<HostFaultKind> FindHostFaultKind(std::string_view name);
/// \return the names, in the order of the kinds.
[[nodiscard]] std::vector<std::string_view> GetHostFaultNames();

/// A call that a fault is about.
struct FaultedCall
{
    IpAddress client;
    uint32_t xid{0};
    std::string operation; ///< Of a COMPOUND; empty: the first behind SEQUENCE.
};

/// One fault inside a host.
struct HostFault
{
    HostFaultKind kind{HostFaultKind::RNIC_RESET};
    /// How long it lasts; see HOST_FAULTS.
    Time duration;
    /// How many of what the kind counts: registrations that fail, pages, threads, slots; which
    /// port, from 1 (0: the first).
    uint64_t amount{0};
    /// How late each of what the kind delays is.
    Time delay;
    /// Which of the servers of its host it is about, from 0; nothing: all, or the host.
    std::optional<uint32_t> server{};
    /// The host at the other end of the connection, of those the fault is about; empty: all.
    std::string peer;
    /// Which connection with each peer, in the order in which clients opened them to the port of
    /// NFS, from 1; 0: all.
    uint64_t connection{0};
    /// The error of NFS that is answered: "NFS4ERR_DELAY".
    std::string status{};
    /// Its number.
    uint32_t statusNumber{0};
    /// The call that is answered; known when the fault strikes.
    FaultedCall call{};
    /// The clients' ends, address and TCP port, of the connections that this number names; known
    /// when the fault strikes.
    std::vector<std::pair<IpAddress, uint16_t>> clientEnds{};
};

/// \return what is wrong with \p fault whatever the host ("needs a duration"), by
/// HOST_FAULTS; empty: nothing.
[[nodiscard]] std::string FindFlaw(const HostFault& fault);
/// \return whether the amount of a fault of \p kind is a port.
[[nodiscard]] bool IsOfPort(HostFaultKind kind);
/// \return whether a fault of \p kind is about connections, and may say which.
[[nodiscard]] bool IsOfConnections(HostFaultKind kind);

/**
 * \brief A host as a fault plan sees it: what can be done to it.
 */
class HostFaultTarget
{
  public:
    virtual ~HostFaultTarget() = default;

    /// \return why the host cannot have \p fault ("a client has no storage"); empty: it can.
    [[nodiscard]] virtual std::string Refuse(const HostFault& fault) const = 0;
    /// Has \p fault happen now. It ends by itself after its duration, if it has one.
    virtual void Inject(const HostFault& fault) = 0;
    /// \return whether there is now what \p fault is done to: a connection that it names, for one.
    [[nodiscard]] virtual bool HasObject(const HostFault& fault) const = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_HOST_ACTION_H
