/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_FILE_CLIENT2_H
#define NFSRDMA_NFS_V2_FILE_CLIENT2_H

#include "nfs/types/file-access.h"
#include "nfs/types/file-client.h"
#include "nfs/v2/acl-client2.h"
#include "nfs/v2/client2.h"

namespace ns3::nfsrdma
{

/**
 * \brief FileClient over NFSv2, with the RPCs that Linux's client makes (fs/nfs/proc.c).
 *
 *     Open                 LOOKUP; with create a CREATE, after a LOOKUP that must find nothing
 *                          unless UNCHECKED (there is no exclusive create)
 *     MakeSymlink          SYMLINK, then LOOKUP
 *     Access               GETATTR; the mode's bits are weighed here
 *     Read, Write          one READ or WRITE, of 8192 octets at most
 *     Commit, Close        nothing: a WRITE is stable
 *     GetAcls, SetAcls     NFS3ERR_NOTSUPP, as Linux's client, which has no NFSACL for version 2;
 *                          with Acls, GETACL and SETACL of NFSACL version 2
 *
 * Files end at 2 GiB: a Write beyond fails with EFBIG (27), a Read beyond finds the end. Entries of
 * a List have neither handles nor attributes.
 *
 * Attribute: Acls.
 */
class Nfs2FileClient : public FileClient
{
  public:
    static TypeId GetTypeId();
    Nfs2FileClient();
    ~Nfs2FileClient() override;

    void SetClient(Ptr<Nfs2Client> nfs);
    /// For access lists, when the attribute Acls is set.
    void SetAclClient(Ptr<NfsAcl2Client> acl);
    /// Memory of this host.
    void SetHostMemory(Ptr<HostMemory> memory);
    /// Whose permissions Access() weighs. Default: the superuser.
    void SetCredential(const FileCredential& credential);

    /// Octets that a file may have.
    static constexpr uint64_t MAX_FILE_SIZE = 0x7fffffff;

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
    /// TransferSize, and 8192 at most.
    [[nodiscard]] uint32_t GetTransferSize() const override;

  private:
    [[nodiscard]] static Nfs2Fh ToHandle(const FileRef& object);
    void DoDispose() override;

    /// Counts an operation as started. \return a completion that counts it as ended.
    template <typename Reply>
    Done<Reply> Track(Done<Reply> done);
    /// Ends an operation that takes no RPC.
    template <typename Reply>
    void EndSoon(const Reply& reply, Done<Reply> done);
    /// \return what ends an operation on names: status only.
    StubCompletion<Status2Res> Finish(Done<FileReply> done);
    /// \return what ends an operation that finds or makes an object.
    static StubCompletion<DirOp2Res> FinishObject(Done<FileObjectReply> done);
    void Create(const Create2Args& args, const Done<FileOpenReply>& done);

    /// \return whether access lists can be asked for.
    [[nodiscard]] bool HasAcls() const;

    Ptr<Nfs2Client> m_nfs;
    Ptr<NfsAcl2Client> m_acl;
    bool m_acls{false};
    Ptr<HostMemory> m_memory;
    FileCredential m_credential;
    uint32_t m_pending{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_FILE_CLIENT2_H
