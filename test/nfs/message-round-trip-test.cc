/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/codec-check.h"
#include "nfs/message-filler.h"
#include "nfs/message-types.h"
#include "nfs/types/xdr-size.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

constexpr int ROUNDS = 100;

template <typename Types>
class MessageRoundTrip : public testing::Test
{
};

using Programs = testing::Types<Nfs2ArgTypes,
                                Nfs2ResTypes,
                                Nfs3ArgTypes,
                                Nfs3ResTypes,
                                NfsAcl2Types,
                                NfsAcl3Types,
                                MountTypes,
                                NlmTypes,
                                NsmTypes,
                                RpcbindTypes>;
TYPED_TEST_SUITE(MessageRoundTrip, Programs, );

TYPED_TEST(MessageRoundTrip, RandomMessagesComeOutAgain)
{
    MessageGenerator generator(4506);
    for (int round = 0; round < ROUNDS; ++round)
    {
        ForEachType<TypeParam>([&](auto message) {
            using Message = decltype(message);
            SCOPED_TRACE(testing::internal::GetTypeName<Message>());
            generator.Fill(message);
            ExpectSoundCodec<Message>(Encoded(message));
        });
    }
}

TYPED_TEST(MessageRoundTrip, SizeIsThatOfTheOctets)
{
    MessageGenerator generator(5531);
    for (int round = 0; round < ROUNDS; ++round)
    {
        ForEachType<TypeParam>([&](auto message) {
            SCOPED_TRACE(testing::internal::GetTypeName<decltype(message)>());
            generator.Fill(message);
            EXPECT_EQ(GetXdrSize(message), Encoded(message).size());
        });
    }
}

} // namespace
} // namespace ns3::nfsrdma::test
