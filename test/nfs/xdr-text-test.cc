/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/message-filler.h"
#include "nfs/message-types.h"
#include "nfs/types/xdr-text.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

TEST(XdrText, FieldsInTheOrderOfTheXdr)
{
    Commit3Args args;
    const ByteVector handle{0xca, 0xfe};
    args.file = NfsFh3(handle);
    args.offset = 4096;
    args.count = 7;
    EXPECT_EQ(ToText(args), "{{0xcafe}, 4096, 7}");
}

TEST(XdrText, NamesStringsAndWhatIsNotThere)
{
    Lookup3Args args;
    args.what.name = "a \"b\"";
    EXPECT_EQ(ToText(args), "{{{0x}, \"a \\\"b\\\"\"}}");
    Lookup3Res results;
    results.status = Nfs3Status::NOENT;
    EXPECT_EQ(ToText(results), "{NFS3ERR_NOENT, -}");
}

TEST(XdrText, ListsAndBulkData)
{
    Readdir3Res results;
    results.entries = {{1, "x", 2}, {3, "y", 4}};
    results.eof = true;
    EXPECT_NE(ToText(results).find("[{1, \"x\", 2}, {3, \"y\", 4}], true"), std::string::npos)
        << ToText(results);
    Write3Args args;
    args.data = Nfs3Data::Reduced(5001);
    EXPECT_NE(ToText(args).find("5001 octets elsewhere"), std::string::npos) << ToText(args);
}

TEST(XdrText, LongOpaquesAreCut)
{
    EXPECT_EQ(ToText(ByteVector(33)), "0x" + std::string(64, '0') + "... (33 octets)");
}

template <typename Types>
void
PrintAll()
{
    MessageGenerator generator(8);
    ForEachType<Types>([&](auto message) {
        generator.Fill(message);
        EXPECT_EQ(ToText(message).front(), '{');
    });
}

TEST(XdrText, EveryMessageOfEveryProgram)
{
    PrintAll<Nfs2ArgTypes>();
    PrintAll<Nfs2ResTypes>();
    PrintAll<Nfs3ArgTypes>();
    PrintAll<Nfs3ResTypes>();
    PrintAll<NfsAcl2Types>();
    PrintAll<NfsAcl3Types>();
    PrintAll<MountTypes>();
    PrintAll<NlmTypes>();
    PrintAll<NsmTypes>();
    PrintAll<RpcbindTypes>();
}

} // namespace
} // namespace ns3::nfsrdma::test
