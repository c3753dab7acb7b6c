/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

namespace
{

std::vector<ScenarioKey>
MakeDeviceKeys()
{
    return {
        {"profile",
         Text(),
         "none",
         "profiles/storage/NAME.ini: values for the keys below; none: their own"},
        {"metadata_cost",
         Duration(),
         "3us",
         "each request, from memory",
         {"StorageModel::MetadataCost"}},
        {"read_latency",
         Duration(),
         "0ns",
         "device, each read until its first octet",
         {"StorageModel::ReadLatency"}},
        {"write_latency",
         Duration(),
         "0ns",
         "device, each write until its first octet",
         {"StorageModel::WriteLatency"}},
        {"sync_latency",
         Duration(),
         "20us",
         "device, to make data or names stable",
         {"StorageModel::SyncLatency"}},
        {"rate",
         Rate(0),
         "80Gbps",
         "device, rate of all transfers together; 0bps: no limit",
         {"StorageModel::Bandwidth"}},
        {"queue_depth",
         Integer(1, 1'000'000),
         "128",
         "requests the device serves at once",
         {"StorageModel::QueueDepth"}},
        {"turn_time",
         Duration(),
         "0ns",
         "disk, one revolution; 0ns: it is no disk",
         {"StorageModel::TurnTime"}},
        {"single_track_seek",
         Duration(),
         "0ns",
         "disk, seek to the next track",
         {"StorageModel::SingleTrackSeek"}},
        {"average_seek",
         Duration(),
         "0ns",
         "disk, mean seek between any two tracks",
         {"StorageModel::AverageSeek"}},
        {"full_stroke_seek",
         Duration(),
         "0ns",
         "disk, seek over all tracks",
         {"StorageModel::FullStrokeSeek"}},
        {"capacity",
         Size(1, 1e18),
         "4000000000000",
         "disk, from the first track to the last",
         {"StorageModel::Capacity"}},
    };
}

std::vector<ScenarioKey>
MakeCacheKeys()
{
    return {
        {"cache",
         Size(0, 1e15),
         "0",
         "page cache of a server; 0: none, every request goes to the device",
         {"ServerStorage::CacheSize"}},
        {"page_size",
         Size(512, 1 << 21),
         "4096",
         "cache, octets of a page",
         {"ServerStorage::PageSize"}},
        {"replacement",
         Choice({"lru", "two-list"}),
         "two-list",
         "cache, which page is given up: as Linux with two lists, or the one used longest ago",
         {"ServerStorage::Replacement"}},
        {"read_ahead",
         Size(0, 1e9),
         "131072",
         "cache, greatest window of read-ahead; 0: none",
         {"ServerStorage::ReadAhead"}},
        {"copy_rate",
         Rate(0),
         "80Gbps",
         "cache, rate at which data of a WRITE are copied; 0bps: at once",
         {"ServerStorage::CopyRate"}},
        {"dirty_background_ratio",
         Real(0, 1),
         "0.1",
         "cache, share of dirty pages above which they are written back",
         {"ServerStorage::DirtyBackgroundRatio"}},
        {"dirty_ratio",
         Real(0, 1),
         "0.2",
         "cache, share of dirty pages at which WRITEs wait",
         {"ServerStorage::DirtyRatio"}},
        {"write_back_interval",
         Duration(),
         "5s",
         "cache, from one look at the age of dirty pages to the next; 0ns: never",
         {"ServerStorage::WriteBackInterval"}},
        {"dirty_expire",
         Duration(),
         "30s",
         "cache, age at which dirty pages are written back",
         {"ServerStorage::DirtyExpire"}},
        {"write_back_size",
         Size(512, 1e9),
         "1310720",
         "cache, greatest request of write-back",
         {"ServerStorage::WriteBackSize"}},
        {"write_back_depth",
         Integer(1, 1'000'000),
         "16",
         "cache, requests of write-back at once",
         {"ServerStorage::WriteBackDepth"}},
        {"lose_on_restart",
         Boolean(),
         "true",
         "cache, whether data that a restart loses read as zeros",
         {"ServerStorage::LoseOnRestart"}},
    };
}

} // namespace

ScenarioSection
MakeStorageSection()
{
    ScenarioSection section{"storage", "Servers' storage: a device and its page cache.", {}};
    for (auto&& keys : {MakeDeviceKeys(), MakeCacheKeys()})
    {
        section.keys.insert(section.keys.end(), keys.begin(), keys.end());
    }
    return section;
}

} // namespace ns3::nfsrdma
