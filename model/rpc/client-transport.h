/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_CLIENT_TRANSPORT_H
#define NFSRDMA_RPC_CLIENT_TRANSPORT_H

#include "rpc/payload.h"
#include "rpc/record.h"

#include "ns3/object.h"

#include <functional>

namespace ns3::nfsrdma
{

/// Until when a transport waits for the reply to a call.
struct RpcCallTimes
{
    Time wait;        ///< For the reply to the transmission under way.
    Time major;       ///< The end of the RPC, or of the round of transmissions.
    bool over{false}; ///< A soft RPC has had its time; it ends when its connection has.
};

/// Which of several connections to a server carries a call: its number, counted from 0.
using RpcPath = uint32_t;
/// The main one, for what sets up and keeps client state (RPC_TASK_NO_ROUND_ROBIN).
constexpr RpcPath RPC_PATH_MAIN = 0;
/// The one that is next.
constexpr RpcPath RPC_PATH_ANY = UINT32_MAX;

/// A call on its way through a transport.
struct RpcTransportCall
{
    RpcPayload call;         ///< The encoded call; octets 0 to 3 are the XID.
    RpcReplyEstimate reply;  ///< Where the reply may go.
    bool noReduction{false}; ///< The security flavour forbids chunks that reduce items.
    RpcPath path{RPC_PATH_ANY};
    /// Encodes \p call anew, under the same XID: to be called before each retransmission. Null when
    /// the same octets may be sent again.
    std::function<void(RpcTransportCall& again)> reencode;
    RpcRecord record; ///< Filled in on the way; xid to procedure and submitted are set.
    /// Called once, when the RPC has ended and no chunk of it is registered any more. message is
    /// empty unless record.outcome is SUCCESS (the RPC header is still to be decoded).
    std::function<void(RpcRecord& record, RpcReceivedMessage&& message)> completed;

    uint64_t order{0};   ///< Of submission; the transport's.
    bool hasSlot{false}; ///< The transport's: record.slot is known.
    bool isTurn{false};  ///< The transport's: record.credit is known.
    Time ready;          ///< The transport's: not to be sent before.
    RpcCallTimes times;  ///< The transport's.
};

/// What a client takes of calls in the reverse direction.
struct RpcReverseLimits
{
    uint32_t message{4096}; ///< Octets at most of a call, and of a reply.
    uint32_t calls{16};     ///< At the same time, at most.
};

/**
 * \brief Carries RPC calls of one client to one server. Implemented over RDMA by RpcRdmaClient.
 */
class RpcClientTransport : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the XID for the next call of any program; they count up from the attribute FirstXid.
    uint32_t TakeXid()
    {
        return m_xids ? m_xids->TakeXid() : m_nextXid++;
    }

    /// Takes XIDs from \p owner from now on, so that both have one space of them.
    void ShareXids(Ptr<RpcClientTransport> owner)
    {
        m_xids = owner;
    }

    /// Takes a call; it is sent when a credit is free, in order of submission.
    virtual void Submit(std::unique_ptr<RpcTransportCall> call) = 0;

    /// \return connections that RpcTransportCall::path may name; 1 unless told otherwise.
    [[nodiscard]] virtual uint32_t GetPathCount() const
    {
        return 1;
    }

    /// \return octets at most that a call with an estimate like \p reply can have room for when
    /// its tail grows; default: UINT64_MAX, no limit is known.
    [[nodiscard]] virtual uint64_t GetLargestRoom(const RpcReplyEstimate& reply) const;

    /// A further try of the call of \p record is not made, and why. Default: nobody is told.
    virtual void NoteRefusal(const RpcRecord& /* record */, const std::string& /* reason */)
    {
    }

    /// \return what calls of the server may be on this transport, as it is now. Default: a page for
    /// each message and 16 calls, as Linux over TCP.
    [[nodiscard]] virtual RpcReverseLimits GetReverseLimits() const
    {
        return {};
    }

    /// Gives a call up: it ends with CANCELLED, now or as soon as its memory is safe.
    /// \return false when there is none with this XID, its reply has come, or the transport cannot:
    /// then nothing changes.
    virtual bool Cancel(uint32_t /* xid */)
    {
        return false;
    }

    /// The host has crashed: every call ends with CANCELLED, the connection is gone without a word,
    /// and what is submitted from now on waits for Boot(). The device and the ports are dead.
    virtual void Crash()
    {
    }

    /// The host is there again: connects when it was to be connected, or calls wait.
    virtual void Boot()
    {
    }

    /// \return calls submitted and not completed.
    [[nodiscard]] virtual uint32_t GetPending() const = 0;
    /// \return one line per thing that is waited for: XID and credit, reply, chunk or connection.
    [[nodiscard]] virtual std::vector<std::string> DescribeWaiting() const = 0;

  protected:
    void DoDispose() override;

  private:
    uint32_t m_nextXid{1};
    Ptr<RpcClientTransport> m_xids; ///< Whose XIDs are used; null: its own.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_CLIENT_TRANSPORT_H
