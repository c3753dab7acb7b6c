/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_EVERY_TRANSPORT_H
#define NFSRDMA_TEST_MPA_EVERY_TRANSPORT_H

#include "mpa/transport.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

/// A parameter: how MPA lies on TCP.
inline const auto EVERY_TRANSPORT =
    ::testing::Values(MpaTransport::LAYERED, MpaTransport::AWARE_SENDER, MpaTransport::AWARE);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_EVERY_TRANSPORT_H
