/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

namespace
{

// A key that is in no row does something in every scenario, or as soon as what it is about happens.
// Of [workload] and [adversary] keys the kinds and roles that have them follow from the attributes
// that they set.

std::vector<KeyConditionRow>
GetNetworkConditions()
{
    return {
        {"topology.shape = file", {"topology.file"}},
        {"topology.shape = leaf-spine", {"topology.leaves", "topology.spines"}},
        {"topology.shape = leaf-spine", {"topology.servers_at"}},
        {"topology.shape = leaf-spine, dumbbell",
         {"topology.trunk_rate", "topology.trunk_delay", "topology.trunk_queue"}},
        {"topology.shape = leaf-spine, file", {"topology.hash_seed"}},
        {"topology.shape = file or topology.spines != 1", {"topology.hash_seed"}},
        {"tcp.ecn = true or tcp.congestion_control = TcpDctcp",
         {"link.switch_marking",
          "link.mark_threshold",
          "link.red_minimum",
          "link.red_maximum",
          "link.red_probability",
          "link.red_weight"}},
        {"link.switch_marking = threshold", {"link.mark_threshold"}},
        {"link.switch_marking = red",
         {"link.red_minimum", "link.red_maximum", "link.red_probability", "link.red_weight"}},
        {"middlebox.at != none",
         {"middlebox.mode",
          "middlebox.latency",
          "middlebox.split_size",
          "middlebox.merge_size",
          "middlebox.cut_min",
          "middlebox.cut_max",
          "middlebox.hold_time",
          "middlebox.spare_first_octets",
          "middlebox.drop",
          "middlebox.duplicate",
          "middlebox.reorder",
          "middlebox.reorder_delay",
          "middlebox.corrupt",
          "middlebox.data_only",
          "middlebox.mtu",
          "middlebox.black_hole"}},
        {"middlebox.mode = split", {"middlebox.split_size"}},
        {"middlebox.mode = merge", {"middlebox.merge_size"}},
        {"middlebox.mode = recut, split", {"middlebox.cut_min", "middlebox.cut_max"}},
        {"middlebox.mode = recut or middlebox.split_size = 0",
         {"middlebox.cut_min", "middlebox.cut_max"}},
        {"middlebox.mode = merge, recut", {"middlebox.hold_time"}},
        {"middlebox.mode != none", {"middlebox.spare_first_octets"}},
        {"middlebox.reorder != 0", {"middlebox.reorder_delay"}},
        {"middlebox.drop != 0 or middlebox.duplicate != 0 or middlebox.reorder != 0",
         {"middlebox.data_only"}},
        {"middlebox.mtu != 0", {"middlebox.black_hole"}},
        {"tcp.congestion_control != TcpDctcp", {"tcp.ecn"}},
        {"tcp.ack_every != 1", {"tcp.delayed_ack"}},
        {"never, since an RNIC takes what TCP has received at once", {"tcp.persist_timeout"}},
    };
}

std::vector<KeyConditionRow>
GetRnicConditions()
{
    return {
        {"rnic.engine_on_host = false", {"rnic.pcie_rate"}},
        {"rnic.context_cache_size != 0 or rnic.stag_cache_size != 0", {"rnic.context_miss"}},
        {"rnic.mpa_crc = true",
         {"rnic.crc_rate", "rnic.mpa_responder_crc", "rnic.mpa_drop_bad_segments"}},
        {"rnic.mpa_transport = aware; rnic.mpa_crc = true; rnic.mpa_markers = false",
         {"rnic.mpa_place_by_alignment"}},
        {"rpcrdma.client_registration_strategy = memory-window",
         {"rnic.bind_cost", "rnic.max_windows"}},
        {"rpcrdma.client_registration_strategy = frwr or "
         "rpcrdma.server_registration_strategy = frwr",
         {"rnic.register_base", "rnic.register_per_page"}},
        {"rpcrdma.client_registration_strategy = frwr, memory-window or "
         "rpcrdma.server_registration_strategy = frwr",
         {"rnic.invalidate_cost"}},
        {"rpcrdma.client_registration_strategy != frwr or "
         "rpcrdma.server_registration_strategy != frwr",
         {"rnic.host_register_base",
          "rnic.host_register_per_page",
          "rnic.host_deregister_base",
          "rnic.host_deregister_per_page"}},
        {"rnic.mpa_peer_to_peer = true", {"rnic.mpa_ready_to_receive"}},
        {"rnic.connection_rate != 0", {"rnic.connection_burst"}},
        {"rnic.fault_limit != 0", {"rnic.ignore_time"}},
        {"never, since NFS over RDMA uses no shared receive queue",
         {"rnic.max_srqs", "rnic.max_srq_depth", "rnic.last_wqe_reached"}},
        {"never, since NFS over RDMA sends neither atomics nor Immediate Data",
         {"rnic.rdmap_extensions"}},
        {"never, since only clients bind windows, and nobody guesses their STags",
         {"rnic.windows_of_queue_pairs"}},
        {"never, since NFS over RDMA takes all work requests that fail alike",
         {"rnic.fault_status"}},
        {"never, since NFS over RDMA puts no data into work requests", {"rnic.max_inline"}},
    };
}

std::vector<KeyConditionRow>
GetRpcRdmaConditions()
{
    return {
        {"rpcrdma.client_inline_policy = observed",
         {"rpcrdma.client_inline_share", "rpcrdma.client_inline_review"}},
        {"rpcrdma.client_write_pad_segment = true", {"rpcrdma.client_protect_write_pad"}},
        {"rpcrdma.client_remote_invalidation = true", {"rpcrdma.client_protect_write_pad"}},
        {"nfs.version = 4.1, 4.2",
         {"rpcrdma.client_reverse_credits",
          "rpcrdma.client_reverse_message",
          "rpcrdma.server_reverse_wait",
          "rpcrdma.server_reverse_timeout"}},
        {"rpcrdma.server_credit_grant = fair-share", {"rpcrdma.server_shared_receives"}},
        {"rpcrdma.client_registration_strategy = frwr, memory-window",
         {"rpcrdma.client_registration"}},
        {"rpcrdma.client_registration_strategy = preregistered", {"rpcrdma.client_pool_buffers"}},
        {"rpcrdma.client_registration_strategy = cache", {"rpcrdma.client_cache_capacity"}},
        {"rpcrdma.server_registration_strategy = preregistered", {"rpcrdma.server_pool_buffers"}},
        {"rpcrdma.server_registration_strategy = cache", {"rpcrdma.server_cache_capacity"}},
        {"rpcrdma.client_reconnect = true",
         {"rpcrdma.client_retry_delay",
          "rpcrdma.client_reconnect_delay",
          "rpcrdma.client_reconnect_delay_max"}},
        {"rpcrdma.client_timeout != 0s", {"rpcrdma.client_retries", "rpcrdma.client_soft"}},
        {"adversary.role = abort-storm", {"rpcrdma.client_cancel"}},
        {"nfs.version = 2, 3, 4.0",
         {"rpcrdma.server_duplicate_requests",
          "rpcrdma.server_duplicate_entries",
          "rpcrdma.server_duplicate_lifetime",
          "rpcrdma.server_duplicate_reply_size"}},
        {"rpcrdma.server_duplicate_requests = linux",
         {"rpcrdma.server_duplicate_entries",
          "rpcrdma.server_duplicate_lifetime",
          "rpcrdma.server_duplicate_reply_size"}},
        {"rpcrdma.server_read_chunks_without_agreement = true",
         {"rpcrdma.client_notify_unexpected_read_chunks"}},
        {"rpcrdma.server_read_chunk_extension = true or "
         "rpcrdma.server_read_chunks_without_agreement = true",
         {"rpcrdma.server_read_chunk_policy"}},
        {"rpcrdma.server_read_chunk_policy != never",
         {"rpcrdma.server_read_chunks_without_agreement",
          "rpcrdma.server_read_chunk_timeout",
          "rpcrdma.server_max_pending_read_chunks",
          "rpcrdma.server_max_exposed_bytes",
          "rpcrdma.server_read_chunk_copy_limit",
          "rpcrdma.server_done_on_calls",
          "rpcrdma.server_done_invalidates",
          "rpcrdma.client_done_invalidates",
          "rpcrdma.client_pull_reads",
          "rpcrdma.client_max_pulled_bytes",
          "rpcrdma.client_pull_notice",
          "rpcrdma.client_piggyback_delay",
          "rpcrdma.client_notify_unexpected_read_chunks"}},
        {"rpcrdma.client_read_chunk_extension = true or "
         "rpcrdma.client_notify_unexpected_read_chunks = true",
         {"rpcrdma.client_done_invalidates",
          "rpcrdma.server_done_invalidates",
          "rpcrdma.client_pull_reads",
          "rpcrdma.client_max_pulled_bytes",
          "rpcrdma.client_pull_notice",
          "rpcrdma.client_piggyback_delay"}},
        {"never, since a responder of MPA offers as many as the client asks for, up to "
         "rnic.max_ird",
         {"rpcrdma.server_read_chunk_reads"}},
        {"never, since rpcrdma.server_credits does not change during a run",
         {"rpcrdma.server_credit_ceiling"}},
        {"never, since servers put it at the front", {"rpcrdma.client_private_data_at_front"}},
        {"rpcrdma.client_remote_invalidation = true; rpcrdma.server_remote_invalidation = true",
         {"rpcrdma.client_done_invalidates", "rpcrdma.server_done_invalidates"}},
        {"rpcrdma.client_pull_notice = piggyback",
         {"rpcrdma.client_piggyback_delay", "rpcrdma.server_done_on_calls"}},
    };
}

std::vector<KeyConditionRow>
GetNfsConditions()
{
    return {
        {"nfs.client_reply_attempts != 1", {"nfs.client_reply_growth"}},
        {"nfs.version = 2, 3, 4.0", {"nfs.client_reply_attempts", "nfs.client_reply_growth"}},
        {"workload.kind = acl, replay",
         {"nfs.client_reply_attempts", "nfs.client_reply_growth", "nfs.client_acl_room"}},
        {"nfs.client_security != sys",
         {"nfs.gss_enctype",
          "nfs.gss_repeats",
          "nfs.gss_init_token",
          "nfs.gss_init_reply_token",
          "nfs.gss_handle",
          "nfs.gss_window",
          "nfs.gss_max_contexts",
          "nfs.gss_context_lifetime",
          "nfs.gss_init_cost",
          "nfs.gss_mic_cost",
          "nfs.gss_mic_rate"}},
        {"nfs.client_security = krb5p", {"nfs.gss_wrap_cost", "nfs.gss_wrap_rate"}},
        {"workload.kind = mix, replay", {"nfs.reduce_readlink"}},
        {"workload.kind = replay or workload.operation_mix has readlink", {"nfs.reduce_readlink"}},
        {"never, since no delegation is in the way of a client of NFSv3 alone",
         {"nfs.client_jukebox_delay"}},
        {"nfs.version = 4.0, 4.1, 4.2",
         {"nfs.callback_cost",
          "nfs.client_retry_delay",
          "nfs.client_retry_delay_maximum",
          "nfs.client_acl_room",
          "nfs.empty_write_chunks",
          "nfs.lease_time",
          "nfs.grace_time",
          "nfs.courtesy_time",
          "nfs.delegations",
          "nfs.record_clients",
          "nfs.server_name"}},
        {"nfs.version = 4.0 or workload.kind = replay", {"nfs.empty_write_chunks"}},
        {"nfs.version = 4.1, 4.2 or workload.kind = replay", {"nfs.server_name"}},
        {"nfs.version = 4.1, 4.2", {"nfs.client_slots", "nfs.session_slots", "nfs.layouts"}},
        {"nfs.version = 4.2", {"nfs.offload_status_delay", "nfs.reflinks", "nfs.read_plus_holes"}},
        {"workload.kind = mix, replay",
         {"nfs.offload_status_delay", "nfs.reflinks", "nfs.read_plus_holes"}},
        {"workload.kind = replay or workload.operation_mix has copy", {"nfs.offload_status_delay"}},
        {"workload.kind = replay or workload.operation_mix has clone", {"nfs.reflinks"}},
        {"workload.kind = replay or workload.operation_mix has read_plus", {"nfs.read_plus_holes"}},
        {"nfs.version = 2, 3", {"nfs.mount", "nfs.local_lock"}},
        {"nfs.mount = linux", {"nfs.mount_port_lookup", "nfs.mountd_port"}},
        {"nfs.version = 2", {"nfs.nfsacl2"}},
        {"workload.kind = acl, replay", {"nfs.nfsacl2"}},
        {"workload.kind = lock, replay", {"nfs.local_lock"}},
        {"nfs.version = 2, 3; nfs.local_lock != all",
         {"nfs.lockd_port",
          "nfs.statd_port",
          "nfs.nlm_grace_wait",
          "nfs.nlm_poll_interval",
          "nfs.nlm_grace_period",
          "nfs.nlm_grant_retry",
          "nfs.nlm_grant_timeout"}},
        {"nfs.mount = linux or nfs.local_lock != all or nfs.version = 4.0",
         {"nfs.tcp_timeout",
          "nfs.tcp_retries",
          "nfs.tcp_retry_delay",
          "nfs.tcp_idle_timeout",
          "nfs.tcp_max_reply",
          "nfs.tcp_max_call",
          "nfs.tcp_fragment_size",
          "nfs.tcp_server_idle_timeout"}},
        {"never, since no client waits for what another has been delegated",
         {"nfs.delegation_return_wait"}},
        {"never, since no client has two callbacks to carry out at a time",
         {"nfs.callback_threads"}},
        {"never, since clients ask for no layouts", {"nfs.layout_address"}},
        {"never, since no host sets ports of another", {"nfs.rpcbind_insecure"}},
    };
}

std::vector<KeyConditionRow>
GetStorageConditions()
{
    return {
        // What lists, or makes and removes files without data, costs metadata alone.
        {"workload.kind = mix, fio, lock, replay or workload.write_bytes != 0 or "
         "adversary.role = abort-storm",
         {"storage.read_latency",
          "storage.write_latency",
          "storage.rate",
          "storage.turn_time",
          "storage.single_track_seek",
          "storage.average_seek",
          "storage.full_stroke_seek",
          "storage.capacity",
          "storage.cache",
          "storage.page_size",
          "storage.replacement",
          "storage.read_ahead",
          "storage.copy_rate",
          "storage.dirty_background_ratio",
          "storage.dirty_ratio",
          "storage.write_back_interval",
          "storage.dirty_expire",
          "storage.write_back_size",
          "storage.write_back_depth",
          "storage.lose_on_restart"}},
        {"workload.kind = mix, fio, lock, replay or adversary.role = abort-storm",
         {"storage.read_ahead"}},
        {"storage.turn_time != 0ns",
         {"storage.single_track_seek",
          "storage.average_seek",
          "storage.full_stroke_seek",
          "storage.capacity"}},
        {"storage.cache != 0",
         {"storage.page_size",
          "storage.replacement",
          "storage.read_ahead",
          "storage.copy_rate",
          "storage.dirty_background_ratio",
          "storage.dirty_ratio",
          "storage.write_back_interval",
          "storage.dirty_expire",
          "storage.write_back_size",
          "storage.write_back_depth",
          "storage.lose_on_restart"}},
        {"storage.write_back_interval != 0ns", {"storage.dirty_expire"}},
    };
}

std::vector<KeyConditionRow>
GetWorkloadConditions()
{
    return {
        {"workload.kind != none", {"workload.clients", "workload.start_delay"}},
        {"workload.kind = replay", {"workload.trace"}},
        {"workload.pace = recorded", {"workload.time_scale"}},
        {"workload.thinktime != 0ns", {"workload.thinktime_distribution"}},
        {"workload.operation_mix has copy, clone", {"workload.copy_size"}},
        {"workload.operation_mix has read, write, read_plus, seek, allocate, deallocate, copy, "
         "clone",
         {"workload.io_sizes", "workload.io_alignment", "workload.allow_overlap"}},
        {"workload.operation_mix has write; nfs.version != 2", {"workload.stable"}},
        {"workload.operation_mix has readdir, readdirplus",
         {"workload.directory_count", "workload.large_directory_fraction"}},
        {"workload.large_directory_entries != 0", {"workload.large_directory_fraction"}},
        {"workload.arrivals = closed", {"workload.thinktime"}},
        {"workload.arrivals != closed", {"workload.arrival_rate"}},
        {"workload.arrivals = bursts", {"workload.burst_size", "workload.burst_spacing"}},
        {"workload.readwrite = rw, randrw", {"workload.rwmixread"}},
        {"workload.bssplit is empty", {"workload.bs"}},
        {"workload.readwrite != read, randread",
         {"workload.fsync",
          "workload.end_fsync",
          "workload.dirty_limit",
          "workload.dirty_background"}},
        {"nfs.version != 2 or workload.direct = false", {"workload.fsync", "workload.end_fsync"}},
        {"workload.direct = false",
         {"workload.read_ahead",
          "workload.dirty_limit",
          "workload.dirty_background",
          "workload.cached_cost",
          "workload.copy_rate"}},
        {"workload.readwrite != write, randwrite", {"workload.read_ahead"}},
        {"workload.depth != 0", {"workload.branch"}},
        {"workload.tasks != 1", {"workload.unique_directories"}},
        {"nfs.version != 2", {"workload.list_plus"}},
        {"nfs.version = 4.0, 4.1, 4.2 or nfs.local_lock != all", {"workload.lock_call"}},
    };
}

std::vector<KeyConditionRow>
GetAdversaryConditions()
{
    return {
        {"adversary.manner = octets", {"adversary.octet_interval"}},
        {"adversary.guess = near", {"adversary.guess_window"}},
    };
}

} // namespace

std::vector<KeyConditionRow>
GetKeyConditions()
{
    std::vector<KeyConditionRow> rows;
    for (const auto& part : {GetNetworkConditions(),
                             GetRnicConditions(),
                             GetRpcRdmaConditions(),
                             GetNfsConditions(),
                             GetStorageConditions(),
                             GetWorkloadConditions(),
                             GetAdversaryConditions()})
    {
        rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
}

} // namespace ns3::nfsrdma
