/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/buffer-store.h"
#include "workload/check/verifying-file-client-begin.h"

#include <algorithm>

namespace ns3::nfsrdma
{

bool
VerifyingFileClient::HasRangeCalls() const
{
    return m_ranges != nullptr;
}

void
VerifyingFileClient::ReadPlus(const std::shared_ptr<OpenFile>& file,
                              uint64_t offset,
                              uint32_t count,
                              Done<FileReadReply> done)
{
    const auto buffer = HostBufferStore::Take(m_memory, std::max(count, 1U));
    m_ranges->ReadPlus(file,
                       offset,
                       count,
                       buffer->GetAddress(),
                       BeginRead(FileOperation::READ_PLUS,
                                 file->GetObject(),
                                 offset,
                                 count,
                                 buffer,
                                 std::move(done)));
}

void
VerifyingFileClient::Seek(const std::shared_ptr<OpenFile>& file,
                          uint64_t offset,
                          DataContent4 what,
                          Done<FileSeekReply> done)
{
    auto update = [this, what, token = m_content->BeginSeek(file->GetObject(), offset)](
                      const FileSeekReply& reply) {
        const bool isNone = reply.outcome == RpcOutcome::SUCCESS &&
                            reply.status == static_cast<uint32_t>(Nfs4Status::NXIO);
        if (!reply.IsOk() && !isNone)
        {
            m_content->EndRead(token);
            return;
        }
        m_content->EndSeek(token,
                           what == DataContent4::HOLE,
                           isNone ? std::nullopt : std::make_optional(reply.offset));
    };
    m_ranges->Seek(file,
                   offset,
                   what,
                   Begin<FileSeekReply>(FileOperation::SEEK,
                                        file->GetObject(),
                                        "offset " + std::to_string(offset),
                                        std::move(update),
                                        std::move(done)));
}

void
VerifyingFileClient::Allocate(const std::shared_ptr<OpenFile>& file,
                              uint64_t offset,
                              uint64_t length,
                              Done<FileReply> done)
{
    auto update = [this, token = m_content->BeginExtend(file->GetObject(), offset + length)](
                      const FileReply& reply) { m_content->EndExtend(token, GetOutcome(reply)); };
    m_ranges->Allocate(file,
                       offset,
                       length,
                       Begin<FileReply>(FileOperation::ALLOCATE,
                                        file->GetObject(),
                                        DescribeRange(offset, length),
                                        std::move(update),
                                        std::move(done)));
}

void
VerifyingFileClient::Deallocate(const std::shared_ptr<OpenFile>& file,
                                uint64_t offset,
                                uint64_t length,
                                Done<FileReply> done)
{
    auto update = [this, token = m_content->BeginZero(file->GetObject(), offset, length)](
                      const FileReply& reply) { m_content->EndZero(token, GetOutcome(reply)); };
    m_ranges->Deallocate(file,
                         offset,
                         length,
                         Begin<FileReply>(FileOperation::DEALLOCATE,
                                          file->GetObject(),
                                          DescribeRange(offset, length),
                                          std::move(update),
                                          std::move(done)));
}

void
VerifyingFileClient::Copy(const std::shared_ptr<OpenFile>& from,
                          uint64_t fromOffset,
                          const std::shared_ptr<OpenFile>& to,
                          uint64_t toOffset,
                          uint64_t count,
                          Done<FileCopyReply> done)
{
    const auto token =
        m_content->BeginCopy(from->GetObject(), fromOffset, to->GetObject(), toOffset, count);
    auto update = [this, token](const FileCopyReply& reply) {
        m_content->EndCopy(token, GetOutcome(reply), reply.count);
    };
    m_ranges->Copy(from,
                   fromOffset,
                   to,
                   toOffset,
                   count,
                   Begin<FileCopyReply>(FileOperation::COPY,
                                        to->GetObject(),
                                        DescribeRange(toOffset, count),
                                        std::move(update),
                                        std::move(done)));
}

void
VerifyingFileClient::Clone(const std::shared_ptr<OpenFile>& from,
                           uint64_t fromOffset,
                           const std::shared_ptr<OpenFile>& to,
                           uint64_t toOffset,
                           uint64_t count,
                           Done<FileReply> done)
{
    const auto token =
        m_content->BeginCopy(from->GetObject(), fromOffset, to->GetObject(), toOffset, count);
    auto update = [this, token, count](const FileReply& reply) {
        m_content->EndCopy(token, GetOutcome(reply), count);
    };
    m_ranges->Clone(from,
                    fromOffset,
                    to,
                    toOffset,
                    count,
                    Begin<FileReply>(FileOperation::CLONE,
                                     to->GetObject(),
                                     DescribeRange(toOffset, count),
                                     std::move(update),
                                     std::move(done)));
}

} // namespace ns3::nfsrdma
