/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/handshake.h"

namespace ns3::nfsrdma
{

const MpaStartupFrame&
MpaHandshake::StartInitiator(const MpaStartup::Policy& policy, const MpaStartupParameters& local)
{
    m_policy = policy;
    m_initiator = true;
    m_local = local;
    m_request = MpaStartup::MakeRequest(policy, local);
    return m_request;
}

MpaHandshake::Outcome
MpaHandshake::Receive(ByteSpan octets)
{
    m_octets.insert(m_octets.end(), octets.begin(), octets.end());
    if (m_peerFrame)
    {
        return m_octets.empty() ? Outcome::INCOMPLETE : Fail(MpaError::INVALID_STARTUP);
    }
    const auto frame = MpaStartup::FrameAtFront(m_octets, m_initiator);
    if (!frame)
    {
        return Fail(frame.error());
    }
    if (!*frame)
    {
        return Outcome::INCOMPLETE;
    }
    m_peerFrame = **frame;
    m_octets.erase(m_octets.begin(),
                   m_octets.begin() + static_cast<std::ptrdiff_t>(m_peerFrame->EncodedSize()));
    return m_initiator ? JudgeReply() : JudgeRequest();
}

MpaHandshake::Outcome
MpaHandshake::Fail(MpaError error)
{
    m_error = error;
    return Outcome::FAILED;
}

MpaHandshake::Outcome
MpaHandshake::JudgeRequest()
{
    m_request = *m_peerFrame;
    switch (MpaStartup::Judge(m_policy, m_request))
    {
    case MpaStartup::Verdict::REJECT:
        return Outcome::REFUSED;
    case MpaStartup::Verdict::CLOSE:
        break;
    case MpaStartup::Verdict::ANSWER:
        if (auto heard = MpaStartup::Heard(m_request))
        {
            m_peer = *std::move(heard);
            return Outcome::REQUESTED;
        }
        break;
    }
    return Fail(MpaError::INVALID_STARTUP);
}

MpaHandshake::Outcome
MpaHandshake::JudgeReply()
{
    const MpaStartupFrame& reply = *m_peerFrame;
    if (!MpaStartup::CanInteroperate(m_policy, m_request, reply))
    {
        return Fail(MpaError::INVALID_STARTUP);
    }
    m_peer = MpaStartup::Heard(reply).value_or(MpaStartupParameters{});
    if (reply.rejected)
    {
        return Outcome::REJECTED;
    }
    const auto conclusion = MpaStartup::AgreeAsInitiator(m_policy, m_request, reply, m_local);
    if (!conclusion)
    {
        return Fail(conclusion.error());
    }
    m_agreement = conclusion->agreement;
    if (conclusion->obstacle)
    {
        m_error = *conclusion->obstacle;
        return Outcome::OBSTRUCTED;
    }
    return Outcome::ESTABLISHED;
}

MpaStartupFrame
MpaHandshake::Accept(const MpaStartupParameters& local)
{
    m_agreement = MpaStartup::AgreeAsResponder(m_policy, m_request, local);
    return MpaStartup::MakeReply(m_request, m_agreement, local.privateData);
}

MpaStartupFrame
MpaHandshake::Reject(ByteSpan privateData) const
{
    return MpaStartup::MakeRejection(m_policy, m_request, privateData);
}

MpaStartupFrame
MpaHandshake::MakeRefusal() const
{
    return MpaStartup::MakeRejection(m_policy, m_request, {});
}

} // namespace ns3::nfsrdma
