/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/callback-compound.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

using Words = std::vector<uint32_t>;

/// "abcd" as a word.
constexpr uint32_t
Text(const char (&text)[5])
{
    uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i)
    {
        word = word << 8 | static_cast<uint8_t>(text[i]);
    }
    return word;
}

/// Words of the XDR of RFC 7531, RFC 5662, RFC 7863 and RFC 8276, put together by hand for what is
/// not in the captures.
class Nfs4GoldenOctets : public testing::Test
{
  protected:
    template <typename T>
    T Take(const Words& words)
    {
        XdrWriter writer;
        for (const uint32_t word : words)
        {
            writer.WriteU32(word);
        }
        XdrReader reader(writer.GetOctets());
        const auto value = DecodeXdr<T>(reader);
        EXPECT_TRUE(value);
        EXPECT_EQ(reader.Remaining(), 0U);
        if (!value)
        {
            return {};
        }
        XdrWriter again;
        EncodeXdr(again, *value);
        EXPECT_EQ(again.GetOctets(), writer.GetOctets());
        return *value;
    }

    static void CheckStateId(const Nfs4StateId& stateid, uint32_t first)
    {
        EXPECT_EQ(stateid.seqid, first);
        EXPECT_EQ(stateid.other[3], first + 1);
        EXPECT_EQ(stateid.other[11], first + 3);
    }
};

TEST_F(Nfs4GoldenOctets, ClientsOfMinorVersionZero)
{
    const auto args = Take<SetclientidArgs4>({0x01020304,
                                              0x05060708,
                                              5,
                                              Text("Linu"),
                                              Text("x\0\0\0"),
                                              0x40000000,
                                              4,
                                              Text("rdma"),
                                              6,
                                              Text("::.1"),
                                              0x2e310000,
                                              9});
    EXPECT_EQ(args.verifier[7], 8);
    EXPECT_EQ(args.id.size(), 5U);
    EXPECT_EQ(args.cbProgram, 0x40000000U);
    EXPECT_EQ(args.cbLocation.netid, "rdma");
    EXPECT_EQ(args.cbLocation.addr, "::.1.1");
    EXPECT_EQ(args.callbackIdent, 9U);
    const auto done = Take<SetclientidRes4>({0, 1, 2, 3, 4});
    EXPECT_EQ(done.clientId, 0x100000002U);
    EXPECT_EQ(done.confirm[3], 3);
    const auto inUse = Take<SetclientidRes4>({10017, 3, Text("tcp\0"), 4, Text("addr")});
    EXPECT_EQ(inUse.clientUsing.netid, "tcp");
    EXPECT_EQ(Take<RenewArgs4>({7, 8}).clientId, 0x700000008U);
    EXPECT_EQ(Take<SetclientidConfirmArgs4>({7, 8, 9, 10}).confirm[7], 10);
    const auto confirm = Take<OpenConfirmArgs4>({1, 2, 3, 4, 5});
    CheckStateId(confirm.openStateid, 1);
    EXPECT_EQ(confirm.seqid, 5U);
    EXPECT_EQ(Take<ReleaseLockownerArgs4>({0, 1, 2, 0xabcd0000}).lockOwner.owner.size(), 2U);
}

TEST_F(Nfs4GoldenOctets, OpensAndDelegations)
{
    const auto open = Take<OpenArgs4>(
        {1, 2, 3, 4, 5, 4, Text("ownr"), 1, 3, 6, 7, 1, 0x10, 8, 0, 50, 0, 4, Text("file")});
    EXPECT_EQ(open.seqid, 1U);
    EXPECT_EQ(open.shareAccess, 2U);
    EXPECT_EQ(open.shareDeny, 3U);
    EXPECT_EQ(open.owner.clientId, 0x400000005U);
    ASSERT_TRUE(open.create);
    EXPECT_EQ(open.create->mode, CreateMode4::EXCLUSIVE4_1);
    EXPECT_EQ(open.create->verifier[3], 6);
    EXPECT_EQ(open.create->attributes.size, 50U);
    EXPECT_EQ(open.claim.type, OpenClaim4::CLAIM_NULL);
    EXPECT_EQ(open.claim.file, "file");
    const auto exclusive = Take<OpenArgs4>({1, 2, 3, 4, 5, 0, 1, 2, 6, 7, 5, 1, 2, 3, 4});
    EXPECT_EQ(exclusive.create->mode, CreateMode4::EXCLUSIVE);
    CheckStateId(exclusive.claim.delegateStateid, 1);
    const auto current = Take<OpenArgs4>({1, 2, 3, 4, 5, 0, 0, 2, 1, 2, 3, 4, 1, Text("f\0\0\0")});
    EXPECT_FALSE(current.create);
    EXPECT_EQ(current.claim.type, OpenClaim4::DELEGATE_CUR);
    EXPECT_EQ(current.claim.file, "f");
    EXPECT_EQ(Take<OpenArgs4>({1, 2, 3, 4, 5, 0, 0, 1, 2}).claim.delegateType,
              OpenDelegationType4::WRITE);

    const Words start{0, 1, 2, 3, 4, 1, 0, 5, 0, 6, 4, 2, 0, 0};
    const auto result = [&start](Words delegation) {
        Words words = start;
        words.insert(words.end(), delegation.begin(), delegation.end());
        return words;
    };
    const auto written = Take<OpenRes4>(
        result({2, 1, 2, 3, 4, 1, 2, 7, 8, 0, 0x40, 3, 6, Text("EVER"), Text("Y@\0\0")}));
    CheckStateId(written.stateid, 1);
    EXPECT_EQ(written.changeInfo.after, 6U);
    EXPECT_EQ(written.rflags, 4U);
    EXPECT_EQ(written.attrsSet.GetWords(), 2U);
    CheckStateId(written.delegation.stateid, 1);
    EXPECT_TRUE(written.delegation.recall);
    EXPECT_EQ(written.delegation.spaceLimit.numBlocks, 7U);
    EXPECT_EQ(written.delegation.permissions.who, "EVERY@");
    const auto read = Take<OpenRes4>(result({1, 1, 2, 3, 4, 0, 0, 0, 0, 0}));
    EXPECT_EQ(read.delegation.type, OpenDelegationType4::READ);
    const auto none = Take<OpenRes4>(result({3, 2, 1}));
    EXPECT_EQ(none.delegation.why, WhyNoDelegation4::RESOURCE);
    EXPECT_TRUE(none.delegation.serverWill);
    EXPECT_EQ(Take<OpenRes4>(result({3, 8})).delegation.why, WhyNoDelegation4::IS_DIR);

    const auto want = Take<WantDelegationArgs4>({0x300, 1, 2});
    EXPECT_EQ(want.claim.delegateType, OpenDelegationType4::WRITE);
    EXPECT_EQ(Take<WantDelegationRes4>({0, 0}).delegation.type, OpenDelegationType4::NONE);
    const auto directory = Take<GetDirDelegationArgs4>({1, 1, 0x3c, 0, 1, 2, 0, 3, 4, 0, 2, 1, 2});
    EXPECT_TRUE(directory.signalDelegAvail);
    EXPECT_TRUE(directory.notificationTypes.Has(5));
    EXPECT_EQ(directory.dirAttrDelay.nseconds, 4U);
    EXPECT_TRUE(directory.dirAttributes.Has(33));
    EXPECT_TRUE(Take<GetDirDelegationRes4>({0, 1, 1}).willSignal);
    EXPECT_EQ(Take<GetDirDelegationRes4>({0, 0, 1, 2, 1, 2, 3, 4, 1, 4, 0, 0}).stateid.seqid, 1U);
}

TEST_F(Nfs4GoldenOctets, Locks)
{
    const auto lock =
        Take<LockArgs4>({2, 0, 0, 10, 0, 20, 1, 30, 1, 2, 3, 4, 40, 0, 50, 3, 0x61626300});
    EXPECT_EQ(lock.type, LockType4::WRITE);
    EXPECT_EQ(lock.length, 20U);
    EXPECT_EQ(lock.openOwner.openSeqid, 30U);
    EXPECT_EQ(lock.openOwner.lockSeqid, 40U);
    EXPECT_EQ(lock.openOwner.lockOwner.clientId, 50U);
    const auto more = Take<LockArgs4>({1, 1, 0, 10, 0, 20, 0, 1, 2, 3, 4, 5});
    EXPECT_TRUE(more.reclaim);
    CheckStateId(more.lockOwner.lockStateid, 1);
    EXPECT_EQ(more.lockOwner.lockSeqid, 5U);
    CheckStateId(Take<LockRes4>({0, 1, 2, 3, 4}).lockStateid, 1);
    const auto denied = Take<LockRes4>({10010, 0, 1, 0, 2, 1, 0, 3, 1, 0x77000000});
    EXPECT_EQ(denied.denied.length, 2U);
    EXPECT_EQ(denied.denied.owner.owner.size(), 1U);
    EXPECT_EQ(Take<LocktArgs4>({1, 0, 1, 0, 2, 0, 3, 0}).owner.clientId, 3U);
    EXPECT_EQ(Take<LocktRes4>({10010, 0, 1, 0, 2, 1, 0, 3, 0}).denied.offset, 1U);
    EXPECT_EQ(Take<LocktRes4>({0}).status, Nfs4Status::OK);
    EXPECT_EQ(Take<LockuArgs4>({2, 9, 1, 2, 3, 4, 0, 5, 0, 6}).seqid, 9U);
    EXPECT_EQ(Take<TestStateidArgs4>({1, 1, 2, 3, 4}).stateids.size(), 1U);
    EXPECT_EQ(Take<TestStateidRes4>({0, 2, 0, 10025}).statusCodes[1], Nfs4Status::BAD_STATEID);
}

TEST_F(Nfs4GoldenOctets, Sessions)
{
    const auto control = Take<BackchannelCtlArgs4>(
        {0x40000000, 3, 0, 1, 7, 4, Text("host"), 8, 9, 1, 10, 6, 2, 1, 0x61000000, 0});
    ASSERT_EQ(control.secParms.size(), 3U);
    EXPECT_EQ(control.secParms[1].sys.machineName, "host");
    EXPECT_EQ(control.secParms[1].sys.gids.at(0), 10U);
    EXPECT_EQ(control.secParms[2].gssService, 2U);
    EXPECT_EQ(control.secParms[2].handleFromServer.size(), 1U);
    const auto bind = Take<BindConnToSessionArgs4>({1, 2, 3, 4, 7, 1});
    EXPECT_EQ(bind.dir, 7U);
    EXPECT_TRUE(bind.rdmaMode);
    const auto exchange = Take<ExchangeIdArgs4>({1,     2,
                                                 2,     0xaabb0000,
                                                 0x103, 2,
                                                 1,     3,
                                                 0,     1,
                                                 2,     0xccdd0000,
                                                 0,     4,
                                                 5,     1,
                                                 3,     Text("dom\0"),
                                                 4,     Text("name"),
                                                 0,     6,
                                                 7});
    EXPECT_EQ(exchange.stateProtect.how, StateProtect4::SSV);
    EXPECT_TRUE(exchange.stateProtect.ops.mustEnforce.Has(1));
    EXPECT_EQ(exchange.stateProtect.hashAlgs.size(), 1U);
    EXPECT_EQ(exchange.stateProtect.numGssHandles, 5U);
    EXPECT_EQ(exchange.clientImplId->name, "name");
    EXPECT_EQ(exchange.clientImplId->date.nseconds, 7U);
    const auto machine = Take<ExchangeIdArgs4>({1, 2, 0, 0, 1, 1, 3, 1, 4, 0});
    EXPECT_EQ(machine.stateProtect.how, StateProtect4::MACH_CRED);
    const auto result = Take<ExchangeIdRes4>(
        {0, 1, 2, 3, 4, 2, 0, 0, 5, 6, 7, 8, 1, 1, 0x61000000, 0, 9, 2, 0x62630000, 0, 0});
    EXPECT_EQ(result.clientId, 0x100000002U);
    EXPECT_EQ(result.sequenceId, 3U);
    EXPECT_EQ(result.stateProtect.window, 8U);
    EXPECT_EQ(result.stateProtect.handles.size(), 1U);
    EXPECT_EQ(result.serverMinorId, 9U);
    EXPECT_EQ(result.serverMajorId.size(), 2U);
    const auto create = Take<CreateSessionArgs4>(
        {0, 1, 2, 3, 0, 10, 11, 12, 13, 14, 1, 15, 0, 20, 21, 22, 23, 24, 0, 25, 1, 0});
    EXPECT_EQ(create.fore.maxResponseSize, 11U);
    EXPECT_EQ(create.fore.rdmaIrd, 15U);
    EXPECT_EQ(create.back.maxRequests, 24U);
    EXPECT_EQ(create.cbProgram, 25U);
    EXPECT_EQ(Take<SetSsvArgs4>({1, 0x01000000, 2, 0x02030000}).digest.size(), 2U);
    EXPECT_EQ(Take<SetSsvRes4>({0, 1, 0x05000000}).digest.size(), 1U);
    EXPECT_TRUE(Take<ReclaimCompleteArgs4>({1}).oneFs);
    const auto secinfo = Take<SecinfoRes4>({0, 2, 6, 2, 0x2a860000, 0, 3, 1});
    EXPECT_EQ(secinfo.flavors.at(0).service, 3U);
    EXPECT_EQ(secinfo.flavors.at(1).flavor, 1U);
}

TEST_F(Nfs4GoldenOctets, Layouts)
{
    const auto get = Take<LayoutgetArgs4>({1, 1, 2, 0, 3, 0, 4, 0, 5, 1, 2, 3, 4, 6});
    EXPECT_EQ(get.ioMode, LayoutIoMode4::RW);
    EXPECT_EQ(get.minLength, 5U);
    EXPECT_EQ(get.maxcount, 6U);
    const auto got = Take<LayoutgetRes4>({0, 1, 1, 2, 3, 4, 1, 0, 5, 0, 6, 1, 4, 3, 0x01020300});
    EXPECT_EQ(got.layouts.at(0).content.type, LayoutType4::FLEX_FILES);
    EXPECT_EQ(got.layouts.at(0).content.body.size(), 3U);
    EXPECT_TRUE(Take<LayoutgetRes4>({10058, 1}).willSignalLayoutAvail);
    const auto commit = Take<LayoutcommitArgs4>({0, 1, 0, 2, 0, 1, 2, 3, 4, 1, 0, 5, 0, 1, 0});
    EXPECT_EQ(commit.lastWriteOffset, 5U);
    EXPECT_FALSE(commit.timeModify);
    EXPECT_EQ(Take<LayoutcommitRes4>({0, 1, 0, 9}).newSize, 9U);
    const auto put = Take<LayoutreturnArgs4>({0, 1, 3, 1, 0, 1, 0, 2, 1, 2, 3, 4, 0});
    EXPECT_EQ(put.length, 2U);
    EXPECT_EQ(Take<LayoutreturnArgs4>({0, 1, 3, 3}).returnType, LayoutReturnType4::ALL);
    EXPECT_FALSE(Take<LayoutreturnRes4>({0, 0}).stateid);
    const auto device = Take<GetdeviceinfoArgs4>({1, 2, 3, 4, 1, 4096, 1, 6});
    EXPECT_EQ(device.maxcount, 4096U);
    EXPECT_EQ(Take<GetdeviceinfoRes4>({0, 1, 4, 5, 1, 6}).deviceAddr.body.size(), 4U);
    EXPECT_EQ(Take<GetdeviceinfoRes4>({10005, 99}).mincount, 99U);
    EXPECT_EQ(Take<GetdevicelistRes4>({0, 0, 1, 2, 3, 1, 4, 5, 6, 7, 1}).deviceIds.size(), 1U);
    EXPECT_EQ(Take<LayouterrorArgs4>({0, 1, 0, 2, 1, 2, 3, 4, 1, 5, 6, 7, 8, 5, 25}).errors[0].op,
              Nfs4Op::READ);
    EXPECT_EQ(
        Take<LayoutstatsArgs4>({0, 1, 0, 2, 1, 2, 3, 4, 0, 5, 0, 6, 0, 7, 0, 8, 1, 2, 3, 4, 1, 0})
            .write.bytes,
        8U);
}

TEST_F(Nfs4GoldenOctets, MinorVersionTwo)
{
    const auto copy = Take<CopyArgs4>({1,
                                       2,
                                       3,
                                       4,
                                       5,
                                       6,
                                       7,
                                       8,
                                       0,
                                       9,
                                       0,
                                       10,
                                       0,
                                       11,
                                       1,
                                       0,
                                       2,
                                       1,
                                       4,
                                       Text("name"),
                                       3,
                                       3,
                                       Text("tcp\0"),
                                       1,
                                       0x61000000});
    CheckStateId(copy.dstStateid, 5);
    EXPECT_EQ(copy.count, 11U);
    EXPECT_TRUE(copy.consecutive);
    EXPECT_EQ(copy.sourceServers.at(1).addr.netid, "tcp");
    const auto copied = Take<CopyRes4>({0, 1, 1, 2, 3, 4, 0, 5, 2, 6, 7, 1, 0});
    EXPECT_EQ(copied.response.callbackId->seqid, 1U);
    EXPECT_EQ(copied.response.committed, StableHow4::FILE_SYNC);
    EXPECT_TRUE(copied.consecutive);
    EXPECT_TRUE(Take<CopyRes4>({10094, 0, 1}).synchronous);
    EXPECT_EQ(Take<CopyNotifyRes4>({0, 0, 1, 2, 1, 2, 3, 4, 0}).leaseTime.nseconds, 2U);
    EXPECT_EQ(Take<IoAdviseArgs4>({1, 2, 3, 4, 0, 5, 0, 6, 1, 8}).hints, Nfs4Bitmap({3}));
    EXPECT_EQ(Take<OffloadStatusRes4>({0, 0, 5, 1, 0}).complete, Nfs4Status::OK);
    const auto plus = Take<ReadPlusRes4>({0, 1, 2, 0, 0, 1, 3, 0x01020300, 1, 0, 4, 0, 5});
    EXPECT_TRUE(plus.eof);
    EXPECT_EQ(plus.contents.at(0).data.size(), 3U);
    EXPECT_EQ(plus.contents.at(1).length, 5U);
    EXPECT_EQ(Take<SeekArgs4>({1, 2, 3, 4, 0, 5, 1}).what, DataContent4::HOLE);
    EXPECT_EQ(Take<SeekRes4>({0, 1, 0, 7}).offset, 7U);
    const auto same =
        Take<WriteSameArgs4>({1, 2, 3, 4, 2, 0, 5, 0, 6, 0, 7, 0, 8, 9, 0, 10, 1, 0x61000000});
    EXPECT_EQ(same.blockNum, 9U);
    EXPECT_EQ(same.relOffPattern, 10U);
    EXPECT_EQ(Take<CloneArgs4>({1, 2, 3, 4, 5, 6, 7, 8, 0, 9, 0, 10, 0, 11}).dstOffset, 10U);
    EXPECT_EQ(Take<AllocateArgs4>({1, 2, 3, 4, 0, 5, 0, 6}).length, 6U);
    EXPECT_EQ(Take<DeallocateArgs4>({1, 2, 3, 4, 0, 5, 0, 6}).offset, 5U);
    EXPECT_EQ(Take<SetxattrArgs4>({2, 4, Text("name"), 1, 0x76000000}).option,
              SetXattrOption4::REPLACE);
    EXPECT_EQ(Take<GetxattrRes4>({0, 2, 0x76770000}).value.size(), 2U);
    EXPECT_EQ(Take<ListxattrsArgs4>({0, 1, 2}).maxcount, 2U);
    EXPECT_EQ(Take<ListxattrsRes4>({0, 0, 1, 1, 4, Text("name"), 1}).names.at(0), "name");
}

TEST_F(Nfs4GoldenOctets, Callbacks)
{
    const auto recall = Take<CbLayoutrecallArgs4>({1, 3, 1, 1, 4, 5, 0, 6, 0, 7, 1, 2, 3, 4});
    EXPECT_EQ(recall.fh.length, 4U);
    EXPECT_EQ(recall.length, 7U);
    EXPECT_EQ(Take<CbLayoutrecallArgs4>({1, 3, 1, 2, 0, 5, 0, 6}).fsid.minor, 6U);
    EXPECT_EQ(Take<CbLayoutrecallArgs4>({1, 3, 1, 3}).recallType, LayoutReturnType4::ALL);
    const auto sequence = Take<CbSequenceArgs4>({1, 2, 3, 4, 5, 6, 7, 1, 1, 1, 2, 3, 4, 1, 8, 9});
    EXPECT_EQ(sequence.referringCallLists.at(0).calls.at(0).slotId, 9U);
    EXPECT_EQ(Take<CbSequenceRes4>({0, 1, 2, 3, 4, 5, 6, 7, 8}).targetHighestSlotId, 8U);
    const auto notify = Take<CbNotifyArgs4>({1, 2, 3, 4, 0, 1, 1, 8, 4, 5});
    EXPECT_EQ(notify.changes.at(0).mask, Nfs4Bitmap({3}));
    EXPECT_EQ(Take<CbOffloadArgs4>({0, 1, 2, 3, 4, 0, 0, 0, 5, 2, 6, 7}).response.count, 5U);
    EXPECT_EQ(Take<CbOffloadArgs4>({0, 1, 2, 3, 4, 5, 0, 6}).bytesCopied, 6U);
    EXPECT_TRUE(Take<CbRecallArgs4>({1, 2, 3, 4, 1, 0}).truncate);
    EXPECT_EQ(Take<CbGetattrArgs4>({0, 1, 0x18}).attrRequest, Nfs4Bitmap({3, 4}));
    EXPECT_EQ(Take<CbGetattrRes4>({0, 1, 0x18, 16, 0, 1, 0, 2}).attributes.size, 2U);
    EXPECT_EQ(Take<CbRecallAnyArgs4>({5, 1, 2}).objectsToKeep, 5U);
    EXPECT_EQ(Take<CbNotifyLockArgs4>({0, 0, 1, 0}).lockOwner.clientId, 1U);
    EXPECT_TRUE(Take<CbWantsCancelledArgs4>({0, 1}).resourcedWantsCancelled);
    EXPECT_EQ(Take<CbRecallSlotArgs4>({3}).targetHighestSlotId, 3U);
}

TEST_F(Nfs4GoldenOctets, Attributes)
{
    const auto mode = Take<GetattrRes4>({0, 2, 0x12, 0x00800002, 24, 2, 0, 7, 0755, 0, 8});
    EXPECT_EQ(mode.attributes.type, Ftype4::DIR);
    EXPECT_EQ(mode.attributes.size, 7U);
    EXPECT_EQ(mode.attributes.mode, 0755U);
    EXPECT_EQ(mode.attributes.mountedOnFileid, 8U);
    const auto acl = Take<GetattrRes4>(
        {0, 1, 0x1000, 28, 1, 0, 0x40, 0x1601bf, 5, Text("GROU"), Text("P\0\0\0")});
    EXPECT_EQ(acl.attributes.acl->at(0).who, "GROUP");
    EXPECT_EQ(acl.attributes.acl->at(0).flag, ACE4_IDENTIFIER_GROUP);
    const auto names =
        Take<GetattrRes4>({0, 2, 0, 0x00000030, 16, 4, Text("user"), 3, Text("grp\0")});
    EXPECT_EQ(names.attributes.owner, "user");
    EXPECT_EQ(names.attributes.ownerGroup, "grp");
    const auto times = Take<SetattrArgs4>({1, 2, 3, 4, 2, 0, 0x00410000, 20, 0, 1, 0, 9, 10});
    EXPECT_FALSE(times.attributes.timeAccessSet->time);
    EXPECT_EQ(times.attributes.timeModifySet->time->nseconds, 10U);
    // suppattr_exclcreat, change_attr_type, sec_label, mode_umask, xattr_support.
    const auto later = Take<GetattrRes4>(
        {0, 3, 0, 0, 0x00078800, 40, 1, 5, 3, 1, 2, 4, Text("labl"), 0644, 022, 1});
    EXPECT_EQ(later.attributes.suppattrExclcreat, Nfs4Bitmap({0, 2}));
    EXPECT_EQ(later.attributes.changeAttrType, 3U);
    EXPECT_EQ(later.attributes.secLabel->pi, 2U);
    EXPECT_EQ(later.attributes.modeUmask->umask, 022U);
    EXPECT_EQ(later.attributes.xattrSupport, true);
    const auto locations = Take<GetattrRes4>(
        {0, 1, 0x01000000, 40, 1, 1, 0x61000000, 1, 1, 4, Text("host"), 1, 4, Text("path")});
    EXPECT_EQ(locations.attributes.fsLocations->fsRoot.at(0), "a");
    EXPECT_EQ(locations.attributes.fsLocations->locations.at(0).servers.at(0), "host");
}

} // namespace
} // namespace ns3::nfsrdma::test
