/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_SESSION_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_SESSION_OPS_H

#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

// Arguments and results of operations, without the operation's number. Results begin with the
// status; their other fields are there with NFS4_OK, unless said otherwise. How they are encoded
// and decoded: xdr.h. Section numbers are those of RFC 8881.

/// Flags of EXCHANGE_ID, CREATE_SESSION and SEQUENCE, section 18.
constexpr uint32_t EXCHGID4_FLAG_SUPP_MOVED_REFER = 0x00000001;
constexpr uint32_t EXCHGID4_FLAG_SUPP_MOVED_MIGR = 0x00000002;
constexpr uint32_t EXCHGID4_FLAG_SUPP_FENCE_OPS = 0x00000004;
constexpr uint32_t EXCHGID4_FLAG_BIND_PRINC_STATEID = 0x00000100;
constexpr uint32_t EXCHGID4_FLAG_USE_NON_PNFS = 0x00010000;
constexpr uint32_t EXCHGID4_FLAG_USE_PNFS_MDS = 0x00020000;
constexpr uint32_t EXCHGID4_FLAG_USE_PNFS_DS = 0x00040000;
constexpr uint32_t EXCHGID4_FLAG_MASK_PNFS = 0x00070000;
constexpr uint32_t EXCHGID4_FLAG_UPD_CONFIRMED_REC_A = 0x40000000;
constexpr uint32_t EXCHGID4_FLAG_CONFIRMED_R = 0x80000000;
constexpr uint32_t CREATE_SESSION4_FLAG_PERSIST = 0x01;
constexpr uint32_t CREATE_SESSION4_FLAG_CONN_BACK_CHAN = 0x02;
constexpr uint32_t CREATE_SESSION4_FLAG_CONN_RDMA = 0x04;
constexpr uint32_t SEQ4_STATUS_CB_PATH_DOWN = 0x0001;
constexpr uint32_t SEQ4_STATUS_CB_GSS_CONTEXTS_EXPIRING = 0x0002;
constexpr uint32_t SEQ4_STATUS_CB_GSS_CONTEXTS_EXPIRED = 0x0004;
constexpr uint32_t SEQ4_STATUS_EXPIRED_ALL_STATE_REVOKED = 0x0008;
constexpr uint32_t SEQ4_STATUS_EXPIRED_SOME_STATE_REVOKED = 0x0010;
constexpr uint32_t SEQ4_STATUS_ADMIN_STATE_REVOKED = 0x0020;
constexpr uint32_t SEQ4_STATUS_RECALLABLE_STATE_REVOKED = 0x0040;
constexpr uint32_t SEQ4_STATUS_LEASE_MOVED = 0x0080;
constexpr uint32_t SEQ4_STATUS_RESTART_RECLAIM_NEEDED = 0x0100;
constexpr uint32_t SEQ4_STATUS_CB_PATH_DOWN_SESSION = 0x0200;
constexpr uint32_t SEQ4_STATUS_BACKCHANNEL_FAULT = 0x0400;
constexpr uint32_t SEQ4_STATUS_DEVID_CHANGED = 0x0800;
constexpr uint32_t SEQ4_STATUS_DEVID_DELETED = 0x1000;

/// authsys_parms of RFC 5531, in callback_sec_parms4.
struct AuthSysParms4
{
    uint32_t stamp{0};
    XdrBounded<std::string, 255> machineName;
    uint32_t uid{0};
    uint32_t gid{0};
    XdrBounded<std::vector<uint32_t>, 16> gids;
};

/// callback_sec_parms4.
struct CallbackSecParms4
{
    uint32_t flavor{1};     ///< AUTH_NONE 0, AUTH_SYS 1, RPCSEC_GSS 6.
    AuthSysParms4 sys;      ///< AUTH_SYS.
    uint32_t gssService{1}; ///< RPCSEC_GSS, as the two below.
    ByteVector handleFromServer;
    ByteVector handleFromClient;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.flavor);
        if (self.flavor == 1)
        {
            xdr(self.sys);
        }
        else if (self.flavor == 6)
        {
            xdr(self.gssService, self.handleFromServer, self.handleFromClient);
        }
        else if (self.flavor != 0)
        {
            xdr.Fail();
        }
    }
};

using BackchannelCtlRes4 = Nfs4StatusRes<Nfs4Op::BACKCHANNEL_CTL>;

/// Section 18.33.
struct BackchannelCtlArgs4
{
    uint32_t cbProgram{0};
    std::vector<CallbackSecParms4> secParms;
};

struct BindConnToSessionRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4SessionId sessionId{};
    uint32_t dir{3}; ///< channel_dir_from_server4: 1 fore, 2 back, 3 both.
    bool rdmaMode{false};
};

/// Section 18.34.
struct BindConnToSessionArgs4
{
    Nfs4SessionId sessionId{};
    uint32_t dir{3}; ///< channel_dir_from_client4: 1 fore, 2 back, 3 fore or both, 7 back or both.
    bool rdmaMode{false};
};

/// state_protect_ops4: sets of operations.
struct StateProtectOps4
{
    Nfs4Bitmap mustEnforce;
    Nfs4Bitmap mustAllow;
};

/// state_protect_how4.
enum class StateProtect4 : uint32_t
{
    NONE = 0,
    MACH_CRED = 1,
    SSV = 2
};

template <>
inline constexpr XdrEnumRange XDR_ENUM_RANGE<StateProtect4>{0, 2};

/// nfs_impl_id4.
struct NfsImplId4
{
    std::string domain;
    std::string name;
    NfsTime4 date;
};

/// state_protect4_a and state_protect4_r.
struct StateProtectArgs4
{
    StateProtect4 how{StateProtect4::NONE};
    StateProtectOps4 ops;             ///< MACH_CRED and SSV.
    std::vector<ByteVector> hashAlgs; ///< SSV, as all below.
    std::vector<ByteVector> encrAlgs;
    uint32_t window{0};
    uint32_t numGssHandles{0};

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.how);
        if (self.how != StateProtect4::NONE)
        {
            xdr(self.ops);
        }
        if (self.how == StateProtect4::SSV)
        {
            xdr(self.hashAlgs, self.encrAlgs, self.window, self.numGssHandles);
        }
    }
};

struct StateProtectRes4
{
    StateProtect4 how{StateProtect4::NONE};
    StateProtectOps4 ops; ///< MACH_CRED and SSV.
    uint32_t hashAlg{0};  ///< SSV, as all below.
    uint32_t encrAlg{0};
    uint32_t ssvLength{0};
    uint32_t window{0};
    std::vector<ByteVector> handles;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.how);
        if (self.how != StateProtect4::NONE)
        {
            xdr(self.ops);
        }
        if (self.how == StateProtect4::SSV)
        {
            xdr(self.hashAlg, self.encrAlg, self.ssvLength, self.window, self.handles);
        }
    }
};

struct ExchangeIdRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ClientId clientId{0};
    uint32_t sequenceId{0};
    uint32_t flags{0};
    StateProtectRes4 stateProtect;
    uint64_t serverMinorId{0};                               ///< server_owner4, with serverMajorId.
    XdrBounded<ByteVector, NFS4_OPAQUE_LIMIT> serverMajorId; ///< Up to NFS4_OPAQUE_LIMIT octets.
    XdrBounded<ByteVector, NFS4_OPAQUE_LIMIT> serverScope;   ///< Up to NFS4_OPAQUE_LIMIT octets.
    std::optional<NfsImplId4> serverImplId;
};

/// Section 18.35.
struct ExchangeIdArgs4
{
    Nfs4Verifier verifier{};                           ///< client_owner4, with ownerId.
    XdrBounded<ByteVector, NFS4_OPAQUE_LIMIT> ownerId; ///< Up to NFS4_OPAQUE_LIMIT octets.
    uint32_t flags{0};                                 ///< EXCHGID4_FLAG_*.
    StateProtectArgs4 stateProtect;
    std::optional<NfsImplId4> clientImplId;
};

/// channel_attrs4: the ca_ limits of a channel.
struct ChannelAttrs4
{
    uint32_t headerPadSize{0};
    uint32_t maxRequestSize{0};        ///< Octets.
    uint32_t maxResponseSize{0};       ///< Octets.
    uint32_t maxResponseSizeCached{0}; ///< Octets.
    uint32_t maxOperations{0};
    uint32_t maxRequests{0}; ///< Slots.
    std::optional<uint32_t> rdmaIrd;
};

struct CreateSessionRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4SessionId sessionId{};
    uint32_t sequence{0};
    uint32_t flags{0};
    ChannelAttrs4 fore;
    ChannelAttrs4 back;
};

/// Section 18.36.
struct CreateSessionArgs4
{
    Nfs4ClientId clientId{0};
    uint32_t sequence{0};
    uint32_t flags{0}; ///< CREATE_SESSION4_FLAG_*.
    ChannelAttrs4 fore;
    ChannelAttrs4 back;
    uint32_t cbProgram{NFS4_CALLBACK_PROGRAM};
    std::vector<CallbackSecParms4> secParms;
};

using DestroySessionRes4 = Nfs4StatusRes<Nfs4Op::DESTROY_SESSION>;

/// Section 18.37.
struct DestroySessionArgs4
{
    Nfs4SessionId sessionId{};
};

struct SequenceRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4SessionId sessionId{};
    uint32_t sequenceId{0};
    uint32_t slotId{0};
    uint32_t highestSlotId{0};
    uint32_t targetHighestSlotId{0};
    uint32_t statusFlags{0}; ///< SEQ4_STATUS_*.
};

/// Section 18.46.
struct SequenceArgs4
{
    Nfs4SessionId sessionId{};
    uint32_t sequenceId{0};
    uint32_t slotId{0};
    uint32_t highestSlotId{0};
    bool cacheThis{false};
};

struct SetSsvRes4
{
    Nfs4Status status{Nfs4Status::OK};
    ByteVector digest;
};

/// Section 18.47.
struct SetSsvArgs4
{
    ByteVector ssv;
    ByteVector digest;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_SESSION_OPS_H
