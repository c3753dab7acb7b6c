/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_OCTET_MODEL_H
#define NFSRDMA_WORKLOAD_CHECK_OCTET_MODEL_H

#include "workload/check/content-state.h"
#include "workload/check/octet-ranges.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief What the regular files of a client's export should hold, as its operations on octets and
 * sizes begin and end; and the check of what READ, SEEK and READLINK give.
 *
 * Of operations that were outstanding together, the octets that both touch are not compared, but
 * counted.
 */
class OctetModel
{
  public:
    explicit OctetModel(ContentState& state);

    /// A WRITE that begins, and the octets it is to write.
    struct WriteBegin
    {
        ContentToken token{NO_CONTENT_TOKEN};
        ContentPattern pattern;
    };

    [[nodiscard]] WriteBegin BeginWrite(const HandleView& file, uint64_t offset, uint32_t count);
    /// \param count octets that the server says it has written
    void EndWrite(ContentToken token, ChangeOutcome outcome, uint32_t count);

    [[nodiscard]] ContentToken BeginRead(const HandleView& file, uint64_t offset, uint32_t count);
    /// Fills a span with the octets read, from \p position of the READ on.
    using ReadSource = std::function<void(uint32_t position, MutableByteSpan out)>;
    /// Compares what a successful READ gave. \return false when something is wrong.
    bool EndRead(ContentToken token, uint32_t count, bool eof, const ReadSource& source);

    /// A READ that gave nothing to compare.
    void EndRead(ContentToken token)
    {
        Take(token);
    }

    /// Compares what READLINK gave. \return false when it is wrong.
    bool CheckLink(const HandleView& symlink, ByteSpan target);

    /// SETATTR with a size.
    [[nodiscard]] ContentToken BeginSetSize(const HandleView& file, uint64_t size);
    void EndSetSize(ContentToken token, ChangeOutcome outcome);

    // Operations of NFSv4.2 on ranges.

    /// ALLOCATE: the file grows to \p end.
    [[nodiscard]] ContentToken BeginExtend(const HandleView& file, uint64_t end);
    void EndExtend(ContentToken token, ChangeOutcome outcome);
    /// DEALLOCATE.
    [[nodiscard]] ContentToken BeginZero(const HandleView& file, uint64_t offset, uint64_t length);
    void EndZero(ContentToken token, ChangeOutcome outcome);
    /// COPY and CLONE. \param count octets; 0: to the end of \p from
    [[nodiscard]] ContentToken BeginCopy(const HandleView& from,
                                         uint64_t fromOffset,
                                         const HandleView& to,
                                         uint64_t toOffset,
                                         uint64_t count);
    /// \param count octets that the server says it has copied
    void EndCopy(ContentToken token, ChangeOutcome outcome, uint64_t count);
    /// SEEK from \p offset on; ends with EndSeek(), or EndRead() when it gave nothing.
    [[nodiscard]] ContentToken BeginSeek(const HandleView& file, uint64_t offset);
    /// Compares what SEEK gave: there may be nothing but holes before data found, and no data right
    /// behind a hole found. \param found absent: there are no data. \return false when it is wrong.
    bool EndSeek(ContentToken token, bool hole, std::optional<uint64_t> found);

    /// \return operations begun and not ended.
    [[nodiscard]] std::size_t GetActiveCount() const
    {
        return m_active.size();
    }

  private:
    enum class Kind
    {
        READ,
        WRITE,
        SET_SIZE,
        EXTEND,
        ZERO,
        COPY
    };

    /// An operation on the content of a file.
    struct Active
    {
        Kind kind{Kind::READ};
        ReferenceId file{ReferenceTree::NONE};
        OctetRange range;
        uint64_t size{0};                      ///< SET_SIZE and EXTEND.
        ContentToken source{NO_CONTENT_TOKEN}; ///< COPY: the other file's, as of a READ.
        uint64_t generation{0};                ///< WRITE.
        OctetRanges conflicts; ///< Octets that another change outstanding with it touches.
        bool sizeConflict{false};
    };

    ContentToken Begin(Active&& active);
    /// Begins an operation on the content of \p file; NO_CONTENT_TOKEN when that is not known.
    ContentToken BeginOn(const HandleView& file, Active&& active);

    /// Changes content without cutting the file.
    [[nodiscard]] static bool IsWrite(Kind kind)
    {
        return kind != Kind::READ && kind != Kind::SET_SIZE;
    }

    [[nodiscard]] static bool MayChangeSize(const Active& active, const FileContent& content);
    /// Takes the operation off the list. \return nothing for NO_CONTENT_TOKEN.
    std::optional<Active> Take(ContentToken token);

    /// A change of a file's content that has been done.
    struct Change
    {
        Active active;
        std::optional<Active> source; ///< COPY: what it has read, unless that is unknown.
        FileContent* content;         ///< Of the file, that is still to be changed.
    };

    /// Takes a change off the list, with what it reads. One of unknown outcome leaves its octets
    /// open. \return nothing unless it has been done, to a file that is there.
    std::optional<Change> TakeChange(ContentToken token, ChangeOutcome outcome);
    /// A change of octets has ended that may have been done or not.
    static void LeaveOpen(const Active& active, FileContent& content);
    /// It has been done: what it leaves open because of others.
    static void SettleWrite(const Active& active, FileContent& content, bool sizeCertain);
    void CompareRead(const Active& active,
                     const ReferenceObject& file,
                     uint32_t count,
                     const ReadSource& source);
    void CompareExtent(const Active& active, const ReferenceObject& file, uint32_t count, bool eof);

    ContentState& m_state;
    std::map<ContentToken, Active> m_active;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_OCTET_MODEL_H
