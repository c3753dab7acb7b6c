/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Times between RDMAP messages in two captures, both taken at the side that connects: a real one,
// and one of the simulator that holds the same messages.

#include "helper/capture/capture-file.h"
#include "perftest/message-timing.h"

#include <iostream>

using namespace ns3::nfsrdma;

namespace
{

tl::expected<MessageTiming, std::string>
Read(const std::string& path)
{
    auto file = CaptureFile::Open(path);
    if (!file)
    {
        return tl::make_unexpected(path + ": " + file.error());
    }
    const auto connections = ReadMessages(*std::move(file));
    if (!connections)
    {
        return tl::make_unexpected(path + ": " + connections.error());
    }
    if (connections->empty())
    {
        return tl::make_unexpected(path + ": no MPA connection in it");
    }
    return TimeMessages(*connections);
}

} // namespace

int
main(int argc, char* argv[])
{
    constexpr int WORDS = 3;
    if (argc != WORDS)
    {
        std::cerr << "verbs-timing: usage: verbs-timing CAPTURED.pcap MODELLED.pcap\n";
        return 2;
    }
    const auto captured = Read(argv[1]);
    const auto modelled = Read(argv[2]);
    if (!captured || !modelled)
    {
        std::cerr << "verbs-timing: " << (captured ? modelled : captured).error() << "\n";
        return 2;
    }
    std::cout << "Times between messages, us\n" << CompareTiming(*captured, *modelled);
    return 0;
}
