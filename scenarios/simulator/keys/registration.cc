/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/registration/strategy.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// \return strategies whose STags an element of an RDMA Read can name.
std::vector<std::string>
GetSinkStrategies()
{
    std::vector<std::string> names = ChunkRegistrar::GetNames();
    names.erase(std::remove_if(names.begin(),
                               names.end(),
                               [](const std::string& name) {
                                   return ChunkRegistrar::GetSinkStrategy(name) != name;
                               }),
                names.end());
    return names;
}

} // namespace

std::vector<ScenarioKey>
MakeRegistrationKeys()
{
    return {
        {"client_registration_strategy",
         Choice(ChunkRegistrar::GetNames()),
         "frwr",
         "how memory of chunks is made known: fast registration (Linux), windows, verbs, one STag "
         "for all, buffers to copy to, regions kept",
         {"RpcRdmaClient::RegistrationStrategy"}},
        {"client_registration",
         Choice(RegistrationPolicy::GetNames()),
         "linux",
         "frwr, memory-window: which region or window a call takes next",
         {"RpcRdmaClient::Registration"}},
        {"client_pool_buffers",
         Integer(1, 65536),
         "128",
         "preregistered: buffers of a connection, of client_region_pages each",
         {"RpcRdmaClient::PoolBuffers"}},
        {"client_cache_capacity",
         Integer(1, 1000000),
         "1024",
         "cache: regions of a connection; needs host.reuse_buffers to have hits",
         {"RpcRdmaClient::CacheCapacity"}},
        {"server_registration_strategy",
         Choice(GetSinkStrategies()),
         "frwr",
         "how sinks of RDMA Reads, and Read chunks, are made known",
         {"RpcRdmaServer::RegistrationStrategy"}},
        {"server_pool_buffers",
         Integer(1, 65536),
         "128",
         "preregistered: buffers of a connection, of server_region_pages each",
         {"RpcRdmaServer::PoolBuffers"}},
        {"server_cache_capacity",
         Integer(1, 1000000),
         "1024",
         "cache: regions of a connection; needs host.reuse_buffers to have hits",
         {"RpcRdmaServer::CacheCapacity"}},
    };
}

} // namespace ns3::nfsrdma
