/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_TSHARK_H
#define NFSRDMA_TEST_TSHARK_H

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// \return lines of tshark's output on the capture \p path.
inline std::vector<std::string>
RunTshark(const std::string& path, const std::string& arguments)
{
    const std::string command = "tshark -r '" + path + "' " + arguments + " 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::vector<std::string> lines;
    std::array<char, 4096> line{};
    while (pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr)
    {
        lines.emplace_back(line.data());
    }
    return lines;
}

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_TSHARK_H
