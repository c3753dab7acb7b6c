/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_RAW_STREAM_H
#define NFSRDMA_FAULT_ADVERSARY_RAW_STREAM_H

#include "mpa/byte-stream.h"
#include "mpa/transport.h"
#include "wire/bytes.h"

#include "ns3/address.h"
#include "ns3/event-id.h"

namespace ns3::nfsrdma
{

/**
 * \brief A TCP connection to somebody, on which its owner may send any octets at any time.
 *
 *     connecting --HandleConnected()--> open --HandleEnd()--> over
 *
 * Whoever ends it, HandleEnd() is called once, unless this object is destroyed before: then the
 * connection is reset. Hooks may call anything of this object, but not destroy it.
 */
class RawStream
{
  public:
    RawStream() = default;
    virtual ~RawStream();
    RawStream(const RawStream&) = delete;
    RawStream& operator=(const RawStream&) = delete;

    /// Connects; once.
    void Connect(MpaTransport& transport, const Address& remote);
    /// Sends \p octets in segments of their own; what the send buffer has no room for is dropped.
    /// \return whether all were sent
    bool SendOctets(ByteSpan octets);
    /// Ends with FIN, or with RST; HandleEnd() follows from an event.
    void Close();
    void Abort();

    /// \return whether octets can be sent.
    [[nodiscard]] bool IsOpen() const
    {
        return m_connected && m_stream != nullptr;
    }

    [[nodiscard]] bool IsOver() const
    {
        return m_over;
    }

  protected:
    virtual void HandleConnected()
    {
    }

    virtual void HandleOctets(ByteSpan /* octets */)
    {
    }

    virtual void HandleEnd()
    {
    }

  private:
    Ptr<ByteStream> Detach();
    void ScheduleEnd();
    void Established();
    void Readable();
    void Ended(StreamEnd end);
    void Finish();

    Ptr<ByteStream> m_stream;
    EventId m_end;
    bool m_connected{false};
    bool m_over{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_RAW_STREAM_H
