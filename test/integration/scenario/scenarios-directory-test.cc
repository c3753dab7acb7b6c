/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/scenarios-directory.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

namespace fs = std::filesystem;

/// An empty prefix for an installed tree.
class ScenariosDirectoryTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        std::string name = (fs::temp_directory_path() / "prefix-XXXXXX").string();
        m_prefix = mkdtemp(name.data());
        fs::create_directories(m_prefix / "bin");
    }

    void TearDown() override
    {
        fs::remove_all(m_prefix);
    }

    fs::path m_prefix;
};

TEST_F(ScenariosDirectoryTest, AnInstalledProgramHasThemInItsPrefix)
{
    fs::create_directories(m_prefix / "share/nfsrdma/scenarios");
    EXPECT_EQ(FindScenariosDirectory(m_prefix / "bin/nfsrdma-sim", "/elsewhere"),
              (m_prefix / "share/nfsrdma/scenarios").string());
}

TEST_F(ScenariosDirectoryTest, AProgramThatIsNotInstalledHasThoseOfItsSource)
{
    EXPECT_EQ(FindScenariosDirectory(m_prefix / "bin/nfsrdma-sim", "/elsewhere"), "/elsewhere");
    EXPECT_EQ(GetScenariosDirectory(), NFSRDMA_SOURCE_DIR "/scenarios");
}

} // namespace
} // namespace ns3::nfsrdma
