/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-model.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

/// The seed of writes to a file that the model does not know.
constexpr std::string_view UNKNOWN_FILE = "?";

} // namespace

ContentModel::ContentModel(uint32_t client)
    : m_client(client),
      m_tree(client)
{
}

void
ContentModel::Load(const Tree& tree)
{
    m_tree.Load(tree);
}

void
ContentModel::SetRoot(const HandleView& root)
{
    m_tree.Bind(ReferenceTree::ROOT, root);
}

const ReferenceTree&
ContentModel::GetTree() const
{
    return m_tree;
}

void
ContentModel::Bind(const HandleView& dir, const std::string& name, const HandleView& handle)
{
    const ReferenceId id = m_tree.Lookup(m_tree.FindHandle(dir), name);
    const ReferenceObject* object = m_tree.Find(id);
    if (object != nullptr && !object->handle)
    {
        m_tree.Bind(id, handle);
    }
}

ContentModel::WriteBegin
ContentModel::BeginWrite(const HandleView& file, uint64_t offset, uint32_t count)
{
    const ReferenceId id = m_tree.FindHandle(file);
    ReferenceObject* object = m_tree.Find(id);
    if (object == nullptr || object->content == nullptr)
    {
        return {NONE, ContentPattern(GetContentSeed(m_client, UNKNOWN_FILE), offset)};
    }
    Active active;
    active.kind = Kind::WRITE;
    active.file = id;
    active.range = OctetRange::Of(offset, count);
    active.generation = object->content->NextGeneration();
    const ContentPattern pattern = object->content->GetPattern(active.generation);
    return {Begin(std::move(active)), pattern};
}

void
ContentModel::EndWrite(Token token, ChangeOutcome outcome, uint32_t count)
{
    const auto change = TakeChange(token, outcome);
    if (!change)
    {
        return;
    }
    const Active& active = change->active;
    const auto written = active.range.Intersect(OctetRange::Of(active.range.begin, count));
    const bool sizeCertain = change->content->IsSizeCertain();
    change->content->Write(written, active.generation);
    SettleWrite(active, *change->content, sizeCertain);
}

std::optional<ContentModel::Change>
ContentModel::TakeChange(Token token, ChangeOutcome outcome)
{
    auto active = Take(token);
    if (!active)
    {
        return std::nullopt;
    }
    auto source = Take(active->source);
    ReferenceObject* object = m_tree.Find(active->file);
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
ContentModel::LeaveOpen(const Active& active, FileContent& content)
{
    if (MayChangeSize(active, content))
    {
        content.MarkSizeUncertain();
    }
    content.MarkUncertain(active.range);
}

void
ContentModel::SettleWrite(const Active& active, FileContent& content, bool sizeCertain)
{
    for (const auto& conflict : active.conflicts)
    {
        content.MarkUncertain(conflict);
    }
    if (!sizeCertain || active.sizeConflict)
    {
        content.MarkSizeUncertain();
    }
}

ContentModel::Token
ContentModel::BeginRead(const HandleView& file, uint64_t offset, uint32_t count)
{
    Active active;
    active.range = OctetRange::Of(offset, count);
    return BeginOn(file, std::move(active));
}

ContentModel::Token
ContentModel::BeginOn(const HandleView& file, Active&& active)
{
    active.file = m_tree.FindHandle(file);
    const ReferenceObject* object = m_tree.Find(active.file);
    return object == nullptr || object->content == nullptr ? NONE : Begin(std::move(active));
}

bool
ContentModel::EndRead(Token token, uint32_t count, bool eof, const ReadSource& source)
{
    const uint64_t mismatches = m_reads.mismatches;
    ++m_reads.files;
    const auto active = Take(token);
    const ReferenceObject* object = active ? m_tree.Find(active->file) : nullptr;
    if (object == nullptr)
    {
        m_reads.uncertainOctets += count;
        return true;
    }
    CompareExtent(*active, *object, count, eof);
    CompareRead(*active, *object, count, source);
    return m_reads.mismatches == mismatches;
}

void
ContentModel::EndRead(Token token)
{
    Take(token);
}

void
ContentModel::CompareExtent(const Active& active,
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
        m_reads.AddMismatch(m_tree.GetPath(active.file),
                            active.range.begin,
                            "READ gave " + std::to_string(count) + " octets with eof " +
                                (eof ? "1" : "0") + " of a file of " +
                                std::to_string(content.GetSize()));
    }
}

void
ContentModel::CompareRead(const Active& active,
                          const ReferenceObject& file,
                          uint32_t count,
                          const ReadSource& source)
{
    constexpr uint32_t PIECE = 4096;
    std::array<uint8_t, PIECE> piece;
    bool differs = false;
    for (uint32_t done = 0; done < count;)
    {
        const uint32_t length = std::min(PIECE, count - done);
        const MutableByteSpan octets(piece.data(), length);
        source(done, octets);
        const auto comparison =
            file.content->Compare(active.range.begin + done, octets, active.conflicts);
        m_reads.octets += comparison.compared;
        m_reads.uncertainOctets += comparison.uncertain;
        if (comparison.mismatch && !differs)
        {
            differs = true;
            m_reads.AddMismatch(m_tree.GetPath(active.file),
                                *comparison.mismatch,
                                "READ gave other octets than were written");
        }
        done += length;
    }
}

bool
ContentModel::CheckLink(const HandleView& symlink, ByteSpan target)
{
    ++m_reads.symlinks;
    const ReferenceId id = m_tree.FindHandle(symlink);
    const ReferenceObject* object = m_tree.Find(id);
    if (object == nullptr || object->type != Ftype3::LNK ||
        std::equal(target.begin(),
                   target.end(),
                   object->target.begin(),
                   object->target.end(),
                   [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); }))
    {
        return true;
    }
    m_reads.AddMismatch(m_tree.GetPath(id), 0, "READLINK gave another path");
    return false;
}

ContentModel::Token
ContentModel::BeginSetSize(const HandleView& file, uint64_t size)
{
    const ReferenceId id = m_tree.FindHandle(file);
    const ReferenceObject* object = m_tree.Find(id);
    if (object == nullptr || object->content == nullptr)
    {
        return NONE;
    }
    Active active;
    active.kind = Kind::SET_SIZE;
    active.file = id;
    active.size = size;
    active.range = {std::min(size, object->content->GetSize()), OctetRange::UNBOUNDED};
    return Begin(std::move(active));
}

void
ContentModel::EndSetSize(Token token, ChangeOutcome outcome)
{
    const auto change = TakeChange(token, outcome);
    if (!change)
    {
        return;
    }
    change->content->SetSize(change->active.size);
    SettleWrite(change->active, *change->content, true);
}

bool
ContentModel::IsWrite(Kind kind)
{
    return kind != Kind::READ && kind != Kind::SET_SIZE;
}

bool
ContentModel::MayChangeSize(const Active& active, const FileContent& content)
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

ContentModel::Token
ContentModel::Begin(Active&& active)
{
    ReferenceObject& file = *m_tree.Find(active.file);
    const bool changesSize = MayChangeSize(active, *file.content);
    for (const Token token : file.activeOperations)
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
            active.conflicts.push_back(common);
        }
        if (!common.IsEmpty() && active.kind != Kind::READ)
        {
            other.conflicts.push_back(common);
        }
        const bool bothWrite = IsWrite(active.kind) && IsWrite(other.kind);
        const bool cut = active.kind == Kind::SET_SIZE || other.kind == Kind::SET_SIZE;
        if (cut || (!bothWrite && (changesSize || MayChangeSize(other, *file.content))))
        {
            active.sizeConflict = true;
            other.sizeConflict = true;
        }
    }
    const Token token = m_nextToken++;
    file.activeOperations.push_back(token);
    m_active.emplace(token, std::move(active));
    return token;
}

std::optional<ContentModel::Active>
ContentModel::Take(Token token)
{
    const auto found = m_active.find(token);
    if (found == m_active.end())
    {
        return std::nullopt;
    }
    Active active = std::move(found->second);
    m_active.erase(found);
    if (ReferenceObject* object = m_tree.Find(active.file))
    {
        auto& tokens = object->activeOperations;
        tokens.erase(std::remove(tokens.begin(), tokens.end(), token), tokens.end());
    }
    return active;
}

const ContentCheck&
ContentModel::GetReadCheck() const
{
    return m_reads;
}

std::size_t
ContentModel::GetActiveCount() const
{
    return m_active.size() + m_activeNames.size() + m_activeAcls.size();
}

} // namespace ns3::nfsrdma
