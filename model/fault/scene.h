/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_SCENE_H
#define NFSRDMA_FAULT_SCENE_H

#include "fault/sentence.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a run has that faults can be about.
struct FaultScene
{
    std::size_t servers{1};
    std::size_t clients{1};
    uint32_t serversPerHost{1};     ///< Behind each name of a server; more: "server-0.1" is one.
    std::string nfsVersion{"3"};    ///< "2", "3", "4.0", "4.1", "4.2".
    bool readChunks{false};         ///< Replies come as Read chunks, and RDMA_DONE answers them.
    bool remoteInvalidation{true};  ///< Servers may invalidate clients' STags.
    bool tcp{false};                ///< NFS goes over TCP: no RDMA.
    std::string whyNoClientCrashes; ///< What a crash of a client needs; empty: it can be.
    bool ipv6{false};               ///< No link may be narrower than IPv6 wants.
    std::vector<uint32_t> ports;    ///< Of each host; those behind the last have one.

    /// \return "server-0", ..., "client-0", ...: hosts are numbered like this everywhere.
    [[nodiscard]] std::vector<std::string> GetHostNames() const;
    /// \return the numbers of the hosts that \p name stands for: a host, "clients" or "servers";
    /// empty for another word. A server, "server-0.1", is none.
    [[nodiscard]] std::vector<std::size_t> FindHosts(const std::string& name) const;
    /// \return which of the servers of its host \p name is, 1 of "server-0.1"; nothing: another
    /// word, or a number that no server has.
    [[nodiscard]] std::optional<uint32_t> FindServer(const std::string& name) const;

    [[nodiscard]] bool IsServer(std::size_t host) const
    {
        return host < servers;
    }
};

/**
 * \brief Finds why \p spec makes no sense in \p scene: hosts that are not there, events that never
 * occur, actions that its trigger or its host cannot have.
 * \return none when it makes sense
 */
[[nodiscard]] std::optional<FaultError> CheckFault(const FaultSpec& spec, const FaultScene& scene);

/// \return the host whose link or inside \p spec is about, by name; empty: none is named.
[[nodiscard]] std::string GetActionHost(const FaultSpec& spec);

/// \return the names that "nfs NAME call" can have with a version of NFS, for "nfs", "nfsacl" and
/// "callback"; empty when calls of the program never occur over RDMA.
[[nodiscard]] std::vector<std::string> GetProcedureNames(const std::string& program,
                                                         const std::string& nfsVersion);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_SCENE_H
