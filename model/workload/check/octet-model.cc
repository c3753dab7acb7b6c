/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/octet-model.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// The seed of writes to a file that the model does not know.
constexpr std::string_view UNKNOWN_FILE = "?";

} // namespace

OctetModel::OctetModel(ContentState& state)
    : m_state(state)
{
}

OctetModel::WriteBegin
OctetModel::BeginWrite(const HandleView& file, uint64_t offset, uint32_t count, uint32_t writer)
{
    const ReferenceId id = m_state.tree.FindHandle(file);
    ReferenceObject* object = m_state.tree.Find(id);
    if (object == nullptr || object->content == nullptr)
    {
        return {NO_CONTENT_TOKEN,
                ContentPattern(GetContentSeed(m_state.client, UNKNOWN_FILE), offset)};
    }
    Active active;
    active.kind = Kind::WRITE;
    active.file = id;
    active.range = OctetRange::Of(offset, count);
    active.generation = object->content->NextGeneration(writer);
    const ContentPattern pattern = object->content->GetPattern(active.generation);
    return {Begin(std::move(active)), pattern};
}

void
OctetModel::EndWrite(ContentToken token, ChangeOutcome outcome, uint32_t count)
{
    const auto change = TakeChange(token, outcome);
    if (!change)
    {
        return;
    }
    const Active& active = change->active;
    const auto written = active.range.Intersect(OctetRange::Of(active.range.begin, count));
    const bool sizeCertain = change->content->IsSizeCertain();
    ApplyWrite(active, written, *change->content);
    if (!sizeCertain || active.sizeConflict)
    {
        change->content->MarkSizeUncertain();
    }
}

void
OctetModel::ApplyWrite(const Active& active, const OctetRange& written, FileContent& content)
{
    // Where another has ended meanwhile, either of the two may have come last.
    OctetSet open;
    bool anything = false;
    for (const auto& conflict : active.conflicts)
    {
        if (conflict.isWrite && conflict.ended)
        {
            open.Add(conflict.range.Intersect(written));
        }
        anything = anything || !conflict.isWrite;
    }
    for (uint64_t at = written.begin; at < written.end;)
    {
        const auto gap = open.FindGap({at, written.end});
        const uint64_t end = gap.IsEmpty() ? written.end : gap.begin;
        content.AddCandidate({at, end}, active.generation);
        content.Write(gap, active.generation);
        at = gap.IsEmpty() ? written.end : gap.end;
    }
    content.Extend(written.IsEmpty() ? 0 : written.end);
    if (!anything)
    {
        return;
    }
    for (const auto& conflict : active.conflicts)
    {
        if (!conflict.isWrite)
        {
            content.MarkUncertain(conflict.range);
        }
    }
}

std::optional<OctetModel::Change>
OctetModel::TakeChange(ContentToken token, ChangeOutcome outcome)
{
    auto active = Take(token);
    if (!active)
    {
        return std::nullopt;
    }
    auto source = Take(active->source);
    TellOthers(token, *active, outcome);
    ReferenceObject* object = m_state.tree.Find(active->file);
    if (object == nullptr || outcome == ChangeOutcome::REFUSED)
    {
        return std::nullopt;
    }
    FileContent* content = object->content.get();
    if (outcome == ChangeOutcome::UNKNOWN)
    {
        LeaveOpen(*active, *content);
        return std::nullopt;
    }
    return Change{std::move(*active), std::move(source), content};
}

void
OctetModel::LeaveOpen(const Active& active, FileContent& content)
{
    if (MayChangeSize(active, content))
    {
        content.MarkSizeUncertain();
    }
    if (active.kind == Kind::WRITE)
    {
        content.AddCandidate(active.range, active.generation);
    }
    else
    {
        content.MarkUncertain(active.range);
    }
}

void
OctetModel::SettleWrite(const Active& active, FileContent& content, bool sizeCertain)
{
    for (const auto& conflict : active.conflicts)
    {
        content.MarkUncertain(conflict.range);
    }
    if (!sizeCertain || active.sizeConflict)
    {
        content.MarkSizeUncertain();
    }
}

ContentToken
OctetModel::BeginRead(const HandleView& file, uint64_t offset, uint32_t count, uint32_t reader)
{
    Active active;
    active.reader = reader;
    active.range = OctetRange::Of(offset, count);
    return BeginOn(file, std::move(active));
}

ContentToken
OctetModel::BeginOn(const HandleView& file, Active&& active)
{
    active.file = m_state.tree.FindHandle(file);
    const ReferenceObject* object = m_state.tree.Find(active.file);
    return object == nullptr || object->content == nullptr ? NO_CONTENT_TOKEN
                                                           : Begin(std::move(active));
}

bool
OctetModel::EndRead(ContentToken token, uint32_t count, bool eof, const ReadSource& source)
{
    const uint64_t mismatches = m_state.reads.mismatches;
    ++m_state.reads.files;
    const auto active = Take(token);
    const ReferenceObject* object = active ? m_state.tree.Find(active->file) : nullptr;
    if (object == nullptr)
    {
        m_state.reads.uncertainOctets += count;
        return true;
    }
    CompareExtent(*active, *object, count, eof);
    CompareRead(*active, *object, count, source);
    if (m_state.shared)
    {
        View& view = m_views[{active->file, active->reader}];
        const FileContent& seen = active->allowed ? *active->allowed : *object->content;
        const auto range = OctetRange::Of(active->range.begin, count);
        view.ranges.Add(range);
        view.content.Copy(seen, range.begin, range);
    }
    return m_state.reads.mismatches == mismatches;
}

void
OctetModel::CompareExtent(const Active& active,
                          const ReferenceObject& file,
                          uint32_t count,
                          bool eof)
{
    const FileContent& content = *file.content;
    if (active.sizeConflict || !content.IsSizeCertain())
    {
        return;
    }
    const auto present = active.range.Intersect({0, content.GetSize()});
    const uint64_t available = present.IsEmpty() ? 0 : present.end - present.begin;
    const bool atEnd = active.range.begin + count >= content.GetSize();
    if (count > available || eof != atEnd)
    {
        m_state.AddMismatch(active.file,
                            active.range.begin,
                            "READ gave " + std::to_string(count) + " octets with eof " +
                                (eof ? "1" : "0") + " of a file of " +
                                std::to_string(content.GetSize()));
    }
}

void
OctetModel::CompareRead(const Active& active,
                        const ReferenceObject& file,
                        uint32_t count,
                        const ReadSource& source)
{
    constexpr uint32_t PIECE = 4096;
    std::array<uint8_t, PIECE> piece;
    const FileContent& content = active.allowed ? *active.allowed : *file.content;
    bool differs = false;
    for (uint32_t done = 0; done < count;)
    {
        const uint32_t length = std::min(PIECE, count - done);
        const MutableByteSpan octets(piece.data(), length);
        source(done, octets);
        const auto comparison = content.Compare(active.range.begin + done, octets);
        m_state.reads.octets += comparison.compared;
        m_state.reads.uncertainOctets += comparison.uncertain;
        if (comparison.mismatch && !differs)
        {
            differs = true;
            m_state.AddMismatch(
                active.file,
                *comparison.mismatch,
                m_state.shared && m_state.reads.described.size() < ContentCheck::MAX_DESCRIBED
                    ? "READ gave " +
                          file.content->DescribeOrigin(
                              *comparison.mismatch,
                              octets.subspan(*comparison.mismatch - active.range.begin - done))
                    : "READ gave other octets than were written");
        }
        done += length;
    }
}

bool
OctetModel::CheckLink(const HandleView& symlink, ByteSpan target)
{
    ++m_state.reads.symlinks;
    const ReferenceId id = m_state.tree.FindHandle(symlink);
    const ReferenceObject* object = m_state.tree.Find(id);
    if (object == nullptr || object->type != Ftype3::LNK ||
        std::equal(target.begin(),
                   target.end(),
                   object->target.begin(),
                   object->target.end(),
                   [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); }))
    {
        return true;
    }
    m_state.AddMismatch(id, 0, "READLINK gave another path");
    return false;
}

bool
OctetModel::IsCurrent(const HandleView& file, uint32_t reader) const
{
    const ReferenceId id = m_state.tree.FindHandle(file);
    const ReferenceObject* object = m_state.tree.Find(id);
    const auto view = m_views.find({id, reader});
    if (object == nullptr || view == m_views.end())
    {
        return true;
    }
    const auto ranges = view->second.ranges.Intersect({0, OctetRange::UNBOUNDED});
    return std::all_of(ranges.begin(), ranges.end(), [&](const OctetRange& range) {
        return object->content->MayEqual(view->second.content, range);
    });
}

void
OctetModel::Forget(const HandleView& file, uint32_t reader)
{
    m_views.erase({m_state.tree.FindHandle(file), reader});
}

void
OctetModel::ReportStale(const HandleView& file, uint32_t reader)
{
    m_state.AddMismatch(m_state.tree.FindHandle(file),
                        0,
                        "client-" + std::to_string(reader) +
                            " kept octets when it opened the file, although they had been written "
                            "since it read them");
}

void
OctetModel::Disregard(const HandleView& file)
{
    ReferenceObject* object = m_state.tree.Find(m_state.tree.FindHandle(file));
    if (object != nullptr && object->content != nullptr)
    {
        object->content->MarkUncertain({0, OctetRange::UNBOUNDED});
        object->content->MarkSizeUncertain();
    }
}

ContentToken
OctetModel::BeginSetSize(const HandleView& file, uint64_t size)
{
    const ReferenceId id = m_state.tree.FindHandle(file);
    const ReferenceObject* object = m_state.tree.Find(id);
    if (object == nullptr || object->content == nullptr)
    {
        return NO_CONTENT_TOKEN;
    }
    Active active;
    active.kind = Kind::SET_SIZE;
    active.file = id;
    active.size = size;
    active.range = {std::min(size, object->content->GetSize()), OctetRange::UNBOUNDED};
    return Begin(std::move(active));
}

void
OctetModel::EndSetSize(ContentToken token, ChangeOutcome outcome)
{
    const auto change = TakeChange(token, outcome);
    if (!change)
    {
        return;
    }
    change->content->SetSize(change->active.size);
    SettleWrite(change->active, *change->content, true);
}

ContentToken
OctetModel::BeginExtend(const HandleView& file, uint64_t end)
{
    Active active;
    active.kind = Kind::EXTEND;
    active.size = end;
    return BeginOn(file, std::move(active));
}

void
OctetModel::EndExtend(ContentToken token, ChangeOutcome outcome)
{
    const auto change = TakeChange(token, outcome);
    if (!change)
    {
        return;
    }
    change->content->Extend(change->active.size);
    SettleWrite(change->active, *change->content, change->content->IsSizeCertain());
}

ContentToken
OctetModel::BeginZero(const HandleView& file, uint64_t offset, uint64_t length)
{
    Active active;
    active.kind = Kind::ZERO;
    active.range = OctetRange::Of(offset, length);
    return BeginOn(file, std::move(active));
}

void
OctetModel::EndZero(ContentToken token, ChangeOutcome outcome)
{
    const auto change = TakeChange(token, outcome);
    if (!change)
    {
        return;
    }
    change->content->Zero(change->active.range);
    SettleWrite(change->active, *change->content, change->content->IsSizeCertain());
}

ContentToken
OctetModel::BeginCopy(const HandleView& from,
                      uint64_t fromOffset,
                      const HandleView& to,
                      uint64_t toOffset,
                      uint64_t count)
{
    const uint64_t most = count == 0 ? OctetRange::UNBOUNDED : count;
    Active source;
    source.range = OctetRange::Of(fromOffset, most);
    Active active;
    active.kind = Kind::COPY;
    active.range = OctetRange::Of(toOffset, most);
    active.source = BeginOn(from, std::move(source));
    const ContentToken read = active.source;
    const ContentToken token = BeginOn(to, std::move(active));
    if (token == NO_CONTENT_TOKEN)
    {
        Take(read);
    }
    return token;
}

void
OctetModel::EndCopy(ContentToken token, ChangeOutcome outcome, uint64_t count)
{
    const auto change = TakeChange(token, outcome);
    if (!change)
    {
        return;
    }
    const Active& active = change->active;
    const auto& source = change->source;
    FileContent& content = *change->content;
    const auto to = active.range.Intersect(OctetRange::Of(active.range.begin, count));
    const bool sizeCertain = content.IsSizeCertain();
    const ReferenceObject* from = source ? m_state.tree.Find(source->file) : nullptr;
    if (from == nullptr)
    {
        content.Extend(to.end);
        content.MarkUncertain(to);
    }
    else
    {
        content.Copy(*from->content, source->range.begin, to);
        for (const auto& conflict : source->conflicts)
        {
            const auto offset = conflict.range.begin - source->range.begin;
            const auto length = conflict.range.end - conflict.range.begin;
            content.MarkUncertain(to.Intersect(OctetRange::Of(to.begin + offset, length)));
        }
    }
    SettleWrite(active, content, sizeCertain);
}

ContentToken
OctetModel::BeginSeek(const HandleView& file, uint64_t offset)
{
    Active active;
    active.range = {offset, OctetRange::UNBOUNDED};
    return BeginOn(file, std::move(active));
}

bool
OctetModel::EndSeek(ContentToken token, bool hole, std::optional<uint64_t> found)
{
    ++m_state.reads.files;
    const auto active = Take(token);
    const ReferenceObject* object = active ? m_state.tree.Find(active->file) : nullptr;
    if (object == nullptr || !active->conflicts.empty() || active->sizeConflict ||
        !object->content->IsSizeCertain())
    {
        return true;
    }
    const FileContent& content = *object->content;
    const uint64_t asked = active->range.begin;
    // What must be without data: up to data that were found, or the octet where the hole begins.
    OctetRange empty{asked, found.value_or(content.GetSize())};
    bool isRight = !found || (*found >= asked && *found <= content.GetSize());
    if (hole)
    {
        empty = found ? OctetRange::Of(*found, 1) : OctetRange();
        isRight = isRight && (found || asked >= content.GetSize());
    }
    if (isRight && !content.IsWritten(empty))
    {
        return true;
    }
    const std::string what = hole ? "hole" : "data";
    m_state.AddMismatch(active->file,
                        asked,
                        "SEEK found " +
                            (found ? what + " at " + std::to_string(*found) : "no " + what) +
                            " in a file of " + std::to_string(content.GetSize()));
    return false;
}

bool
OctetModel::MayChangeSize(const Active& active, const FileContent& content)
{
    switch (active.kind)
    {
    case Kind::SET_SIZE:
        return true;
    case Kind::WRITE:
    case Kind::COPY:
        return active.range.end > content.GetSize();
    case Kind::EXTEND:
        return active.size > content.GetSize();
    default:
        return false;
    }
}

void
OctetModel::AddConflict(Active& active,
                        const FileContent& content,
                        ContentToken token,
                        const Active& other,
                        const OctetRange& common)
{
    active.conflicts.push_back({token, common, other.kind == Kind::WRITE, false});
    if (active.kind != Kind::READ)
    {
        return;
    }
    if (!active.allowed)
    {
        active.allowed = std::make_unique<FileContent>(content.Slice(active.range));
    }
    if (other.kind == Kind::WRITE)
    {
        active.allowed->AddCandidate(common, other.generation);
    }
    else
    {
        active.allowed->MarkUncertain(common);
    }
}

void
OctetModel::TellOthers(ContentToken token, const Active& active, ChangeOutcome outcome)
{
    const ReferenceObject* file = m_state.tree.Find(active.file);
    if (file == nullptr)
    {
        return;
    }
    for (const ContentToken number : file->activeOperations)
    {
        auto& conflicts = m_active.at(number).conflicts;
        for (auto& conflict : conflicts)
        {
            conflict.ended = conflict.ended || conflict.other == token;
        }
        if (outcome == ChangeOutcome::REFUSED && active.kind == Kind::WRITE)
        {
            conflicts.erase(
                std::remove_if(conflicts.begin(),
                               conflicts.end(),
                               [token](const Conflict& one) { return one.other == token; }),
                conflicts.end());
        }
    }
}

ContentToken
OctetModel::Begin(Active&& active)
{
    ReferenceObject& file = *m_state.tree.Find(active.file);
    const ContentToken own = m_state.nextToken++;
    const bool changesSize = MayChangeSize(active, *file.content);
    for (const ContentToken token : file.activeOperations)
    {
        Active& other = m_active.at(token);
        if (active.kind == Kind::READ && other.kind == Kind::READ)
        {
            continue;
        }
        const auto common = active.range.Intersect(other.range);
        // What only looks leaves nothing open for what changes.
        if (!common.IsEmpty() && other.kind != Kind::READ)
        {
            AddConflict(active, *file.content, token, other, common);
        }
        if (!common.IsEmpty() && active.kind != Kind::READ)
        {
            AddConflict(other, *file.content, own, active, common);
        }
        const bool bothWrite = IsWrite(active.kind) && IsWrite(other.kind);
        const bool cut = active.kind == Kind::SET_SIZE || other.kind == Kind::SET_SIZE;
        if (cut || (!bothWrite && (changesSize || MayChangeSize(other, *file.content))))
        {
            active.sizeConflict = true;
            other.sizeConflict = true;
        }
    }
    file.activeOperations.push_back(own);
    m_active.emplace(own, std::move(active));
    return own;
}

std::optional<OctetModel::Active>
OctetModel::Take(ContentToken token)
{
    const auto found = m_active.find(token);
    if (found == m_active.end())
    {
        return std::nullopt;
    }
    Active active = std::move(found->second);
    m_active.erase(found);
    if (ReferenceObject* object = m_state.tree.Find(active.file))
    {
        auto& tokens = object->activeOperations;
        tokens.erase(std::remove(tokens.begin(), tokens.end(), token), tokens.end());
    }
    return active;
}

} // namespace ns3::nfsrdma
