/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

namespace
{

using Path = std::filesystem::path;

std::vector<Path>
FilesOf(const Path& folder)
{
    std::vector<Path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

ns3::nfsrdma::ByteVector
Read(const Path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

} // namespace

/// Runs FuzzOne() on every file of the folder named. A case that fails ends the program, its name
/// being the last one printed.
int
main(int argc, char* argv[])
{
    if (argc != 2 || !std::filesystem::is_directory(argv[1]))
    {
        std::cerr << "usage: " << argv[0] << " FOLDER\n";
        return 2;
    }
    const auto files = FilesOf(argv[1]);
    for (const auto& file : files)
    {
        std::cout << file.filename().string() << std::endl;
        ns3::nfsrdma::FuzzOne(Read(file));
    }
    std::cout << files.size() << " cases hold" << std::endl;
    return files.empty() ? 1 : 0;
}
