/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_ATTRIBUTES_H
#define NFSRDMA_NFS_V4_PROTOCOL_ATTRIBUTES_H

#include "nfs/v4/protocol/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Numbers of attributes: those of attributes.def.
enum class Nfs4Attr : uint32_t
{
#define NFS4_ATTRIBUTE(number, NAME, ...) NAME = number,
#include "nfs/v4/protocol/attributes.def"
};

constexpr uint32_t NFS4_LAST_ATTR = 82;

/// \return the RFC's name in small letters without "fattr4_", as "numlinks"; "unknown" for another.
[[nodiscard]] const char* ToString(Nfs4Attr attribute);
/// \return a set of attributes.
[[nodiscard]] Nfs4Bitmap MakeAttrMask(std::initializer_list<Nfs4Attr> attributes);

/// fs_locations4 and its parts.
struct FsLocation4
{
    std::vector<std::string> servers;
    std::vector<std::string> rootPath;
};

struct FsLocations4
{
    std::vector<std::string> fsRoot;
    std::vector<FsLocation4> locations;
};

/// settime4. Absent: the server's time.
struct SetTime4
{
    std::optional<NfsTime4> time;
};

/// nfsacl41.
struct NfsAcl41
{
    uint32_t flag{0};
    std::vector<NfsAce4> aces;
};

struct ChangePolicy4
{
    uint64_t major{0};
    uint64_t minor{0};
};

/// fs4_status.
struct FsStatus4
{
    bool absent{false};
    uint32_t type{1}; ///< fs4_status_type.
    std::string source;
    std::string current;
    int32_t age{0};
    NfsTime4 version;
};

/// fs_locations_info4 and its parts.
struct FsLocationsServer4
{
    int32_t currency{0};
    ByteVector info;
    std::string server;
};

struct FsLocationsItem4
{
    std::vector<FsLocationsServer4> entries;
    std::vector<std::string> rootPath;
};

struct FsLocationsInfo4
{
    uint32_t flags{0};
    int32_t validFor{0};
    std::vector<std::string> fsRoot;
    std::vector<FsLocationsItem4> items;
};

/// threshold_item4.
struct ThresholdItem4
{
    LayoutType4 layoutType{LayoutType4::NFSV4_1_FILES};
    Nfs4Bitmap hintSet;
    ByteVector hintList;
};

struct RetentionGet4
{
    uint64_t duration{0};
    std::optional<NfsTime4> beginTime;
};

struct RetentionSet4
{
    bool enable{false};
    std::optional<uint64_t> duration;
};

struct ModeMasked4
{
    uint32_t valueToSet{0};
    uint32_t maskBits{0};
};

struct ModeUmask4
{
    uint32_t mode{0};
    uint32_t umask{0};
};

/// sec_label4.
struct SecLabel4
{
    uint32_t lfs{0}; ///< Label format.
    uint32_t pi{0};  ///< Policy.
    ByteVector data;
};

/**
 * \brief fattr4: values of attributes. Absent: not in the set.
 *
 * On the wire: a bitmap, and an opaque with the values by ascending number.
 */
struct Nfs4Attributes
{
#define NFS4_ATTRIBUTE(number, NAME, name, field, ...) std::optional<__VA_ARGS__> field;
#include "nfs/v4/protocol/attributes.def"

    /// Words that the bitmap has at least on the wire (Linux's server writes one for an empty set).
    uint32_t minimumWords{0};
    /// From the first attribute with a number above NFS4_LAST_ATTR on: numbers and undecoded
    /// values.
    Nfs4Bitmap unknown;
    ByteVector unknownValues;

    /// \return the set's bitmap, unknown ones included.
    [[nodiscard]] Nfs4Bitmap GetMask() const;
    /// \return octets of the values.
    [[nodiscard]] uint32_t GetValuesSize() const;
    void Encode(XdrWriter& writer) const;
    /// A value that does not fit the opaque, or octets left over in it, fail.
    [[nodiscard]] static Nfs4Attributes Decode(XdrReader& reader);

    /// Calls visit(number, optional) for each attribute, by ascending number.
    template <typename Self, typename Visit>
    static void ForEach(Self& self, Visit&& visit)
    {
#define NFS4_ATTRIBUTE(number, NAME, name, field, ...) visit(Nfs4Attr::NAME, self.field);
#include "nfs/v4/protocol/attributes.def"
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_ATTRIBUTES_H
