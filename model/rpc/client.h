/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_CLIENT_H
#define NFSRDMA_RPC_CLIENT_H

#include "host/cpu.h"
#include "rpc/client-transport.h"
#include "rpc/message.h"
#include "rpc/security/flavour.h"
#include "rpc/short-reply-retry.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <functional>

namespace ns3::nfsrdma
{

/// Arguments of a call as the program encodes them: what follows the RPC call header.
using RpcArguments = RpcPayload;

/**
 * \brief The client end of ONC RPC for one program and version: XIDs, and a security flavour that
 * makes the headers.
 *
 * XIDs are the transport's: programs that share one share its counter. Procedure 0 goes without
 * credential, as Linux's ping.
 *
 * Each call is submitted by a thread of the application, which takes HostCosts::clientPageCost for
 * each page. Then it is a task of its own, as in Linux, that needs a core of the host twice: for
 * CallCost before the transport gets the call, and for ReplyCost between the transport's end of the
 * RPC and the program's. Copying RpcRecord::copiedBytes lengthens the latter; what a call's pull-up
 * takes is counted there too.
 */
class RpcClient : public Object
{
  public:
    static TypeId GetTypeId();
    RpcClient();

    void SetTransport(Ptr<RpcClientTransport> transport)
    {
        m_transport = transport;
    }

    /// The processor that calls run on. Default: one of its own.
    void SetHostCpu(Ptr<HostCpu> cpu)
    {
        m_cpu = cpu;
    }

    void SetProgram(uint32_t program, uint32_t version);

    /// The flavour of all procedures but NULL. Default: AUTH_NONE.
    void SetSecurity(Ptr<RpcSecurity> security)
    {
        m_security = security;
    }

    /// AUTH_SYS from now on.
    void SetCredential(const AuthSysCredential& credential);

    /// Gives up what the server keeps for the flavour; call it before the transport disconnects.
    void EndSecurity()
    {
        m_security->End(*this);
    }

    /**
     * \brief The end of a call.
     * \param record how it went; programStatus may be set by the callee
     * \param results the message; when accepted, \p reader stands at the program's results
     */
    using Completion = std::function<
        void(RpcRecord& record, const RpcReceivedMessage& results, XdrReader& reader)>;

    /// Calls a procedure; when its reply is not bounded, several times if need be
    /// (ShortReplyRetry). The completion and the record are those of the last RPC; submitted is the
    /// first's, and attempts tells how many there were. \p reply counts the RPC reply header
    /// (RpcReplyHeader::ACCEPTED_SIZE). \p path tells which of several connections of the transport
    /// is to carry it. \return the XID of its first try; see RpcSecurity::Submit()
    uint32_t Call(uint32_t procedure,
                  RpcArguments&& arguments,
                  RpcReplyEstimate reply,
                  Completion completion,
                  RpcPath path = RPC_PATH_ANY);

    /// Calls made from now on have waited in the application since \p time; none: they have not.
    void SetArrival(std::optional<Time> time)
    {
        m_arrival = time;
    }

    /// Calls made from now on are submitted by \p thread, one after the other; null: each by a
    /// thread of its own.
    void SetSubmitter(Ptr<HostThread> thread)
    {
        m_submitter = thread;
    }

    /// \return when a call that is made now has arrived in the application.
    [[nodiscard]] Time GetArrival() const;

    /// Gives up the call that Call() gave \p xid, under whatever XID it was made again since: it
    /// ends with CANCELLED, now or as soon as its memory is safe.
    /// \return false when there is none with this XID, or its reply has come: then nothing changes.
    bool Cancel(uint32_t xid);

    /// The host has crashed: what was called before ends with CANCELLED, a reply that has come and
    /// not been told of too. RpcClientTransport::Crash() ends the calls that the transport has.
    void Crash();

    [[nodiscard]] Ptr<RpcClientTransport> GetTransport() const
    {
        return m_transport;
    }

    [[nodiscard]] Ptr<RpcSecurity> GetSecurity() const
    {
        return m_security;
    }

    // For the flavour, which makes calls of its own.

    [[nodiscard]] Ptr<HostCpu> GetHostCpu() const
    {
        return m_cpu;
    }

    /// \return the next XID.
    [[nodiscard]] uint32_t TakeXid()
    {
        return m_transport->TakeXid();
    }

    /// Sets program and version.
    void NameProgram(RpcRecord& record) const;
    /// The call under way as \p before is made again as \p now.
    void Rename(uint32_t before, uint32_t now);

    /// Trace source "RpcCompleted": fired after each Completion has run.
    typedef void (*RpcCompletedTracedCallback)(const RpcRecord& record);

  protected:
    void DoDispose() override;

  private:
    /// What is kept of a call that the program waits for.
    struct Waiting
    {
        Completion completion;
        RpcPath path;
        std::shared_ptr<ShortReplyRetry> retry; ///< Null unless the call may be made again.
        uint32_t first{0};                      ///< XID of the first try; 0: this is the first.
        Time arrived{};                         ///< See RpcRecord.
        uint64_t crashes{0};                    ///< Of the host when it was called.
        bool isOfData{false};                   ///< A READ or WRITE.
    };

    uint32_t Start(uint32_t procedure,
                   Time submitted,
                   RpcArguments&& arguments,
                   RpcReplyEstimate&& reply,
                   Waiting&& waiting);
    /// \return from now until a task that costs \p cost, and that \p core queues at \p earliest, is
    /// done; see HostCpu::RunTask().
    [[nodiscard]] Time RunTask(Time earliest, Time cost, int32_t core = HostCpu::ANY_CORE);
    /// \return when the call has been submitted by the application.
    [[nodiscard]] Time Submit(uint64_t octets);
    void SubmitHeld(const Ptr<RpcSecurity>& security, std::unique_ptr<RpcTransportCall> call);
    void Finish(RpcRecord& record, RpcReceivedMessage&& message, const Waiting& waiting);
    /// \return whether a call that has ended with \p record is to be made again; when it cannot
    /// have more room, the transport is told.
    [[nodiscard]] bool IsMadeAgain(const RpcRecord& record,
                                   std::optional<RpcAcceptStatus> refusal,
                                   ShortReplyRetry& retry) const;
    void Deliver(RpcRecord& record, const RpcReceivedMessage& message, const Waiting& waiting);

    Ptr<RpcClientTransport> m_transport;
    Ptr<HostCpu> m_cpu;
    uint32_t m_program{0};
    uint32_t m_version{0};
    Ptr<RpcSecurity> m_none;     ///< Of procedure NULL.
    Ptr<RpcSecurity> m_security; ///< Of all others.
    std::optional<Time> m_arrival;
    Ptr<HostThread> m_submitter;
    std::vector<uint32_t> m_held;           ///< Calls on their way to the transport, not cancelled.
    std::map<uint32_t, uint32_t> m_renamed; ///< XIDs of calls made again, by that of the first try.
    uint64_t m_crashes{0};
    uint32_t m_replyAttempts{1};
    uint32_t m_replyGrowth{1};
    Time m_callCost;
    Time m_replyCost;
    TracedCallback<const RpcRecord&> m_rpcCompleted;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_CLIENT_H
