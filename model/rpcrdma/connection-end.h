/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CONNECTION_END_H
#define NFSRDMA_RPCRDMA_CONNECTION_END_H

#include "rnic/connect/cm-event.h"
#include "rnic/hardware/device.h"
#include "rpcrdma/terminate-tally.h"

#include <memory>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

/// \return for people, what \p event says has ended a connection of which this host has decided
/// nothing, with the keys that bound it. The host that decided says its reason.
[[nodiscard]] std::string DescribeEnd(const CmEvent& event);
/// \return for people, why \p device makes no verbs objects for a connection.
[[nodiscard]] std::string DescribeMissingObjects(RnicDevice& device);

/// What has ended a connection, for people: of several reasons the first. Terminate messages are
/// counted besides.
class ConnectionEnd
{
  public:
    explicit ConnectionEnd(std::shared_ptr<TerminateTally> terminates)
        : m_terminates(std::move(terminates))
    {
    }

    void Note(const std::string& reason)
    {
        m_reason = m_reason.empty() ? reason : m_reason;
    }

    /// To be told of "TerminateSent" of the queue pair.
    void HandleTerminateSent(const TerminateMessage& message)
    {
        m_terminates->Add(TerminateWay::SENT, message);
        Note("terminate sent: " + message.reason.ToString());
    }

    /// To be told of "TerminateReceived" of the queue pair.
    void HandleTerminateReceived(const TerminateMessage& message)
    {
        m_terminates->Add(TerminateWay::RECEIVED, message);
        Note("terminate received: " + message.reason.ToString());
    }

    /// \return empty while the connection lives.
    [[nodiscard]] const std::string& GetReason() const
    {
        return m_reason;
    }

  private:
    std::shared_ptr<TerminateTally> m_terminates;
    std::string m_reason;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CONNECTION_END_H
