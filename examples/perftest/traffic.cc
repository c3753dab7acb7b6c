/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/traffic.h"

#include <utility>

namespace ns3::nfsrdma
{

Traffic::Traffic(DataPath& path, TestVerb verb)
    : m_path(path),
      m_verb(verb)
{
}

void
Traffic::SetFailedCallback(FailedCallback failed)
{
    m_failed = std::move(failed);
}

bool
Traffic::Check(const WorkCompletion& completion, const char* queue)
{
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        Fail(std::string("completion of the ") + queue + " queue of queue pair " +
             std::to_string(completion.queuePairNumber) + ": " + ToString(completion.status));
    }
    return !m_hasFailed;
}

void
Traffic::HandleSent(const WorkCompletion& completion)
{
    if (Check(completion, "send"))
    {
        Sent(completion);
    }
}

void
Traffic::HandleReceived(const WorkCompletion& completion)
{
    if (Check(completion, "receive"))
    {
        Received(completion);
    }
}

SendWorkRequest
Traffic::MakeRequest(uint32_t pair, uint32_t size)
{
    SendWorkRequest request;
    request.id = pair;
    request.elements = {
        {m_path.ToAddress(m_path.ChooseSendOffset(pair, size)), size, m_path.GetKey()}};
    request.inlineData = m_verb != TestVerb::READ && size <= m_path.GetSizes().maxInline;
    switch (m_verb)
    {
    case TestVerb::SEND:
        request.opcode = WorkRequestOpcode::SEND;
        return request;
    case TestVerb::WRITE:
        request.opcode = WorkRequestOpcode::RDMA_WRITE;
        break;
    case TestVerb::READ:
        request.opcode = WorkRequestOpcode::RDMA_READ;
        break;
    }
    request.remoteStag = m_path.GetRemote(pair).key;
    request.remoteOffset = m_path.GetRemote(pair).address;
    return request;
}

bool
Traffic::Post(uint32_t pair, const std::vector<SendWorkRequest>& chain)
{
    const auto posted = m_path.GetPair(pair)->PostSend(chain);
    if (!posted)
    {
        Fail(std::string("the device refuses a work request: ") + ToString(posted.error()));
    }
    return posted.has_value();
}

void
Traffic::PostReceive(uint32_t pair, uint32_t size)
{
    ReceiveWorkRequest request;
    request.id = pair;
    request.elements = {{m_path.ToAddress(m_path.GetReceiveOffset(pair)), size, m_path.GetKey()}};
    if (const auto posted = m_path.GetPair(pair)->PostReceive(request); !posted)
    {
        Fail(std::string("the device refuses a receive: ") + ToString(posted.error()));
    }
}

void
Traffic::Finish()
{
    if (m_done)
    {
        std::exchange(m_done, nullptr)();
    }
}

void
Traffic::Fail(const std::string& what)
{
    if (!std::exchange(m_hasFailed, true) && m_failed)
    {
        m_failed(what);
    }
}

} // namespace ns3::nfsrdma
