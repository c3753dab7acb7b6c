/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/codec-check.h"
#include "nfs/golden-messages.h"
#include "nfs/message-filler.h"
#include "nfs/message-types.h"
#include "nfs/v3/types3.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

TEST(Nfs3Codec, GoldenMessagesKeepTheirOctets)
{
    std::size_t checked = 0;
    for (const auto& message : GOLDEN_MESSAGES)
    {
        SCOPED_TRACE(std::string(ToString(message.procedure)) + " frame " +
                     std::to_string(message.frame));
        const ByteVector octets = FromHex(message.hex);
        ForEachType<Nfs3ArgTypes>([&](const auto& args) {
            using Args = std::decay_t<decltype(args)>;
            if (Args::PROCEDURE != message.procedure)
            {
                return;
            }
            ++checked;
            if (message.isReply)
            {
                ExpectSoundCodec<typename Args::Result>(octets);
            }
            else
            {
                ExpectSoundCodec<Args>(octets);
            }
        });
    }
    EXPECT_EQ(checked, GOLDEN_MESSAGES.size());
}

TEST(Nfs3Codec, GoldenFieldsAreRead)
{
    for (const auto& message : GOLDEN_MESSAGES)
    {
        const ByteVector octets = FromHex(message.hex);
        if (message.isReply && message.procedure == Nfs3Procedure::FSINFO)
        {
            const auto results = DecodeFrom<Fsinfo3Res>(octets);
            ASSERT_TRUE(results);
            EXPECT_EQ(results->rtmax, 262144U);
            EXPECT_EQ(results->maxfilesize, 17592186040320U);
            EXPECT_EQ(results->properties, 0x1bU);
            EXPECT_FALSE(results->attributes);
        }
        if (message.isReply && message.procedure == Nfs3Procedure::READDIRPLUS)
        {
            const auto results = DecodeFrom<Readdirplus3Res>(octets);
            ASSERT_TRUE(results);
            ASSERT_EQ(results->entries.size(), 7U);
            EXPECT_EQ(results->entries[0].name, "f2");
            EXPECT_EQ(results->entries[0].handle->length, 16U);
            EXPECT_EQ(results->entries[1].name, "..");
            EXPECT_EQ(results->entries[1].handle->length, 8U);
            EXPECT_TRUE(results->eof);
        }
        if (!message.isReply && message.procedure == Nfs3Procedure::WRITE)
        {
            const auto args = DecodeFrom<Write3Args>(octets);
            ASSERT_TRUE(args);
            EXPECT_EQ(args->count, 100U);
            EXPECT_EQ(args->data.octets.size(), 100U);
            EXPECT_EQ(args->stable, StableHow::FILE_SYNC);
        }
    }
}

TEST(Nfs3Codec, HandMadeMessagesKeepTheirOctets)
{
    ExpectSoundCodec<Commit3Args>(FromHex("00000008010001000100000000000000000010000000002a"));
    ExpectSoundCodec<Commit3Res>(FromHex("0000000000000000000000000102030405060708"));
    ExpectSoundCodec<Readdir3Args>(
        FromHex("000000080100010001000000000000000000000200000000000000000000100a"));
    ExpectSoundCodec<Readdir3Res>(
        FromHex("00000000000000000000000000000000"
                "00000001000000000000000c000000026631000000000000000000030000000000000001"));
}

TEST(Nfs3Codec, RandomOctetsNeverHarm)
{
    MessageGenerator generator(7);
    for (int round = 0; round < 2000; ++round)
    {
        ByteVector octets = generator.Octets(generator.Below(200));
        for (auto& octet : octets)
        {
            octet = generator.Below(4) == 0 ? octet : 0;
        }
        ForEachType<Nfs3ArgTypes>([&](const auto& args) {
            using Args = std::decay_t<decltype(args)>;
            XdrReader calls(octets);
            const auto decodedArgs = DecodeXdr<Args>(calls);
            EXPECT_EQ(decodedArgs.has_value(), calls.Ok());
            XdrReader replies(octets);
            const auto decodedResults = DecodeXdr<typename Args::Result>(replies);
            EXPECT_EQ(decodedResults.has_value(), replies.Ok());
        });
    }
}

TEST(Nfs3Codec, ReducedItemsLeaveTheirLengthOnly)
{
    Write3Args write;
    write.count = 5001;
    write.data = Nfs3Data::Reduced(5001);
    const ByteVector call = Encoded(write);
    EXPECT_EQ(call.size(), 4U + 8 + 4 + 4 + 4);
    XdrReader reader(call);
    const auto decoded = DecodeXdr<Write3Args>(reader, true);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->data.length, 5001U);
    EXPECT_TRUE(decoded->data.reduced);
    EXPECT_TRUE(decoded->data.octets.empty());
    EXPECT_EQ(Encoded(*decoded), call);
    EXPECT_FALSE(DecodeFrom<Write3Args>(call));

    Read3Res read;
    read.count = 3;
    read.data = Nfs3Data::Reduced(3);
    const ByteVector reply = Encoded(read);
    XdrReader replyReader(reply);
    const auto results = DecodeXdr<Read3Res>(replyReader, true);
    ASSERT_TRUE(results);
    EXPECT_EQ(results->data.length, 3U);
    EXPECT_EQ(Encoded(*results), reply);
}

TEST(Nfs3Codec, LimitsAreKept)
{
    XdrWriter longHandle;
    longHandle.WriteOpaque(ByteVector(NFS3_FHSIZE + 1));
    EXPECT_FALSE(DecodeFrom<Getattr3Args>(longHandle.GetOctets()));

    XdrWriter longName;
    EncodeXdr(longName, NfsFh3());
    longName.WriteString(std::string(NFS3_MAXNAMLEN + 1, 'n'));
    EXPECT_FALSE(DecodeFrom<Lookup3Args>(longName.GetOctets()));

    XdrWriter greatestName;
    EncodeXdr(greatestName, NfsFh3());
    greatestName.WriteString(std::string(NFS3_MAXNAMLEN, 'n'));
    EXPECT_TRUE(DecodeFrom<Lookup3Args>(greatestName.GetOctets()));

    XdrWriter longPath;
    longPath.WriteU32(0);
    longPath.WriteBool(false);
    longPath.WriteOpaque(ByteVector(NFS3_MAXPATHLEN + 1));
    EXPECT_FALSE(DecodeFrom<Readlink3Res>(longPath.GetOctets()));
}

TEST(Nfs3Codec, EnumerationsAreKept)
{
    Create3Args create;
    ByteVector octets = Encoded(create);
    octets[11] = 3;
    EXPECT_FALSE(DecodeFrom<Create3Args>(octets));

    Setattr3Args setattr;
    octets = Encoded(setattr);
    octets[4 + 4 * 4 + 3] = 3;
    EXPECT_FALSE(DecodeFrom<Setattr3Args>(octets));
    octets = Encoded(setattr);
    octets[7] = 2;
    EXPECT_FALSE(DecodeFrom<Setattr3Args>(octets));

    Getattr3Res getattr;
    octets = Encoded(getattr);
    octets[7] = 8;
    EXPECT_FALSE(DecodeFrom<Getattr3Res>(octets));
    octets[7] = 0;
    EXPECT_FALSE(DecodeFrom<Getattr3Res>(octets));
}

TEST(Nfs3Codec, NamesAndNumbersAgree)
{
    for (uint32_t number = 0; number < NFS3_PROCEDURES; ++number)
    {
        const auto procedure = static_cast<Nfs3Procedure>(number);
        EXPECT_EQ(ParseNfs3Procedure(ToString(procedure)), procedure);
    }
    EXPECT_STREQ(ToString(Nfs3Procedure::NULLPROC), "NULL");
    EXPECT_STREQ(ToString(Nfs3Procedure::COMMIT), "COMMIT");
    EXPECT_FALSE(ParseNfs3Procedure("GETACL"));
    EXPECT_STREQ(ToString(static_cast<Nfs3Procedure>(22)), "UNKNOWN");

    uint32_t named = 0;
    for (uint32_t number = 0; number <= 10008; ++number)
    {
        const auto status = static_cast<Nfs3Status>(number);
        const std::string name = ToString(status);
        if (name != "NFS3ERR_UNKNOWN")
        {
            ++named;
            EXPECT_EQ(ParseNfs3Status(name), status);
        }
    }
    EXPECT_EQ(named, 29U);
    EXPECT_EQ(ParseNfs3Status("NFS3ERR_NOTEMPTY"), static_cast<Nfs3Status>(66));
    EXPECT_FALSE(ParseNfs3Status("NFS3ERR_UNKNOWN"));
}

} // namespace ns3::nfsrdma::test
