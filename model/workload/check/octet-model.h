/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_OCTET_MODEL_H
#define NFSRDMA_WORKLOAD_CHECK_OCTET_MODEL_H

#include "workload/check/content-state.h"
#include "workload/check/octet-ranges.h"
#include "workload/check/octet-set.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What the regular files of an export should hold, as operations on octets and sizes begin
 * and end, of one client or of several; and the check of what READ, SEEK and READLINK give.
 *
 * What has ended before something begins comes before it. Of WRITEs that were outstanding together
 * each octet may be that of the one that ended last, or of any that it overlapped; what a READ
 * gives is what was there when it began, or of a WRITE that was outstanding with it. Of other
 * changes that were outstanding together, the octets that both touch are not compared, but counted.
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

    /// \param writer index of the client
    [[nodiscard]] WriteBegin BeginWrite(const HandleView& file,
                                        uint64_t offset,
                                        uint32_t count,
                                        uint32_t writer = 0);
    /// \param count octets that the server says it has written
    void EndWrite(ContentToken token, ChangeOutcome outcome, uint32_t count);

    /// \param reader index of the client
    [[nodiscard]] ContentToken BeginRead(const HandleView& file,
                                         uint64_t offset,
                                         uint32_t count,
                                         uint32_t reader = 0);
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

    // What clients have read of files that several clients work on, and may keep.

    /// \return whether what \p reader has read of \p file may be what the file holds now.
    [[nodiscard]] bool IsCurrent(const HandleView& file, uint32_t reader) const;
    /// \p reader keeps nothing of what it has read of \p file.
    void Forget(const HandleView& file, uint32_t reader);
    /// \p reader goes on with what it has read of \p file, which was not current when it asked.
    void ReportStale(const HandleView& file, uint32_t reader);

    /// What \p file holds is for others to check.
    void Disregard(const HandleView& file);

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

    /// Octets that another change outstanding with it touches.
    struct Conflict
    {
        ContentToken other{NO_CONTENT_TOKEN};
        OctetRange range;
        bool isWrite{false};
        bool ended{false}; ///< The other, which may have been done.
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
        uint32_t reader{0};                    ///< READ.
        std::vector<Conflict> conflicts;
        std::unique_ptr<FileContent> allowed; ///< READ with conflicts: what it may give.
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
    /// Notes that \p other, outstanding with it, changes \p common octets.
    static void AddConflict(Active& active,
                            const FileContent& content,
                            ContentToken token,
                            const Active& other,
                            const OctetRange& common);
    /// A change has ended: those outstanding with it are told.
    void TellOthers(ContentToken token, const Active& active, ChangeOutcome outcome);
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
    /// Likewise of a WRITE of \p written.
    static void ApplyWrite(const Active& active, const OctetRange& written, FileContent& content);
    void CompareRead(const Active& active,
                     const ReferenceObject& file,
                     uint32_t count,
                     const ReadSource& source);
    void CompareExtent(const Active& active, const ReferenceObject& file, uint32_t count, bool eof);

    /// What a client has read of a file.
    struct View
    {
        OctetSet ranges;
        FileContent content{0, 0};
    };

    ContentState& m_state;
    std::map<ContentToken, Active> m_active;
    std::map<std::pair<ReferenceId, uint32_t>, View> m_views; ///< By file and client.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_OCTET_MODEL_H
