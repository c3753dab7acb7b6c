/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-model.h"

namespace ns3::nfsrdma
{

ContentModel::Token
ContentModel::BeginExtend(const HandleView& file, uint64_t end)
{
    Active active;
    active.kind = Kind::EXTEND;
    active.size = end;
    return BeginOn(file, std::move(active));
}

void
ContentModel::EndExtend(Token token, ChangeOutcome outcome)
{
    const auto change = TakeChange(token, outcome);
    if (!change)
    {
        return;
    }
    change->content->Extend(change->active.size);
    SettleWrite(change->active, *change->content, change->content->IsSizeCertain());
}

ContentModel::Token
ContentModel::BeginZero(const HandleView& file, uint64_t offset, uint64_t length)
{
    Active active;
    active.kind = Kind::ZERO;
    active.range = OctetRange::Of(offset, length);
    return BeginOn(file, std::move(active));
}

void
ContentModel::EndZero(Token token, ChangeOutcome outcome)
{
    const auto change = TakeChange(token, outcome);
    if (!change)
    {
        return;
    }
    change->content->Zero(change->active.range);
    SettleWrite(change->active, *change->content, change->content->IsSizeCertain());
}

ContentModel::Token
ContentModel::BeginCopy(const HandleView& from,
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
    const Token read = active.source;
    const Token token = BeginOn(to, std::move(active));
    if (token == NONE)
    {
        Take(read);
    }
    return token;
}

void
ContentModel::EndCopy(Token token, ChangeOutcome outcome, uint64_t count)
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
    const ReferenceObject* from = source ? m_tree.Find(source->file) : nullptr;
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
            const auto offset = conflict.begin - source->range.begin;
            const auto length = conflict.end - conflict.begin;
            content.MarkUncertain(to.Intersect(OctetRange::Of(to.begin + offset, length)));
        }
    }
    SettleWrite(active, content, sizeCertain);
}

ContentModel::Token
ContentModel::BeginSeek(const HandleView& file, uint64_t offset)
{
    Active active;
    active.range = {offset, OctetRange::UNBOUNDED};
    return BeginOn(file, std::move(active));
}

bool
ContentModel::EndSeek(Token token, bool hole, std::optional<uint64_t> found)
{
    ++m_reads.files;
    const auto active = Take(token);
    const ReferenceObject* object = active ? m_tree.Find(active->file) : nullptr;
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
    m_reads.AddMismatch(m_tree.GetPath(active->file),
                        asked,
                        "SEEK found " +
                            (found ? what + " at " + std::to_string(*found) : "no " + what) +
                            " in a file of " + std::to_string(content.GetSize()));
    return false;
}

} // namespace ns3::nfsrdma
