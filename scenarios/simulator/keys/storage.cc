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
          "profiles/storage/NAME.ini, values for the keys below; none: no storage profile"}}};
    if (const auto kinds = StorageModel::GetKinds().GetNames(); kinds.size() > 1)
    {
        section.keys.push_back({"model",
                                Choice(kinds),
                                "device",
                                "what says how long the device takes to answer: device, which has "
                                "the latencies below, or a model of a plugin"});
    }
    AppendKeys(section.keys, StorageSettings::GetRows(), "StorageModel");
    for (const auto& kind : StorageModel::GetKinds())
    {
        for (const auto& row : kind.rows)
        {
            auto& key = section.keys.emplace_back(MakeKey(row, kind.type, ""));
            key.targets.clear();
        }
    }
    AppendKeys(section.keys, PageCacheSettings::GetRows(), "ServerStorage");
    return section;
}

} // namespace ns3::nfsrdma
