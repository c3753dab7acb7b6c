/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/file-setup.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

bool
IsMissing(const FileReply& reply)
{
    return reply.outcome == RpcOutcome::SUCCESS &&
           reply.status == static_cast<uint32_t>(Nfs3Status::NOENT);
}

} // namespace

FileSetup::FileSetup(VerifyingFileClient& client, FileRef root, Plan plan)
    : m_client(client),
      m_root(std::move(root)),
      m_plan(std::move(plan)),
      m_objects(m_plan.files.size()),
      m_files(m_plan.files.size())
{
}

void
FileSetup::Start(std::function<void()> done)
{
    m_done = std::move(done);
    if (m_plan.made)
    {
        m_client.Run(FileLookup{{m_root, m_plan.directory}},
                     [this](const FileObjectReply& found) { TakeDirectory(found); });
        return;
    }
    Sattr3 attributes;
    attributes.mode = 0755;
    m_client.Run(FileMakeDirectory{{m_root, m_plan.directory}, attributes},
                 [this](const FileObjectReply& reply) {
                     if (reply.status != static_cast<uint32_t>(Nfs3Status::EXIST))
                     {
                         TakeDirectory(reply);
                         return;
                     }
                     m_client.Run(FileLookup{{m_root, m_plan.directory}},
                                  [this](const FileObjectReply& found) { TakeDirectory(found); });
                 });
}

void
FileSetup::TakeDirectory(const FileObjectReply& reply)
{
    m_errors += reply.IsOk() ? 0 : 1;
    m_directory = reply.object;
    m_active = m_plan.depth;
    for (uint32_t i = 0; i < m_plan.depth; ++i)
    {
        StartFile();
    }
}

void
FileSetup::StartFile()
{
    const bool skips = m_plan.made && !m_plan.keepOpen && !m_plan.named;
    if (m_errors != 0 || skips || m_next == m_plan.files.size())
    {
        if (--m_active == 0)
        {
            std::exchange(m_done, nullptr)();
        }
        return;
    }
    const std::size_t index = m_next++;
    if (m_plan.made)
    {
        FindFile(index);
        return;
    }
    CreateFile(index);
}

void
FileSetup::CreateFile(std::size_t index)
{
    FileOpenHow how;
    how.write = true;
    how.create = true;
    how.attributes.mode = 0644;
    m_client.Run(FileOpen{{m_directory, m_plan.files[index]}, how},
                 [this, index](const FileOpenReply& reply) {
                     if (Check(reply))
                     {
                         m_objects[index] = reply.object;
                         m_files[index] = reply.file;
                         WriteFile(index, 0);
                     }
                 });
}

void
FileSetup::FindFile(std::size_t index)
{
    const FileName where{m_directory, m_plan.files[index]};
    if (!m_plan.keepOpen)
    {
        m_client.Run(FileLookup{where}, [this, index](const FileObjectReply& reply) {
            if (IsMissing(reply))
            {
                CreateFile(index);
            }
            else if (Check(reply))
            {
                m_objects[index] = reply.object;
                StartFile();
            }
        });
        return;
    }
    FileOpenHow how;
    how.write = true;
    m_client.Run(FileOpen{where, how}, [this, index](const FileOpenReply& reply) {
        if (IsMissing(reply))
        {
            CreateFile(index);
        }
        else if (Check(reply))
        {
            m_objects[index] = reply.object;
            m_files[index] = reply.file;
            StartFile();
        }
    });
}

bool
FileSetup::Check(const FileReply& reply)
{
    if (reply.IsOk())
    {
        return true;
    }
    ++m_errors;
    StartFile();
    return false;
}

void
FileSetup::WriteFile(std::size_t index, uint64_t offset)
{
    if (offset >= m_plan.size)
    {
        CommitFile(index);
        return;
    }
    const auto count =
        static_cast<uint32_t>(std::min<uint64_t>(m_plan.size - offset, m_client.GetTransferSize()));
    m_client.Run(FileWrite{m_files[index], offset, count, StableHow::UNSTABLE},
                 [this, index, offset](const FileWriteReply& reply) {
                     if (Check(reply))
                     {
                         WriteFile(index, offset + std::max(reply.count, 1U));
                     }
                 });
}

void
FileSetup::CommitFile(std::size_t index)
{
    if (m_plan.size == 0)
    {
        CloseFile(index);
        return;
    }
    m_client.Run(FileCommit{m_files[index], 0, 0}, [this, index](const FileCommitReply& reply) {
        if (Check(reply))
        {
            CloseFile(index);
        }
    });
}

void
FileSetup::CloseFile(std::size_t index)
{
    if (m_plan.keepOpen)
    {
        StartFile();
        return;
    }
    m_client.Run(FileClose{std::exchange(m_files[index], nullptr)}, [this](const FileReply& reply) {
        if (Check(reply))
        {
            StartFile();
        }
    });
}

} // namespace ns3::nfsrdma
