/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_ESP_KEYS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_ESP_KEYS_H

#include "ipsec/inline-crypto.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Security associations as Wireshark's file esp_sa has them, a line for each:
 *
 *     "IPv4","10.77.0.1","10.77.0.2","0x00010000","AES-GCM with 16 octet ICV
 * [RFC4106]","0x...","NULL",""
 *
 * The key is that of AES with the salt behind it.
 */
[[nodiscard]] std::string MakeEspSa(const std::vector<EspKeyRecord>& keys);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_ESP_KEYS_H
