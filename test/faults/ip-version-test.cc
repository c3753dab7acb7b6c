/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "captured-items.h"
#include "fault-test.h"
#include "tshark.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::Contains;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// What a run has told of itself.
struct Told
{
    nlohmann::json summary;
    CapturedItems items;
    std::string mountStatistics;
    /// What tshark finds odd in frames of the capture: ports and why.
    std::multiset<std::string> wondered;
};

/// Everything above TCP is the same over IPv4 and IPv6, but for addresses.
class IpVersion : public FaultTest
{
  protected:
    static constexpr const char* CAPTURE = "out/client-0.pcap";

    /// Runs the scenario with its hosts on \p ip.
    [[nodiscard]] Told RunOver(const std::string& ip, const std::string& text) const
    {
        const auto run =
            RunText(text, {"--set", "topology.ip=" + ip, "--set", "output.pcap=client-0"});
        EXPECT_EQ(run.status, 0) << run.output << run.errors;
        const auto wondered =
            Dissect("--disable-protocol rpcordma -Y '_ws.malformed || tcp.analysis.flags' "
                    "-T fields -e tcp.srcport -e tcp.dstport -e _ws.expert.message");
        return {Summary(),
                CapturedItems::Read(m_directory.GetPath() + "/" + CAPTURE),
                m_directory.ReadFile("out/mountstats.txt"),
                {wondered.begin(), wondered.end()}};
    }

    /// \return the lines of tshark on the latest capture.
    [[nodiscard]] std::vector<std::string> Dissect(const std::string& arguments) const
    {
        return test::RunTshark(m_directory.GetPath() + "/" + CAPTURE, "-2 " + arguments);
    }

    /// Expects that the latest capture is of IPv6 alone, and whole: link-local is neighbour
    /// discovery alone.
    void ExpectIpv6() const
    {
        EXPECT_THAT(Dissect("-Y 'ip || arp || icmpv6.type == 133'"), IsEmpty());
        EXPECT_THAT(Dissect("-Y 'tcp && ipv6.addr == fe80::/10'"), IsEmpty());
        EXPECT_THAT(Dissect("-o tcp.check_checksum:TRUE -Y 'tcp.checksum.status == 0'"), IsEmpty());
        EXPECT_THAT(Dissect("-Y 'iwarp_mpa && ipv6'"), Not(IsEmpty()));
        EXPECT_THAT(Dissect("-Y 'rpcordma && ipv6'"), Not(IsEmpty()));
        EXPECT_THAT(Dissect("-Y 'nfs && ipv6'"), Not(IsEmpty()));
    }

    /// \return how many frames of the latest capture that \p filter lets pass have these values of
    /// \p fields, or, of one field that comes several times in a frame, how often it has each.
    [[nodiscard]] std::map<std::string, uint64_t> Tally(
        const std::string& filter,
        const std::vector<std::string>& fields) const
    {
        std::ostringstream arguments;
        arguments << "-Y '" << filter << "' -T fields";
        for (const auto& field : fields)
        {
            arguments << " -e " << field;
        }
        std::map<std::string, uint64_t> tally;
        for (auto line : Dissect(arguments.str()))
        {
            line.erase(std::find(line.begin(), line.end(), '\n'), line.end());
            std::istringstream values(line);
            for (std::string value; std::getline(values, value, fields.size() == 1 ? ',' : '\n');)
            {
                ++tally[value];
            }
        }
        return tally;
    }

    /// \return the RPC calls that were sent, once each; not those that name an address.
    [[nodiscard]] static std::set<ByteVector> ListCalls(const CapturedItems& items)
    {
        constexpr std::size_t TYPE_END = 8;
        std::set<ByteVector> calls;
        for (const auto& message : items.messages)
        {
            const std::string text(message.begin(), message.end());
            const bool isCall = message.size() > TYPE_END && message[TYPE_END - 1] == 0;
            if (isCall && text.find("10.77.0.") == std::string::npos &&
                text.find("fd00:0:0:77::") == std::string::npos &&
                text.find("fd00::77:") == std::string::npos)
            {
                calls.insert(message);
            }
        }
        return calls;
    }

    /// \return size and first octets of each RPC reply: all that is no time, handle or attribute.
    [[nodiscard]] static std::multiset<std::pair<std::size_t, ByteVector>> ListReplies(
        const CapturedItems& items)
    {
        constexpr std::size_t HEAD = 28; // XID to accept_stat, and the status of NFS.
        std::multiset<std::pair<std::size_t, ByteVector>> replies;
        for (const auto& message : items.messages)
        {
            if (message.size() >= HEAD && message[7] == 1)
            {
                replies.emplace(message.size(),
                                ByteVector(message.begin(), message.begin() + HEAD));
            }
        }
        return replies;
    }
};

const std::string MIX = "[cluster]\nclients = 1\n[workload]\nkind = mix\noperations = 150\n"
                        "files = 6\nfile_size = 64KiB\nsymlinks = 2\n";

TEST_F(IpVersion, CallsHaveTheSameOctets)
{
    for (const char* version : {"2", "3", "4.0", "4.1", "4.2"})
    {
        SCOPED_TRACE(version);
        const auto text = MIX + "[nfs]\nversion = " + version + "\n";
        const auto four = RunOver("ipv4", text);
        const auto six = RunOver("ipv6", text);
        ExpectIpv6();
        EXPECT_EQ(six.wondered, four.wondered);
        EXPECT_EQ(six.summary["rpcs"], four.summary["rpcs"]);
        EXPECT_EQ(six.summary["bytes"], four.summary["bytes"]);
        EXPECT_EQ(six.items.connections, four.items.connections);
        EXPECT_EQ(six.items.messages.size(), four.items.messages.size());
        EXPECT_GT(ListCalls(four.items).size(), 150U);
        EXPECT_EQ(ListCalls(six.items), ListCalls(four.items));
        EXPECT_GT(ListReplies(four.items).size(), 150U);
        EXPECT_EQ(ListReplies(six.items), ListReplies(four.items));
        EXPECT_EQ(
            std::multiset<ByteVector>(six.items.readChunks.begin(), six.items.readChunks.end()),
            std::multiset<ByteVector>(four.items.readChunks.begin(), four.items.readChunks.end()));
        EXPECT_EQ(six.items.written, four.items.written);
    }
}

/// Messages of one segment: of longer Sends tshark 4.0 has a bug of its own, over IPv4 too.
TEST_F(IpVersion, TsharkDissectsEveryLayer)
{
    const std::string text =
        "[cluster]\nclients = 1\n[link]\nmtu = 9000\n[workload]\nkind = mix\n"
        "operations = 150\nfiles = 6\nfile_size = 32KiB\nsymlinks = 2\n[nfs]\nversion = ";
    for (const char* version : {"3", "4.1"})
    {
        SCOPED_TRACE(version);
        (void)RunOver("ipv6", text + version + "\n");
        ExpectIpv6();
        EXPECT_THAT(Dissect("-Y '_ws.malformed'"), IsEmpty());
        std::map<std::string, uint64_t> forms;
        std::map<std::string, uint64_t> procedures;
        uint64_t calls = 0;
        for (const auto& row : Table("rpc.csv"))
        {
            ++forms[row.at("form")];
            ++procedures[row.at("procedure")];
            ++calls;
        }
        const auto count = [](const std::map<std::string, uint64_t>& tally) {
            uint64_t sum = 0;
            for (const auto& [value, times] : tally)
            {
                sum += times;
            }
            return sum;
        };

        // MPA
        const uint64_t fpdus = count(Tally("iwarp_mpa.fpdu", {"iwarp_mpa.ulpdulength"}));
        EXPECT_EQ(Dissect("-Y 'iwarp_mpa.req && ipv6'").size(), 1U);
        EXPECT_EQ(Dissect("-Y 'iwarp_mpa.rep && ipv6'").size(), 1U);
        uint64_t good = 0;
        for (const auto& line : Dissect("-Y iwarp_mpa.fpdu -O iwarp_mpa"))
        {
            good += line.find("(Good CRC32)") != std::string::npos ? 1 : 0;
        }
        EXPECT_EQ(good, fpdus);

        // RDMAP, and DDP: Writes and Read Responses are tagged.
        auto opcodes = Tally("iwarp_rdma && ipv6", {"iwarp_rdma.opcode"});
        EXPECT_EQ(count(opcodes), fpdus);
        for (const char* opcode : {"0x00", "0x01", "0x02", "0x03", "0x04"})
        {
            EXPECT_GT(opcodes[opcode], 0U) << opcode;
        }
        auto tagged = Tally("iwarp_ddp && ipv6", {"iwarp_ddp.tagged_flag"});
        EXPECT_EQ(tagged["1"], opcodes["0x00"] + opcodes["0x02"]);
        EXPECT_EQ(tagged["0"], opcodes["0x01"] + opcodes["0x03"] + opcodes["0x04"]);

        // RPC-over-RDMA: chunks as rpc.csv tells.
        auto headers = Tally("rpcordma && ipv6 && tcp.dstport == 20049",
                             {"rpcordma.msg_type",
                              "rpcordma.reads_count",
                              "rpcordma.writes_count",
                              "rpcordma.reply_count"});
        EXPECT_EQ(headers["0\t0\t0\t0"], forms["msg/inline"]);
        EXPECT_EQ(headers["0\t1\t0\t0"], forms["msg+R/inline"]);
        EXPECT_EQ(headers["0\t0\t1\t0"], forms["msg+W"]);
        EXPECT_EQ(headers["0\t0\t0\t1"], forms["msg+reply"]);
        EXPECT_EQ(count(headers), calls);
        EXPECT_EQ(headers.size(), 4U);

        // RPC and NFS
        EXPECT_EQ(Tally("rpc.msgtyp == 0 && iwarp_rdma && ipv6", {"rpc.procedure"}), procedures);
        EXPECT_EQ(count(Tally("rpc.msgtyp == 1 && iwarp_rdma && ipv6", {"rpc.xid"})), calls);
        EXPECT_EQ(Dissect("-Y 'nfs && iwarp_rdma && ipv6 && rpc.msgtyp == 0'").size(), calls);
    }
}

TEST_F(IpVersion, NetidsOfMountstatsAreThoseOfLinux)
{
    const auto three = RunOver("ipv6", MIX).mountStatistics;
    EXPECT_THAT(three, HasSubstr(",proto=rdma6,port="));
    EXPECT_THAT(three, HasSubstr(",mountaddr=fd00:0:0:77::1,"));
    EXPECT_THAT(three, HasSubstr(",mountproto=tcp6,"));
    const auto four = RunOver("ipv6", MIX + "[nfs]\nversion = 4.1\n").mountStatistics;
    EXPECT_THAT(four, HasSubstr(",proto=rdma6,port="));
    EXPECT_THAT(four, HasSubstr(",clientaddr=fd00:0:0:77::2,"));
}

TEST_F(IpVersion, MountAndLocksGoOverTcp6)
{
    const std::string text =
        "[cluster]\nclients = 3\n[nfs]\nversion = 3\nmount = linux\nmount_port_lookup = true\n"
        "local_lock = none\n[workload]\nkind = lock\nrequests = 30\niodepth = 2\n"
        "lock_records = 2\n";
    const auto four = RunOver("ipv4", text);
    const auto six = RunOver("ipv6", text);
    ExpectIpv6();
    EXPECT_EQ(six.wondered, four.wondered);
    EXPECT_EQ(six.summary["rpcs"], four.summary["rpcs"]);
    // rpcbind is asked as Linux asks it over IPv6, whose port mapper has no version 2.
    EXPECT_THAT(Dissect("-Y 'portmap.version == 2'"), IsEmpty());
    EXPECT_THAT(Dissect("-Y 'portmap.procedure_v4 == 3' -T fields -e portmap.rpcb.netid"),
                Contains(HasSubstr("rdma6")));
    EXPECT_THAT(Dissect("-Y 'portmap.uaddr' -T fields -e portmap.uaddr"),
                Contains(HasSubstr("fd00:0:0:77::1.78.81")));
    EXPECT_THAT(Dissect("-Y 'mount && ipv6'"), Not(IsEmpty()));
    EXPECT_THAT(Dissect("-Y 'nlm && ipv6'"), Not(IsEmpty()));
}

TEST_F(IpVersion, FaultsMeetTheSameFramesAndConnections)
{
    const std::string work = "[cluster]\nclients = 2\n[link]\nrate = 10Gbps\n[nfs]\nversion = 4.1\n"
                             "grace_time = 5ms\n[rpcrdma]\nclient_retry_delay = 5ms\n[workload]\n"
                             "kind = fio\nreadwrite = randrw\nbs = 32KiB\nsize = 512KiB\n"
                             "direct = true\niodepth = 8\nrequests = 200\n[faults]\n";
    for (const char* fault :
         {"lost = 5th data from client-0 to server-0: drop",
          "lost = 60th fpdu from server-0 to client-1: drop",
          "other = 12th send from client-1 to server-0 connection 1: corrupt",
          "flap = 20th nfs READ call from client-0: link-down for 6ms on client-0",
          "apart = 20th nfs READ call: partition client-0 | server-0 for 5ms",
          "again = 30th nfs WRITE call: restart for 5ms on server-0",
          "gone = 20th nfs READ call from client-0: qp-error on client-0 connection 1"})
    {
        SCOPED_TRACE(fault);
        const auto four = RunOver("ipv4", work + fault + "\n");
        const auto six = RunOver("ipv6", work + fault + "\n");
        const auto& plan = six.summary["faults"]["plan"];
        ASSERT_EQ(plan.size(), 1U);
        EXPECT_EQ(plan[0]["firings"], four.summary["faults"]["plan"][0]["firings"]);
        EXPECT_THAT(plan[0]["firings"], Gt(0));
        EXPECT_EQ(six.summary["rpcs"], four.summary["rpcs"]);
        EXPECT_EQ(six.summary["connections_lost"], four.summary["connections_lost"]);
    }
}

TEST_F(IpVersion, ChartsAndTimelinesFindTheSameHosts)
{
    const std::string text =
        "[cluster]\nclients = 2\n[nfs]\nversion = 4.1\ngrace_time = 5ms\n[rpcrdma]\n"
        "client_retry_delay = 5ms\n[output]\ntimeline = 250us\nmessages = first 20\n[workload]\n"
        "kind = fio\nreadwrite = randrw\nbs = 32KiB\nsize = 512KiB\ndirect = true\niodepth = 4\n"
        "requests = 100\n[faults]\nagain = 30th nfs WRITE call: restart for 5ms on server-0\n";
    const auto tell = [this](const std::string& file, const std::vector<std::string>& columns) {
        std::multiset<std::string> told;
        for (const auto& row : Table(file))
        {
            std::string line;
            for (const auto& column : columns)
            {
                line += row.at(column) + " ";
            }
            told.insert(line);
        }
        return told;
    };
    const std::vector<std::string> event{"host", "client", "kind"};
    const std::vector<std::string> message{"responder", "operation", "host", "event"};
    (void)RunOver("ipv4", text);
    const auto events = tell("events.csv", event);
    const auto messages = tell("messages.csv", message);
    EXPECT_GT(events.size(), 10U);
    EXPECT_GT(messages.size(), 100U);
    (void)RunOver("ipv6", text);
    EXPECT_EQ(tell("events.csv", event), events);
    EXPECT_EQ(tell("messages.csv", message), messages);
}

TEST_F(IpVersion, MiddleboxesCutSegmentsAnew)
{
    for (const char* mode : {"split", "merge", "recut"})
    {
        SCOPED_TRACE(mode);
        const auto six = RunOver("ipv6", MIX + "[middlebox]\nat = servers\nmode = " + mode + "\n");
        EXPECT_EQ(six.summary["errors"], 0);
        ExpectIpv6();
    }
}

TEST_F(IpVersion, ThePathTellsItsMtuByPacketTooBig)
{
    const std::string text = MIX + "[link]\nmtu = 9000\n[middlebox]\nat = servers\nmtu = 1500\n";
    for (const char* tcp : {"offload", "ns3"})
    {
        SCOPED_TRACE(tcp);
        const auto six = RunOver("ipv6", text + "[rnic]\ntcp = " + tcp + "\n");
        const auto told = Dissect("-Y 'icmpv6.type == 2' -T fields -e icmpv6.mtu");
        EXPECT_THAT(told, Not(IsEmpty()));
        EXPECT_THAT(told, testing::Each(HasSubstr("1500")));
        EXPECT_EQ(six.summary["errors"], 0);
    }
}

TEST_F(IpVersion, NeighbourDiscoveryIsForTheOneThatIsAskedFor)
{
    const std::string text = "[cluster]\nclients = 4\n[topology]\narp = directed\n[workload]\n"
                             "operations = 10\nfiles = 2\n";
    (void)RunOver("ipv6", text);
    EXPECT_THAT(Dissect("-Y 'icmpv6.type == 135 && !(icmpv6.nd.ns.target_address == "
                        "fd00:0:0:77::1 || icmpv6.nd.ns.target_address == fd00:0:0:77::2)'"),
                IsEmpty());
    EXPECT_THAT(Dissect("-Y 'icmpv6.type == 136'"), Not(IsEmpty()));
}

TEST_F(IpVersion, AQueueForANeighbourThatIsTooShortLosesTheOldest)
{
    const auto text = std::string("[cluster]\nclients = 1\n[nfs]\nnconnect = 16\n[topology]\n"
                                  "ip = ipv6\narp_queue = 3\n[workload]\nkind = mix\n"
                                  "operations = 50\n");
    EXPECT_EQ(RunText(text).status, 0);
    EXPECT_EQ(Summary()["drops"]["arp-queue"], 13);
    EXPECT_EQ(RunText(text, {"--set", "topology.arp_queue=16"}).status, 0);
    EXPECT_EQ(Summary()["drops"]["arp-queue"], 0);
}

TEST_F(IpVersion, OneFloorHoldsForEveryMtuOfIpv6)
{
    for (const char* key : {"link.mtu", "middlebox.mtu"})
    {
        const std::string at = std::string(key) + "=";
        const std::string box = "middlebox.at=servers";
        const auto low =
            RunText(MIX, {"--set", "topology.ip=ipv6", "--set", box, "--set", at + "1279"});
        EXPECT_EQ(low.status, 2);
        EXPECT_THAT(low.errors, HasSubstr("at least 1280B"));
        EXPECT_EQ(
            RunText(MIX, {"--set", "topology.ip=ipv6", "--set", box, "--set", at + "1280"}).status,
            0);
    }
    const auto narrow = [&](const std::string& ip, uint32_t mtu) {
        return RunText(MIX + "[faults]\nnarrow = at 1ms: mtu " + std::to_string(mtu) +
                           " for 5ms on client-0\n",
                       {"--set", "topology.ip=" + ip});
    };
    EXPECT_EQ(narrow("ipv6", 1279).status, 2);
    EXPECT_THAT(narrow("ipv6", 1279).errors,
                HasSubstr("faults.narrow: got '1279', expected an MTU of at least 1280"));
    EXPECT_EQ(narrow("ipv6", 1280).status, 0);
    EXPECT_EQ(narrow("ipv4", 1279).status, 0);
    for (const auto& [mtu, status] : {std::pair{"1279", 2}, std::pair{"1280", 0}})
    {
        m_directory.WriteFile("rack.txt",
                              std::string("switch rack\nlink server-0 rack\nlink client-0 rack "
                                          "mtu=") +
                                  mtu + "\n");
        const auto file = RunText(MIX + "[topology]\nshape = file\nfile = rack.txt\n",
                                  {"--set", "topology.ip=ipv6"});
        EXPECT_EQ(file.status, status) << file.errors;
        EXPECT_EQ(file.errors.find("got 'mtu=1279', expected at least 1280") != std::string::npos,
                  status == 2);
    }
}

TEST_F(IpVersion, ABondTellsNeighboursOfEachOfItsAddresses)
{
    const auto text = MIX + "[host]\nports = 2\nbond_miimon = 100us\n[faults]\n"
                            "cut = at 500us: port-down 1 for 50ms on client-0\n";
    (void)RunOver("ipv6", text);
    const std::string unsolicited =
        "-Y 'icmpv6.type == 136 && icmpv6.nd.na.flag.s == 0 && icmpv6.nd.na.flag.o == 1 && "
        "ipv6.dst == ff02::1 && eth.dst == 33:33:00:00:00:01 && icmpv6.checksum.status == 1 && "
        "ipv6.hlim == 255";
    EXPECT_EQ(Dissect(unsolicited + "'").size(), 2U);
    EXPECT_EQ(Dissect(unsolicited + " && icmpv6.nd.na.target_address == fd00:0:0:77::2'").size(),
              1U);
    EXPECT_EQ(Dissect(unsolicited + " && icmpv6.nd.na.target_address == fe80::/10'").size(), 1U);
}

} // namespace

} // namespace ns3::nfsrdma
