/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_RAW_PEER_H
#define NFSRDMA_TEST_RPCRDMA_RAW_PEER_H

#include "rnic/connect/cm-id.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/receive-buffers.h"
#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/verbs-endpoint.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/// A peer that sends and answers whatever a test wants, on bare verbs.
class RawPeer
{
  public:
    static constexpr uint32_t RECEIVES = 200;

    explicit RawPeer(Ptr<RnicDevice> device);
    ~RawPeer();
    RawPeer(const RawPeer&) = delete;
    RawPeer& operator=(const RawPeer&) = delete;

    void Connect(const Address& remote,
                 const ByteVector& privateData,
                 uint32_t responderResources = 16,
                 uint32_t initiatorDepth = 0);
    bool Listen(uint16_t port, const ByteVector& privateData);
    void Send(const ByteVector& message);
    void SendWithInvalidate(const ByteVector& message, Stag stag);
    /// Registers \p buffer; the registration is posted at once.
    RpcRdmaSegment Register(const HostBuffer& buffer, uint32_t length, uint32_t access);
    /// Reads \p source into new memory, which is registered for it.
    void Read(const RpcRdmaSegment& source);
    /// \return octets of the latest Read.
    [[nodiscard]] ByteVector GetRead() const;
    void Disconnect();
    /// Gives every verbs object back.
    void Destroy();

    std::vector<ByteVector> received;
    std::vector<WorkCompletion> completions; ///< Of receives.
    std::vector<CmEventType> events;
    std::function<void(const ByteVector&)> onMessage;
    std::function<void(const TerminateMessage&)> onTerminate; ///< A Terminate was received.
    std::vector<WorkCompletion> sent;                         ///< Completions of the send queue.
    RpcRdmaPrivateData peer; ///< What the other side sent when the connection was made.
    ByteVector peerData;     ///< All of its private data.
    uint32_t peerIrd{0};     ///< RDMA Reads that it may have outstanding here.

  private:
    void Prepare();
    void HandleEvent(Ptr<CmId> id, const CmEvent& event);
    void HandleTerminate(const TerminateMessage& message);
    void HandleReceive(const WorkCompletion& completion);
    void Post(SendWorkRequest&& request);

    Ptr<RnicDevice> m_device;
    Ptr<CmId> m_listener;
    Ptr<CmId> m_cm;
    ByteVector m_privateData;
    std::unique_ptr<VerbsEndpoint> m_endpoint;
    std::unique_ptr<ReceiveBuffers> m_receives;
    std::unique_ptr<ChunkRegistrar> m_registrar;
    std::vector<HostBuffer> m_sent;
    HostBuffer m_read;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_RAW_PEER_H
