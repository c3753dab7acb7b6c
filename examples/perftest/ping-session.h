/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_PING_SESSION_H
#define NFSRDMA_EXAMPLES_PING_SESSION_H

#include "perftest/completion-pump.h"
#include "perftest/testbed.h"
#include "rnic/connect/cm-id.h"

#include <functional>
#include <ostream>
#include <string>

namespace ns3::nfsrdma
{

/// What rping does.
struct PingOptions
{
    uint32_t count{4};
    uint32_t size{64}; ///< Octets of ping data, the final NUL included.
    bool verbose{false};
    bool validate{false};
    uint16_t port{7174};
};

/**
 * \brief One side of rping: its protocol, verbs objects and connection.
 *
 *     client: Send, where the ping data is ---------> server: RDMA Read of it
 *     client <---------------------- server: Send, go on
 *     client: Send, where the pong data may go -----> server: RDMA Write of the same data
 *     client <---------------------- server: Send, done
 */
class PingSession
{
  public:
    /// The arguments outlive the object; \p out takes the ping data of verbose sessions.
    PingSession(const Testbed& testbed,
                Testbed::Host host,
                const PingOptions& options,
                std::ostream& out);
    ~PingSession() = default;
    PingSession(const PingSession&) = delete;
    PingSession& operator=(const PingSession&) = delete;

    /// Server: listens. Client: connects, and pings when connected.
    void Start();
    using FailedCallback = std::function<void(const std::string&)>;
    void SetFailedCallback(FailedCallback callback);
    /// \return pings that came back; of the client.
    [[nodiscard]] uint32_t GetPings() const;

  private:
    /// What the next message or completion means.
    enum class State
    {
        CONNECTED,
        READ_ADVERTISED,
        READ_COMPLETE,
        WRITE_ADVERTISED,
        WRITE_COMPLETE
    };

    /// Where a buffer is: address, STag, length; 16 octets on the wire.
    struct Advertisement
    {
        static constexpr uint32_t SIZE = 16;

        uint64_t address{0};
        Stag stag{0};
        uint32_t length{0};
    };

    [[nodiscard]] bool IsClient() const;
    void HandleListener(Ptr<CmId> id, const CmEvent& event);
    void HandleEvent(Ptr<CmId> id, const CmEvent& event);
    void HandleCompletion(const WorkCompletion& completion);
    void HandleMessage(const WorkCompletion& completion);
    void Ping();
    void PongArrived();
    void SendAdvertisement(const HostBuffer& buffer, Stag stag);
    void MoveData(WorkRequestOpcode opcode, uint32_t length);
    void Post(const SendWorkRequest& request);
    void PostReceive();
    [[nodiscard]] ByteVector MakePingData() const;
    [[nodiscard]] static std::string ReadText(const HostBuffer& buffer);
    void Fail(const std::string& what);

    const Testbed& m_testbed;
    Testbed::Host m_host;
    const PingOptions& m_options;
    std::ostream& m_out;
    Ptr<RnicDevice> m_device;
    Ptr<ProtectionDomain> m_domain;
    Ptr<CompletionQueue> m_completions;
    CompletionPump m_pump;
    Ptr<QueuePair> m_pair;
    Ptr<CmId> m_listener;
    Ptr<CmId> m_id;
    HostBuffer m_sendBuffer;
    HostBuffer m_receiveBuffer;
    HostBuffer m_startBuffer; ///< Client: the ping data.
    HostBuffer m_dataBuffer;  ///< Sink of Reads and Writes.
    Ptr<MemoryRegion> m_startRegion;
    Ptr<MemoryRegion> m_dataRegion;
    Advertisement m_remote;
    State m_state{State::CONNECTED};
    uint32_t m_pings{0};
    bool m_over{false};
    FailedCallback m_failed;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_PING_SESSION_H
