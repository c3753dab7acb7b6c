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
 * \return security associations as Wireshark's file esp_sa has them, a line of quoted fields for
 * each:
 *
 *     IP version, source, destination, SPI, cipher, key, integrity (NULL), its key (empty)
 *
 * The key is that of AES with the salt behind it, in hexadecimal like the SPI.
 */
[[nodiscard]] std::string MakeEspSa(const std::vector<EspKeyRecord>& keys);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_ESP_KEYS_H
