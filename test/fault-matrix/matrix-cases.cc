/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-matrix/matrix-cases.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace ns3::nfsrdma::test
{

namespace
{

// RPCs are given up by their connection after 60 s.
constexpr const char* CLUSTER = "[link]\nrate = 25Gbps\n"
                                "[rnic]\nmpa_crc = true\n"
                                "[cluster]\nservers = 1\nstall_limit = 300s\n";

/// Reads and writes with and without chunks, listings and links by Reply chunk, names.
constexpr const char* MIX =
    "clients = 1\n"
    "[workload]\nkind = mix\noperations = 30\nfiles = 2\nfile_size = 16KiB\nsymlinks = 1\n"
    "setup_io_size = 16KiB\nio_sizes = 512:1,4096:1,8192:1\n"
    "operation_mix = read:4,write:4,readdirplus:2,readlink:2,getattr:2,lookup:2,create:2,"
    "remove:2,setattr:2\n";

/// Long access lists: calls of RDMA_NOMSG.
constexpr const char* LISTS = "clients = 1\n"
                              "[workload]\nkind = acl\nrequests = 6\nacl_files = 2\n"
                              "acl_entries = 332:1\nacl_set_fraction = 0.5\n";

constexpr const char* SHORT_LISTS = "clients = 1\n"
                                    "[workload]\nkind = acl\nrequests = 6\nacl_files = 2\n"
                                    "acl_entries = 5:1\nacl_set_fraction = 0.5\n";

/// Listings that come as Read chunks of the server.
constexpr const char* PULLED = "clients = 1\n"
                               "[rpcrdma]\nclient_read_chunk_extension = true\n"
                               "server_read_chunk_extension = true\n"
                               "server_read_chunk_policy = when-needed\n"
                               "server_remote_invalidation = true\n"
                               "client_reply_mechanism = reply-chunk-never\n"
                               "[workload]\nkind = listing\nrequests = 4\nlist_entries = 60\n"
                               "list_count = 8KiB\n";

/// A file that clients share: a delegation is recalled.
constexpr const char* SHARED = "clients = 2\n"
                               "[workload]\nkind = lock\nrequests = 2\n";

constexpr const char* RESTART = "10th rpc-call from client-0: restart for 1ms on server-0";
constexpr const char* RESET = "10th rpc-call from client-0: rnic-reset for 1ms on client-0";
constexpr const char* BAD_RESPONSE = "2nd read-response from client-0: corrupt 1 bit";
constexpr const char* BAD_WRITE = "2nd rdma-write from server-0: corrupt 1 bit";
constexpr const char* LOST_RESPONSE = "2nd read-response from client-0: drop";
constexpr const char* LOST_WRITE = "2nd rdma-write from server-0: drop";
constexpr const char* BAD_VERSION =
    "12th rdma-msg from client-0: corrupt 1 bit before crc field vers";

class MessageTable
{
  public:
    explicit MessageTable(std::string version)
        : m_version(std::move(version))
    {
    }

    void Add(const std::string& sender,
             const std::string& event,
             const char* workload = MIX,
             const char* provocation = "")
    {
        rows.push_back({event, m_version, sender, MakeScenario(workload), provocation, ""});
    }

    void AddBoth(const std::string& event)
    {
        Add("client", event);
        Add("server", event);
    }

    void AddNever(const std::string& sender,
                  const std::string& event,
                  const std::string& reason,
                  const char* workload = MIX)
    {
        rows.push_back({event, m_version, sender, MakeScenario(workload), "", reason});
    }

    void AddProcedure(const std::string& name, const char* workload = MIX)
    {
        Add("client", name + " call", workload);
        Add("server", name + " reply", workload);
    }

    std::vector<MatrixMessage> rows;

  private:
    std::string MakeScenario(const char* workload) const
    {
        return "[nfs]\nversion = " + m_version + "\n" + CLUSTER + workload;
    }

    std::string m_version;
};

void
AddTransport(MessageTable& table)
{
    table.AddBoth("syn");
    table.AddBoth("ack");
    table.AddBoth("data");
    table.Add("client", "retransmission", MIX, LOST_RESPONSE);
    table.Add("server", "retransmission", MIX, LOST_WRITE);
    table.Add("client", "fin", MIX, BAD_WRITE);
    table.Add("server", "fin", MIX, BAD_RESPONSE);
    table.Add("client", "rst", MIX, RESET);
    table.Add("server", "rst", MIX, RESTART);

    table.Add("client", "mpa-request");
    table.AddNever("server", "mpa-request", "servers do not connect");
    table.Add("server", "mpa-reply");
    table.AddNever("client", "mpa-reply", "nobody connects to clients");
    table.AddBoth("fpdu");

    table.Add("server", "rdma-write");
    table.AddNever("client", "rdma-write", "servers offer no memory to write to");
    table.Add("server", "read-request");
    table.AddNever("client", "read-request", "servers offer memory to read for replies alone");
    table.Add("client", "read-response");
    table.AddNever("server", "read-response", "clients read replies in Read chunks alone");
    table.Add("client", "read-request", PULLED);
    table.Add("server", "read-response", PULLED);
    table.AddBoth("send");
    table.Add("server", "send-invalidate");
    table.AddNever("client", "send-invalidate", "servers offer memory for replies alone");
    table.Add("client", "send-invalidate", PULLED);
    table.AddNever("client", "send-solicited", "NFS over RDMA sends no solicited Sends");
    table.AddNever("server", "send-solicited", "NFS over RDMA sends no solicited Sends");
    table.Add("client", "terminate", MIX, BAD_WRITE);
    table.Add("server", "terminate", MIX, BAD_RESPONSE);

    table.AddBoth("rdma-msg");
    table.Add("client", "rdma-nomsg", LISTS);
    table.Add("server", "rdma-nomsg");
    table.Add("client", "rdma-done", PULLED);
    table.AddNever("server", "rdma-done", "clients give no Read chunks for replies", PULLED);
    table.AddNever("client", "rdma-done", "no reply is pulled unless both sides agree on it");
    table.Add("server", "rdma-error", MIX, BAD_VERSION);
    table.AddNever("client", "rdma-error", "Linux's client drops what it cannot understand");
}

void
AddVersion3(MessageTable& table)
{
    for (const char* name : {"READ",
                             "WRITE",
                             "GETATTR",
                             "SETATTR",
                             "LOOKUP",
                             "CREATE",
                             "REMOVE",
                             "READLINK",
                             "READDIRPLUS"})
    {
        table.AddProcedure(std::string("nfs ") + name);
    }
    table.AddProcedure("nfsacl GETACL", LISTS);
    table.AddProcedure("nfsacl SETACL", SHORT_LISTS);
    table.AddNever("server", "callback CB_RECALL call", "NFSv3 has no callbacks");
    table.AddNever("client", "callback CB_RECALL reply", "NFSv3 has no callbacks");
}

void
AddVersion41(MessageTable& table)
{
    for (const char* name : {"EXCHANGE_ID",
                             "CREATE_SESSION",
                             "RECLAIM_COMPLETE",
                             "READ",
                             "WRITE",
                             "OPEN",
                             "CLOSE",
                             "GETATTR",
                             "SETATTR",
                             "LOOKUP",
                             "REMOVE",
                             "READLINK",
                             "READDIR"})
    {
        table.AddProcedure(std::string("nfs ") + name);
    }
    table.AddProcedure("nfs LOCK", SHARED);
    table.AddProcedure("nfs LOCKU", SHARED);
    table.AddProcedure("nfs DELEGRETURN", SHARED);
    table.Add("server", "callback CB_RECALL call", SHARED);
    table.Add("client", "callback CB_RECALL reply", SHARED);
    table.AddNever("client", "nfsacl GETACL call", "NFSv4 has operations of its own for lists");
    table.AddNever("server", "nfsacl GETACL reply", "NFSv4 has operations of its own for lists");
}

bool
IsPulled(const MatrixMessage& message)
{
    return message.workload.find("read_chunk_extension") != std::string::npos;
}

} // namespace

std::vector<MatrixMessage>
GetMatrixMessages()
{
    MessageTable three("3");
    AddTransport(three);
    AddVersion3(three);
    MessageTable four("4.1");
    AddTransport(four);
    AddVersion41(four);
    three.rows.insert(three.rows.end(), four.rows.begin(), four.rows.end());
    return three.rows;
}

std::vector<MatrixFault>
GetMatrixFaults()
{
    std::vector<MatrixFault> faults{{"drop", "drop"},
                                    {"corrupt after crc", "corrupt 2 bits", true},
                                    {"corrupt before crc", "corrupt 1 bit before crc", true, true},
                                    {"duplicate", "duplicate 2 times"},
                                    {"delay", "delay 300us"},
                                    {"reorder", "reorder behind 2 segments"},
                                    {"resegment", "resegment 40 octets"},
                                    {"partition", "partition client-0 | server-0 for 2ms"}};
    const auto add = [&faults](const std::string& what, const std::string& side) {
        faults.push_back({what + " of " + side, what + " on " + side + "-0"});
    };
    for (const std::string side : {"client", "server"})
    {
        add("link-down for 2ms", side);
        add("port-down for 2ms", side);
        add("port-deaf for 2ms", side);
        add("port-mute for 2ms", side);
        add("flap 2 times down 300us up 300us", side);
        add("mtu 600 for 5ms", side);
        add("mtu 600 for 5ms silently", side);
        add("rnic-reset for 1ms", side);
        add("rnic-remove for 1ms", side);
        add("qp-error", side);
        add("cq-overflow", side);
        add("registration-failure 2", side);
        add("region-shortage for 300us", side);
        add("slow-receiver for 1ms by 20us", side);
        add("memory-pressure 2 for 300us", side);
    }
    add("crash for 20ms", "server");
    add("restart for 1ms", "server");
    add("thread-stall for 300us", "server");
    add("storage-stall for 300us", "server");
    add("slot-shrink 2", "server");
    faults.push_back({"answer with JUKEBOX", "answer NFS3ERR_JUKEBOX"});
    faults.push_back({"answer with DELAY", "answer NFS4ERR_DELAY"});
    return faults;
}

std::string
WhyRefused(const MatrixMessage& message, const MatrixFault& fault)
{
    static const std::set<std::string> BARE{"syn", "ack", "fin", "rst"};
    static const std::set<std::string> NOT_FPDU{"data",
                                                "retransmission",
                                                "mpa-request",
                                                "mpa-reply"};
    if (fault.what.rfind("answer", 0) == 0)
    {
        const bool isCall = message.event.rfind("nfs ", 0) == 0 &&
                            message.event.find(" call") != std::string::npos &&
                            message.event != "nfs NULL call";
        const bool isOfVersion =
            (fault.what == "answer NFS3ERR_JUKEBOX") == (message.version == "3");
        return isCall && isOfVersion ? "" : "there is no call, or it has no such answer";
    }
    if (fault.changesFpdu && BARE.count(message.event) != 0)
    {
        return "the segment has no payload";
    }
    return fault.undetected && NOT_FPDU.count(message.event) != 0
               ? "it is not about an FPDU, which has a CRC"
               : "";
}

bool
MayFail(const MatrixFault& fault)
{
    const auto is = [&fault](const char* kind) { return fault.what.rfind(kind, 0) == 0; };
    // The server has forgotten what it had carried out: what comes again is refused.
    return is("crash") || is("restart");
}

std::string
GetName(const MatrixMessage& message)
{
    std::string name = "v" + message.version + "_" + message.sender + "_" + message.event;
    if (IsPulled(message))
    {
        name += "_pulled";
    }
    name.erase(std::remove(name.begin(), name.end(), '.'), name.end());
    std::replace_if(
        name.begin(),
        name.end(),
        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
        '_');
    return name;
}

} // namespace ns3::nfsrdma::test
