/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/private-data-mimic.h"

#include "fault/adversary/attack-messages.h"
#include "fault/adversary/connection-attack.h"
#include "rpcrdma/message/private-data.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t MIMIC_RECEIVE_SIZE = 1024;
constexpr std::size_t FOREIGN_SIZE = 64;
/// No alignment.
constexpr std::size_t FOREIGN_OFFSET = 27;
constexpr std::size_t VERSION_OFFSET = 4;
constexpr uint8_t OTHER = 2;
/// More than MIMIC_RECEIVE_SIZE, less than an inline threshold of 4096.
constexpr uint32_t READDIR_COUNT = 3000;

constexpr int ALL_MIMICS = static_cast<int>(MimicKind::ALL);
/// By MimicKind.
const std::vector<const char*> MIMIC_NAMES{"foreign",
                                           "other-version",
                                           "cut-short",
                                           "absurd-sizes",
                                           "second",
                                           "all"};

class MimicStream : public RawMpaStream
{
  public:
    MimicStream(ConnectionAttackRole& role, MimicKind kind, uint32_t xid)
        : m_role(role),
          m_name(MIMIC_NAMES.at(static_cast<std::size_t>(kind))),
          m_xid(xid)
    {
    }

  protected:
    void HandleOperational() override
    {
        m_role.Note(m_name);
        const AdversaryHost& host = m_role.GetHost();
        ByteVector call = AttackMessages::MakeNullMessage(m_xid);
        call.resize(RpcRdmaHeader::MINIMUM_SIZE);
        const ByteVector readdir =
            AttackMessages::MakeReaddir(m_xid, host.credential, host.baitDirectory, READDIR_COUNT);
        call.insert(call.end(), readdir.begin(), readdir.end());
        SendUlpdu(AttackMessages::MakeSend(1, call));
    }

    void HandleSegment(const Segment& segment) override
    {
        const auto* header = std::get_if<DdpUntaggedHeader>(&segment.header);
        if (header == nullptr)
        {
            return;
        }
        if (header->messageOffset + segment.payload.size() > MIMIC_RECEIVE_SIZE)
        {
            m_role.Note(m_name + " believed");
            SendUlpdu(
                AttackMessages::MakeTerminate(TerminateReason::From(DdpError::UNTAGGED_TOO_LONG)));
            Close();
        }
        else if (header->last)
        {
            m_role.Note(m_name + " not believed");
            Close();
        }
    }

    void HandleEnd() override
    {
        m_role.Retire();
    }

  private:
    ConnectionAttackRole& m_role;
    std::string m_name;
    uint32_t m_xid;
};

/**
 * \brief Connects with private data that is not RFC 8797's, or lies, and asks for a reply of more
 * than 1024 octets, which is what a peer may be sent that has said nothing (section 5.1).
 *
 * Its receives have 1024 octets. A server that believes the private data sends more, and loses the
 * connection by a Terminate, as an RNIC without a receive that is large enough sends it (section
 * 7). Notes each kind of private data used, and "believed" or "not believed".
 */
class PrivateDataMimic : public ConnectionAttackRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeRoleType<PrivateDataMimic, ConnectionAttackRole>("PrivateDataMimic",
                                                                 "Kind",
                                                                 &PrivateDataMimic::m_kind);
        return tid;
    }

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t number) override
    {
        const auto kind = static_cast<MimicKind>(
            m_kind == ALL_MIMICS ? static_cast<int>(number % ALL_MIMICS) : m_kind);
        auto stream = std::make_unique<MimicStream>(*this, kind, static_cast<uint32_t>(number + 1));
        Start(*stream, MakeMimicPrivateData(kind));
        return stream;
    }

  private:
    int m_kind{ALL_MIMICS};
};

NS_OBJECT_ENSURE_REGISTERED(PrivateDataMimic);

} // namespace

ByteVector
MakeMimicPrivateData(MimicKind kind)
{
    ByteVector absurd = RpcRdmaPrivateData{true,
                                           RpcRdmaPrivateData::MAXIMUM_INLINE,
                                           RpcRdmaPrivateData::MAXIMUM_INLINE}
                            .Encode();
    ByteVector other = absurd;
    other.at(VERSION_OFFSET) = OTHER;
    switch (kind)
    {
    case MimicKind::FOREIGN: {
        ByteVector octets(FOREIGN_SIZE, 0x20);
        std::copy(absurd.begin(), absurd.end(), octets.begin() + FOREIGN_OFFSET);
        return octets;
    }
    case MimicKind::OTHER_VERSION:
        return other;
    case MimicKind::CUT_SHORT: {
        ByteVector octets(FOREIGN_SIZE, 0x20);
        octets.insert(octets.end(), absurd.begin(), absurd.begin() + VERSION_OFFSET + 1);
        return octets;
    }
    case MimicKind::ABSURD_SIZES:
        return absurd;
    default:
        other.insert(other.end(), absurd.begin(), absurd.end());
        return other;
    }
}

} // namespace ns3::nfsrdma
