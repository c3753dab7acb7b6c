/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/compound-content.h"

#include "nfs/v4/protocol/acl.h"
#include "workload/check/pattern-buffer.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

ByteVector
ToOctets(const Nfs4Fh& handle)
{
    const ByteSpan octets = handle.AsSpan();
    return {octets.begin(), octets.end()};
}

CreateMode3
ToCreateMode3(CreateMode4 mode)
{
    switch (mode)
    {
    case CreateMode4::UNCHECKED:
        return CreateMode3::UNCHECKED;
    case CreateMode4::GUARDED:
        return CreateMode3::GUARDED;
    default:
        return CreateMode3::EXCLUSIVE;
    }
}

/// \return the handle that GETFH gave of what operation \p op made current.
std::optional<ByteVector>
FindHandleAfter(const Compound4Res& results, std::size_t op)
{
    for (std::size_t i = op + 1; i < results.ops.size(); ++i)
    {
        if (const auto* handle = std::get_if<GetfhRes4>(&results.ops[i]))
        {
            return handle->status == Nfs4Status::OK ? std::optional(ToOctets(handle->object))
                                                    : std::nullopt;
        }
        const Nfs4Op passed = GetOp(results.ops[i]);
        if (passed != Nfs4Op::GETATTR && passed != Nfs4Op::ACCESS && passed != Nfs4Op::SAVEFH)
        {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace

/// What is kept of an operation until the results are there.
struct CompoundContent::Step
{
    enum class Kind
    {
        OTHER,
        WRITE,
        READ,
        READLINK,
        SET_ATTRIBUTES,
        RANGE,
        UNKNOWN_OCTETS,
        CREATE_FILE,
        MAKE,
        REMOVE,
        RENAME,
        LINK,
        LOOKUP,
        READDIR
    };

    Kind kind{Kind::OTHER};
    ContentToken token{NO_CONTENT_TOKEN};
    ContentToken modeToken{NO_CONTENT_TOKEN}; ///< SET_ATTRIBUTES.
    ContentToken aclToken{NO_CONTENT_TOKEN};  ///< SET_ATTRIBUTES.
    std::optional<ContentPattern> pattern;    ///< WRITE.
    uint64_t offset{0};
    uint32_t count{0};
    Nfs4Op range{Nfs4Op::ILLEGAL}; ///< RANGE: which operation.
    bool hole{false};              ///< RANGE of SEEK.
    uint64_t length{0};            ///< RANGE of CLONE.
    ByteVector object;             ///< Current object, or directory.
    ByteVector file;               ///< LINK.
    std::string name;
    Ftype3 type{Ftype3::REG}; ///< MAKE.
    ByteVector target;        ///< MAKE.
};

CompoundContent::CompoundContent(std::shared_ptr<ContentModel> content, const Compound4Args& args)
    : m_content(std::move(content)),
      m_steps(args.ops.size())
{
    for (std::size_t op = 0; op < args.ops.size(); ++op)
    {
        Begin(op, args.ops[op]);
    }
}

CompoundContent::~CompoundContent() = default;

void
CompoundContent::Begin(std::size_t op, const Nfs4ArgOp& args)
{
    switch (GetOp(args))
    {
    case Nfs4Op::PUTFH:
        m_current = ToOctets(std::get<PutfhArgs4>(args).object);
        return;
    case Nfs4Op::PUTROOTFH:
    case Nfs4Op::PUTPUBFH:
    case Nfs4Op::LOOKUPP:
    case Nfs4Op::OPENATTR:
        m_current.reset();
        return;
    case Nfs4Op::SAVEFH:
        m_saved = m_current;
        return;
    case Nfs4Op::RESTOREFH:
        m_current = m_saved;
        return;
    default:
        break;
    }
    if (m_current)
    {
        Step& step = m_steps[op];
        step.object = *m_current;
        BeginData(step, args);
        BeginName(step, args);
    }
}

void
CompoundContent::BeginData(Step& step, const Nfs4ArgOp& args)
{
    if (const auto* write = std::get_if<WriteArgs4>(&args))
    {
        step.kind = Step::Kind::WRITE;
        step.offset = write->offset;
        step.count = write->data.length;
        const auto begin = m_content->GetOctets().BeginWrite(step.object, step.offset, step.count);
        step.token = begin.token;
        step.pattern = begin.pattern;
    }
    else if (const auto* read = std::get_if<ReadArgs4>(&args))
    {
        step.kind = Step::Kind::READ;
        step.count = read->count;
        step.token = m_content->GetOctets().BeginRead(step.object, read->offset, read->count);
    }
    else if (std::holds_alternative<ReadlinkArgs4>(args))
    {
        step.kind = Step::Kind::READLINK;
    }
    else if (std::holds_alternative<ReaddirArgs4>(args))
    {
        step.kind = Step::Kind::READDIR;
    }
    else if (const auto* setattr = std::get_if<SetattrArgs4>(&args))
    {
        BeginSetattr(step, *setattr);
    }
    else if (!BeginRange(step, args) && std::holds_alternative<WriteSameArgs4>(args))
    {
        constexpr uint64_t MOST = std::numeric_limits<uint32_t>::max();
        const auto& same = std::get<WriteSameArgs4>(args);
        step.kind = Step::Kind::UNKNOWN_OCTETS;
        step.count = static_cast<uint32_t>(std::min(same.blockSize * same.blockCount, MOST));
        step.token = m_content->GetOctets().BeginWrite(step.object, same.offset, step.count).token;
    }
}

bool
CompoundContent::BeginRange(Step& step, const Nfs4ArgOp& args)
{
    const auto& object = step.object;
    if (const auto* plus = std::get_if<ReadPlusArgs4>(&args))
    {
        step.offset = plus->offset;
        step.count = plus->count;
        step.token = m_content->GetOctets().BeginRead(object, plus->offset, plus->count);
    }
    else if (const auto* seek = std::get_if<SeekArgs4>(&args))
    {
        step.hole = seek->what == DataContent4::HOLE;
        step.token = m_content->GetOctets().BeginSeek(object, seek->offset);
    }
    else if (const auto* allocate = std::get_if<AllocateArgs4>(&args))
    {
        step.token =
            m_content->GetOctets().BeginExtend(object, allocate->offset + allocate->length);
    }
    else if (const auto* deallocate = std::get_if<DeallocateArgs4>(&args))
    {
        step.token =
            m_content->GetOctets().BeginZero(object, deallocate->offset, deallocate->length);
    }
    else if (const auto* copy = std::get_if<CopyArgs4>(&args); copy != nullptr && m_saved)
    {
        step.token = m_content->GetOctets().BeginCopy(*m_saved,
                                                      copy->srcOffset,
                                                      object,
                                                      copy->dstOffset,
                                                      copy->count);
    }
    else if (const auto* clone = std::get_if<CloneArgs4>(&args); clone != nullptr && m_saved)
    {
        step.length = clone->count;
        step.token = m_content->GetOctets().BeginCopy(*m_saved,
                                                      clone->srcOffset,
                                                      object,
                                                      clone->dstOffset,
                                                      clone->count);
    }
    else
    {
        return false;
    }
    step.kind = Step::Kind::RANGE;
    step.range = GetOp(args);
    return true;
}

void
CompoundContent::EndRange(const Step& step, ChangeOutcome outcome, const Nfs4ResOp* result)
{
    const bool done = outcome == ChangeOutcome::DONE && result != nullptr;
    switch (step.range)
    {
    case Nfs4Op::READ_PLUS:
        if (done)
        {
            EndReadPlus(step, std::get<ReadPlusRes4>(*result));
            return;
        }
        m_content->GetOctets().EndRead(step.token);
        return;
    case Nfs4Op::SEEK:
        if (done || (result != nullptr && GetStatus(*result) == Nfs4Status::NXIO))
        {
            m_content->GetOctets().EndSeek(
                step.token,
                step.hole,
                done ? std::make_optional(std::get<SeekRes4>(*result).offset) : std::nullopt);
            return;
        }
        m_content->GetOctets().EndRead(step.token);
        return;
    case Nfs4Op::ALLOCATE:
        m_content->GetOctets().EndExtend(step.token, outcome);
        return;
    case Nfs4Op::DEALLOCATE:
        m_content->GetOctets().EndZero(step.token, outcome);
        return;
    case Nfs4Op::COPY: {
        const auto* copied = done ? std::get_if<CopyRes4>(result) : nullptr;
        const bool open = copied != nullptr && copied->response.callbackId;
        m_content->GetOctets().EndCopy(step.token,
                                       open ? ChangeOutcome::UNKNOWN : outcome,
                                       copied != nullptr ? copied->response.count : 0);
        return;
    }
    default:
        m_content->GetOctets().EndCopy(step.token,
                                       step.length == 0 && done ? ChangeOutcome::UNKNOWN : outcome,
                                       step.length);
        return;
    }
}

void
CompoundContent::EndReadPlus(const Step& step, const ReadPlusRes4& result)
{
    ByteVector octets(step.count);
    const uint32_t count =
        result.Place(step.offset, step.count, [&octets](uint64_t position, ByteSpan part) {
            std::copy(part.begin(),
                      part.end(),
                      octets.begin() + static_cast<std::ptrdiff_t>(position));
        });
    m_content->GetOctets()
        .EndRead(step.token, count, result.eof, [&octets](uint32_t position, MutableByteSpan out) {
            std::copy_n(octets.begin() + position, out.size(), out.begin());
        });
}

void
CompoundContent::BeginSetattr(Step& step, const SetattrArgs4& args)
{
    step.kind = Step::Kind::SET_ATTRIBUTES;
    const Nfs4Attributes& attributes = args.attributes;
    if (attributes.size)
    {
        step.token = m_content->GetOctets().BeginSetSize(step.object, *attributes.size);
    }
    if (attributes.mode)
    {
        step.modeToken = m_content->GetAcls().BeginSetMode(step.object, *attributes.mode);
    }
    if (attributes.acl)
    {
        const ReferenceTree& tree = m_content->GetTree();
        const ReferenceObject* object = tree.Find(tree.FindHandle(step.object));
        const auto acls =
            MakePosixAcls(*attributes.acl, object != nullptr && object->type == Ftype3::DIR);
        step.aclToken = m_content->GetAcls().BeginSetAcls(
            step.object,
            acls ? std::optional<PosixAcl>(acls->access) : std::nullopt,
            acls ? std::optional<PosixAcl>(acls->defaultAcl) : std::nullopt);
    }
}

void
CompoundContent::BeginName(Step& step, const Nfs4ArgOp& args)
{
    if (const auto* lookup = std::get_if<LookupArgs4>(&args))
    {
        step.kind = Step::Kind::LOOKUP;
        step.name = lookup->name;
        m_current.reset();
    }
    else if (const auto* open = std::get_if<OpenArgs4>(&args))
    {
        if (open->claim.type != OpenClaim4::CLAIM_NULL)
        {
            return;
        }
        step.name = open->claim.file;
        step.kind = open->create ? Step::Kind::CREATE_FILE : Step::Kind::LOOKUP;
        if (open->create)
        {
            step.token = m_content->GetNames().BeginCreate({step.object, step.name},
                                                           ToCreateMode3(open->create->mode),
                                                           open->create->attributes.size);
        }
        m_current.reset();
    }
    else if (const auto* create = std::get_if<CreateArgs4>(&args))
    {
        step.kind = Step::Kind::MAKE;
        step.name = create->name;
        step.type = static_cast<Ftype3>(create->type);
        step.target.assign(create->link.octets.begin(), create->link.octets.end());
        step.token = m_content->GetNames().BeginNames({{step.object, step.name}});
        m_current.reset();
    }
    else if (const auto* remove = std::get_if<RemoveArgs4>(&args))
    {
        step.kind = Step::Kind::REMOVE;
        step.token = m_content->GetNames().BeginNames({{step.object, remove->target}});
    }
    else if (const auto* rename = std::get_if<RenameArgs4>(&args); rename != nullptr && m_saved)
    {
        step.kind = Step::Kind::RENAME;
        step.token = m_content->GetNames().BeginNames(
            {{*m_saved, rename->oldName}, {step.object, rename->newName}});
    }
    else if (const auto* link = std::get_if<LinkArgs4>(&args); link != nullptr && m_saved)
    {
        step.kind = Step::Kind::LINK;
        step.file = *m_saved;
        step.token = m_content->GetNames().BeginNames({{step.object, link->newName}});
    }
}

void
CompoundContent::FillWrite(std::size_t op, HostBuffer& buffer) const
{
    const Step& step = m_steps.at(op);
    if (step.pattern)
    {
        FillBuffer(buffer, *step.pattern, step.offset, step.count);
    }
}

void
CompoundContent::End(RpcOutcome outcome,
                     const Compound4Res* results,
                     const std::vector<RpcReplyItem>& places)
{
    std::size_t place = 0;
    for (std::size_t op = 0; op < m_steps.size(); ++op)
    {
        ChangeOutcome change = ChangeOutcome::UNKNOWN;
        if (results != nullptr)
        {
            const bool done =
                op < results->ops.size() && GetStatus(results->ops[op]) == Nfs4Status::OK;
            change = done ? ChangeOutcome::DONE : ChangeOutcome::REFUSED;
        }
        else if (outcome == RpcOutcome::REJECTED)
        {
            change = ChangeOutcome::REFUSED;
        }
        const auto kind = m_steps[op].kind;
        const bool hasPlace = kind == Step::Kind::READ || kind == Step::Kind::READLINK;
        const HostBuffer* memory =
            hasPlace && place < places.size() ? places[place].owner.get() : nullptr;
        place += hasPlace ? 1 : 0;
        EndStep(op, change, results, memory);
    }
}

void
CompoundContent::EndStep(std::size_t op,
                         ChangeOutcome outcome,
                         const Compound4Res* results,
                         const HostBuffer* place)
{
    const Step& step = m_steps[op];
    const bool done = outcome == ChangeOutcome::DONE;
    switch (step.kind)
    {
    case Step::Kind::OTHER:
        break;
    case Step::Kind::WRITE: {
        const auto* result = done ? std::get_if<WriteRes4>(&results->ops[op]) : nullptr;
        m_content->GetOctets().EndWrite(step.token, outcome, result != nullptr ? result->count : 0);
        break;
    }
    case Step::Kind::READ: {
        const auto* result = done ? std::get_if<ReadRes4>(&results->ops[op]) : nullptr;
        if (result != nullptr)
        {
            EndRead(step, *result, place);
        }
        else
        {
            m_content->GetOctets().EndRead(step.token);
        }
        break;
    }
    case Step::Kind::READLINK: {
        const auto* result = done ? std::get_if<ReadlinkRes4>(&results->ops[op]) : nullptr;
        if (result != nullptr && result->link.octets.size() == result->link.length)
        {
            m_content->GetOctets().CheckLink(step.object, result->link.octets);
        }
        break;
    }
    case Step::Kind::SET_ATTRIBUTES:
        m_content->GetOctets().EndSetSize(step.token, outcome);
        m_content->GetAcls().EndAclChange(step.modeToken, outcome);
        m_content->GetAcls().EndAclChange(step.aclToken, outcome);
        break;
    case Step::Kind::RANGE:
        EndRange(step,
                 outcome,
                 results != nullptr && op < results->ops.size() ? &results->ops[op] : nullptr);
        break;
    case Step::Kind::UNKNOWN_OCTETS:
        m_content->GetOctets().EndWrite(step.token, done ? ChangeOutcome::UNKNOWN : outcome, 0);
        break;
    case Step::Kind::READDIR:
        if (const auto* result = done ? std::get_if<ReaddirRes4>(&results->ops[op]) : nullptr)
        {
            BindEntries(step, *result);
        }
        break;
    default:
        EndName(op, step, outcome, results);
        break;
    }
}

void
CompoundContent::EndRead(const Step& step, const ReadRes4& result, const HostBuffer* place)
{
    const uint32_t count = std::min(result.data.length, step.count);
    const ByteSpan octets = result.data.octets;
    if (octets.size() < count && place == nullptr)
    {
        m_content->GetOctets().EndRead(step.token);
        return;
    }
    m_content->GetOctets().EndRead(
        step.token,
        count,
        result.eof,
        [octets, count, place](uint32_t position, MutableByteSpan out) {
            if (octets.size() >= count)
            {
                std::copy_n(octets.begin() + position, out.size(), out.begin());
            }
            else
            {
                place->Read(position, out);
            }
        });
}

void
CompoundContent::EndName(std::size_t op,
                         const Step& step,
                         ChangeOutcome outcome,
                         const Compound4Res* results)
{
    const auto handle = results != nullptr ? FindHandleAfter(*results, op) : std::nullopt;
    const OptionalHandle view = handle ? OptionalHandle(*handle) : std::nullopt;
    switch (step.kind)
    {
    case Step::Kind::CREATE_FILE:
        m_content->GetNames().EndCreate(step.token, outcome, view);
        break;
    case Step::Kind::MAKE:
        m_content->GetNames().EndMake(step.token, outcome, step.type, view, step.target);
        break;
    case Step::Kind::REMOVE:
        m_content->GetNames().EndRemove(step.token, outcome);
        break;
    case Step::Kind::RENAME:
        m_content->GetNames().EndRename(step.token, outcome);
        break;
    case Step::Kind::LINK:
        m_content->GetNames().EndLink(step.token, outcome, step.file);
        break;
    default:
        if (outcome == ChangeOutcome::DONE && handle)
        {
            m_content->Bind(step.object, step.name, *handle);
        }
        break;
    }
}

void
CompoundContent::BindEntries(const Step& step, const ReaddirRes4& listing)
{
    for (const DirEntry4& entry : listing.entries)
    {
        if (entry.attributes.filehandle)
        {
            m_content->Bind(step.object, entry.name, ToOctets(*entry.attributes.filehandle));
        }
    }
}

} // namespace ns3::nfsrdma
