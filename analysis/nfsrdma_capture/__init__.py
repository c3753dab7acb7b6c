# SPDX-License-Identifier: GPL-2.0-only
"""NFS over RDMA captures read octet by octet: pcap, TCP, MPA, DDP, RDMAP, RPC-over-RDMA, RPC, NFSv3."""
