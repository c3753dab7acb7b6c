/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_SERVICE_TIMES_BOOK_H
#define NFSRDMA_HELPER_SERVICE_TIMES_BOOK_H

#include "rpc/record.h"
#include "rpc/service-times.h"
#include "rpc/tcp/listener.h"
#include "rpcrdma/server/responder.h"
#include "wire/ip-address.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What servers tell of the calls that they have answered, kept until their client tells that
 * the RPC has ended: the two are joined by an address of the client and the XID, as somebody would
 * who has a log of each host. It must outlive the simulation.
 */
class ServiceTimesBook
{
  public:
    ServiceTimesBook() = default;
    ServiceTimesBook(const ServiceTimesBook&) = delete;
    ServiceTimesBook& operator=(const ServiceTimesBook&) = delete;

    /// Listens to \p server from now on.
    void Watch(const Ptr<RpcRdmaServer>& server);
    /// As above.
    void Watch(const Ptr<RpcTcpServer>& server);

    /// \param client its addresses
    /// \return what the server has told of the reply that \p client got to the RPC of \p record,
    /// the latest one that can be it; nothing when there is none, as of a reply that was lost. All
    /// that is known of that XID is forgotten.
    [[nodiscard]] std::optional<RpcServiceTimes> Take(const std::vector<IpAddress>& client,
                                                      const RpcRecord& record);

  private:
    void Note(const RpcServiceTimes& times);

    /// By client and XID.
    std::map<std::pair<IpAddress, uint32_t>, std::vector<RpcServiceTimes>> m_replies;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_SERVICE_TIMES_BOOK_H
