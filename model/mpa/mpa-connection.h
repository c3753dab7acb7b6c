/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_MPA_CONNECTION_H
#define NFSRDMA_MPA_MPA_CONNECTION_H

#include "mpa/byte-stream.h"
#include "mpa/mpa-error.h"
#include "mpa/startup-frame.h"
#include "mpa/ulpdu-stream.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

namespace ns3::nfsrdma
{

/// What one side says, or hears, at startup: read depths and the consumer's private data.
struct MpaStartupParameters
{
    uint16_t ird{0}; ///< Inbound RDMA Reads the side can hold.
    uint16_t ord{0}; ///< Outbound RDMA Reads the side wants.
    ByteVector privateData; ///< For the consumer; without the enhanced block.
};

/**
 * \brief One MPA connection: startup, then FPDUs (RFC 5044, RFC 6581).
 *
 *     initiator: IDLE -> WAIT_REPLY ----------------------> OPERATIONAL -> CLOSED
 *     responder: IDLE -> WAIT_REQUEST -> WAIT_DECISION ---> OPERATIONAL -> CLOSED
 *
 * The responder sends no FPDU before it has received one (RFC 5044 section 7.1.2 rule 4): until then
 * CanSend() is false. Markers are neither asked for nor inserted; a Request that asks for them is
 * rejected (R set, M clear).
 */
class MpaConnection : public Object, public UlpduStream
{
  public:
    enum class State
    {
        IDLE,
        WAIT_REPLY,
        WAIT_REQUEST,
        WAIT_DECISION,
        OPERATIONAL,
        CLOSED
    };

    static TypeId GetTypeId();
    MpaConnection();
    ~MpaConnection() override;

    /// Takes \p stream, which may still be connecting, and starts as initiator.
    void StartInitiator(Ptr<ByteStream> stream, const MpaStartupParameters& local);
    /// Takes the accepted \p stream and waits for a Request.
    void StartResponder(Ptr<ByteStream> stream);
    /// Answers the Request with a good Reply; only after the RequestCallback.
    void Accept(const MpaStartupParameters& local);
    /// Answers the Request with R set; the stream is then closed.
    void Reject(ByteSpan privateData);
    /// Closes in order: what has been committed is sent, then FIN.
    void Close();
    /// Drops the connection at once.
    void Abort();

    [[nodiscard]] State GetState() const;
    /// \return whether CRCs are in use; negotiated once OPERATIONAL.
    [[nodiscard]] bool IsCrcEnabled() const;
    [[nodiscard]] Address GetPeerAddress() const;

    // UlpduStream
    [[nodiscard]] uint32_t GetMulpdu() const override;
    [[nodiscard]] bool CanSend() const override;
    [[nodiscard]] MutableByteSpan BeginUlpdu(uint32_t length) override;
    void CommitUlpdu() override;

    /// Responder: a valid Request has arrived; answer with Accept() or Reject().
    using RequestCallback = Callback<void, const MpaStartupParameters&>;
    /// Initiator: a good Reply has arrived (parameters of the peer, read depths negotiated:
    /// ird and ord are those of THIS side). Responder: the Reply has been sent.
    using OperationalCallback = Callback<void, const MpaStartupParameters&>;
    /// Initiator: the peer refused; private data of the Reply.
    using RejectedCallback = Callback<void, ByteSpan>;
    /// One ULPDU in order. The span is valid during the call only.
    using UlpduCallback = Callback<void, ByteSpan>;
    /// CanSend() may have become true.
    using ReadyCallback = Callback<void>;
    /// An error of section 8. For CRC_MISMATCH the stream still stands so that a Terminate can be
    /// sent, but nothing more is delivered; the owner closes it.
    using ErrorCallback = Callback<void, MpaError>;
    /// The peer closed in order.
    using ClosedCallback = Callback<void>;

    void SetRequestCallback(RequestCallback callback);
    void SetOperationalCallback(OperationalCallback callback);
    void SetRejectedCallback(RejectedCallback callback);
    void SetUlpduCallback(UlpduCallback callback);
    void SetReadyCallback(ReadyCallback callback);
    void SetErrorCallback(ErrorCallback callback);
    void SetClosedCallback(ClosedCallback callback);

  protected:
    void DoDispose() override;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_MPA_CONNECTION_H
