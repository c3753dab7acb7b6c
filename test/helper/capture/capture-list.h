/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_HELPER_CAPTURE_CAPTURE_LIST_H
#define NFSRDMA_TEST_HELPER_CAPTURE_CAPTURE_LIST_H

#include "helper/capture/capture-file.h"
#include "helper/capture/tcp-conversation.h"
#include "parameter-name.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// Where the captures of the Linux kernel are.
inline const std::string CAPTURES = NFSRDMA_SOURCE_DIR "/test/data";

/// \return the file names of all captures, sorted.
inline std::vector<std::string>
FindCaptures()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(CAPTURES))
    {
        const std::string name = entry.path().filename().string();
        if (name.find(".pcap.gz") != std::string::npos)
        {
            names.push_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// \return the capture in file \p name; an empty one, and a failure, when it cannot be read.
inline TcpCapture
ReadCapture(const std::string& name)
{
    const auto file = ReadCaptureFile(CAPTURES + "/" + name);
    if (!file)
    {
        ADD_FAILURE() << file.error();
        return {};
    }
    auto capture = TcpCapture::Read(*file);
    if (!capture)
    {
        ADD_FAILURE() << capture.error().ToString();
        return {};
    }
    return std::move(*capture);
}

/// \return the name of a test of capture \p test.
inline std::string
NameCaptureTest(const testing::TestParamInfo<std::string>& test)
{
    return ToParameterName(test.param.substr(0, test.param.find(".pcap")));
}

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_HELPER_CAPTURE_CAPTURE_LIST_H
