/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/check-capture.h"
#include "scenarios/simulator/config/command-line.h"
#include "scenarios/simulator/keys/scenario-error.h"
#include "temporary-file.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

const std::string DATA = NFSRDMA_SOURCE_DIR "/test/data/linux-6.1-";

class CheckCaptureTest : public testing::Test
{
  protected:
    RunStatus Check(const std::vector<std::string>& files)
    {
        return CheckCaptures(files, m_out, m_errors);
    }

    /// \return the words of the first line that begins with \p begin.
    std::vector<std::string> FindLine(const std::string& begin)
    {
        std::istringstream lines(m_out.str());
        for (std::string line; std::getline(lines, line);)
        {
            if (line.rfind(begin, 0) == 0)
            {
                std::istringstream words(line);
                return {std::istream_iterator<std::string>(words), {}};
            }
        }
        return {};
    }

    std::ostringstream m_out;
    std::ostringstream m_errors;
};

TEST_F(CheckCaptureTest, PrintsWhatEachDirectionHolds)
{
    EXPECT_EQ(Check({DATA + "nfs-v3-crc-mtu1500.pcap.gz"}), RunStatus::OK);
    EXPECT_EQ(m_errors.str(), "");
    using Words = std::vector<std::string>;
    // frames, FPDUs, Write, Read Req, Read Resp, Send, Send Inv, CRCs, octets, re-encoded, errors
    const Words initiator{"10.77.0.2:46304",
                          ">",
                          "10.77.0.1:20049",
                          "1053",
                          "795",
                          "0",
                          "0",
                          "9",
                          "636",
                          "0",
                          "795",
                          "330892",
                          "330892",
                          "0"};
    EXPECT_EQ(FindLine("10.77.0.2:46304"), initiator);
    const Words
        all{"all", "2066", "1685", "46", "9", "9", "1257", "15", "1685", "805360", "805360", "0"};
    EXPECT_EQ(FindLine("all"), all);
}

TEST_F(CheckCaptureTest, FailsWhereAnFpduDoesNotComeOutAgain)
{
    EXPECT_EQ(Check({DATA + "verbs-mpa-probes.pcap.gz"}), RunStatus::FAILED);
    const std::string text = m_out.str();
    EXPECT_NE(text.find("error: frame 262: 10.77.0.2:52036 > 10.77.0.1:9999: CRC mismatch\n"),
              std::string::npos);
    EXPECT_NE(text.find("known difference: terminate-bit-order (12)"), std::string::npos);
    EXPECT_EQ(text.find("\ndifference: "), std::string::npos);
}

TEST_F(CheckCaptureTest, NamesBrokenRpcRdmaMessagesWithTheirAnswers)
{
    EXPECT_EQ(Check({DATA + "nfs-v3-rpcrdma-probes.pcap.gz"}), RunStatus::OK);
    const std::string text = m_out.str();
    EXPECT_NE(text.find("broken: XID 0x00001001 version 2 RDMA_MSG, bad version: answered by XID "
                        "0x00001001 version 2 RDMA_ERROR ERR_VERS\n"),
              std::string::npos);
    EXPECT_NE(text.find("RPC-over-RDMA: 30 messages; 25 transport headers and 11 RPC headers that "
                        "follow come out the same\n"),
              std::string::npos);
}

TEST_F(CheckCaptureTest, SumsSeveralFilesAndGoesOnPastOneThatCannotBeRead)
{
    const std::string rping = DATA + "verbs-rping.pcap.gz";
    EXPECT_EQ(Check({rping, "absent.pcap", rping}), RunStatus::USER);
    EXPECT_EQ(m_errors.str(), "absent.pcap: No such file or directory\n");
    EXPECT_NE(m_out.str().find("\nall "), std::string::npos);
}

TEST_F(CheckCaptureTest, TellsInOneLineWhatIsWrongWithAFile)
{
    const test::TemporaryFile file;
    const std::string& name = file.GetPath();
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "is empty"},
        {"a text", "not a capture: a pcap or pcapng file, plain or gzip, is expected"},
        {"\x0a\x0d\x0d\x0a", "the capture is cut short within its file header"},
        {"\xd4\xc3\xb2\xa1", "the capture is cut short within its file header"},
        {"\x1f\x8b\x08 and no more", "damaged gzip file"},
    };
    for (const auto& [content, problem] : cases)
    {
        m_errors.str("");
        std::ofstream(name, std::ios::binary) << content;
        EXPECT_EQ(Check({name}), RunStatus::USER) << problem;
        const std::string text = m_errors.str();
        EXPECT_EQ(text.rfind(name + ": " + problem, 0), 0U) << text;
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    }
}

TEST_F(CheckCaptureTest, IsACommandThatTakesFilesOnly)
{
    const auto request = CommandLineRequest::Parse({"check-capture", "a.pcap", "b.pcap"});
    EXPECT_EQ(request.action, CommandLineRequest::Action::CHECK_CAPTURE);
    EXPECT_EQ(request.captures, (std::vector<std::string>{"a.pcap", "b.pcap"}));
    EXPECT_THROW(CommandLineRequest::Parse({"check-capture"}), ScenarioError);
    EXPECT_THROW(CommandLineRequest::Parse({"check-capture", "--seed", "1", "a.pcap"}),
                 ScenarioError);
    EXPECT_NE(CommandLineRequest::GetHelp().find("check-capture FILE..."), std::string::npos);
}

} // namespace

} // namespace ns3::nfsrdma
