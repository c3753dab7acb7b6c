/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/fingerprint.h"

#include "helper/sha256.h"

#include <array>
#include <fstream>
#include <link.h>
#include <set>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* RUNNING_PROGRAM = "/proc/self/exe";
constexpr const char* LIBRARIES = "/libnfsrdma-";

void
AddText(Sha256& digest, const std::string& text)
{
    digest.Update(ByteVector(text.begin(), text.end()));
}

void
AddFile(Sha256& digest, const std::string& path)
{
    constexpr std::size_t PIECE = 1 << 16;
    std::ifstream stream(path, std::ios::binary);
    std::array<char, PIECE> piece{};
    while (stream.read(piece.data(), piece.size()) || stream.gcount() > 0)
    {
        digest.Update(ByteVector(piece.begin(), piece.begin() + stream.gcount()));
    }
}

int
TakeLibrary(dl_phdr_info* info, std::size_t /* size */, void* libraries)
{
    const std::string name = info->dlpi_name;
    if (name.find(LIBRARIES) != std::string::npos)
    {
        static_cast<std::set<std::string>*>(libraries)->insert(name);
    }
    return 0;
}

} // namespace

std::string
FingerprintProgram()
{
    std::set<std::string> libraries;
    dl_iterate_phdr(TakeLibrary, &libraries);
    Sha256 digest;
    AddFile(digest, RUNNING_PROGRAM);
    for (const auto& library : libraries)
    {
        AddFile(digest, library);
    }
    return digest.Finish();
}

std::string
FingerprintConfig(const ScenarioConfig& config, const ScenarioPath& path)
{
    Sha256 digest;
    AddText(digest, config.ToIni({}, ""));
    for (const auto& section : config.GetWorkloadSections())
    {
        const auto trace = config.Get(section + ".trace").AsText();
        if (config.Get(section + ".kind").AsText() == "replay")
        {
            AddFile(digest, path.Find(trace + ".trace.csv"));
            AddFile(digest, path.Find(trace + ".tree.csv"));
        }
    }
    if (const auto topology = config.Get("topology.file").AsText(); !topology.empty())
    {
        AddFile(digest, path.Find(topology));
    }
    return digest.Finish();
}

} // namespace ns3::nfsrdma
