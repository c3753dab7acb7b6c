/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Suite nfsrdma of an ns-3 tree that has the repository as contrib/nfsrdma: ./test.py -s nfsrdma

#include "helper/ethernet-network-helper.h"
#include "helper/nfs-rdma-client-helper.h"
#include "helper/nfs-rdma-server-helper.h"
#include "mpa/internet-address.h"
#include "mpa/tcp-preset.h"

#include "ns3/config.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

using namespace ns3;
using namespace ns3::nfsrdma;

namespace
{

/// A program of GoogleTest and the cases of it that are to be run.
struct TestProgram
{
    const char* path;
    const char* filter; ///< As --gtest_filter takes it.
};

constexpr TestProgram TEST_PROGRAMS[] = {
#include "contrib/test-programs.h"
};

/**
 * \brief All quick cases of one folder of test/, in a process of their own.
 *
 * Each expectation that does not hold, and each case that ends the process, is a failure here.
 */
class TestProgramCase : public TestCase
{
  public:
    explicit TestProgramCase(const TestProgram& program);

  private:
    void DoRun() override;
    /// \return test-FOLDER: a name of ns-3's has no slash.
    static std::string GetName(const TestProgram& program);
    /// \return how many cases \p output, of GoogleTest, says to have passed.
    static uint32_t CountPassed(const std::string& output);

    TestProgram m_program;
};

TestProgramCase::TestProgramCase(const TestProgram& program)
    : TestCase("GoogleTest cases of " + GetName(program)),
      m_program(program)
{
}

void
TestProgramCase::DoRun()
{
    const auto log = CreateTempDirFilename("output");
    std::ostringstream command;
    command << "'" << m_program.path
            << "' --gtest_brief=1 --gtest_color=no '--gtest_filter=" << m_program.filter << "' >'"
            << log << "' 2>&1";
    const int status = std::system(command.str().c_str());
    std::ostringstream output;
    output << std::ifstream(log).rdbuf();
    NS_TEST_ASSERT_MSG_EQ(status, 0, m_program.path << " failed:\n" << output.str());
    NS_TEST_ASSERT_MSG_GT(CountPassed(output.str()),
                          0,
                          m_program.path << " has run no case:\n"
                                         << output.str());
}

std::string
TestProgramCase::GetName(const TestProgram& program)
{
    const std::string path = program.path;
    return path.substr(path.rfind('/') + 1);
}

uint32_t
TestProgramCase::CountPassed(const std::string& output)
{
    const std::string mark = "[  PASSED  ] ";
    const auto place = output.rfind(mark);
    return place == std::string::npos ? 0 : std::atoi(output.c_str() + place + mark.size());
}

/// A client writes a file on a server and reads it back, over the module as the runner has it.
class WriteAndReadCase : public TestCase
{
  public:
    explicit WriteAndReadCase(uint16_t mtu);

  private:
    void DoRun() override;
    void DoTeardown() override;

    uint16_t m_mtu;
};

WriteAndReadCase::WriteAndReadCase(uint16_t mtu)
    : TestCase("WRITE and READ of NFSv3 over RDMA, MTU " + std::to_string(mtu)),
      m_mtu(mtu)
{
}

void
WriteAndReadCase::DoRun()
{
    constexpr uint32_t OCTETS = 65536;
    DataCenterTcpPreset().Apply(m_mtu);
    NodeContainer nodes(2);
    EthernetNetworkHelper network;
    network.SetDeviceAttribute("Mtu", UintegerValue(m_mtu));
    const auto star = network.Install(nodes);
    const auto server = NfsRdmaServerHelper().Install(nodes.Get(0));
    const auto root = server.store->CreateExport("export");
    server.store->AddFile(root, "file", 0);
    const auto file = server.store->GetHandle(*server.store->FindPath(root, "file"));
    const Address address = MakeSocketAddress(star.addresses[0], RpcRdmaServer::NFS_RDMA_PORT);
    const auto client = NfsRdmaClientHelper().Install(nodes.Get(1), address, AuthSysCredential{});

    ByteVector data(OCTETS);
    for (uint32_t i = 0; i < OCTETS; i++)
    {
        data[i] = static_cast<uint8_t>(i * 31 + i / 251);
    }
    HostBuffer source(client.memory, OCTETS);
    source.Write(0, data);
    HostBuffer target(client.memory, OCTETS);
    Write3Args write;
    write.file = file;
    write.count = OCTETS;
    write.stable = StableHow::FILE_SYNC;
    Read3Args read;
    read.file = file;
    read.count = OCTETS;

    uint32_t written = 0;
    uint32_t found = 0;
    client.transport->Connect();
    client.nfs->Call(write, source.GetAddress(), [&](RpcRecord&, const Write3Res& result) {
        written = result.count;
        client.nfs->Call(read, target.GetAddress(), [&](RpcRecord&, const Read3Res& content) {
            found = content.count;
            client.transport->Disconnect();
        });
    });
    Simulator::Run();

    ByteVector copy(OCTETS);
    target.Read(0, copy);
    server.transport->Stop();
    NS_TEST_EXPECT_MSG_EQ(written, OCTETS, "WRITE");
    NS_TEST_EXPECT_MSG_EQ(found, OCTETS, "READ");
    NS_TEST_EXPECT_MSG_EQ((copy == data), true, "what was read is not what was written");
}

void
WriteAndReadCase::DoTeardown()
{
    Simulator::Destroy();
    Config::Reset();
}

class NfsRdmaTestSuite : public TestSuite
{
  public:
    NfsRdmaTestSuite();
};

NfsRdmaTestSuite::NfsRdmaTestSuite()
    : TestSuite("nfsrdma")
{
    AddTestCase(new WriteAndReadCase(1500));
    AddTestCase(new WriteAndReadCase(9000));
    for (const auto& program : TEST_PROGRAMS)
    {
        AddTestCase(new TestProgramCase(program));
    }
}

const NfsRdmaTestSuite g_nfsRdmaTestSuite; //!< Registers itself.

} // namespace
