/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_ABORT_STORM_H
#define NFSRDMA_FAULT_ADVERSARY_ABORT_STORM_H

#include "fault/adversary/role.h"
#include "nfs/v3/client3.h"
#include "rpc/client.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief A program that makes calls and gives them up again and again (section 3.4 of the draft),
 * on the connection that the other programs of its host use: rounds of Burst calls each Every.
 *
 * A call lists a directory, and so has a Reply chunk, or reads a file into a Write chunk. What
 * becomes of the chunk when the call is cancelled, after Patience, is the transport's CancelPolicy:
 * with Linux's, the server's RDMA Write into it ends the connection.
 */
class AbortStorm : public AdversaryRole
{
  public:
    static TypeId GetTypeId();
    AbortStorm();
    ~AbortStorm() override;

  protected:
    void DoDispose() override;
    void DoStart() override;
    void DoStop() override;

  private:
    void MakeRound();
    void MakeCall();
    /// \return the call's XID.
    uint32_t CallRead();
    void HandleEnd();
    void GiveUp(uint32_t xid);

    Time m_every;
    Time m_patience;
    uint64_t m_count{0};
    uint32_t m_burst{1};
    uint32_t m_octets{0};
    std::string m_operation;
    Ptr<RpcClient> m_rpc;
    Ptr<Nfs3Client> m_nfs;
    std::shared_ptr<HostBuffer> m_memory; ///< Where READs go.
    EventId m_round;
    uint32_t m_pending{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_ABORT_STORM_H
