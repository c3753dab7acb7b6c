/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_CHANNEL_BOUNDS_H
#define NFSRDMA_NFS_V4_SERVER_CHANNEL_BOUNDS_H

#include "nfs/v4/protocol/session-ops.h"
#include "nfs/v4/protocol/types.h"
#include "nfs/v4/server/slot-table.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief How a server bounds the channels that a client asks for, as check_forechannel_attrs() and
 * check_backchannel_attrs() of Linux 6.1 do.
 */
struct Nfs4SessionLimits
{
    /// The least octets of requests and responses (TOOSMALL below): RPC and COMPOUND headers with a
    /// SEQUENCE.
    static constexpr uint32_t MIN_REQUEST = 24 + 16 + 8 + 4 + 4 + 4 + 36;
    static constexpr uint32_t MIN_RESPONSE = 80 + 4;
    /// What a slot keeps of a reply beside the headers, and those headers.
    static constexpr uint32_t SLOT_CACHE = 2048 + 80;
    /// The least of the back channel, for a CB_RECALL with its largest handle: NFSD_CB_MAX_REQ_SZ
    /// (NFS4_enc_cb_recall_sz of 51 words, RPC_MAX_HEADER_WITH_AUTH_SYS of 84) and
    /// NFSD_CB_MAX_RESP_SZ (20 words and 8) of fs/nfsd/nfs4state.c.
    static constexpr uint32_t MIN_BACK_REQUEST = (51 + 84) * 4;
    static constexpr uint32_t MIN_BACK_RESPONSE = (20 + 8) * 4;
    static constexpr uint32_t MIN_BACK_OPERATIONS = 2;

    uint32_t maxMessage{266240}; ///< Octets of a request or response at most.
    uint32_t maxOperations{50};
    uint32_t maxSlots{30};
    bool growth{false}; ///< Of slot tables: up to maxSlots, and down again.

    /// Bounds \p fore. TOOSMALL.
    [[nodiscard]] Nfs4Status Bound(ChannelAttrs4& fore) const;
    /// Bounds \p back, its messages by \p limit octets: what the connection carries in the reverse
    /// direction. nfsd leaves that to the client, whose number is the same. TOOSMALL.
    [[nodiscard]] static Nfs4Status BoundBack(ChannelAttrs4& back, uint32_t limit = UINT32_MAX);
};

/// One session of a client.
struct Nfs4Session
{
    Nfs4SessionId id{};
    Nfs4ClientId client{0};
    uint32_t minorVersion{1};
    ChannelAttrs4 fore;
    ChannelAttrs4 back;
    bool backChannel{false}; ///< The client offers a back channel.
    uint32_t callbackProgram{0};
    Nfs4SlotTable slots{0};
    std::map<uint64_t, uint32_t> connections; ///< Those bound to it: directions of each.

    static constexpr uint32_t FORE = 1; ///< channel_dir_from_server4.
    static constexpr uint32_t BACK = 2;

    /// Binds a connection for directions that channel_dir_from_client4 names, as
    /// nfsd4_bind_conn_to_session() of Linux 6.1 does; \p direction becomes what it is bound for.
    /// INVAL.
    Nfs4Status Bind(uint64_t connection, uint32_t& direction);
    /// \return a connection of the back channel, when there is one.
    [[nodiscard]] std::optional<uint64_t> FindBack() const;
};

/// The sessions of a server by their identifier.
class Nfs4SessionTable
{
  public:
    /// Makes a session. Its identifier is the client's and a number that counts up from \p first.
    /// \param ceiling slots that its table may grow to; 0: it does not
    Nfs4Session& Create(Nfs4ClientId client,
                        uint32_t minorVersion,
                        const ChannelAttrs4& fore,
                        const ChannelAttrs4& back,
                        uint32_t ceiling = 0);
    /// Memory is short: each session is to have \p slots slots fewer. \return how many fewer all
    /// have together
    uint32_t ReduceSlots(uint32_t slots);
    /// \return the session, or null.
    [[nodiscard]] std::shared_ptr<Nfs4Session> Find(const Nfs4SessionId& id) const;
    /// \return false when there is none.
    bool Destroy(const Nfs4SessionId& id);
    void DestroyOf(Nfs4ClientId client);
    /// \return sessions of \p client, oldest first.
    [[nodiscard]] std::vector<std::shared_ptr<Nfs4Session>> GetOf(Nfs4ClientId client) const;
    [[nodiscard]] bool HasAny(Nfs4ClientId client) const;
    /// A connection is no more. \return clients whose back channel it was.
    std::set<Nfs4ClientId> Unbind(uint64_t connection);

    [[nodiscard]] std::size_t GetCount() const
    {
        return m_sessions.size();
    }

    /// Forgets all sessions; numbers go on.
    void Clear()
    {
        m_sessions.clear();
    }

  private:
    std::map<uint32_t, std::shared_ptr<Nfs4Session>> m_sessions; ///< By number.
    uint32_t m_next{1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_CHANNEL_BOUNDS_H
