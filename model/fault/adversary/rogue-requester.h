/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_ROGUE_REQUESTER_H
#define NFSRDMA_FAULT_ADVERSARY_ROGUE_REQUESTER_H

#include "fault/adversary/rogue-connection.h"
#include "fault/adversary/role.h"
#include "nfs/v3/arguments.h"
#include "rpc/xdr-writer.h"

#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A requester that speaks RPC-over-RDMA, and NFSv3, over connections of its own, and breaks
 * a rule every so often on each. A connection that is lost is made anew after a while.
 */
class RogueRequester : public AdversaryRole, private RogueConnectionOwner
{
  public:
    static TypeId GetTypeId();
    RogueRequester();

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;
    void DoStart() override;
    void DoStop() override;

    /// Does what the role is about, once.
    virtual void Act(RogueConnection& connection) = 0;

    /// A reply has come, whose header can be decoded.
    virtual void HandleReply(RogueConnection& /* connection */, const RpcRdmaHeader& /* header */)
    {
    }

    void HandleRead(RogueConnection& /* connection */) override
    {
    }

    /// A connection has ended: what is kept for it is not needed any more.
    virtual void Forget(uint32_t /* connection */)
    {
    }

    /// Offers to pull replies that come as Read chunks.
    [[nodiscard]] virtual bool Pulls() const
    {
        return false;
    }

    /// NoteBroken() towards the server.
    void NoteDone(const std::string& what);
    /// \return true when the attribute Count allows one more.
    [[nodiscard]] bool MayAct() const;

    [[nodiscard]] UniformRandomVariable& GetRandom()
    {
        return *m_random;
    }

    [[nodiscard]] uint32_t TakeXid()
    {
        return m_nextXid++;
    }

    /// \return RDMA_MSG with an NFSv3 call under AUTH_SYS.
    template <typename Args>
    [[nodiscard]] ByteVector MakeCall(uint32_t xid,
                                      const Args& args,
                                      const RpcRdmaChunkLists& chunks = {}) const
    {
        XdrWriter writer;
        EncodeXdr(writer, args);
        return WrapCall(xid, static_cast<uint32_t>(Args::PROCEDURE), writer.Take(), chunks);
    }

  private:
    // RogueConnectionOwner
    void HandleOpen(RogueConnection& connection) override
    {
        ActNow(connection.GetNumber());
    }

    void HandleMessage(RogueConnection& connection, const ByteVector& message) override;
    void HandleClosed(RogueConnection& connection) override;

    [[nodiscard]] ByteVector WrapCall(uint32_t xid,
                                      uint32_t procedure,
                                      const ByteVector& arguments,
                                      const RpcRdmaChunkLists& chunks) const;
    void Open(uint32_t number);
    void ActNow(uint32_t number);

    struct Slot
    {
        Ptr<RogueConnection> connection;
        EventId next; ///< Act(), or Open() again.
    };

    Time m_every;
    uint64_t m_count{0};
    uint32_t m_connections{1};
    Time m_reconnectDelay;
    Ptr<UniformRandomVariable> m_random;
    uint32_t m_nextXid{0};
    std::vector<Slot> m_slots;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_ROGUE_REQUESTER_H
