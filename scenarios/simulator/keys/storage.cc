/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/cached-files.h"
#include "nfs/store/storage-model.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeStorageSection()
{
    ScenarioSection section{
        "storage",
        "Servers' storage: a device and its page cache.",
        {{"profile",
          Text(),
          "none",
          "profiles/storage/NAME.ini: values for the keys below; none: their own"}}};
    AppendKeys(section.keys, StorageSettings::GetRows(), "StorageModel");
    AppendKeys(section.keys, PageCacheSettings::GetRows(), "ServerStorage");
    return section;
}

} // namespace ns3::nfsrdma
