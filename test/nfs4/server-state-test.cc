/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/sparse-file.h"
#include "nfs/v4/nfs4-acl.h"
#include "nfs/v4/nfs4-client-table.h"
#include "nfs/v4/nfs4-grace-period.h"
#include "nfs/v4/nfs4-server-id.h"
#include "nfs/v4/nfs4-session.h"
#include "nfs/v4/nfs4-state-table.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

namespace ns3::nfsrdma::test
{
namespace
{

constexpr uint64_t TO_END = std::numeric_limits<uint64_t>::max();

// ---- identifiers ----

TEST(Nfs4ServerId, AreLaidOutAsInTheCaptures)
{
    const Nfs4ClientId client = MakeNfs4ClientId(0x6b010ee9, 0x351d31f5);
    EXPECT_EQ(client, 0xe90e016bf5311d35U);
    EXPECT_EQ(GetNfs4Boot(client), 0x6b010ee9U);
    const Nfs4SessionId session = MakeNfs4SessionId(client, 2);
    const Nfs4SessionId expected{0xe9, 0x0e, 0x01, 0x6b, 0xf5, 0x31, 0x1d, 0x35, 2};
    EXPECT_EQ(session, expected);
    EXPECT_EQ(GetNfs4SessionNumber(session), 2U);
    const Nfs4StateId state = MakeNfs4StateId(client, 0x24);
    EXPECT_EQ(GetNfs4Client(state), client);
    EXPECT_EQ(GetNfs4StateNumber(state), 0x24U);
}

// ---- slots ----

class Nfs4Slots : public testing::Test
{
  protected:
    static Nfs4SlotTable::Request Make(uint32_t sequence, bool cache = false, uint32_t ops = 3)
    {
        return {0, sequence, cache, ops, {}};
    }

    void Carry(const Nfs4SlotTable::Request& request,
               Nfs4Status status = Nfs4Status::OK,
               uint32_t results = 3)
    {
        const auto verdict = m_slots.Check(request);
        ASSERT_EQ(verdict.status, Nfs4Status::OK);
        ASSERT_EQ(verdict.replay, nullptr);
        m_slots.Begin(request);
        RpcPayload payload;
        payload.octets = {1, 2, 3, 4};
        m_slots.End(request.slot, status, results, payload);
    }

    Nfs4SlotTable m_slots{2};
};

TEST_F(Nfs4Slots, CountUp)
{
    Carry(Make(1));
    Carry(Make(2));
    EXPECT_EQ(m_slots.Check(Make(4)).status, Nfs4Status::SEQ_MISORDERED);
    EXPECT_EQ(m_slots.Check(Make(1)).status, Nfs4Status::SEQ_MISORDERED);
}

TEST_F(Nfs4Slots, WrapAround)
{
    Nfs4SlotTable::Request request = Make(1);
    bool replay = false;
    EXPECT_EQ(Nfs4SlotTable::CheckSequence(0, 0xffffffff, false, replay), Nfs4Status::OK);
    EXPECT_FALSE(replay);
    request.slot = 2;
    EXPECT_EQ(m_slots.Check(request).status, Nfs4Status::BADSLOT);
}

TEST_F(Nfs4Slots, FirstSequenceIsOne)
{
    EXPECT_EQ(m_slots.Check(Make(0)).status, Nfs4Status::SEQ_MISORDERED);
}

TEST_F(Nfs4Slots, UnderWay)
{
    m_slots.Begin(Make(1));
    EXPECT_EQ(m_slots.GetInUse(), 1U);
    EXPECT_EQ(m_slots.Check(Make(1)).status, Nfs4Status::DELAY);
    EXPECT_EQ(m_slots.Check(Make(2)).status, Nfs4Status::SEQ_MISORDERED);
}

TEST_F(Nfs4Slots, ReplayOfKeptReply)
{
    Carry(Make(1, true));
    const auto verdict = m_slots.Check(Make(1, true));
    ASSERT_NE(verdict.replay, nullptr);
    EXPECT_TRUE(verdict.replay->kept);
    EXPECT_EQ(verdict.replay->results.octets.size(), 4U);
}

TEST_F(Nfs4Slots, ReplayThatWasNotKept)
{
    Carry(Make(1));
    const auto verdict = m_slots.Check(Make(1));
    ASSERT_NE(verdict.replay, nullptr);
    EXPECT_FALSE(verdict.replay->kept);
    EXPECT_TRUE(verdict.replay->results.octets.empty());
}

TEST_F(Nfs4Slots, SoloSequenceIsAlwaysKept)
{
    Carry(Make(1, false, 1), Nfs4Status::OK, 1);
    const auto verdict = m_slots.Check(Make(1, false, 1));
    ASSERT_NE(verdict.replay, nullptr);
    EXPECT_TRUE(verdict.replay->kept);
}

TEST_F(Nfs4Slots, FalseRetries)
{
    Carry(Make(1, true));
    EXPECT_EQ(m_slots.Check(Make(1, false)).status, Nfs4Status::SEQ_FALSE_RETRY);
    EXPECT_EQ(m_slots.Check(Make(1, true, 2)).status, Nfs4Status::SEQ_FALSE_RETRY);
    EXPECT_EQ(m_slots.Check(Make(1, true, 4)).status, Nfs4Status::SEQ_FALSE_RETRY);
    Nfs4SlotTable::Request other = Make(1, true);
    other.principal.who.uid = 7;
    EXPECT_EQ(m_slots.Check(other).status, Nfs4Status::SEQ_FALSE_RETRY);
}

TEST_F(Nfs4Slots, ErrorMayHaveFewerResults)
{
    Carry(Make(1, true), Nfs4Status::NOENT, 2);
    EXPECT_NE(m_slots.Check(Make(1, true)).replay, nullptr);
}

// ---- sessions ----

TEST(Nfs4SessionLimits, AreTheCaptured)
{
    ChannelAttrs4 fore{7, 1049620, 1049480, 7584, 8, 64, {}};
    ASSERT_EQ(Nfs4SessionLimits().Bound(fore), Nfs4Status::OK);
    EXPECT_EQ(fore.headerPadSize, 0U);
    EXPECT_EQ(fore.maxRequestSize, 266240U);
    EXPECT_EQ(fore.maxResponseSize, 266240U);
    EXPECT_EQ(fore.maxResponseSizeCached, 2128U);
    EXPECT_EQ(fore.maxOperations, 8U);
    EXPECT_EQ(fore.maxRequests, 30U);
}

TEST(Nfs4SessionLimits, RefuseTooSmall)
{
    ChannelAttrs4 fore{0, 40, 4096, 0, 8, 64, {}};
    EXPECT_EQ(Nfs4SessionLimits().Bound(fore), Nfs4Status::TOOSMALL);
    ChannelAttrs4 back{0, 4096, 4096, 0, 1, 1, {}};
    EXPECT_EQ(Nfs4SessionLimits::BoundBack(back), Nfs4Status::TOOSMALL);
}

TEST(Nfs4Sessions, AreFoundByTheWholeIdentifier)
{
    Nfs4SessionTable sessions;
    const Nfs4SessionId first = sessions.Create(5, 1, {}, {}).id;
    Nfs4SessionId wrong = first;
    wrong[0] ^= 1;
    EXPECT_NE(sessions.Find(first), nullptr);
    EXPECT_EQ(sessions.Find(wrong), nullptr);
    EXPECT_TRUE(sessions.HasAny(5));
    sessions.DestroyOf(5);
    EXPECT_EQ(sessions.Find(first), nullptr);
    EXPECT_NE(sessions.Create(5, 1, {}, {}).id, first);
}

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

// ---- byte-range locks ----

TEST(Nfs4LockRange, OfOffsetAndLength)
{
    EXPECT_FALSE(Nfs4LockRange::Make(5, 0));
    EXPECT_FALSE(Nfs4LockRange::Make(TO_END, 2));
    const auto range = Nfs4LockRange::Make(5, TO_END);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->last, TO_END);
    EXPECT_EQ(range->GetLength(), TO_END);
}

TEST(Nfs4ByteRangeLocks, EqualAModelOfOctets)
{
    constexpr uint64_t OCTETS = 24;
    constexpr uint64_t OWNERS = 3;
    std::mt19937_64 random(11);
    Nfs4ByteRangeLocks locks;
    std::vector<std::vector<int>> model(OWNERS, std::vector<int>(OCTETS, 0));
    for (int step = 0; step < 5000; ++step)
    {
        const uint64_t owner = random() % OWNERS;
        const uint64_t first = random() % OCTETS;
        const uint64_t last = first + random() % (OCTETS - first);
        const bool write = random() % 2 == 0;
        const Nfs4ByteRangeLocks::Lock wanted{owner, write, {first, last}};
        if (random() % 3 == 0)
        {
            locks.Unlock(owner, wanted.range);
            std::fill(model[owner].begin() + first, model[owner].begin() + last + 1, 0);
        }
        else
        {
            bool conflict = false;
            for (uint64_t other = 0; other < OWNERS; ++other)
            {
                for (uint64_t i = first; other != owner && i <= last; ++i)
                {
                    conflict = conflict || model[other][i] == 2 || (write && model[other][i] == 1);
                }
            }
            ASSERT_EQ(locks.Test(wanted).has_value(), conflict);
            if (!conflict)
            {
                locks.Set(wanted);
                std::fill(model[owner].begin() + first,
                          model[owner].begin() + last + 1,
                          write ? 2 : 1);
            }
        }
        std::vector<std::vector<int>> held(OWNERS, std::vector<int>(OCTETS, 0));
        for (const auto& lock : locks.GetLocks())
        {
            for (uint64_t i = lock.range.first; i <= lock.range.last; ++i)
            {
                ASSERT_EQ(held[lock.owner][i], 0);
                held[lock.owner][i] = lock.write ? 2 : 1;
            }
        }
        ASSERT_EQ(held, model);
    }
}

// ---- opens, locks, delegations ----

class Nfs4States : public testing::Test
{
  protected:
    static constexpr Nfs4ClientId A = 1;
    static constexpr Nfs4ClientId B = 2;

    Nfs4StatePtr Open(Nfs4ClientId client, uint32_t access, uint32_t deny = 0)
    {
        auto owner = m_states.FindOwner(client, {1}, false);
        if (!owner)
        {
            owner = m_states.MakeOwner(client, {1}, false);
        }
        const auto open = m_states.Open(owner, m_file, access, deny);
        EXPECT_TRUE(open);
        return open.value_or(nullptr);
    }

    const Nfs4FileKey m_file{12, 1};
    Nfs4StateTable m_states;
};

TEST_F(Nfs4States, StateIdSeqids)
{
    const Nfs4StatePtr open = Open(A, SHARE_READ);
    Nfs4StateId id = open->id;
    EXPECT_EQ(id.seqid, 1U);
    Open(A, SHARE_WRITE);
    const Nfs4StateUse plain;
    Nfs4StateUse sessions;
    sessions.sessions = true;
    EXPECT_EQ(m_states.Find(id, plain).error(), Nfs4Status::OLD_STATEID);
    id.seqid = 3;
    EXPECT_EQ(m_states.Find(id, plain).error(), Nfs4Status::BAD_STATEID);
    id.seqid = 0;
    EXPECT_EQ(m_states.Find(id, plain).error(), Nfs4Status::OLD_STATEID);
    EXPECT_TRUE(m_states.Find(id, sessions));
    id.other[11] = 9;
    EXPECT_EQ(m_states.Find(id, sessions).error(), Nfs4Status::BAD_STATEID);
}

TEST_F(Nfs4States, ShareReservations)
{
    Open(A, SHARE_READ, SHARE_WRITE);
    const auto other = m_states.MakeOwner(B, {1}, false);
    EXPECT_EQ(m_states.Open(other, m_file, SHARE_WRITE, 0).error(), Nfs4Status::SHARE_DENIED);
    EXPECT_EQ(m_states.Open(other, m_file, SHARE_READ, SHARE_READ).error(),
              Nfs4Status::SHARE_DENIED);
    EXPECT_TRUE(m_states.Open(other, m_file, SHARE_READ, 0));
    EXPECT_TRUE(m_states.IsDenied(m_file, SHARE_WRITE));
    EXPECT_FALSE(m_states.IsDenied(m_file, SHARE_READ));
}

TEST_F(Nfs4States, Downgrade)
{
    const Nfs4StatePtr open = Open(A, SHARE_READ);
    EXPECT_EQ(Nfs4StateTable::Downgrade(*open, SHARE_WRITE, 0), Nfs4Status::INVAL);
    Open(A, SHARE_BOTH);
    EXPECT_EQ(open->GetAccess(), SHARE_BOTH);
    EXPECT_EQ(Nfs4StateTable::Downgrade(*open, SHARE_READ, 0), Nfs4Status::OK);
    EXPECT_EQ(open->GetAccess(), SHARE_READ);
    EXPECT_EQ(open->id.seqid, 3U);
}

TEST_F(Nfs4States, CloseTakesLocksAlong)
{
    const Nfs4StatePtr open = Open(A, SHARE_BOTH);
    const auto owner = m_states.MakeOwner(A, {9}, true);
    const Nfs4StatePtr lock = m_states.TakeLockState(owner, open);
    m_states.GetLocks(m_file).Set({owner->number, true, {0, 9}});
    EXPECT_TRUE(m_states.HasLocks(*lock));
    EXPECT_TRUE(m_states.TestLock(m_file, {99, false, {5, 5}}));
    m_states.Close(open);
    EXPECT_FALSE(m_states.TestLock(m_file, {99, false, {5, 5}}));
    EXPECT_EQ(m_states.GetCount(), 0U);
}

TEST_F(Nfs4States, Delegations)
{
    const Nfs4Fh handle;
    EXPECT_EQ(m_states.Delegate(A, m_file, handle, Seconds(0)), nullptr);
    Open(A, SHARE_WRITE);
    EXPECT_EQ(m_states.Delegate(A, m_file, handle, Seconds(0)), nullptr);
    Open(A, SHARE_READ);
    const Nfs4StatePtr mine = m_states.Delegate(A, m_file, handle, Seconds(0));
    ASSERT_NE(mine, nullptr);
    EXPECT_EQ(m_states.Delegate(A, m_file, handle, Seconds(0)), nullptr);
    Open(B, SHARE_READ);
    EXPECT_EQ(m_states.Delegate(B, m_file, handle, Seconds(0)), nullptr) << "A may write";
    EXPECT_EQ(m_states.GetDelegations(m_file, A).size(), 0U);
    ASSERT_EQ(m_states.GetDelegations(m_file, B).size(), 1U);
    EXPECT_TRUE(m_states.Recall(mine, Seconds(5)));
    EXPECT_FALSE(m_states.Recall(mine, Seconds(6)));
    m_states.ReturnDelegation(mine);
    m_states.DropClient(A);
    EXPECT_EQ(m_states.Delegate(B, m_file, handle, Seconds(5)), nullptr) << "had a conflict";
}

TEST_F(Nfs4States, DelegationsAreBlockedForAWhile)
{
    const Nfs4Fh handle;
    Open(A, SHARE_READ);
    const Nfs4StatePtr first = m_states.Delegate(A, m_file, handle, Seconds(0));
    ASSERT_NE(first, nullptr);
    m_states.Recall(first, Seconds(10));
    m_states.DropClient(A);
    Open(A, SHARE_READ);
    EXPECT_EQ(m_states.Delegate(A, m_file, handle, Seconds(59)), nullptr);
    EXPECT_NE(m_states.Delegate(A, m_file, handle, Seconds(61)), nullptr);
}

TEST_F(Nfs4States, RevokedStateIds)
{
    Open(A, SHARE_READ);
    const Nfs4StatePtr delegation = m_states.Delegate(A, m_file, {}, Seconds(0));
    ASSERT_NE(delegation, nullptr);
    m_states.Revoke(delegation, true);
    EXPECT_TRUE(m_states.HasRevoked(A));
    Nfs4StateUse use;
    EXPECT_EQ(m_states.Find(delegation->id, use).error(), Nfs4Status::BAD_STATEID);
    use.sessions = true;
    EXPECT_EQ(m_states.Find(delegation->id, use).error(), Nfs4Status::DELEG_REVOKED);
    use.allowRevoked = true;
    ASSERT_TRUE(m_states.Find(delegation->id, use));
    m_states.Free(delegation);
    EXPECT_FALSE(m_states.HasRevoked(A));
}

TEST(Nfs4OwnerOrder, Seqids)
{
    Nfs4Owner owner;
    owner.nextSeqid = 5;
    EXPECT_EQ(owner.Check(5), Nfs4Owner::Order::NEXT);
    EXPECT_EQ(owner.Check(4), Nfs4Owner::Order::REPLAY);
    EXPECT_EQ(owner.Check(7), Nfs4Owner::Order::BAD);
    owner.Finish(Nfs4Status::BAD_STATEID, {});
    EXPECT_EQ(owner.nextSeqid, 5U);
    owner.Finish(Nfs4Status::DENIED, {1});
    EXPECT_EQ(owner.nextSeqid, 6U);
    EXPECT_EQ(owner.lastReply.size(), 1U);
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

// ---- access lists ----

TEST(Nfs4Acl, MinimalListAsNfsd)
{
    const auto aces = MakeNfs4Acl({MakeMinimalAcl(0644), {}}, false);
    ASSERT_EQ(aces.size(), 3U);
    EXPECT_EQ(aces[0].who, "OWNER@");
    EXPECT_EQ(aces[0].accessMask, 0x160187U);
    EXPECT_EQ(aces[1].who, "GROUP@");
    EXPECT_EQ(aces[1].accessMask, 0x120081U);
    EXPECT_EQ(aces[2].who, "EVERYONE@");
}

TEST(Nfs4Acl, RandomListsComeBack)
{
    std::mt19937_64 random(3);
    for (int round = 0; round < 2000; ++round)
    {
        PosixAcl acl{{PosixAclTag::USER_OBJ, 0, static_cast<uint32_t>(random() % 8)}};
        uint32_t mask = 0;
        for (uint32_t id = 1000; random() % 3 != 0; ++id)
        {
            acl.push_back({PosixAclTag::USER, id, static_cast<uint32_t>(random() % 8)});
            mask |= acl.back().permissions;
        }
        acl.push_back({PosixAclTag::GROUP_OBJ, 0, static_cast<uint32_t>(random() % 8)});
        mask |= acl.back().permissions;
        for (uint32_t id = 2000; random() % 3 != 0; ++id)
        {
            acl.push_back({PosixAclTag::GROUP, id, static_cast<uint32_t>(random() % 8)});
            mask |= acl.back().permissions;
        }
        if (acl.size() > 2)
        {
            acl.push_back({PosixAclTag::MASK, 0, mask});
        }
        acl.push_back({PosixAclTag::OTHER, 0, static_cast<uint32_t>(random() % 8)});
        const bool isDirectory = random() % 2 == 0;
        const auto back = MakePosixAcls(MakeNfs4Acl({acl, {}}, isDirectory), isDirectory);
        ASSERT_TRUE(back);
        EXPECT_EQ(ToString(back->access), ToString(acl));
        EXPECT_TRUE(back->defaultAcl.empty());
    }
}

TEST(Nfs4Acl, BadEntries)
{
    EXPECT_FALSE(MakePosixAcls({{0, 0, 1, "nobody-knows"}}, false));
    EXPECT_FALSE(MakePosixAcls({{0, ACE4_FILE_INHERIT_ACE, 1, "OWNER@"}}, false));
    EXPECT_FALSE(MakePosixAcls({{0, 0x80, 1, "OWNER@"}}, true));
    EXPECT_EQ(ParseNfs4Identity("1000@example.org"), 1000U);
    EXPECT_EQ(ParseNfs4Identity("root"), 0U);
    EXPECT_FALSE(ParseNfs4Identity("12x"));
}

// ---- holes ----

TEST(SparseFileHoles, EqualAModelOfPages)
{
    constexpr uint64_t PAGES = 12;
    std::mt19937_64 random(5);
    SparseFile file;
    file.SetSize(PAGES * SparseFile::PAGE_SIZE);
    std::vector<uint8_t> model(PAGES * SparseFile::PAGE_SIZE, 0);
    for (int step = 0; step < 400; ++step)
    {
        const uint64_t offset = random() % model.size();
        const uint64_t length = random() % (model.size() - offset);
        if (random() % 2 == 0)
        {
            ByteVector octets(length, static_cast<uint8_t>(1 + random() % 255));
            file.Write(offset, octets);
            std::copy(octets.begin(), octets.end(), model.begin() + offset);
        }
        else
        {
            file.Punch(offset, length);
            std::fill(model.begin() + offset, model.begin() + offset + length, uint8_t{0});
        }
        ByteVector content(model.size());
        file.Read(0, content);
        ASSERT_EQ(content, model);
        uint64_t used = 0;
        for (uint64_t at = file.FindData(0); at < file.GetSize(); at = file.FindData(at))
        {
            const uint64_t hole = file.FindHole(at);
            ASSERT_GT(hole, at);
            used += hole - at;
            at = hole;
        }
        EXPECT_EQ(used, file.GetUsed());
    }
    file.Punch(0, file.GetSize());
    EXPECT_EQ(file.GetUsed(), 0U);
    EXPECT_EQ(file.FindData(0), file.GetSize());
}

} // namespace
} // namespace ns3::nfsrdma::test
