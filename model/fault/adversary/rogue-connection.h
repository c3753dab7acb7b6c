/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_ROGUE_CONNECTION_H
#define NFSRDMA_FAULT_ADVERSARY_ROGUE_CONNECTION_H

#include "fault/adversary/host.h"
#include "rnic/connect/cm-id.h"
#include "rpcrdma/message/transport-header.h"
#include "rpcrdma/receive-buffers.h"
#include "rpcrdma/verbs-endpoint.h"

#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <memory>

namespace ns3::nfsrdma
{

class RogueConnection;

/// Who is told what happens to a RogueConnection.
class RogueConnectionOwner
{
  public:
    virtual ~RogueConnectionOwner() = default;

    virtual void HandleOpen(RogueConnection& connection) = 0;
    /// \param message as it came
    virtual void HandleMessage(RogueConnection& connection, const ByteVector& message) = 0;
    /// An RDMA Read has completed.
    virtual void HandleRead(RogueConnection& connection) = 0;
    /// Told once: the connection has ended, or could not be made, and holds nothing any more.
    virtual void HandleClosed(RogueConnection& connection) = 0;
};

/**
 * \brief A connection of a requester that sends what it likes: no credits are looked at, and no
 * message is checked.
 *
 *     Open() --> ESTABLISHED --> Close(), or the peer's end --> HandleClosed()
 */
class RogueConnection : public SimpleRefCount<RogueConnection>
{
  public:
    /// \param owner outlives it, or calls Abandon()
    RogueConnection(const AdversaryHost& host, RogueConnectionOwner& owner, uint32_t number);
    ~RogueConnection();
    RogueConnection(const RogueConnection&) = delete;
    RogueConnection& operator=(const RogueConnection&) = delete;

    /// Connects, with the private data of RFC 8797, and the offer to pull replies if \p pulls.
    /// \return false when the device has no objects left; HandleClosed() does not follow
    bool Open(bool pulls);
    void Close();
    /// Gives everything back at once; the owner is told nothing more.
    void Abandon();

    [[nodiscard]] uint32_t GetNumber() const
    {
        return m_number;
    }

    [[nodiscard]] bool IsOpen() const
    {
        return m_open;
    }

    /// \return the largest Send that the server says it takes, octets.
    [[nodiscard]] uint32_t GetServerReceiveSize() const
    {
        return m_serverReceiveSize;
    }

    /// Posts a Send. \return false when the queue pair refuses.
    bool Send(const ByteVector& octets);
    /// Posts an RDMA Read of \p length octets, at most 64 KiB, \p offset into \p source.
    bool Read(const RpcRdmaSegment& source, uint32_t offset, uint32_t length);

    static constexpr uint32_t MAX_READ = 65536;

  private:
    void HandleEvent(Ptr<CmId> id, const CmEvent& event);
    void HandleSendCompletion(const WorkCompletion& completion);
    void HandleReceive(const WorkCompletion& completion);
    bool MakeSink();
    void TearDown();

    const AdversaryHost& m_host;
    RogueConnectionOwner* m_owner;
    uint32_t m_number;
    bool m_open{false};
    uint32_t m_serverReceiveSize{0};
    Ptr<CmId> m_cm;
    std::unique_ptr<VerbsEndpoint> m_endpoint;
    std::unique_ptr<ReceiveBuffers> m_receives;
    HostBuffer m_sinkMemory;
    Ptr<MemoryRegion> m_sink;
    uint64_t m_nextId{1};
    std::map<uint64_t, HostBuffer> m_sends; ///< Not completed.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_ROGUE_CONNECTION_H
