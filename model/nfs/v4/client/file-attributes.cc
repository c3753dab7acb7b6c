/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/file-attributes.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t NOBODY = 65534;

uint32_t
ParseOwner(const std::optional<std::string>& name)
{
    if (!name)
    {
        return 0;
    }
    uint32_t number = 0;
    const char* end = name->data() + name->size();
    const auto parsed = std::from_chars(name->data(), end, number);
    return parsed.ec == std::errc() && parsed.ptr == end ? number : NOBODY;
}

NfsTime3
MakeTime(const std::optional<NfsTime4>& time)
{
    return time ? NfsTime3{static_cast<uint32_t>(time->seconds), time->nseconds} : NfsTime3();
}

std::optional<SetTime4>
MakeSetTime(const SetTime3& time)
{
    switch (time.how)
    {
    case TimeHow::SET_TO_SERVER_TIME:
        return SetTime4();
    case TimeHow::SET_TO_CLIENT_TIME:
        return SetTime4{NfsTime4{time.time.seconds, time.time.nseconds}};
    case TimeHow::DONT_CHANGE:
        break;
    }
    return std::nullopt;
}

} // namespace

Fattr3
MakeFileAttributes(const Nfs4Attributes& attributes)
{
    Fattr3 made;
    const auto type = attributes.type.value_or(Ftype4::REG);
    made.type = type <= Ftype4::FIFO ? static_cast<Ftype3>(type) : Ftype3::REG;
    made.mode = attributes.mode.value_or(0);
    made.nlink = attributes.numLinks.value_or(0);
    made.uid = ParseOwner(attributes.owner);
    made.gid = ParseOwner(attributes.ownerGroup);
    made.size = attributes.size.value_or(0);
    made.used = attributes.spaceUsed.value_or(0);
    if (attributes.rawdev)
    {
        made.rdev = {attributes.rawdev->specdata1, attributes.rawdev->specdata2};
    }
    made.fsid = attributes.fsid ? attributes.fsid->major : 0;
    made.fileid = attributes.fileid.value_or(0);
    made.atime = MakeTime(attributes.timeAccess);
    made.mtime = MakeTime(attributes.timeModify);
    made.ctime = MakeTime(attributes.timeMetadata);
    return made;
}

void
AddNews(FileReply& reply, const FileRef& object, const Nfs4Attributes& attributes, bool own)
{
    if (!attributes.change)
    {
        return;
    }
    FileNews news;
    news.object = object;
    news.change = attributes.change;
    news.own = own;
    news.attributes = MakeFileAttributes(attributes);
    news.whole = attributes.type.has_value();
    reply.news.push_back(std::move(news));
}

void
AddNews(FileReply& reply, const FileRef& directory, const Nfs4ChangeInfo& info)
{
    FileNews news;
    news.object = directory;
    news.change = info.after;
    news.own = true;
    news.isDirectory = true;
    // Without atomicity somebody else's change may lie between.
    news.before = info.atomic ? info.before : info.after;
    reply.news.push_back(std::move(news));
}

Nfs4Attributes
MakeSetAttributes(const Sattr3& changes)
{
    Nfs4Attributes made;
    made.size = changes.size;
    made.mode = changes.mode;
    if (changes.uid)
    {
        made.owner = std::to_string(*changes.uid);
    }
    if (changes.gid)
    {
        made.ownerGroup = std::to_string(*changes.gid);
    }
    made.timeAccessSet = MakeSetTime(changes.atime);
    made.timeModifySet = MakeSetTime(changes.mtime);
    return made;
}

} // namespace ns3::nfsrdma
