/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_QP_STREAM_H
#define NFSRDMA_RNIC_QUEUE_QP_STREAM_H

#include "host/memory.h"
#include "mpa/connection.h"
#include "rdmap/stream.h"
#include "rnic/hardware/receive-buffer.h"

#include "ns3/event-id.h"

#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

class QueuePair;
class QueuePairReceiver;

/**
 * \brief The RDMAP stream of a queue pair and the MPA connection below it, from RTS to the end of
 * the connection.
 *
 * ULPDUs go to the stream while the queue pair is in RTS, as far as the device's ReceiveBuffer has
 * room for their FPDUs. An error in what was received that leaves
 * the connection standing (CRC, marker) fails the stream; the loss or the end of the connection is
 * told to the queue pair. The connection is given up from a simulator event of its own, so that
 * this may be asked for from within the stream. As long as it stands, the buffers of TCP are
 * charged to the queue pair's account of host memory; what TCP holds after that is the host's
 * alone.
 */
class QueuePairStream final : private ReceiveClient
{
  public:
    /// How a connection is given up.
    enum class Ending
    {
        CLOSE,
        ABORT
    };

    explicit QueuePairStream(QueuePair& pair);
    ~QueuePairStream() override;
    QueuePairStream(const QueuePairStream&) = delete;
    QueuePairStream& operator=(const QueuePairStream&) = delete;

    /// Takes an OPERATIONAL connection.
    void Open(Ptr<MpaConnection> connection,
              QueuePairReceiver& receiver,
              const RdmapStreamOptions& options);

    /// \return the stream, or null before Open() and after the end.
    [[nodiscard]] RdmapStream* GetStream() const
    {
        return m_stream.get();
    }

    /// \return whether there is a connection: from RTS until it has ended.
    [[nodiscard]] bool HasConnection() const
    {
        return m_connection != nullptr;
    }

    [[nodiscard]] const MpaConnection& GetConnection() const
    {
        return *m_connection;
    }

    void SetDeparture(Time at)
    {
        m_connection->SetDeparture(at);
    }

    /// \return how TCP has ended, when that is what ended the connection of Open().
    [[nodiscard]] std::optional<StreamEnd> GetStreamEnd() const
    {
        return m_streamEnd;
    }

    /// \return true while a responder may not send since nothing has come from its peer.
    [[nodiscard]] bool IsMute() const;
    /// Gives the connection up, if there is one, as the next thing that happens.
    void ScheduleEnd(Ending ending);
    /// Gives the connection up now, if there is one. Not from within the stream.
    void End(Ending ending);
    /// Drops everything, without a word to the peer or the queue pair.
    void Dispose();

  private:
    void Release();
    void RoomMade() override;
    [[nodiscard]] uint32_t HandleRoom(uint32_t needed);
    void HandleUlpdu(ByteSpan ulpdu, bool placed);
    bool HandleUnordered(ByteSpan ulpdu);
    void HandleReady();
    void HandleError(MpaError error);
    void HandleClosed();
    void ChargeBuffers(uint64_t held, uint64_t waiting);

    QueuePair& m_pair;
    QueuePairReceiver* m_receiver{nullptr};
    Ptr<MpaConnection> m_connection;
    std::unique_ptr<RdmapStream> m_stream;
    std::optional<StreamEnd> m_streamEnd;
    EventId m_end;
    // Charged.
    Ptr<HostMemory> m_memory;
    HostMemoryAccount m_account{0};
    uint64_t m_held{0};
    uint64_t m_waiting{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_QP_STREAM_H
