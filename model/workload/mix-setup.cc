/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/mix-setup.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t DIRECTORY_MODE = 0755;
constexpr uint32_t FILE_MODE = 0644;
constexpr uint32_t LINK_MODE = 0777;

std::string
MakeName(char prefix, uint32_t index)
{
    constexpr std::size_t DIGITS = 6;
    std::string number = std::to_string(index);
    number.insert(0, DIGITS - std::min(DIGITS, number.size()), '0');
    return prefix + number;
}

Sattr3
MakeMode(uint32_t mode)
{
    Sattr3 attributes;
    attributes.mode = mode;
    return attributes;
}

} // namespace

MixSetup::MixSetup(VerifyingClient& client,
                   const NfsFh3& root,
                   const MixPlan& plan,
                   std::function<void()> done)
    : m_client(client),
      m_root(root),
      m_plan(plan),
      m_done(std::move(done))
{
}

void
MixSetup::Start()
{
    m_client.Issue(Mkdir3Args{{m_root, m_plan.directory}, MakeMode(DIRECTORY_MODE)},
                   [this](RpcRecord& record, const Mkdir3Res& result) {
                       if (record.outcome == RpcOutcome::SUCCESS &&
                           (result.status == Nfs3Status::EXIST ||
                            (result.status == Nfs3Status::OK && !result.object)))
                       {
                           LookupDirectory();
                       }
                       else if (Check(Nfs3Procedure::MKDIR, record, result.status))
                       {
                           DirectoryKnown(*result.object);
                       }
                       else
                       {
                           m_done();
                       }
                   });
}

void
MixSetup::LookupDirectory()
{
    m_client.Issue(Lookup3Args{{m_root, m_plan.directory}},
                   [this](RpcRecord& record, const Lookup3Res& result) {
                       if (Check(Nfs3Procedure::LOOKUP, record, result.status))
                       {
                           DirectoryKnown(result.object);
                       }
                       else
                       {
                           m_done();
                       }
                   });
}

void
MixSetup::DirectoryKnown(const NfsFh3& handle)
{
    m_directory = handle;
    if (m_plan.largeDirectory == 0)
    {
        StartJobs();
        return;
    }
    MakeLargeDirectory();
}

void
MixSetup::StartJobs()
{
    const uint32_t jobs = m_plan.files + m_plan.symlinks + m_plan.largeDirectory;
    while (m_activeJobs < m_plan.depth && m_nextJob < jobs)
    {
        const uint32_t job = m_nextJob++;
        ++m_activeJobs;
        if (job < m_plan.files)
        {
            CreateFile(job);
        }
        else if (job < m_plan.files + m_plan.symlinks)
        {
            CreateSymlink(job - m_plan.files);
        }
        else
        {
            FillLargeDirectory(job - m_plan.files - m_plan.symlinks);
        }
    }
    if (m_activeJobs == 0)
    {
        m_done();
    }
}

void
MixSetup::EndJob()
{
    --m_activeJobs;
    StartJobs();
}

void
MixSetup::CreateFile(uint32_t index)
{
    const Create3Args args{{m_directory, MakeName('f', index)},
                           CreateMode3::UNCHECKED,
                           MakeMode(FILE_MODE),
                           {}};
    m_client.Issue(args, [this, index](RpcRecord& record, const Create3Res& result) {
        if (!Check(Nfs3Procedure::CREATE, record, result.status) || !result.object)
        {
            EndJob();
            return;
        }
        m_files[index] = *result.object;
        WriteFile(index, 0);
    });
}

void
MixSetup::WriteFile(uint32_t index, uint64_t offset)
{
    if (offset >= m_plan.fileSize)
    {
        CommitFile(index);
        return;
    }
    const auto count =
        static_cast<uint32_t>(std::min<uint64_t>(m_plan.ioSize, m_plan.fileSize - offset));
    m_client.Issue(Write3Args{m_files.at(index), offset, count, StableHow::UNSTABLE, {}},
                   [this, index, offset](RpcRecord& record, const Write3Res& result) {
                       if (!Check(Nfs3Procedure::WRITE, record, result.status) || result.count == 0)
                       {
                           m_files.erase(index);
                           EndJob();
                           return;
                       }
                       WriteFile(index, offset + result.count);
                   });
}

void
MixSetup::CommitFile(uint32_t index)
{
    m_client.Issue(Commit3Args{m_files.at(index), 0, 0},
                   [this](RpcRecord& record, const Commit3Res& result) {
                       Check(Nfs3Procedure::COMMIT, record, result.status);
                       EndJob();
                   });
}

void
MixSetup::CreateSymlink(uint32_t index)
{
    const std::string text = MakeName('t', index);
    const ByteVector target(text.begin(), text.end());
    const Symlink3Args args{{m_directory, MakeName('l', index)},
                            MakeMode(LINK_MODE),
                            Nfs3Data(target)};
    m_client.Issue(args, [this, index](RpcRecord& record, const Symlink3Res& result) {
        if (Check(Nfs3Procedure::SYMLINK, record, result.status) && result.object)
        {
            m_symlinks[index] = *result.object;
        }
        EndJob();
    });
}

void
MixSetup::MakeLargeDirectory()
{
    m_client.Issue(Mkdir3Args{{m_root, m_plan.directory + "-large"}, MakeMode(DIRECTORY_MODE)},
                   [this](RpcRecord& record, const Mkdir3Res& result) {
                       if (!Check(Nfs3Procedure::MKDIR, record, result.status) || !result.object)
                       {
                           m_done();
                           return;
                       }
                       m_largeDirectory = *result.object;
                       StartJobs();
                   });
}

void
MixSetup::FillLargeDirectory(uint32_t index)
{
    const Create3Args args{{m_largeDirectory, MakeName('e', index)},
                           CreateMode3::UNCHECKED,
                           MakeMode(FILE_MODE),
                           {}};
    m_client.Issue(args, [this](RpcRecord& record, const Create3Res& result) {
        Check(Nfs3Procedure::CREATE, record, result.status);
        EndJob();
    });
}

bool
MixSetup::Check(Nfs3Procedure procedure, const RpcRecord& record, Nfs3Status status)
{
    const bool good = record.outcome == RpcOutcome::SUCCESS && status == Nfs3Status::OK;
    if (!good)
    {
        ++m_errors[ToString(procedure)];
    }
    return good;
}

const NfsFh3&
MixSetup::GetDirectory() const
{
    return m_directory;
}

const NfsFh3&
MixSetup::GetLargeDirectory() const
{
    return m_largeDirectory;
}

std::vector<MixFile>
MixSetup::GetFiles() const
{
    std::vector<MixFile> files;
    for (const auto& [index, handle] : m_files)
    {
        files.emplace_back(MakeName('f', index), handle);
    }
    return files;
}

std::vector<NfsFh3>
MixSetup::GetSymlinks() const
{
    std::vector<NfsFh3> links;
    for (const auto& [index, handle] : m_symlinks)
    {
        links.push_back(handle);
    }
    return links;
}

const std::map<std::string, uint64_t>&
MixSetup::GetErrors() const
{
    return m_errors;
}

} // namespace ns3::nfsrdma
