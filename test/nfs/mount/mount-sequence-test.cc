/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/capture-file.h"
#include "helper/capture/pcap-reader.h"
#include "helper/capture/tcp-segment.h"
#include "nfs/mount/mount-fixture.h"
#include "nfs/v2/types2.h"
#include "wire/ip-address.h"

#include <boost/endian/conversion.hpp>
#include <iomanip>
#include <map>
#include <set>

namespace ns3::nfsrdma
{
namespace
{

/// One RPC message on TCP, as it was sent.
struct AuxiliaryMessage
{
    uint32_t connection{0}; ///< Numbered from 0 by their first segments.
    uint16_t serverPort{0};
    bool reserved{false}; ///< The client's port.
    bool isCall{false};
    ByteVector octets; ///< Record mark included; XID and stamp of the credential made 0.
};

bool
operator==(const AuxiliaryMessage& a, const AuxiliaryMessage& b)
{
    return a.connection == b.connection && a.serverPort == b.serverPort &&
           a.reserved == b.reserved && a.isCall == b.isCall && a.octets == b.octets;
}

std::ostream&
operator<<(std::ostream& out, const AuxiliaryMessage& message)
{
    out << "connection " << message.connection << " port " << message.serverPort
        << (message.reserved ? " reserved" : "") << (message.isCall ? " call " : " reply ")
        << message.octets.size() << ": " << std::hex << std::setfill('0');
    for (const uint8_t octet : message.octets)
    {
        out << std::setw(2) << static_cast<uint32_t>(octet);
    }
    return out << std::dec;
}

constexpr std::size_t XID = 4;
constexpr std::size_t CALL_FLAVOR = 4 + 24;
constexpr std::size_t STAMP = CALL_FLAVOR + 8;
/// Of the reply to MNT, the fsid in the root's handle.
constexpr std::size_t FSID = 4 + 24 + 4 + 4 + 4;
constexpr std::size_t MNT_REPLY = 52;

void
Clear(ByteVector& octets, std::size_t position)
{
    std::fill_n(octets.begin() + static_cast<std::ptrdiff_t>(position), 4, 0);
}

/// \return what was said at the ports of rpcbind and mountd. Each message of these captures is a
/// segment.
std::vector<AuxiliaryMessage>
ReadAuxiliaryMessages(const std::string& path, uint16_t mountdPort)
{
    std::vector<AuxiliaryMessage> messages;
    const auto file = ReadCaptureFile(path);
    EXPECT_TRUE(file);
    auto reader = PcapReader::Create(*file);
    EXPECT_TRUE(reader);
    std::map<uint16_t, uint32_t> connections;
    std::map<std::pair<uint16_t, bool>, uint32_t> sent;
    std::set<uint16_t> ended;
    uint32_t next = 0;
    for (auto frame = reader->Next(); frame && *frame; frame = reader->Next())
    {
        const auto segment = DecodeTcpSegment(reader->GetLinkType(), **frame);
        if (!segment)
        {
            continue;
        }
        const bool isCall =
            segment->destination.port == RPCBIND_PORT || segment->destination.port == mountdPort;
        const uint16_t server = isCall ? segment->destination.port : segment->source.port;
        const uint16_t client = isCall ? segment->source.port : segment->destination.port;
        if (server != RPCBIND_PORT && server != mountdPort)
        {
            continue;
        }
        if (connections.count(client) == 0 || (segment->syn && ended.erase(client) > 0))
        {
            connections[client] = next++;
            sent.erase({client, true});
            sent.erase({client, false});
        }
        if (isCall && segment->fin)
        {
            ended.insert(client);
        }
        if (segment->payload.empty())
        {
            continue;
        }
        const auto [place, isNew] = sent.emplace(std::pair(client, isCall), segment->sequence);
        if (!isNew && static_cast<int32_t>(segment->sequence - place->second) <= 0)
        {
            continue; // Sent again.
        }
        place->second = segment->sequence;
        AuxiliaryMessage message{connections[client], server, client < 1024, isCall, {}};
        message.octets.assign(segment->payload.begin(), segment->payload.end());
        Clear(message.octets, XID);
        if (isCall && boost::endian::load_big_u32(&message.octets[CALL_FLAVOR]) == 1)
        {
            Clear(message.octets, STAMP);
        }
        if (!isCall && message.octets.size() == MNT_REPLY)
        {
            Clear(message.octets, FSID);
        }
        messages.push_back(std::move(message));
    }
    return messages;
}

/// Parameter: a capture of Linux.
class MountSequence : public MountTest, public ::testing::WithParamInterface<const char*>
{
};

TEST_P(MountSequence, IsLinuxsOctetByOctet)
{
    const auto mount = CreateObject<NfsMount>();
    mount->SetNode(m_pair->nodes[TcpPair::CLIENT]);
    mount->SetServer(*IpAddress::Parse(TcpPair::SERVER_ADDRESS));
    mount->SetPath("/export");
    mount->SetCredential(GetRoot());
    bool over = false;
    mount->Mount([&](const NfsMountResult& result) {
        EXPECT_TRUE(result.IsOk());
        EXPECT_EQ(result.handle, m_store->GetHandle(*m_store->GetExport("/export")));
        EXPECT_EQ(result.flavors, std::vector<uint32_t>{1});
        EXPECT_EQ(result.nfsPort, 20049);
        EXPECT_EQ(m_daemons->GetMountTable().GetEntries().size(), 1U);
        Simulator::Schedule(Seconds(1), [&] {
            mount->Unmount([&](const NfsMountResult& ended) {
                EXPECT_TRUE(ended.IsOk());
                over = true;
            });
        });
    });
    Simulator::Run();
    EXPECT_TRUE(over);
    EXPECT_FALSE(mount->IsBusy());
    EXPECT_TRUE(m_daemons->GetMountTable().GetEntries().empty());
    EXPECT_EQ(m_daemons->GetConnectionCount(), 0U);
    mount->Dispose();
    m_pcap->Close();

    const auto linux61 = ReadAuxiliaryMessages(
        std::string(NFSRDMA_SOURCE_DIR "/test/data/linux-6.1-nfs-v3-") + GetParam() + ".pcap.gz",
        MOUNTD_PORT);
    const auto modelled = ReadAuxiliaryMessages(m_file.GetPath(), MOUNTD_PORT);
    EXPECT_EQ(linux61.size(), 12U);
    ASSERT_EQ(modelled.size(), linux61.size());
    for (std::size_t i = 0; i < linux61.size(); ++i)
    {
        EXPECT_EQ(modelled[i], linux61[i]) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Captures,
                         MountSequence,
                         ::testing::Values("mtu1500",
                                           "1m-read",
                                           "acl-syserr",
                                           "crc-client-only",
                                           "crc-mtu1500",
                                           "crc-server-only",
                                           "loss3",
                                           "nfsd-restart",
                                           "p2p"),
                         [](const auto& parameter) {
                             std::string name = parameter.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

/// What goes wrong, and other ways.
class MountCase : public MountTest
{
  protected:
    NfsMountResult Mount(const std::string& path)
    {
        m_mount->SetNode(m_pair->nodes[TcpPair::CLIENT]);
        m_mount->SetServer(*IpAddress::Parse(TcpPair::SERVER_ADDRESS));
        m_mount->SetPath(path);
        m_mount->SetCredential(GetRoot());
        m_mount->TraceConnectWithoutContext("CallCompleted",
                                            MakeCallback(&MountCase::TakeCall, this));
        NfsMountResult given;
        bool over = false;
        m_mount->Mount([&](const NfsMountResult& result) {
            given = result;
            over = true;
        });
        Simulator::Run();
        EXPECT_TRUE(over);
        return given;
    }

    void TakeCall(const RpcRecord& record)
    {
        m_calls.push_back(record);
    }

    void TearDown() override
    {
        m_mount->Dispose();
        MountTest::TearDown();
    }

    Ptr<NfsMount> m_mount{CreateObject<NfsMount>()};
    std::vector<RpcRecord> m_calls;
};

TEST_F(MountCase, UnknownExportIsRefused)
{
    const auto result = Mount("/nosuch");
    EXPECT_EQ(result.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(result.status, MountStatus::ACCES);
    EXPECT_FALSE(result.IsOk());
}

TEST_F(MountCase, DirectoryBelowAnExportIsMounted)
{
    const InodeNumber dir = m_store->AddDirectory(*m_store->GetExport("/export"), "sub");
    m_store->AddFile(dir, "file", 10);
    const auto result = Mount("/export/sub");
    EXPECT_TRUE(result.IsOk());
    EXPECT_EQ(result.handle, m_store->GetHandle(dir));
}

TEST_F(MountCase, VersionTwoUsesMountVersionOne)
{
    m_mount->SetNfsVersion(2);
    const auto result = Mount("/export");
    EXPECT_TRUE(result.IsOk());
    EXPECT_EQ(result.handle.length, 32U);
    ASSERT_EQ(m_calls.size(), 3U);
    EXPECT_EQ(m_calls.back().version, MOUNT_V1);
    ExpectDissected("mount", 4);
}

TEST_F(MountCase, VersionOfMountCanBeChosenForNfs2)
{
    m_mount->SetNfsVersion(2);
    m_mount->SetAttribute("MountVersion", UintegerValue(MOUNT_V2));
    const auto result = Mount("/export");
    EXPECT_TRUE(result.IsOk());
    EXPECT_EQ(result.handle.length, 32U);
    ASSERT_EQ(m_calls.size(), 3U);
    EXPECT_EQ(m_calls.back().version, MOUNT_V2);
    ExpectDissected("mount", 4);
    EXPECT_EQ(Tshark("-Y 'mount.procedure_v2 == 1'").size(), 2U);
}

TEST_F(MountCase, Nfs2PadsTheHandleOfMountVersionThree)
{
    m_mount->SetNfsVersion(2);
    m_mount->SetAttribute("MountVersion", UintegerValue(MOUNT_V3));
    const auto result = Mount("/export");
    EXPECT_TRUE(result.IsOk());
    EXPECT_EQ(result.handle.length, 32U);
    const NfsFh3 root = m_store->GetHandle(*m_store->GetExport("/export"));
    EXPECT_LT(root.length, 32U);
    EXPECT_EQ(result.handle, NfsFh3(Nfs2Fh(root).octets));
    EXPECT_EQ(m_calls.back().version, MOUNT_V3);
}

TEST_F(MountCase, HandleThatNfs2HasNoRoomForIsNotMounted)
{
    m_store->SetAttribute("RootHandleOctets", UintegerValue(40));
    m_mount->SetNfsVersion(2);
    m_mount->SetAttribute("MountVersion", UintegerValue(MOUNT_V3));
    EXPECT_EQ(Mount("/export").status, MountStatus::INVAL);
}

TEST_F(MountCase, NfsPortIsLookedUp)
{
    m_mount->SetAttribute("NfsPortLookup", BooleanValue(true));
    m_daemons->RegisterRdma(NFS_PROGRAM, NFS_V3, 20123);
    const auto result = Mount("/export");
    EXPECT_TRUE(result.IsOk());
    EXPECT_EQ(result.nfsPort, 20123);
    ASSERT_EQ(m_calls.size(), 4U);
    EXPECT_EQ(m_calls.front().version, RPCBIND_V4);
    ExpectDissected("portmap", 4);
}

TEST_F(MountCase, NfsThatIsNotRegisteredIsNotMounted)
{
    m_mount->SetAttribute("NfsPortLookup", BooleanValue(true));
    const auto result = Mount("/export");
    EXPECT_EQ(result.status, MountStatus::NOTSUPP);
    EXPECT_EQ(m_calls.size(), 1U);
}

TEST_F(MountCase, ServerWithoutDaemonsFailsTheMount)
{
    m_daemons->Stop();
    const auto result = Mount("/export");
    EXPECT_EQ(result.outcome, RpcOutcome::DISCONNECTED);
    EXPECT_FALSE(m_mount->IsBusy());
}

} // namespace
} // namespace ns3::nfsrdma
