/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_RAW_MPA_STREAM_H
#define NFSRDMA_FAULT_ADVERSARY_RAW_MPA_STREAM_H

#include "fault/adversary/raw-stream.h"
#include "mpa/fpdu-framing.h"
#include "mpa/handshake.h"
#include "rdmap/control-field.h"
#include "rdmap/terminate-message.h"

namespace ns3::nfsrdma
{

/**
 * \brief A RawStream that goes through MPA startup as initiator as a good peer does, and then sends
 * what it likes: ULPDUs in FPDUs as agreed, or octets.
 *
 * It asks for no markers. What it receives is taken apart into FPDUs, whose CRC is not looked at,
 * and DDP segments; there is no queue pair behind it.
 */
class RawMpaStream : public RawStream
{
  public:
    /// A DDP segment received.
    struct Segment
    {
        RdmapOpcode opcode{RdmapOpcode::SEND};
        DdpHeader header;
        ByteSpan payload; ///< For the time of the call.
    };

    /// Connects; once. \p parameters go into the Request.
    void Start(MpaTransport& transport,
               const Address& remote,
               const MpaStartup::Policy& policy,
               const MpaStartupParameters& parameters);

    /// \return how what is sent is framed, once operational.
    [[nodiscard]] const FpduFraming& GetFraming() const
    {
        return m_framing;
    }

    /// \return octets sent since startup: the position of the next one (Marker).
    [[nodiscard]] uint64_t GetPosition() const
    {
        return m_position;
    }

    [[nodiscard]] bool IsOperational() const
    {
        return m_operational && IsOpen();
    }

    /// \return what the peer has said at startup, once operational.
    [[nodiscard]] const MpaStartupParameters& GetPeer() const
    {
        return m_handshake.GetPeer();
    }

    /// Sends an FPDU around \p ulpdu, 1 to 65535 octets, as agreed. \return false when not
    /// operational
    bool SendUlpdu(ByteSpan ulpdu);
    /// Sends octets as they are, after startup. \return false when not operational
    bool SendRaw(ByteSpan octets);

  protected:
    /// FPDUs may be sent.
    virtual void HandleOperational()
    {
    }

    virtual void HandleSegment(const Segment& /* segment */)
    {
    }

    /// The peer ends the stream, and says why. HandleEnd() follows.
    virtual void HandleTerminate(TerminateReason /* reason */)
    {
    }

    void HandleConnected() override;
    void HandleOctets(ByteSpan octets) override;

  private:
    void TakeFpdus();
    void TakeUlpdu(ByteSpan ulpdu);

    MpaStartup::Policy m_policy;
    MpaStartupParameters m_parameters;
    MpaHandshake m_handshake;
    FpduFraming m_framing;
    bool m_operational{false};
    uint64_t m_position{0};
    ByteVector m_unread;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_RAW_MPA_STREAM_H
