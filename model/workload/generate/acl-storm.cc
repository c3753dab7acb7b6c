/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/acl-storm.h"

#include "nfs/v3/acl-messages3.h"
#include "workload/replay/csv-fields.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(AclWorkload);

namespace
{

/// USER_OBJ, GROUP_OBJ, MASK and OTHER, which a list with USERs has.
constexpr uint32_t FIXED_ENTRIES = 4;
constexpr uint32_t MINIMUM_ENTRIES = FIXED_ENTRIES + 1;
constexpr uint32_t ENTRY_OCTETS = 12;
constexpr uint32_t ALL_PERMISSIONS = 7;
constexpr uint32_t FIRST_USER = 1000;

} // namespace

TypeId
AclWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::AclWorkload")
            .SetParent<RequestWorkload>()
            .SetGroupName("NfsRdma")
            .AddConstructor<AclWorkload>()
            .AddAttribute("Files",
                          "Files that have the lists (count)",
                          UintegerValue(100),
                          MakeUintegerAccessor(&AclWorkload::m_files),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute(
                "AclEntries",
                "Numbers of entries of the lists set and their weights: COUNT:WEIGHT,... "
                "The default has a tail of lists that no inline reply holds; Linux's server "
                "takes 340 entries",
                StringValue("5:50,8:30,50:15,300:5"),
                MakeStringAccessor(&AclWorkload::SetAclEntries, &AclWorkload::GetAclEntries),
                MakeStringChecker())
            .AddAttribute("SetFraction",
                          "Probability that a request sets a list",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&AclWorkload::m_setFraction),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

AclWorkload::AclWorkload()
    : m_file(CreateObject<UniformRandomVariable>()),
      m_operation(CreateObject<UniformRandomVariable>()),
      m_length(CreateObject<UniformRandomVariable>())
{
}

tl::expected<void, std::string>
AclWorkload::CheckAclEntries(const std::string& text)
{
    const auto choice = WeightedChoice::Parse(text);
    if (!choice)
    {
        return tl::unexpected(choice.error());
    }
    for (const auto& item : choice->GetItems())
    {
        if (ParseUnsigned(item.name, NFS_ACL_MAX_ENTRIES).value_or(0) < MINIMUM_ENTRIES)
        {
            return tl::unexpected("expected a number of entries from 5 to 1024, found '" +
                                  item.name + "'");
        }
    }
    return {};
}

bool
AclWorkload::SetAclEntries(const std::string& text)
{
    if (!CheckAclEntries(text))
    {
        return false;
    }
    m_aclEntriesText = text;
    m_aclEntries = *WeightedChoice::Parse(text);
    return true;
}

int64_t
AclWorkload::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    m_file->SetStream(stream++);
    m_operation->SetStream(stream++);
    m_length->SetStream(stream++);
    return stream + GetStream().AssignStreams(stream) - first;
}

void
AclWorkload::DoSetUp()
{
    FileSetup::Plan plan;
    plan.directory = GetDirectory();
    for (uint32_t i = 0; i < m_files; ++i)
    {
        plan.files.push_back("file." + std::to_string(i));
    }
    m_setting.resize(m_files);
    MakeFiles(m_layout, std::move(plan), [this] {
        // The lists are there with the files.
        SetFirst(IsMade() ? m_files : 0);
    });
}

void
AclWorkload::SetFirst(std::size_t index)
{
    if (index == m_files)
    {
        BecomeReady([this] {
            GetStream().Start(
                [this](Time arrived) {
                    StartRequest(arrived);
                    return uint64_t{0};
                },
                [this] { SetPhase(WorkloadPhase::FINISHED); });
        });
        return;
    }
    GetFiles().Run(FileSetAcls{m_layout->GetObjects()[index], {DrawAcl(), {}}},
                   [this, index](const FileReply& reply) {
                       if (reply.IsOk())
                       {
                           SetFirst(index + 1);
                       }
                       else
                       {
                           GiveUp(1);
                       }
                   });
}

PosixAcl
AclWorkload::DrawAcl()
{
    const auto& items = m_aclEntries.GetItems();
    const auto index = m_aclEntries.Choose(
        m_length->GetInteger(0, static_cast<uint32_t>(m_aclEntries.GetTotal() - 1)));
    const auto entries =
        static_cast<uint32_t>(*ParseUnsigned(items[index].name, NFS_ACL_MAX_ENTRIES));
    PosixAcl acl;
    acl.push_back({PosixAclTag::USER_OBJ, 0, ALL_PERMISSIONS});
    // Each list differs from the one before in what its users may.
    ++m_nextId;
    for (uint32_t i = 0; i < entries - FIXED_ENTRIES; ++i)
    {
        acl.push_back({PosixAclTag::USER, FIRST_USER + i, (m_nextId + i) % ALL_PERMISSIONS});
    }
    acl.push_back({PosixAclTag::GROUP_OBJ, 0, 4});
    acl.push_back({PosixAclTag::MASK, 0, ALL_PERMISSIONS});
    acl.push_back({PosixAclTag::OTHER, 0, 0});
    return acl;
}

void
AclWorkload::StartRequest(Time arrived)
{
    const bool set = m_operation->GetValue(0, 1) < m_setFraction;
    const std::size_t chosen = m_file->GetInteger(0, m_files - 1);
    for (std::size_t i = 0; set && i < m_files; ++i)
    {
        const std::size_t file = (chosen + i) % m_files;
        if (!m_setting[file])
        {
            Set(file, arrived);
            return;
        }
    }
    Get(chosen, arrived);
}

void
AclWorkload::Get(std::size_t file, Time arrived)
{
    GetFiles().Run(FileGetAcls{m_layout->GetObjects()[file]},
                   [this, arrived](const FileAclReply& reply) {
                       Record("getacl", arrived, reply.access.size() * ENTRY_OCTETS, reply.IsOk());
                       EndRequest();
                   });
}

void
AclWorkload::Set(std::size_t file, Time arrived)
{
    const PosixAcl acl = DrawAcl();
    m_setting[file] = true;
    GetFiles().Run(
        FileSetAcls{m_layout->GetObjects()[file], {acl, {}}},
        [this, file, arrived, octets = acl.size() * ENTRY_OCTETS](const FileReply& reply) {
            m_setting[file] = false;
            Record("setacl", arrived, octets, reply.IsOk());
            EndRequest();
        });
}

void
AclWorkload::DoDispose()
{
    m_layout.reset();
    RequestWorkload::DoDispose();
}

} // namespace ns3::nfsrdma
