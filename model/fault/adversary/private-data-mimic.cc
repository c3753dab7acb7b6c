/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/private-data-mimic.h"

#include "fault/adversary/attack-messages.h"
#include "rpcrdma/message/private-data.h"

#include "ns3/enum.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(PrivateDataMimic);

namespace
{

constexpr std::size_t FOREIGN_SIZE = 64;
/// No alignment.
constexpr std::size_t FOREIGN_OFFSET = 27;
constexpr std::size_t VERSION_OFFSET = 4;
constexpr uint8_t OTHER = 2;
/// More than RECEIVE_SIZE, less than an inline threshold of 4096.
constexpr uint32_t READDIR_COUNT = 3000;

const char*
GetMimicName(PrivateDataMimic::Kind kind)
{
    switch (kind)
    {
    case PrivateDataMimic::FOREIGN:
        return "foreign";
    case PrivateDataMimic::OTHER_VERSION:
        return "other-version";
    case PrivateDataMimic::CUT_SHORT:
        return "cut-short";
    case PrivateDataMimic::ABSURD_SIZES:
        return "absurd-sizes";
    default:
        return "second";
    }
}

class MimicStream : public RawMpaStream
{
  public:
    MimicStream(PrivateDataMimic& role, PrivateDataMimic::Kind kind, uint32_t xid)
        : m_role(role),
          m_kind(kind),
          m_xid(xid)
    {
    }

  protected:
    void HandleOperational() override
    {
        m_role.Note(GetMimicName(m_kind));
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
        if (header->messageOffset + segment.payload.size() > PrivateDataMimic::RECEIVE_SIZE)
        {
            m_role.Note(std::string(GetMimicName(m_kind)) + " believed");
            SendUlpdu(
                AttackMessages::MakeTerminate(TerminateReason::From(DdpError::UNTAGGED_TOO_LONG)));
            Close();
        }
        else if (header->last)
        {
            m_role.Note(std::string(GetMimicName(m_kind)) + " not believed");
            Close();
        }
    }

    void HandleEnd() override
    {
        m_role.Retire();
    }

  private:
    PrivateDataMimic& m_role;
    PrivateDataMimic::Kind m_kind;
    uint32_t m_xid;
};

} // namespace

TypeId
PrivateDataMimic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::PrivateDataMimic")
            .SetParent<ConnectionAttackRole>()
            .SetGroupName("NfsRdma")
            .AddConstructor<PrivateDataMimic>()
            .AddAttribute("Kind",
                          "Private data: foreign (another protocol's that holds the identifier), "
                          "other-version, cut-short, absurd-sizes, second (behind a bad one), or "
                          "all in turn. Default: all.",
                          EnumValue(ALL),
                          MakeEnumAccessor(&PrivateDataMimic::m_kind),
                          MakeEnumChecker(FOREIGN,
                                          "foreign",
                                          OTHER_VERSION,
                                          "other-version",
                                          CUT_SHORT,
                                          "cut-short",
                                          ABSURD_SIZES,
                                          "absurd-sizes",
                                          SECOND,
                                          "second",
                                          ALL,
                                          "all"));
    return tid;
}

ByteVector
PrivateDataMimic::MakePrivateData(PrivateDataMimic::Kind kind)
{
    ByteVector absurd = RpcRdmaPrivateData{true,
                                           RpcRdmaPrivateData::MAXIMUM_INLINE,
                                           RpcRdmaPrivateData::MAXIMUM_INLINE}
                            .Encode();
    ByteVector other = absurd;
    other.at(VERSION_OFFSET) = OTHER;
    switch (kind)
    {
    case FOREIGN: {
        ByteVector octets(FOREIGN_SIZE, 0x20);
        std::copy(absurd.begin(), absurd.end(), octets.begin() + FOREIGN_OFFSET);
        return octets;
    }
    case OTHER_VERSION:
        return other;
    case CUT_SHORT: {
        ByteVector octets(FOREIGN_SIZE, 0x20);
        octets.insert(octets.end(), absurd.begin(), absurd.begin() + VERSION_OFFSET + 1);
        return octets;
    }
    case ABSURD_SIZES:
        return absurd;
    default:
        other.insert(other.end(), absurd.begin(), absurd.end());
        return other;
    }
}

std::unique_ptr<RawStream>
PrivateDataMimic::MakeAttempt(uint64_t number)
{
    const auto kind = static_cast<PrivateDataMimic::Kind>(
        m_kind == ALL ? static_cast<int>(number % ALL) : m_kind);
    auto stream = std::make_unique<MimicStream>(*this, kind, static_cast<uint32_t>(number + 1));
    Start(*stream, MakePrivateData(kind));
    return stream;
}

} // namespace ns3::nfsrdma
