/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/check-rpcrdma.h"

#include "helper/capture/rpcrdma-conversation.h"

namespace ns3::nfsrdma
{

namespace
{

bool
IsRefusal(const CapturedRpcRdma* answer)
{
    return !answer || (answer->header && answer->header->proc == RpcRdmaProc::ERROR);
}

/// What is found in all connections of a file.
struct Findings
{
    uint64_t messages{0};
    uint64_t headers{0};
    uint64_t rpcs{0};
    uint64_t errors{0};
};

void
Check(const RpcRdmaConversation& conversation,
      std::size_t index,
      Findings& findings,
      std::ostream& out)
{
    const CapturedRpcRdma& message = conversation.GetMessages()[index];
    ++findings.messages;
    if (!message.header)
    {
        const CapturedRpcRdma* const answer = conversation.FindAnswer(index);
        const bool isKnown = message.fromRequester && IsRefusal(answer);
        findings.errors += isKnown ? 0 : 1;
        out << (isKnown ? "broken: " : "error: ") << message.ToString() << ", "
            << ToString(message.header.error()) << ": answered by "
            << (answer ? answer->ToString() : "silence") << "\n";
        return;
    }
    findings.headers += message.sameHeader ? 1 : 0;
    findings.rpcs += message.sameRpc ? 1 : 0;
    if (!message.sameHeader || message.sameRpc != message.hasRpc)
    {
        ++findings.errors;
        out << "error: " << message.ToString() << ": the "
            << (message.sameHeader ? "RPC" : "transport") << " header comes out otherwise\n";
    }
}

} // namespace

uint64_t
ReportRpcRdma(const std::vector<MpaConversation>& conversations, std::ostream& out)
{
    Findings findings;
    for (const MpaConversation& mpa : conversations)
    {
        if (!RpcRdmaConversation::IsRpcRdma(mpa))
        {
            continue;
        }
        const RpcRdmaConversation conversation(mpa);
        for (std::size_t index = 0; index < conversation.GetMessages().size(); ++index)
        {
            Check(conversation, index, findings, out);
        }
    }
    if (findings.messages > 0)
    {
        out << "RPC-over-RDMA: " << findings.messages << " messages; " << findings.headers
            << " transport headers and " << findings.rpcs
            << " RPC headers that follow come out the same\n";
    }
    return findings.errors;
}

} // namespace ns3::nfsrdma
