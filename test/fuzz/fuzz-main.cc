/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    ns3::nfsrdma::FuzzOne(ns3::nfsrdma::ByteSpan(data, size));
    return 0;
}
