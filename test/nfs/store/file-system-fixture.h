/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_STORE_FILE_SYSTEM_FIXTURE_H
#define NFSRDMA_TEST_NFS_STORE_FILE_SYSTEM_FIXTURE_H

#include "nfs/store/file-data.h"
#include "nfs/store/file-names.h"
#include "nfs/store/file-system.h"
#include "nfs/store/object-attributes.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma::test
{

/// A file system of 64 blocks of 4096 octets, with a root that anybody may change.
class FileSystemFixture : public ::testing::Test
{
  protected:
    FileSystemFixture()
    {
        m_sizeChanged.ConnectWithoutContext(Callback<void, InodeNumber, uint64_t, uint64_t>(
            [this](InodeNumber file, uint64_t before, uint64_t now) {
                m_sizes.emplace_back(file, before, now);
            }));
        m_removed.ConnectWithoutContext(
            Callback<void, InodeNumber>([this](InodeNumber number) { m_gone.push_back(number); }));
        m_root = m_system.NewRoot(0, {0777, 0, 0}).attributes.fileid;
    }

    ~FileSystemFixture() override
    {
        Simulator::Destroy();
    }

    InodeNumber AddFile(const std::string& name, const PreloadAttributes& attributes = {})
    {
        return m_system.NewChild(m_root, name, Ftype3::REG, attributes).attributes.fileid;
    }

    Nfs3Status Write(InodeNumber file, uint64_t offset, uint32_t count, const FileCredential& who)
    {
        const auto ones = [](uint64_t /* position */, MutableByteSpan out) {
            std::fill(out.begin(), out.end(), uint8_t{1});
        };
        return m_data.Write(file, offset, count, ones, who);
    }

    FileSystemSettings m_settings{4096, 64 * 4096, 10, 1 << 20, 5, 1000};
    FileSystem::SizeChanged m_sizeChanged;
    FileSystem::Removed m_removed;
    FileSystem m_system{m_settings, m_sizeChanged, m_removed};
    ObjectAttributes m_attributes{m_system};
    FileData m_data{m_system};
    FileNames m_names{m_system, m_attributes};
    InodeNumber m_root{0};
    std::vector<std::tuple<InodeNumber, uint64_t, uint64_t>> m_sizes;
    std::vector<InodeNumber> m_gone;
    FileCredential m_superuser;
    FileCredential m_user{1, 1, {}};
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_STORE_FILE_SYSTEM_FIXTURE_H
