/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix-setup.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t DIRECTORY_MODE = 0755;
constexpr const char* LARGE_SUFFIX = "-large";

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

FileOpenHow
MakeHow(bool create)
{
    FileOpenHow how;
    how.write = true;
    how.create = create;
    how.attributes = MakeMode(MIX_FILE_MODE);
    return how;
}

} // namespace

MixSetup::MixSetup(VerifyingFileClient& client,
                   FileRef root,
                   MixPlan plan,
                   std::function<void()> done)
    : m_client(client),
      m_root(std::move(root)),
      m_plan(std::move(plan)),
      m_done(std::move(done))
{
}

void
MixSetup::Start()
{
    if (m_plan.made)
    {
        m_client.Run(FileLookup{{m_root, m_plan.directory}}, [this](const FileObjectReply& found) {
            TakeDirectory(FileOperation::LOOKUP, found);
        });
        return;
    }
    m_client.Run(FileMakeDirectory{{m_root, m_plan.directory}, MakeMode(DIRECTORY_MODE)},
                 [this](const FileObjectReply& reply) {
                     if (reply.status != static_cast<uint32_t>(Nfs3Status::EXIST))
                     {
                         TakeDirectory(FileOperation::MKDIR, reply);
                         return;
                     }
                     m_client.Run(FileLookup{{m_root, m_plan.directory}},
                                  [this](const FileObjectReply& found) {
                                      TakeDirectory(FileOperation::LOOKUP, found);
                                  });
                 });
}

void
MixSetup::TakeDirectory(FileOperation operation, const FileObjectReply& reply)
{
    if (!Check(operation, reply))
    {
        m_done();
        return;
    }
    m_directory = reply.object;
    if (m_plan.largeDirectory == 0)
    {
        StartJobs();
        return;
    }
    if (m_plan.made)
    {
        FindLargeDirectory();
        return;
    }
    MakeLargeDirectory();
}

void
MixSetup::StartJobs()
{
    const uint32_t jobs =
        m_plan.files + m_plan.symlinks + (m_plan.made ? 0 : m_plan.largeDirectory);
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
    m_client.Run(FileOpen{{m_directory, MakeName('f', index)}, MakeHow(!m_plan.made)},
                 [this, index](const FileOpenReply& reply) {
                     if (!Check(FileOperation::OPEN, reply))
                     {
                         EndJob();
                         return;
                     }
                     m_files[index] = reply.file;
                     if (m_plan.made)
                     {
                         EndJob();
                         return;
                     }
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
    const uint32_t most = std::min(m_plan.ioSize, m_client.GetTransferSize());
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(most, m_plan.fileSize - offset));
    m_client.Run(FileWrite{m_files.at(index), offset, count, StableHow::UNSTABLE},
                 [this, index, offset](const FileWriteReply& reply) {
                     if (!Check(FileOperation::WRITE, reply) || reply.count == 0)
                     {
                         m_files.erase(index);
                         EndJob();
                         return;
                     }
                     WriteFile(index, offset + reply.count);
                 });
}

void
MixSetup::CommitFile(uint32_t index)
{
    m_client.Run(FileCommit{m_files.at(index), 0, 0}, [this](const FileCommitReply& reply) {
        Check(FileOperation::COMMIT, reply);
        EndJob();
    });
}

void
MixSetup::CreateSymlink(uint32_t index)
{
    const std::string target = MakeName('t', index);
    if (m_plan.made)
    {
        m_client.Run(FileLookup{{m_directory, MakeName('l', index)}},
                     [this, index](const FileObjectReply& reply) {
                         if (Check(FileOperation::LOOKUP, reply))
                         {
                             m_symlinks[index] = reply.object;
                         }
                         EndJob();
                     });
        return;
    }
    m_client.Run(FileMakeSymlink{{m_directory, MakeName('l', index)},
                                 {target.begin(), target.end()},
                                 MakeMode(MIX_LINK_MODE)},
                 [this, index](const FileObjectReply& reply) {
                     if (Check(FileOperation::SYMLINK, reply))
                     {
                         m_symlinks[index] = reply.object;
                     }
                     EndJob();
                 });
}

void
MixSetup::MakeLargeDirectory()
{
    m_client.Run(
        FileMakeDirectory{{m_root, m_plan.directory + LARGE_SUFFIX}, MakeMode(DIRECTORY_MODE)},
        [this](const FileObjectReply& reply) {
            if (!Check(FileOperation::MKDIR, reply))
            {
                m_done();
                return;
            }
            m_largeDirectory = reply.object;
            StartJobs();
        });
}

void
MixSetup::FindLargeDirectory()
{
    m_client.Run(FileLookup{{m_root, m_plan.directory + LARGE_SUFFIX}},
                 [this](const FileObjectReply& reply) {
                     if (!Check(FileOperation::LOOKUP, reply))
                     {
                         m_done();
                         return;
                     }
                     m_largeDirectory = reply.object;
                     StartJobs();
                 });
}

void
MixSetup::FillLargeDirectory(uint32_t index)
{
    m_client.Run(FileOpen{{m_largeDirectory, MakeName('e', index)}, MakeHow(true)},
                 [this](const FileOpenReply& reply) {
                     if (!Check(FileOperation::OPEN, reply) || !m_client.KeepsOpenState())
                     {
                         EndJob();
                         return;
                     }
                     m_client.Run(FileClose{reply.file}, [this](const FileReply& closed) {
                         Check(FileOperation::CLOSE, closed);
                         EndJob();
                     });
                 });
}

bool
MixSetup::Check(FileOperation operation, const FileReply& reply)
{
    if (!reply.IsOk())
    {
        ++m_errors[ToString(operation)];
    }
    return reply.IsOk();
}

MixTree
MixSetup::GetTree() const
{
    MixTree tree{m_directory, m_largeDirectory, {}, {}};
    for (const auto& [index, file] : m_files)
    {
        tree.files.emplace_back(MakeName('f', index), file);
    }
    for (const auto& [index, link] : m_symlinks)
    {
        tree.symlinks.push_back(link);
    }
    return tree;
}

} // namespace ns3::nfsrdma
