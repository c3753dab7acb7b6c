/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_FILE_CLIENT3_H
#define NFSRDMA_NFS_V3_FILE_CLIENT3_H

#include "nfs/types/file-client.h"
#include "nfs/v3/acl-client3.h"
#include "nfs/v3/client3.h"

namespace ns3::nfsrdma
{

/**
 * \brief FileClient of NFSv3: the calls of an Nfs3Client and, for access lists, an NfsAcl3Client.
 *
 * An operation is one RPC but for these:
 *
 *     Mount, Unmount, Close   none; the completion comes with the next event
 *     Open                    LOOKUP; with create a CREATE. An EXCLUSIVE one is followed by a
 *                             SETATTR with what is to be set, and when the server does not know it,
 *                             tried again GUARDED, then UNCHECKED (as fs/nfs/nfs3proc.c)
 *     Open, MakeDirectory, ...  a LOOKUP more when the reply to CREATE, MKDIR, ... has no handle
 *     GetAcls, SetAcls        GETACL and SETACL of both lists
 *
 * The status of GetAcls() is NFS3ERR_SERVERFAULT when what came is no list.
 */
class Nfs3FileClient : public FileClient
{
  public:
    static TypeId GetTypeId();
    Nfs3FileClient();
    ~Nfs3FileClient() override;

    /// \param acl may be null: access lists are NFS3ERR_NOTSUPP then
    void SetClients(const Ptr<Nfs3Client>& nfs, const Ptr<NfsAcl3Client>& acl);

    void Mount(Done<FileReply> done) override;
    void Unmount(Done<FileReply> done) override;
    void GetAttributes(const FileRef& object, Done<FileAttributesReply> done) override;
    void SetAttributes(const FileRef& object,
                       const std::shared_ptr<OpenFile>& file,
                       const Sattr3& changes,
                       Done<FileReply> done) override;
    void Lookup(const FileRef& dir, const std::string& name, Done<FileObjectReply> done) override;
    void Access(const FileRef& object, uint32_t wanted, Done<FileAccessReply> done) override;
    void ReadLink(const FileRef& symlink, Done<FileLinkReply> done) override;
    void Open(const FileRef& dir,
              const std::string& name,
              const FileOpenHow& how,
              Done<FileOpenReply> done) override;
    void Close(const std::shared_ptr<OpenFile>& file, Done<FileReply> done) override;
    void Read(const std::shared_ptr<OpenFile>& file,
              uint64_t offset,
              uint32_t count,
              uint64_t address,
              Done<FileReadReply> done) override;
    void Write(const std::shared_ptr<OpenFile>& file,
               uint64_t offset,
               uint32_t count,
               uint64_t address,
               StableHow stable,
               Done<FileWriteReply> done) override;
    void Commit(const std::shared_ptr<OpenFile>& file,
                uint64_t offset,
                uint32_t count,
                Done<FileCommitReply> done) override;
    void MakeDirectory(const FileRef& dir,
                       const std::string& name,
                       const Sattr3& attributes,
                       Done<FileObjectReply> done) override;
    void MakeSymlink(const FileRef& dir,
                     const std::string& name,
                     ByteSpan target,
                     const Sattr3& attributes,
                     Done<FileObjectReply> done) override;
    void MakeNode(const FileRef& dir,
                  const std::string& name,
                  Ftype3 type,
                  SpecData3 device,
                  const Sattr3& attributes,
                  Done<FileObjectReply> done) override;
    void Remove(const FileRef& dir, const std::string& name, Done<FileReply> done) override;
    void RemoveDirectory(const FileRef& dir,
                         const std::string& name,
                         Done<FileReply> done) override;
    void Rename(const FileRef& fromDir,
                const std::string& fromName,
                const FileRef& toDir,
                const std::string& toName,
                Done<FileReply> done) override;
    void Link(const FileRef& file,
              const FileRef& dir,
              const std::string& name,
              Done<FileReply> done) override;
    void List(const FileRef& dir,
              uint64_t cookie,
              uint64_t verifier,
              uint32_t count,
              bool plus,
              Done<FileListReply> done) override;
    void GetAcls(const FileRef& object, Done<FileAclReply> done) override;
    void SetAcls(const FileRef& object,
                 const PosixAcl& access,
                 const PosixAcl& defaultAcl,
                 Done<FileReply> done) override;
    void GetFileSystem(const FileRef& object, Done<FileSystemReply> done) override;
    [[nodiscard]] uint32_t GetPending() const override;

  private:
    void DoDispose() override;

    /// Counts an operation as started. \return a completion that counts it as ended.
    template <typename Reply>
    Done<Reply> Track(Done<Reply> done);
    /// Ends an operation that takes no RPC.
    template <typename Reply>
    void EndSoon(const Reply& reply, Done<Reply> done);
    /// \return what ends an operation on names: status only.
    template <typename Result>
    Nfs3Completion<Result> Finish(Done<FileReply> done);
    /// \return what ends MKDIR, SYMLINK and MKNOD.
    Nfs3Completion<Make3Res> FinishMake(const DirOpArgs3& where, Done<FileObjectReply> done);
    void LookupUntracked(const DirOpArgs3& where, const Done<FileObjectReply>& done);
    void Create(const DirOpArgs3& where, const FileOpenHow& how, const Done<FileOpenReply>& done);
    void EndCreate(const FileOpenHow& how,
                   const FileObjectReply& made,
                   const Done<FileOpenReply>& done);

    Ptr<Nfs3Client> m_nfs;
    Ptr<NfsAcl3Client> m_acl;
    uint32_t m_pending{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_FILE_CLIENT3_H
