/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_QP_H
#define NFSRDMA_RNIC_QUEUE_QP_H

#include "host/cpu.h"
#include "host/memory-accounts.h"
#include "rdmap/terminate-message.h"
#include "rnic/queue/async-event-reporter.h"
#include "rnic/queue/cq.h"
#include "rnic/queue/element-memory.h"
#include "rnic/queue/qp-capabilities.h"
#include "rnic/queue/qp-receiver.h"
#include "rnic/queue/qp-stream.h"
#include "rnic/queue/qp-termination.h"
#include "rnic/queue/qp-transmitter.h"
#include "rnic/queue/rq.h"
#include "rnic/queue/sq.h"
#include "rnic/queue/work-request.h"

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <optional>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// iWARP queue pair states (RDMAC verbs section 6.2).
enum class QueuePairState
{
    IDLE,
    RTS,
    CLOSING,
    TERMINATE,
    ERROR
};

const char* ToString(QueuePairState state);

class RnicDevice;

/**
 * \brief A queue pair: a send and a receive queue over one RDMAP stream.
 *
 *     IDLE -- attached to a connection --> RTS
 *     RTS -- disconnect, send queue empty --> CLOSING -- connection closed --> ERROR
 *     RTS -- error found here, Terminate received --> TERMINATE -- connection closed --> ERROR
 *     RTS -- disconnect with work, connection lost, MoveToError() --> ERROR
 *     IDLE, CLOSING, TERMINATE -- MoveToError() --> ERROR
 *
 * Modify() asks for a transition by the name of the state. When the connection of a queue pair in
 * CLOSING is closed, async event SQ_DRAINED is raised. On leaving RTS the send queue, then the
 * receive queue, is flushed: what had been done completes with success, the work request at fault
 * with its status, all others with WR_FLUSH_ERR; payload that the bus has in flight is in host
 * memory before, so that nothing changes memory whose receive has been flushed. An ERROR queue pair
 * is never usable again.
 *
 * Receives may be posted in IDLE; sends in RTS only (NOT_CONNECTED before). In TERMINATE and ERROR
 * both are accepted and flushed at once. Completions come in posting order within each queue. A
 * send queue slot is free again when its completion, or a later signaled one, has been polled.
 */
class QueuePair : public Object, private CompletionQueueUser
{
  public:
    static TypeId GetTypeId();
    QueuePair();
    ~QueuePair() override;

    /// Posts one work request. INVALID_ARGUMENT, NO_MEMORY (queue full, or the pages of a
    /// registration would pass the host's limit of pinned ones) or NOT_CONNECTED.
    tl::expected<void, VerbsError> PostSend(const SendWorkRequest& request);
    /// Posts a chain with one doorbell: all, or none.
    tl::expected<void, VerbsError> PostSend(const std::vector<SendWorkRequest>& chain);
    /// INVALID_ARGUMENT, also with a shared receive queue; NO_MEMORY.
    tl::expected<void, VerbsError> PostReceive(const ReceiveWorkRequest& request);

    [[nodiscard]] uint32_t GetNumber() const
    {
        return m_number;
    }

    [[nodiscard]] QueuePairState GetState() const
    {
        return m_state;
    }

    /// \return outbound RDMA Reads that may be outstanding, as negotiated.
    [[nodiscard]] uint32_t GetOrd() const
    {
        return m_ord;
    }

    [[nodiscard]] uint32_t GetIrd() const
    {
        return m_ird;
    }

    /// \return send work requests posted and not completed.
    [[nodiscard]] uint32_t GetOutstandingSends() const
    {
        return m_sendQueue.GetOutstanding();
    }

    /// \return receives posted and not consumed; with a shared receive queue, those taken there.
    [[nodiscard]] uint32_t GetPostedReceives() const
    {
        return m_receiveQueue.GetPosted();
    }

    /// \return what was asked for, with the device's limits in place of zeros.
    [[nodiscard]] const QueuePairCapabilities& GetCapabilities() const
    {
        return m_capabilities;
    }

    /// Names the thread that posts; by default one of its own.
    void SetThread(Ptr<HostThread> thread);

    /// Pages that registrations on the send queue pin are charged to \p account of the host's
    /// memory from now on, and the buffers of TCP if it is not connected yet.
    void SetMemoryAccount(HostMemoryAccount account)
    {
        m_memoryAccount = account;
    }

    [[nodiscard]] HostMemoryAccount GetMemoryAccount() const
    {
        return m_memoryAccount;
    }

    [[nodiscard]] Ptr<HostThread> GetThread() const
    {
        return m_thread;
    }

    /// What it has of the transmit engine.
    struct TransmitShare
    {
        uint32_t weight{1};         ///< Segments in one of its turns.
        DataRate rate{uint64_t{0}}; ///< Of payload, at most; 0: as RnicSettings::qpRate says.
    };

    /// Takes effect from the next segment on (as ibv_modify_qp_rate_limit). INVALID_ARGUMENT for a
    /// weight of 0.
    tl::expected<void, VerbsError> SetTransmitShare(const TransmitShare& share);

    [[nodiscard]] const TransmitShare& GetTransmitShare() const
    {
        return m_transmitShare;
    }

    /**
     * \brief Asks for a transition: RTS to CLOSING (disconnects; with work outstanding it becomes
     * ERROR), RTS to TERMINATE (fails the stream, with a Terminate 0/0/00), any state to ERROR.
     * \return INVALID_ARGUMENT for any other
     */
    tl::expected<void, VerbsError> Modify(QueuePairState state);
    /// Moves to ERROR: flushes both queues and drops the connection.
    void MoveToError();

    /// Signatures of the trace sources.
    using StateTracedCallback = void (*)(QueuePairState before, QueuePairState after);
    using PostSendTracedCallback = void (*)(const SendWorkRequest& request);
    using PostReceiveTracedCallback = void (*)(const ReceiveWorkRequest& request);
    using WorkDoneTracedCallback = void (*)(uint64_t id,
                                            WorkCompletionOpcode kind,
                                            WorkCompletionStatus status,
                                            const WorkTimeline& timeline);
    using TerminateTracedCallback = void (*)(const TerminateMessage& message);

    // For the connection manager only.

    /// An id connects this queue pair from now on.
    void Claim()
    {
        m_claimed = true;
    }

    /// \return whether the queue pair, in IDLE, is an id's already.
    [[nodiscard]] bool IsClaimed() const
    {
        return m_claimed && m_state == QueuePairState::IDLE;
    }

    using ConnectionCallback = Callback<void>;

    /// Called once, from an event, when the connection of this queue pair is over.
    void SetDisconnectedCallback(ConnectionCallback callback)
    {
        m_disconnected = callback;
    }

    /// Called once, when the first FPDU of the peer has come, at a responder.
    void SetOpenedCallback(ConnectionCallback callback)
    {
        m_opened = callback;
    }

    /// Takes an OPERATIONAL connection and moves from IDLE to RTS; \return false in other states.
    [[nodiscard]] bool Attach(Ptr<MpaConnection> connection, uint32_t ird, uint32_t ord);
    /// Closes the connection in order.
    void Disconnect();
    /// As MoveToError(), but the connection is dropped at once. Not from within the stream.
    void Abort();
    /// \return when the last completion appears, or has appeared.
    [[nodiscard]] Time GetLastCompletion() const;

    // For the device and the parts of this queue pair only.

    void Bind(RnicDevice& device,
              Ptr<ProtectionDomain> domain,
              Ptr<CompletionQueue> sendCompletions,
              Ptr<CompletionQueue> receiveCompletions,
              const QueuePairCapabilities& capabilities,
              uint32_t number);
    /// Drops work and connection: the queue pair is being destroyed.
    void Shutdown();

    [[nodiscard]] RnicDevice& GetDevice() const
    {
        return *m_device;
    }

    /// \return where receives complete; null once destroyed.
    [[nodiscard]] Ptr<CompletionQueue> GetReceiveCompletions() const
    {
        return m_receiveCompletions;
    }

    [[nodiscard]] const ProtectionDomain& GetDomain() const
    {
        return *m_domain;
    }

    [[nodiscard]] StagUser GetStagUser() const
    {
        return {*m_domain, m_number};
    }

    [[nodiscard]] const ElementMemory& GetMemory() const
    {
        return *m_memory;
    }

    /// \return memory as its receive buffers see it.
    [[nodiscard]] const ElementMemory& GetReceiveMemory() const
    {
        return m_capabilities.sharedReceiveQueue ? m_capabilities.sharedReceiveQueue->GetMemory()
                                                 : *m_memory;
    }

    [[nodiscard]] SendQueue& GetSendQueue()
    {
        return m_sendQueue;
    }

    [[nodiscard]] ReceiveQueue& GetReceiveQueue()
    {
        return m_receiveQueue;
    }

    [[nodiscard]] const QueuePairReceiver& GetReceiver() const
    {
        return m_receiver;
    }

    [[nodiscard]] QueuePairTransmitter& GetTransmitter()
    {
        return m_transmitter;
    }

    /// \return the stream, or null before RTS.
    [[nodiscard]] RdmapStream* GetStream()
    {
        return m_stream.GetStream();
    }

    /// \return whether there is a connection: from RTS until it has ended, which may be before the
    /// consumer has been told.
    [[nodiscard]] bool HasConnection() const
    {
        return m_stream.HasConnection();
    }

    /// \return what HasConnection() says is there.
    [[nodiscard]] const MpaConnection& GetConnection() const
    {
        return m_stream.GetConnection();
    }

    /// What the stream emits from now on leaves at \p at, as MpaConnection::SetDeparture() says.
    void SetDeparture(Time at)
    {
        m_stream.SetDeparture(at);
    }

    /// \return how TCP has ended, when that is what ended the connection.
    [[nodiscard]] std::optional<StreamEnd> GetStreamEnd() const
    {
        return m_stream.GetStreamEnd();
    }

    /// \return true in RTS when no FPDU has come from the peer.
    [[nodiscard]] bool IsPeerSilent() const
    {
        return m_state == QueuePairState::RTS && GetConnection().GetCounters().rxFpdus == 0;
    }

    /// The first FPDU has come, or there is room to send again.
    void ConnectionReady();
    /// The connection is gone, or going, and has said so.
    void ConnectionLost();
    /// The connection has been given up.
    void ConnectionEnded();

    [[nodiscard]] QueuePairStream& GetConnectedStream()
    {
        return m_stream;
    }

    [[nodiscard]] QueuePairTermination& GetTermination()
    {
        return m_termination;
    }

    /// See QueuePairTermination.
    void FailLocally(const SendQueueEntry* entry, WorkCompletionStatus status)
    {
        m_termination.FailLocally(entry, status);
    }

    /// Leaves RTS for TERMINATE: raises \p event, completes \p failed (null: none) with \p
    /// sendStatus and the oldest receive with \p receiveStatus, and flushes the rest.
    void EnterTerminate(AsyncEventType event,
                        const SendQueueEntry* failed,
                        WorkCompletionStatus sendStatus,
                        WorkCompletionStatus receiveStatus);

    [[nodiscard]] const TracedCallback<const TerminateMessage&>& GetTerminateSentTrace() const
    {
        return m_terminateSentTrace;
    }

    [[nodiscard]] const TracedCallback<const TerminateMessage&>& GetTerminateReceivedTrace() const
    {
        return m_terminateReceivedTrace;
    }

  protected:
    void DoDispose() override;

  private:
    using Ending = QueuePairStream::Ending;

    // CompletionQueueUser
    void SendSlotsPolled(uint32_t slots) override
    {
        m_sendQueue.AddFreeSlots(slots);
    }

    void CompletionQueueFailed() override
    {
        MoveToError();
    }

    [[nodiscard]] bool IsWorkTraced() const override
    {
        return !m_workDoneTrace.IsEmpty();
    }

    void WorkDone(const WorkCompletion& completion, const WorkTimeline& timeline) override
    {
        m_workDoneTrace(completion.id, completion.opcode, completion.status, timeline);
    }

    void CaptureInline(const SendWorkRequest& request, uint32_t length);
    void SetState(QueuePairState state);
    /// Leaves IDLE or RTS: flushes both queues.
    void Flush(const SendQueueEntry* failed = nullptr,
               WorkCompletionStatus sendStatus = WorkCompletionStatus::WR_FLUSH_ERR,
               WorkCompletionStatus receiveStatus = WorkCompletionStatus::WR_FLUSH_ERR);

    RnicDevice* m_device{nullptr};
    Ptr<ProtectionDomain> m_domain;
    Ptr<CompletionQueue> m_sendCompletions;
    Ptr<CompletionQueue> m_receiveCompletions;
    QueuePairCapabilities m_capabilities;
    TransmitShare m_transmitShare;
    HostMemoryAccount m_memoryAccount{0};
    Ptr<HostThread> m_thread;
    uint32_t m_number{0};
    QueuePairState m_state{QueuePairState::IDLE};
    uint32_t m_ird{0};
    uint32_t m_ord{0};
    bool m_claimed{false};
    SendQueue m_sendQueue;
    ReceiveQueue m_receiveQueue;
    std::optional<ElementMemory> m_memory;
    QueuePairReceiver m_receiver;
    QueuePairTransmitter m_transmitter;
    QueuePairStream m_stream;
    QueuePairTermination m_termination;
    ConnectionCallback m_disconnected;
    ConnectionCallback m_opened;

    TracedCallback<QueuePairState, QueuePairState> m_stateTrace;
    TracedCallback<const SendWorkRequest&> m_postSendTrace;
    TracedCallback<const ReceiveWorkRequest&> m_postReceiveTrace;
    TracedCallback<uint64_t, WorkCompletionOpcode, WorkCompletionStatus, const WorkTimeline&>
        m_workDoneTrace;
    TracedCallback<const TerminateMessage&> m_terminateSentTrace;
    TracedCallback<const TerminateMessage&> m_terminateReceivedTrace;
    TracedCallback<AsyncEventType, uint32_t> m_asyncEventTrace;
    AsyncEventReporter m_asyncEvents;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_QP_H
