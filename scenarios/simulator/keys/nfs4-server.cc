/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

std::vector<ScenarioKey>
MakeNfs4ServerKeys()
{
    return {
        {"lease_time",
         Duration(1000000000),
         "90s",
         "how long NFSv4 state lives without renewal",
         {"Nfs4Server::LeaseTime"}},
        {"grace_time",
         Duration(),
         "90s",
         "grace period of NFSv4 after a restart of the server",
         {"Nfs4Server::GraceTime"}},
        {"courtesy_time",
         Duration(),
         "86400s",
         "how long NFSv4 state outlives its lease when nobody wants it",
         {"Nfs4Server::CourtesyTime"}},
        {"delegation_return_wait",
         Duration(),
         "30ms",
         "how long a server thread waits for a delegation that is in the way",
         {"Nfs4Server::DelegationReturnWait"}},
        {"session_slots",
         Integer(1, 2048),
         "30",
         "slots of an NFSv4 session at most",
         {"Nfs4Server::Slots"}},
        {"delegations",
         Boolean(),
         "true",
         "the server gives read delegations",
         {"Nfs4Server::Delegations"}},
        {"layouts",
         Boolean(),
         "false",
         "the server gives files layouts that point at itself",
         {"Nfs4Server::Layouts"}},
        {"layout_address",
         Text(),
         "0.0.0.0.78.81",
         "universal address that layouts name",
         {"Nfs4Server::LayoutAddress"}},
        {"reflinks", Boolean(), "false", "CLONE of NFSv4.2 works", {"Nfs4Server::Reflinks"}},
        {"read_plus_holes",
         Boolean(),
         "false",
         "READ_PLUS tells holes from data; Linux 6.1 gives one segment of data",
         {"Nfs4Server::ReadPlusHoles"}},
        {"empty_write_chunks",
         Boolean(),
         "false",
         "NFSv4: the Write chunk of a READ or READLINK without data comes back empty (RFC 8267 "
         "section 6.4.1), not with segments of length 0 (RFC 8166 section 3.4.6, as Linux)",
         {"Nfs4Server::EmptyWriteChunks"}},
        {"record_clients",
         Boolean(),
         "true",
         "NFSv4 clients are on stable record and may reclaim after a restart",
         {"Nfs4Server::RecordClients"}},
        {"server_name",
         Text(),
         "server",
         "server owner and scope of NFSv4, machine name of callbacks",
         {"Nfs4Server::ServerName"}},
    };
}

} // namespace ns3::nfsrdma
