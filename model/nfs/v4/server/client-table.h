/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_CLIENT_TABLE_H
#define NFSRDMA_NFS_V4_SERVER_CLIENT_TABLE_H

#include "nfs/v4/protocol/types.h"
#include "nfs/v4/server/channel-bounds.h"
#include "nfs/v4/server/principal.h"
#include "wire/ip-address.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/// Where an NFSv4.0 client wants its callbacks.
struct Nfs4CallbackAddress
{
    uint32_t program{0};
    uint32_t ident{0};
    NetAddr4 address;
};

/// How a server's way to a client's callback service is, as cl_cb_state of nfsd.
enum class Nfs4CallbackState
{
    UNKNOWN,
    UP,
    DOWN,
    FAULT
};

/// An answer to CREATE_SESSION that is kept for its retry.
struct Nfs4CreatedSession
{
    Nfs4SessionId id{};
    uint32_t sequence{0};
    uint32_t flags{0};
    ChannelAttrs4 fore;
    ChannelAttrs4 back;
};

/// One client of an NFSv4 server.
struct Nfs4Client
{
    Nfs4ClientId id{0};
    ByteVector name; ///< nfs_client_id4 or co_ownerid.
    Nfs4Verifier verifier{};
    Nfs4Principal principal;
    IpAddress address; ///< The host it came from.
    uint32_t minorVersion{0};
    bool confirmed{false};
    bool reclaimComplete{false}; ///< RECLAIM_COMPLETE has been done (not 4.0).
    bool courtesy{false};        ///< The lease has run out, the state is kept out of courtesy.
    uint64_t serial{0};          ///< Of the order of creation.
    Time lastRenewed;

    Nfs4Verifier confirm{}; ///< 4.0: of SETCLIENTID_CONFIRM.
    Nfs4CallbackAddress callback;
    Nfs4CallbackState callbackState{Nfs4CallbackState::UNKNOWN};

    uint32_t createSequence{0}; ///< Of the last CREATE_SESSION carried out.
    std::optional<Nfs4CreatedSession> created;
};

/**
 * \brief Records of clients and the rules by which they come and go: SETCLIENTID with its
 * confirmation (RFC 7530 sections 16.33 and 16.34), EXCHANGE_ID (RFC 8881 section 18.35.4) and the
 * sequence of CREATE_SESSION (section 18.36.4).
 *
 * Whoever owns the state of clients is asked by HasState and told by Discard, which is called for
 * each record that goes with state.
 */
class Nfs4ClientTable
{
  public:
    /// \return whether a client has opens, locks, delegations or layouts, or, when \p sessions, a
    /// session or an asynchronous copy. Without \p sessions it is asked whether to keep the state
    /// when the lease has run out: not so with an asynchronous copy (nfs4_anylock_blockers()).
    using HasState = std::function<bool(Nfs4ClientId client, bool sessions)>;
    /// Drops everything that belongs to a client.
    using Discard = std::function<void(Nfs4ClientId client)>;

    /// \param boot the server's start, seconds since 1970: part of each client's identifier
    /// \param first the first number given
    Nfs4ClientTable(uint32_t boot, uint32_t first, HasState hasState, Discard discard);

    /// Flags of EXCHANGE_ID.
    static constexpr uint32_t SUPP_MOVED_REFER = 0x1;
    static constexpr uint32_t USE_NON_PNFS = 0x10000;
    static constexpr uint32_t USE_PNFS_MDS = 0x20000;
    static constexpr uint32_t UPDATE_CONFIRMED = 0x40000000;
    static constexpr uint32_t CONFIRMED = 0x80000000;
    static constexpr uint32_t MASK_CALL = 0x40070103;

    /// Who asks to become a client.
    struct Introduction
    {
        ByteVector name;
        Nfs4Verifier verifier{};
        Nfs4Principal principal;
        IpAddress address;
        uint32_t minorVersion{0};
    };

    /// What EXCHANGE_ID answers.
    struct Exchanged
    {
        Nfs4ClientId client{0};
        uint32_t sequence{0};
        bool confirmed{false};
    };

    /// EXCHANGE_ID. INVAL (flags), PERM, NOT_SAME, NOENT, CLID_INUSE.
    [[nodiscard]] tl::expected<Exchanged, Nfs4Status> Exchange(const Introduction& who,
                                                               uint32_t flags,
                                                               Time now);

    /// CREATE_SESSION: the record of \p id, confirmed by it. The caller then makes the session and
    /// calls Created(). A retry of the last one: \p replay is set. STALE_CLIENTID, SEQ_MISORDERED,
    /// CLID_INUSE.
    [[nodiscard]] tl::expected<Nfs4Client*, Nfs4Status> PrepareSession(
        Nfs4ClientId id,
        uint32_t sequence,
        const Nfs4Principal& principal,
        const IpAddress& address,
        std::optional<Nfs4CreatedSession>& replay);
    /// The session has been made; \return its sequence.
    uint32_t Created(Nfs4Client& client, const Nfs4CreatedSession& session);

    /// SETCLIENTID: the identifier and its confirm verifier. CLID_INUSE.
    [[nodiscard]] tl::expected<std::pair<Nfs4ClientId, Nfs4Verifier>, Nfs4Status> SetClientId(
        const Introduction& who,
        const Nfs4CallbackAddress& callback,
        Time now);
    /// SETCLIENTID_CONFIRM: the record. STALE_CLIENTID, CLID_INUSE.
    [[nodiscard]] tl::expected<Nfs4Client*, Nfs4Status> ConfirmClientId(
        Nfs4ClientId id,
        const Nfs4Verifier& confirm,
        const Nfs4Principal& principal,
        Time now);

    /// DESTROY_CLIENTID: STALE_CLIENTID, CLIENTID_BUSY.
    [[nodiscard]] Nfs4Status DestroyClientId(Nfs4ClientId id);

    /// \return a confirmed client, or null.
    [[nodiscard]] Nfs4Client* Find(Nfs4ClientId id)
    {
        return FindById(id, true).get();
    }

    /// \return whether \p id was made by this instance of the server.
    [[nodiscard]] bool IsOurs(Nfs4ClientId id) const;
    void Renew(Nfs4Client& client, Time now);
    /// Takes a record away, with its state.
    void Expire(Nfs4ClientId id);
    /**
     * \brief The laundromat's pass: clients whose lease has run out go, those with state become
     * courtesy clients (Linux from 5.19 on) and go \p courtesy later.
     * \return the time of the next pass at the latest
     */
    Time ExpireLeases(Time now, Time lease, Time courtesy);
    /// \return confirmed clients by identifier.
    [[nodiscard]] std::vector<Nfs4Client*> GetConfirmed();

    [[nodiscard]] std::size_t GetCount() const
    {
        return m_records.size();
    }

  private:
    using Record = std::shared_ptr<Nfs4Client>;

    [[nodiscard]] Record FindByName(const ByteVector& name, bool confirmed) const;
    [[nodiscard]] Record FindById(Nfs4ClientId id, bool confirmed) const;
    Record Add(const Introduction& who, Time now);
    void Remove(const Record& record);

    uint32_t m_boot;
    uint32_t m_next;
    uint32_t m_nextConfirm{1};
    uint64_t m_serial{0};
    HasState m_hasState;
    Discard m_discard;
    std::map<uint64_t, Record> m_records; ///< By serial.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_CLIENT_TABLE_H
