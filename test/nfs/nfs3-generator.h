/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_NFS3_GENERATOR_H
#define NFSRDMA_TEST_NFS_NFS3_GENERATOR_H

#include "nfs/v3/types3.h"

#include <random>
#include <string>
#include <tuple>

namespace ns3::nfsrdma::test
{

/// The argument types of all procedures, in order of their numbers.
using AllArgs = std::tuple<Null3Args,
                           Getattr3Args,
                           Setattr3Args,
                           Lookup3Args,
                           Access3Args,
                           Readlink3Args,
                           Read3Args,
                           Write3Args,
                           Create3Args,
                           Mkdir3Args,
                           Symlink3Args,
                           Mknod3Args,
                           Remove3Args,
                           Rmdir3Args,
                           Rename3Args,
                           Link3Args,
                           Readdir3Args,
                           Readdirplus3Args,
                           Fsstat3Args,
                           Fsinfo3Args,
                           Pathconf3Args,
                           Commit3Args>;

/// Calls \p visitor with a value of each argument type.
template <typename Visitor>
void
ForEachArgs(Visitor&& visitor)
{
    std::apply([&](auto... args) { (visitor(args), ...); }, AllArgs());
}

/// Arguments and results with random fields, the same for a seed on every machine.
class Nfs3Generator
{
  public:
    explicit Nfs3Generator(uint32_t seed)
        : m_engine(seed)
    {
    }

    uint32_t Below(uint32_t limit)
    {
        return m_engine() % limit;
    }

    bool Coin()
    {
        return Below(2) == 1;
    }

    uint32_t U32()
    {
        return m_engine();
    }

    uint64_t U64()
    {
        return uint64_t{m_engine()} << 32 | m_engine();
    }

    ByteVector Octets(uint32_t length)
    {
        ByteVector octets(length);
        for (auto& octet : octets)
        {
            octet = static_cast<uint8_t>(m_engine());
        }
        return octets;
    }

    std::string Name(uint32_t limit = NFS3_MAXNAMLEN)
    {
        std::string name(1 + Below(limit), 'a');
        for (auto& letter : name)
        {
            letter = static_cast<char>('a' + Below(26));
        }
        return name;
    }

    NfsFh3 Handle()
    {
        return NfsFh3(Octets(Below(NFS3_FHSIZE + 1)));
    }

    NfsTime3 Time()
    {
        return {U32(), Below(1000000000)};
    }

    Nfs3Verifier Verifier()
    {
        Nfs3Verifier verifier{};
        const ByteVector octets = Octets(verifier.size());
        std::copy(octets.begin(), octets.end(), verifier.begin());
        return verifier;
    }

    Fattr3 Attributes()
    {
        Fattr3 attributes;
        attributes.type = static_cast<Ftype3>(1 + Below(7));
        attributes.mode = Below(010000);
        attributes.nlink = U32();
        attributes.uid = U32();
        attributes.gid = U32();
        attributes.size = U64();
        attributes.used = U64();
        attributes.rdev = {U32(), U32()};
        attributes.fsid = U64();
        attributes.fileid = U64();
        attributes.atime = Time();
        attributes.mtime = Time();
        attributes.ctime = Time();
        return attributes;
    }

    PostOpAttr MaybeAttributes()
    {
        return Coin() ? PostOpAttr(Attributes()) : std::nullopt;
    }

    WccData Wcc()
    {
        WccData wcc;
        if (Coin())
        {
            wcc.before = WccAttr{U64(), Time(), Time()};
        }
        wcc.after = MaybeAttributes();
        return wcc;
    }

    SetTime3 SetTime()
    {
        SetTime3 set;
        set.how = static_cast<TimeHow>(Below(3));
        set.time = Time();
        return set;
    }

    Sattr3 Changes()
    {
        Sattr3 changes;
        if (Coin())
        {
            changes.mode = Below(010000);
        }
        if (Coin())
        {
            changes.uid = U32();
        }
        if (Coin())
        {
            changes.gid = U32();
        }
        if (Coin())
        {
            changes.size = U64();
        }
        changes.atime = SetTime();
        changes.mtime = SetTime();
        return changes;
    }

    DirOpArgs3 DirOp()
    {
        return {Handle(), Name()};
    }

    Nfs3Status Status()
    {
        static constexpr std::array<Nfs3Status, 4> STATUSES{Nfs3Status::OK,
                                                            Nfs3Status::OK,
                                                            Nfs3Status::NOENT,
                                                            Nfs3Status::JUKEBOX};
        return STATUSES.at(Below(STATUSES.size()));
    }

    /// Octets that stay until the next call, as an item in the message.
    Nfs3Data Data(uint32_t limit)
    {
        m_data = Octets(Below(limit + 1));
        return Nfs3Data(m_data);
    }

    void Fill(Null3Args& /* args */)
    {
    }

    void Fill(Getattr3Args& args)
    {
        args.object = Handle();
    }

    void Fill(Setattr3Args& args)
    {
        args.object = Handle();
        args.attributes = Changes();
        if (Coin())
        {
            args.guard = Time();
        }
    }

    void Fill(Lookup3Args& args)
    {
        args.what = DirOp();
    }

    void Fill(Access3Args& args)
    {
        args.object = Handle();
        args.access = Below(64);
    }

    void Fill(Readlink3Args& args)
    {
        args.symlink = Handle();
    }

    void Fill(Read3Args& args)
    {
        args.file = Handle();
        args.offset = U64();
        args.count = U32();
    }

    void Fill(Write3Args& args)
    {
        args.file = Handle();
        args.offset = U64();
        args.stable = static_cast<StableHow>(Below(3));
        args.data = Data(300);
        args.count = args.data.length;
    }

    void Fill(Create3Args& args)
    {
        args.where = DirOp();
        args.mode = static_cast<CreateMode3>(Below(3));
        args.attributes = Changes();
        args.verifier = Verifier();
    }

    void Fill(Mkdir3Args& args)
    {
        args.where = DirOp();
        args.attributes = Changes();
    }

    void Fill(Symlink3Args& args)
    {
        args.where = DirOp();
        args.attributes = Changes();
        args.path = Data(300);
    }

    void Fill(Mknod3Args& args)
    {
        args.where = DirOp();
        args.type = static_cast<Ftype3>(1 + Below(7));
        args.attributes = Changes();
        args.spec = {U32(), U32()};
    }

    void Fill(Remove3Args& args)
    {
        args.object = DirOp();
    }

    void Fill(Rmdir3Args& args)
    {
        args.object = DirOp();
    }

    void Fill(Rename3Args& args)
    {
        args.from = DirOp();
        args.to = DirOp();
    }

    void Fill(Link3Args& args)
    {
        args.file = Handle();
        args.link = DirOp();
    }

    void Fill(Readdir3Args& args)
    {
        args.dir = Handle();
        args.cookie = U64();
        args.cookieVerifier = Verifier();
        args.count = U32();
    }

    void Fill(Readdirplus3Args& args)
    {
        args.dir = Handle();
        args.cookie = U64();
        args.cookieVerifier = Verifier();
        args.dircount = U32();
        args.maxcount = U32();
    }

    void Fill(Fsstat3Args& args)
    {
        args.fsroot = Handle();
    }

    void Fill(Fsinfo3Args& args)
    {
        args.fsroot = Handle();
    }

    void Fill(Pathconf3Args& args)
    {
        args.object = Handle();
    }

    void Fill(Commit3Args& args)
    {
        args.file = Handle();
        args.offset = U64();
        args.count = U32();
    }

    void Fill(Null3Res& /* results */)
    {
    }

    void Fill(Getattr3Res& results)
    {
        results.status = Status();
        results.attributes = Attributes();
    }

    void Fill(Wcc3Res& results)
    {
        results.status = Status();
        results.wcc = Wcc();
    }

    void Fill(Lookup3Res& results)
    {
        results.status = Status();
        results.object = Handle();
        results.objectAttributes = MaybeAttributes();
        results.dirAttributes = MaybeAttributes();
    }

    void Fill(Access3Res& results)
    {
        results.status = Status();
        results.attributes = MaybeAttributes();
        results.access = Below(64);
    }

    void Fill(Readlink3Res& results)
    {
        results.status = Status();
        results.attributes = MaybeAttributes();
        results.path = Data(300);
    }

    void Fill(Read3Res& results)
    {
        results.status = Status();
        results.attributes = MaybeAttributes();
        results.eof = Coin();
        results.data = Data(300);
        results.count = results.data.length;
    }

    void Fill(Write3Res& results)
    {
        results.status = Status();
        results.wcc = Wcc();
        results.count = U32();
        results.committed = static_cast<StableHow>(Below(3));
        results.verifier = Verifier();
    }

    void Fill(Make3Res& results)
    {
        results.status = Status();
        if (Coin())
        {
            results.object = Handle();
        }
        results.attributes = MaybeAttributes();
        results.dirWcc = Wcc();
    }

    void Fill(Rename3Res& results)
    {
        results.status = Status();
        results.fromDirWcc = Wcc();
        results.toDirWcc = Wcc();
    }

    void Fill(Link3Res& results)
    {
        results.status = Status();
        results.attributes = MaybeAttributes();
        results.linkDirWcc = Wcc();
    }

    void Fill(Readdir3Res& results)
    {
        results.status = Status();
        results.dirAttributes = MaybeAttributes();
        results.cookieVerifier = Verifier();
        results.entries.resize(Below(4));
        for (auto& entry : results.entries)
        {
            entry = {U64(), Name(40), U64()};
        }
        results.eof = Coin();
    }

    void Fill(Readdirplus3Res& results)
    {
        results.status = Status();
        results.dirAttributes = MaybeAttributes();
        results.cookieVerifier = Verifier();
        results.entries.resize(Below(4));
        for (auto& entry : results.entries)
        {
            entry = {U64(), Name(40), U64(), MaybeAttributes(), std::nullopt};
            if (Coin())
            {
                entry.handle = Handle();
            }
        }
        results.eof = Coin();
    }

    void Fill(Fsstat3Res& results)
    {
        results.status = Status();
        results.attributes = MaybeAttributes();
        results.tbytes = U64();
        results.fbytes = U64();
        results.abytes = U64();
        results.tfiles = U64();
        results.ffiles = U64();
        results.afiles = U64();
        results.invarsec = U32();
    }

    void Fill(Fsinfo3Res& results)
    {
        results.status = Status();
        results.attributes = MaybeAttributes();
        results.rtmax = U32();
        results.rtpref = U32();
        results.rtmult = U32();
        results.wtmax = U32();
        results.wtpref = U32();
        results.wtmult = U32();
        results.dtpref = U32();
        results.maxfilesize = U64();
        results.timeDelta = Time();
        results.properties = U32();
    }

    void Fill(Pathconf3Res& results)
    {
        results.status = Status();
        results.attributes = MaybeAttributes();
        results.linkmax = U32();
        results.nameMax = U32();
        results.noTrunc = Coin();
        results.chownRestricted = Coin();
        results.caseInsensitive = Coin();
        results.casePreserving = Coin();
    }

    void Fill(Commit3Res& results)
    {
        results.status = Status();
        results.wcc = Wcc();
        results.verifier = Verifier();
    }

  private:
    std::mt19937 m_engine;
    ByteVector m_data;
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_NFS3_GENERATOR_H
