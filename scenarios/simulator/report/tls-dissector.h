/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_TLS_DISSECTOR_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_TLS_DISSECTOR_H

namespace ns3::nfsrdma
{

/// A dissector in Lua that has Wireshark 4.0, which does not know RPC with TLS, look for RPC in the
/// plaintext of TLS: rpc-with-tls.lua of the results.
inline constexpr const char* RPC_WITH_TLS_DISSECTOR =
    R"lua(-- RPC with TLS (RFC 9289) on port 2049, for Wireshark 4.0, which does not know it yet:
--     tshark -r CAPTURE.pcap -X lua_script:rpc-with-tls.lua -o tls.keylog_file:sslkeylog.txt
-- The first call and its reply are in clear. Plaintext of TLS is taken apart into records of RPC (RFC 5531 section 11).
local tls = Dissector.get("tls")
local rpc = Dissector.get("rpc")
local stream = Proto("rpc_with_tls", "RPC, then TLS")
local records = Proto("rpc_in_tls", "RPC records in TLS")
local HEADER = 4

function records.dissector(octets, packet, tree)
    local at = 0
    while at < octets:len() do
        local rest = octets:len() - at
        local size = rest < HEADER and 0 or bit32.band(octets(at, HEADER):uint(), 0x7fffffff)
        if rest < HEADER + size or rest < HEADER then
            packet.desegment_offset = at
            packet.desegment_len = rest < HEADER and DESEGMENT_ONE_MORE_SEGMENT or HEADER + size - rest
            break
        end
        rpc:call(octets(at + HEADER, size):tvb(), packet, tree)
        at = at + HEADER + size
    end
    packet.conversation = stream -- RPC would have the rest of it.
end

function stream.dissector(octets, packet, tree)
    local kind = octets(0, 1):uint()
    if kind < 20 or kind > 23 then
        return records.dissector(octets, packet, tree)
    end
    packet.can_desegment = 2 -- Each dissector on the way down takes one off.
    local taken = tls:call(octets, packet, tree)
    packet.conversation = stream
    return taken
end

DissectorTable.get("tcp.port"):add(2049, stream)
DissectorTable.get("tls.port"):add(2049, records)
)lua";

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_TLS_DISSECTOR_H
