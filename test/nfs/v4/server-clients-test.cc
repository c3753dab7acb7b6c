/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/client-table.h"
#include "nfs/v4/server/grace-period.h"

#include <gtest/gtest.h>
#include <set>

namespace ns3::nfsrdma::test
{
namespace
{

// ---- clients ----

class Nfs4Clients : public testing::Test
{
  protected:
    static Nfs4ClientTable::Introduction Make(uint8_t name, uint8_t verifier = 1, uint32_t uid = 0)
    {
        Nfs4ClientTable::Introduction who;
        who.name = {name};
        who.verifier[0] = verifier;
        who.principal.who.uid = uid;
        who.minorVersion = 1;
        return who;
    }

    Nfs4ClientTable::Exchanged Exchange(const Nfs4ClientTable::Introduction& who,
                                        uint32_t flags = 0)
    {
        const auto exchanged = m_clients.Exchange(who, flags, Seconds(0));
        EXPECT_TRUE(exchanged);
        return exchanged.value_or(Nfs4ClientTable::Exchanged());
    }

    Nfs4Status GetError(const Nfs4ClientTable::Introduction& who, uint32_t flags = 0)
    {
        const auto exchanged = m_clients.Exchange(who, flags, Seconds(0));
        return exchanged ? Nfs4Status::OK : exchanged.error();
    }

    Nfs4ClientId Confirm(const Nfs4ClientTable::Introduction& who)
    {
        const auto exchanged = Exchange(who);
        std::optional<Nfs4CreatedSession> replay;
        const auto client = m_clients.PrepareSession(exchanged.client,
                                                     exchanged.sequence,
                                                     who.principal,
                                                     who.address,
                                                     replay);
        EXPECT_TRUE(client);
        m_clients.Created(**client, {});
        return exchanged.client;
    }

    std::set<Nfs4ClientId> m_withState;
    std::vector<Nfs4ClientId> m_discarded;
    Nfs4ClientTable m_clients{
        100,
        1,
        [this](Nfs4ClientId client, bool) { return m_withState.count(client) > 0; },
        [this](Nfs4ClientId client) { m_discarded.push_back(client); }};
};

TEST_F(Nfs4Clients, UnconfirmedIsReplaced)
{
    const auto first = Exchange(Make(1));
    const auto second = Exchange(Make(1));
    EXPECT_NE(first.client, second.client);
    EXPECT_EQ(second.sequence, 1U);
    EXPECT_FALSE(second.confirmed);
    EXPECT_EQ(m_clients.GetCount(), 1U);
}

TEST_F(Nfs4Clients, ConfirmedIsFoundAgain)
{
    const Nfs4ClientId client = Confirm(Make(1));
    const auto again = Exchange(Make(1));
    EXPECT_EQ(again.client, client);
    EXPECT_TRUE(again.confirmed);
    EXPECT_EQ(again.sequence, 2U);
}

TEST_F(Nfs4Clients, RebootedClientReplacesItselfOnConfirmation)
{
    const Nfs4ClientId old = Confirm(Make(1, 1));
    m_withState.insert(old);
    const auto rebooted = Exchange(Make(1, 2));
    EXPECT_NE(rebooted.client, old);
    EXPECT_NE(m_clients.Find(old), nullptr);
    Confirm(Make(1, 2));
    EXPECT_EQ(m_clients.Find(old), nullptr);
    EXPECT_EQ(m_discarded.back(), old);
}

TEST_F(Nfs4Clients, OtherPrincipalWithAndWithoutState)
{
    const Nfs4ClientId client = Confirm(Make(1));
    m_withState.insert(client);
    EXPECT_EQ(GetError(Make(1, 1, 7)), Nfs4Status::CLID_INUSE);
    m_withState.clear();
    EXPECT_EQ(GetError(Make(1, 1, 7)), Nfs4Status::OK);
    EXPECT_EQ(m_clients.Find(client), nullptr);
}

TEST_F(Nfs4Clients, Updates)
{
    constexpr uint32_t UPDATE = Nfs4ClientTable::UPDATE_CONFIRMED;
    EXPECT_EQ(GetError(Make(1), UPDATE), Nfs4Status::NOENT);
    Confirm(Make(1));
    EXPECT_EQ(GetError(Make(1), UPDATE), Nfs4Status::OK);
    EXPECT_EQ(GetError(Make(1, 2), UPDATE), Nfs4Status::NOT_SAME);
    EXPECT_EQ(GetError(Make(1, 1, 7), UPDATE), Nfs4Status::PERM);
    EXPECT_EQ(GetError(Make(1), 0x10), Nfs4Status::INVAL);
}

TEST_F(Nfs4Clients, CreateSessionSequence)
{
    const auto exchanged = Exchange(Make(1));
    std::optional<Nfs4CreatedSession> replay;
    const auto prepare = [&](uint32_t sequence) {
        const auto client =
            m_clients.PrepareSession(exchanged.client, sequence, Make(1).principal, 0, replay);
        return client ? Nfs4Status::OK : client.error();
    };
    EXPECT_EQ(prepare(0), Nfs4Status::SEQ_MISORDERED);
    EXPECT_EQ(prepare(2), Nfs4Status::SEQ_MISORDERED);
    EXPECT_EQ(prepare(1), Nfs4Status::OK);
    EXPECT_FALSE(replay);
    Nfs4CreatedSession session;
    session.flags = 2;
    EXPECT_EQ(m_clients.Created(*m_clients.Find(exchanged.client), session), 1U);
    EXPECT_EQ(prepare(1), Nfs4Status::OK);
    ASSERT_TRUE(replay);
    EXPECT_EQ(replay->flags, 2U);
    EXPECT_EQ(prepare(2), Nfs4Status::OK);
    EXPECT_FALSE(replay);
    EXPECT_FALSE(m_clients.PrepareSession(77, 1, {}, 0, replay));
}

TEST_F(Nfs4Clients, SetClientIdCases)
{
    auto who = Make(1);
    who.minorVersion = 0;
    const auto set = m_clients.SetClientId(who, {1, 2, {}}, Seconds(0));
    ASSERT_TRUE(set);
    Nfs4Verifier wrong = set->second;
    wrong[0] ^= 1;
    EXPECT_FALSE(m_clients.ConfirmClientId(set->first, wrong, who.principal, Seconds(0)));
    ASSERT_TRUE(m_clients.ConfirmClientId(set->first, set->second, who.principal, Seconds(0)));
    // A retry of the confirmation.
    EXPECT_TRUE(m_clients.ConfirmClientId(set->first, set->second, who.principal, Seconds(0)));

    // The same instance with other callbacks keeps its identifier.
    const auto update = m_clients.SetClientId(who, {9, 2, {}}, Seconds(0));
    ASSERT_TRUE(update);
    EXPECT_EQ(update->first, set->first);
    const auto confirmed =
        m_clients.ConfirmClientId(update->first, update->second, who.principal, Seconds(0));
    ASSERT_TRUE(confirmed);
    EXPECT_EQ((*confirmed)->callback.program, 9U);
    EXPECT_TRUE(m_discarded.empty());

    // Another instance gets another one, and replaces the first when confirmed.
    who.verifier[0] = 2;
    const auto rebooted = m_clients.SetClientId(who, {1, 2, {}}, Seconds(0));
    ASSERT_TRUE(rebooted);
    EXPECT_NE(rebooted->first, set->first);
    ASSERT_TRUE(
        m_clients.ConfirmClientId(rebooted->first, rebooted->second, who.principal, Seconds(0)));
    EXPECT_EQ(m_clients.Find(set->first), nullptr);

    m_withState.insert(rebooted->first);
    who.principal.who.uid = 7;
    const auto other = m_clients.SetClientId(who, {1, 2, {}}, Seconds(0));
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error(), Nfs4Status::CLID_INUSE);
}

TEST_F(Nfs4Clients, LeasesAndCourtesy)
{
    const Nfs4ClientId idle = Confirm(Make(1));
    const Nfs4ClientId busy = Confirm(Make(2));
    const Nfs4ClientId live = Confirm(Make(3));
    m_withState.insert(busy);
    m_clients.Renew(*m_clients.Find(live), Seconds(80));
    const Time next = m_clients.ExpireLeases(Seconds(100), Seconds(90), Hours(24));
    EXPECT_EQ(next, Seconds(170));
    EXPECT_EQ(m_clients.Find(idle), nullptr);
    ASSERT_NE(m_clients.Find(busy), nullptr);
    EXPECT_TRUE(m_clients.Find(busy)->courtesy);
    EXPECT_FALSE(m_clients.Find(live)->courtesy);
    m_clients.Renew(*m_clients.Find(busy), Seconds(110));
    EXPECT_FALSE(m_clients.Find(busy)->courtesy);
    m_clients.ExpireLeases(Seconds(110) + Seconds(90) + Hours(24), Seconds(90), Hours(24));
    EXPECT_EQ(m_clients.Find(busy), nullptr);
}

TEST_F(Nfs4Clients, DestroyClientId)
{
    const Nfs4ClientId client = Confirm(Make(1));
    m_withState.insert(client);
    EXPECT_EQ(m_clients.DestroyClientId(client), Nfs4Status::CLIENTID_BUSY);
    m_withState.clear();
    EXPECT_EQ(m_clients.DestroyClientId(client), Nfs4Status::OK);
    EXPECT_EQ(m_clients.DestroyClientId(client), Nfs4Status::STALE_CLIENTID);
}

// ---- grace ----

TEST(Nfs4Grace, IsForClientsOnRecord)
{
    Nfs4GracePeriod grace;
    grace.Start(Seconds(0), Seconds(90));
    EXPECT_FALSE(grace.IsActive(Seconds(1))) << "nobody is on record";
    grace.Record({1});
    grace.Record({2});
    grace.Start(Seconds(100), Seconds(90));
    EXPECT_TRUE(grace.IsActive(Seconds(101)));
    EXPECT_TRUE(grace.MayReclaim({1}));
    EXPECT_FALSE(grace.MayReclaim({3}));
    grace.Complete({1});
    EXPECT_TRUE(grace.IsActive(Seconds(101)));
    grace.Complete({2});
    EXPECT_FALSE(grace.IsActive(Seconds(101))) << "all have reclaimed";
    grace.Record({1});
    grace.Start(Seconds(200), Seconds(90));
    EXPECT_FALSE(grace.MayReclaim({2})) << "it had not come back";
    EXPECT_FALSE(grace.IsActive(Seconds(291)));
}

} // namespace
} // namespace ns3::nfsrdma::test
