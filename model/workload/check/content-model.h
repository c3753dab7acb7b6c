/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_CONTENT_MODEL_H
#define NFSRDMA_WORKLOAD_CHECK_CONTENT_MODEL_H

#include "nfs/types/posix-acl.h"
#include "nfs/v3/types3.h"
#include "workload/check/mismatch.h"
#include "workload/check/octet-ranges.h"
#include "workload/check/reference-tree.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// How an operation that changes something ended.
enum class ChangeOutcome
{
    DONE,    ///< The server did it.
    REFUSED, ///< The server answered with an error and changed nothing.
    UNKNOWN  ///< There was no answer: it may have been done or not.
};

/**
 * \brief What one client's export should hold, kept up to date as the client's operations complete.
 *
 * Each operation on content or names is told at its begin and at its end, so that operations that
 * were outstanding together are known: what they leave open is not compared, but counted.
 * Operations on handles that the model does not know are followed as far as that goes.
 */
class ContentModel
{
  public:
    /// Names an operation between its begin and end; NONE is one that needs no end.
    using Token = uint64_t;
    static constexpr Token NONE = 0;

    /// \param client index in the cluster; seeds the content
    explicit ContentModel(uint32_t client);

    /// The export's initial content, as TreeLoader puts it into a FileStore.
    void Load(const Tree& tree);
    void SetRoot(const HandleView& root);
    [[nodiscard]] const ReferenceTree& GetTree() const;

    /// The server said that \p name in \p dir has \p handle.
    void Bind(const HandleView& dir, const std::string& name, const HandleView& handle);

    /// A WRITE that begins, and the octets it is to write.
    struct WriteBegin
    {
        Token token{NONE};
        ContentPattern pattern;
    };

    [[nodiscard]] WriteBegin BeginWrite(const HandleView& file, uint64_t offset, uint32_t count);
    /// \param count octets that the server says it has written
    void EndWrite(Token token, ChangeOutcome outcome, uint32_t count);

    [[nodiscard]] Token BeginRead(const HandleView& file, uint64_t offset, uint32_t count);
    /// Fills a span with the octets read, from \p position of the READ on.
    using ReadSource = std::function<void(uint32_t position, MutableByteSpan out)>;
    /// Compares what a successful READ gave. \return false when something is wrong.
    bool EndRead(Token token, uint32_t count, bool eof, const ReadSource& source);
    /// A READ that gave nothing to compare.
    void EndRead(Token token);
    /// Compares what READLINK gave. \return false when it is wrong.
    bool CheckLink(const HandleView& symlink, ByteSpan target);

    /// SETATTR with a size.
    [[nodiscard]] Token BeginSetSize(const HandleView& file, uint64_t size);
    void EndSetSize(Token token, ChangeOutcome outcome);

    // Operations of NFSv4.2 on ranges.

    /// ALLOCATE: the file grows to \p end.
    [[nodiscard]] Token BeginExtend(const HandleView& file, uint64_t end);
    void EndExtend(Token token, ChangeOutcome outcome);
    /// DEALLOCATE.
    [[nodiscard]] Token BeginZero(const HandleView& file, uint64_t offset, uint64_t length);
    void EndZero(Token token, ChangeOutcome outcome);
    /// COPY and CLONE. \param count octets; 0: to the end of \p from
    [[nodiscard]] Token BeginCopy(const HandleView& from,
                                  uint64_t fromOffset,
                                  const HandleView& to,
                                  uint64_t toOffset,
                                  uint64_t count);
    /// \param count octets that the server says it has copied
    void EndCopy(Token token, ChangeOutcome outcome, uint64_t count);
    /// SEEK from \p offset on; ends with EndSeek(), or EndRead() when it gave nothing.
    [[nodiscard]] Token BeginSeek(const HandleView& file, uint64_t offset);
    /// Compares what SEEK gave: there may be nothing but holes before data found, and no data right
    /// behind a hole found. \param found absent: there are no data. \return false when it is wrong.
    bool EndSeek(Token token, bool hole, std::optional<uint64_t> found);

    // Access lists.

    /// \return whether the object is known to be a directory.
    [[nodiscard]] bool IsDirectory(const HandleView& object) const;
    /// Both lists begin to be set; an absent one is sent as what no list can be.
    [[nodiscard]] Token BeginSetAcls(const HandleView& object,
                                     std::optional<PosixAcl> access,
                                     std::optional<PosixAcl> defaultAcl);
    /// A SETATTR begins that sets the mode, which changes an access list.
    [[nodiscard]] Token BeginSetMode(const HandleView& object, uint32_t mode);
    void EndAclChange(Token token, ChangeOutcome outcome);

    /// A list that came from a server, or was not asked for.
    struct GivenAcl
    {
        bool given{false};
        std::optional<PosixAcl> acl; ///< Absent: what came is no list.
    };

    /// \return what CheckAcls() needs of the time when the GETACL begins.
    [[nodiscard]] uint64_t GetAclVersion(const HandleView& object) const;
    /// What a version's way of writing access lists leaves of them, as FileClient::MapAcls().
    using AclMapping =
        std::function<std::optional<PosixAclPair>(const PosixAclPair& acls, bool isDirectory)>;

    /// Compares what GETACL gave, unless a change was outstanding with it. \return false when it is
    /// wrong. \param mapping null: what the object has is given as it is
    bool CheckAcls(const HandleView& object,
                   uint64_t version,
                   const GivenAcl& access,
                   const GivenAcl& defaultAcl,
                   const AclMapping& mapping = nullptr);

    // Operations on names. The token is that of BeginNames().

    struct Name
    {
        HandleView dir;
        std::string name;
    };

    /// An operation begins that may change these names.
    [[nodiscard]] Token BeginNames(const std::vector<Name>& names);
    /// A CREATE begins; one that may cut an existing file is told as such.
    [[nodiscard]] Token BeginCreate(const Name& name,
                                    CreateMode3 mode,
                                    const std::optional<uint64_t>& size);
    void EndCreate(Token token, ChangeOutcome outcome, const OptionalHandle& handle);
    /// MKDIR, SYMLINK and MKNOD; \p target is SYMLINK's.
    void EndMake(Token token,
                 ChangeOutcome outcome,
                 Ftype3 type,
                 const OptionalHandle& handle,
                 ByteSpan target);
    /// REMOVE and RMDIR.
    void EndRemove(Token token, ChangeOutcome outcome);
    /// RENAME: the names are the old and the new one.
    void EndRename(Token token, ChangeOutcome outcome);
    void EndLink(Token token, ChangeOutcome outcome, const HandleView& file);

    /// \return what READs and READLINKs gave, compared.
    [[nodiscard]] const ContentCheck& GetReadCheck() const;
    /// \return operations begun and not ended.
    [[nodiscard]] std::size_t GetActiveCount() const;

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
        uint64_t size{0};       ///< SET_SIZE and EXTEND.
        Token source{NONE};     ///< COPY: the other file's, as of a READ.
        uint64_t generation{0}; ///< WRITE.
        OctetRanges conflicts;  ///< Octets that another change outstanding with it touches.
        bool sizeConflict{false};
    };

    /// An operation on names.
    struct ActiveNames
    {
        std::vector<std::pair<ReferenceId, std::string>> names;
        bool conflict{false};
        Token truncation{NONE};       ///< CREATE of an existing file.
        std::optional<uint64_t> size; ///< CREATE of a new file.
    };

    /// A change of access lists.
    struct ActiveAcls
    {
        ReferenceId object{ReferenceTree::NONE};
        std::optional<uint32_t> mode;       ///< SETATTR; absent: SETACL.
        std::optional<PosixAcl> access;     ///< SETACL; absent: no such list can be.
        std::optional<PosixAcl> defaultAcl; ///< SETACL; absent: no such list can be.
        bool conflict{false};
    };

    Token Begin(ActiveAcls&& active);
    void ApplyAclChange(const ActiveAcls& active, ReferenceObject& object);
    Token Begin(Active&& active);
    /// Begins an operation on the content of \p file; NONE when that is not known.
    Token BeginOn(const HandleView& file, Active&& active);
    /// Changes content without cutting the file.
    [[nodiscard]] static bool IsWrite(Kind kind);
    [[nodiscard]] static bool MayChangeSize(const Active& active, const FileContent& content);
    /// Takes the operation off the list. \return nothing for NONE.
    std::optional<Active> Take(Token token);
    std::optional<ActiveNames> TakeNames(Token token);

    /// A change of a file's content that has been done.
    struct Change
    {
        Active active;
        std::optional<Active> source; ///< COPY: what it has read, unless that is unknown.
        FileContent* content;         ///< Of the file, that is still to be changed.
    };

    /// Takes a change off the list, with what it reads. One of unknown outcome leaves its octets
    /// open. \return nothing unless it has been done, to a file that is there.
    std::optional<Change> TakeChange(Token token, ChangeOutcome outcome);
    /// A change of octets has ended that may have been done or not.
    static void LeaveOpen(const Active& active, FileContent& content);
    /// It has been done: what it leaves open because of others.
    static void SettleWrite(const Active& active, FileContent& content, bool sizeCertain);
    /// \return true when the names are to be changed as the server said.
    bool SettleNames(const ActiveNames& active, ChangeOutcome outcome);
    void SettleConflict(const ActiveNames& active);
    void CompareRead(const Active& active,
                     const ReferenceObject& file,
                     uint32_t count,
                     const ReadSource& source);
    void CompareExtent(const Active& active, const ReferenceObject& file, uint32_t count, bool eof);

    uint32_t m_client;
    ReferenceTree m_tree;
    Token m_nextToken{1};
    std::map<Token, Active> m_active;
    std::map<Token, ActiveNames> m_activeNames;
    std::map<Token, ActiveAcls> m_activeAcls;
    ContentCheck m_reads;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_CONTENT_MODEL_H
