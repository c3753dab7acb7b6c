/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/policy-keys.h"

#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/policy/cancel.h"
#include "rpcrdma/policy/credit-grant.h"
#include "rpcrdma/policy/inline-threshold.h"
#include "rpcrdma/policy/pull-notice.h"
#include "rpcrdma/policy/read-chunk.h"
#include "rpcrdma/policy/remote-invalidation.h"
#include "rpcrdma/policy/reply-chunk.h"
#include "rpcrdma/policy/reply-mechanism.h"
#include "rpcrdma/registration/strategy.h"
#include "scenarios/simulator/keys/setting-keys.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

template <typename Policy>
std::vector<PolicyKind>
ListKinds(const std::vector<std::string>& names = Policy::GetNames())
{
    std::vector<PolicyKind> kinds;
    for (const auto& kind : Policy::GetKinds())
    {
        if (std::find(names.begin(), names.end(), kind.name) != names.end())
        {
            kinds.push_back({kind.name, kind.rows});
        }
    }
    return kinds;
}

} // namespace

std::string
PolicyChoice::GetKey(const SettingRow& row) const
{
    return key.substr(0, key.find('_') + 1) + row.GetKey();
}

std::vector<PolicyChoice>
GetPolicyChoices()
{
    return {
        {"client_inline_policy",
         "RpcRdmaClient::InlinePolicy",
         ListKinds<InlineThresholdPolicy>(InlineThresholdPolicy::GetRequesterNames())},
        {"server_inline_policy",
         "RpcRdmaServer::InlinePolicy",
         ListKinds<InlineThresholdPolicy>(InlineThresholdPolicy::GetResponderNames())},
        {"client_call_form", "RpcRdmaClient::CallForm", ListKinds<CallFormPolicy>()},
        {"client_reply_mechanism",
         "RpcRdmaClient::ReplyMechanism",
         ListKinds<ReplyMechanismPolicy>()},
        {"server_credit_grant", "RpcRdmaServer::CreditGrant", ListKinds<CreditGrantPolicy>()},
        {"server_reply_chunk", "RpcRdmaServer::ReplyChunk", ListKinds<ReplyChunkPolicy>()},
        {"server_invalidation",
         "RpcRdmaServer::RemoteInvalidationPolicy",
         ListKinds<RemoteInvalidationPolicy>()},
        {"client_registration", "RpcRdmaClient::Registration", ListKinds<RegistrationPolicy>()},
        {"client_cancel", "RpcRdmaClient::Cancel", ListKinds<CancelPolicy>()},
        {"client_pull_notice", "RpcRdmaClient::PullNotice", ListKinds<PullNoticePolicy>()},
        {"server_read_chunk_policy",
         "RpcRdmaServer::ReadChunkPolicy",
         ListKinds<ReadChunkPolicy>()},
    };
}

std::vector<ScenarioKey>
MakePolicyKeys()
{
    std::vector<ScenarioKey> keys;
    for (const auto& choice : GetPolicyChoices())
    {
        for (const auto& kind : choice.kinds)
        {
            for (const auto& row : kind.rows)
            {
                auto& key = keys.emplace_back(MakeKey(row, "", ""));
                key.name = choice.GetKey(row);
                key.targets.clear();
            }
        }
    }
    return keys;
}

} // namespace ns3::nfsrdma
