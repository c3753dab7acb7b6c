/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RNIC_PROFILE_FILE_H
#define NFSRDMA_TEST_RNIC_PROFILE_FILE_H

#include "rnic/hardware/device.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// A profile of scenarios/profiles/rnic: "key = value" lines, and what the device makes of them.
class ProfileFile
{
  public:
    explicit ProfileFile(const std::string& name);

    /// \return whether there is such a file.
    [[nodiscard]] bool IsGood() const;
    /// \return the value of \p key; empty when it has none.
    [[nodiscard]] std::string Get(const std::string& key) const;
    /// Sets the attributes of \p device and its MPA settings; what is of its port, and of IPsec
    /// there, is not. \return false when one was refused
    [[nodiscard]] bool Apply(Ptr<RnicDevice> device) const;

  private:
    std::vector<std::pair<std::string, std::string>> m_values;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RNIC_PROFILE_FILE_H
