/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_XDR_FIELDS_H
#define NFSRDMA_NFS_TYPES_XDR_FIELDS_H

#include "nfs/types/aggregate-fields.h"
#include "nfs/types/bulk-data.h"
#include "rpc/xdr-reader.h"
#include "rpc/xdr-writer.h"
#include "wire/decode-error.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \file
 * A message of a program is an aggregate whose members are its fields, in the order of its XDR (RFC
 * 4506):
 *
 *     struct Access3Res
 *     {
 *         static constexpr XdrOkFields OK_FIELDS{2};
 *
 *         Nfs3Status status{Nfs3Status::OK};
 *         PostOpAttr attributes;
 *         uint32_t access{0}; ///< OK.
 *     };
 *
 * OK_FIELDS says which of them are there only when the status is OK. One with other arms of a
 * union, or with demands on its fields, hands them to a visitor:
 *
 *     template <typename Self, typename Xdr>
 *     static void Fields(Self& self, Xdr& xdr)
 *     {
 *         xdr(self.how);
 *         xdr.When(self.how == TimeHow::SET_TO_CLIENT_TIME, self.time);
 *     }
 *
 * EncodeXdr() writes those fields, DecodeXdr() reads them, GetXdrSize() of xdr-size.h counts their
 * octets. Vectors are counted arrays, an XdrList a linked one, optionals are arrays of at most one,
 * strings and ByteVectors are opaques, those of XdrBounded with a limit, std::array a fixed opaque,
 * Nfs3Data a bulk item. A type with members Encode(XdrWriter&) and static Decode(XdrReader&) is
 * taken as it is.
 *
 * A count in the input reserves nothing: an array grows by what is really there.
 */

constexpr uint32_t XDR_UNLIMITED = std::numeric_limits<uint32_t>::max();

/// The values of an enumeration that may be decoded.
struct XdrEnumRange
{
    uint32_t first{0};
    uint32_t last{std::numeric_limits<uint32_t>::max()};
};

/// Those of \p Enum. Default: any.
template <typename Enum>
inline constexpr XdrEnumRange XDR_ENUM_RANGE{};

/// An opaque of at most LIMIT octets, or an array of at most LIMIT elements: a \p T in every
/// respect.
template <typename T, uint32_t LIMIT>
struct XdrBounded : T
{
    using T::T;

    XdrBounded(T value)
        : T(std::move(value))
    {
    }
};

/// A linked list of optional data (RFC 4506 section 4.19): a vector in every respect.
template <typename T>
struct XdrList : std::vector<T>
{
    using std::vector<T>::vector;

    XdrList(std::vector<T> items)
        : std::vector<T>(std::move(items))
    {
    }
};

/// Which fields of results are there only when their "status" is OK.
struct XdrOkFields
{
    std::size_t first{0};
    std::size_t end{SIZE_MAX}; ///< Behind the last of them.
};

/// Whether results that begin with a status of this type, and have no OK_FIELDS, have no other
/// field unless it is OK.
template <typename Status>
inline constexpr bool XDR_OK_ALONE = false;

template <typename T, typename = void>
inline constexpr bool HAS_XDR_CODEC = false;

template <typename T>
inline constexpr bool HAS_XDR_CODEC<
    T,
    std::void_t<decltype(std::declval<const T&>().Encode(std::declval<XdrWriter&>()))>> = true;

template <typename T>
inline constexpr bool HAS_XDR_CODEC<T, std::enable_if_t<(std::tuple_size<T>::value >= 0)>> = true;

template <typename T, typename Xdr, typename = void>
inline constexpr bool HAS_XDR_VISIT = false;

template <typename T, typename Xdr>
inline constexpr bool
    HAS_XDR_VISIT<T,
                  Xdr,
                  std::void_t<decltype(T::Fields(std::declval<T&>(), std::declval<Xdr&>()))>> =
        true;

/// Whether the members of \p T can be compared one by one.
template <typename T>
inline constexpr bool IS_PLAIN = std::is_class_v<T>&& std::is_aggregate_v<T> && !HAS_XDR_CODEC<T>;

template <typename T, typename Xdr>
inline constexpr bool HAS_XDR_FIELDS = HAS_XDR_VISIT<T, Xdr> || IS_PLAIN<T>;

/// Messages and their parts are equal when all members are, whether they are there or not.
template <typename T>
std::enable_if_t<IS_PLAIN<T>, bool>
operator==(const T& a, const T& b)
{
    return TieFields(a) == TieFields(b);
}

template <typename T>
std::enable_if_t<IS_PLAIN<T>, bool>
operator!=(const T& a, const T& b)
{
    return !(a == b);
}

/// By one member after the other.
template <typename T>
std::enable_if_t<IS_PLAIN<T>, bool>
operator<(const T& a, const T& b)
{
    return TieFields(a) < TieFields(b);
}

template <typename T, typename = void>
inline constexpr bool HAS_OK_FIELDS = false;

template <typename T>
inline constexpr bool HAS_OK_FIELDS<T, std::void_t<decltype(T::OK_FIELDS)>> = true;

/// \return those of \p T, which it says itself or its status does.
template <typename T>
constexpr XdrOkFields
GetOkFields()
{
    if constexpr (HAS_OK_FIELDS<T>)
    {
        return T::OK_FIELDS;
    }
    else if constexpr (CountFields<T>() > 1)
    {
        using First = std::tuple_element_t<0, decltype(TieFields(std::declval<T&>()))>;
        return {1, XDR_OK_ALONE<std::decay_t<First>> ? SIZE_MAX : 1};
    }
    else
    {
        return {0, 0};
    }
}

/// Shows the fields of \p item to \p xdr.
template <typename T, typename Xdr>
void
VisitXdrFields(T& item, Xdr& xdr)
{
    if constexpr (HAS_XDR_VISIT<T, Xdr>)
    {
        T::Fields(item, xdr);
    }
    else
    {
        static constexpr XdrOkFields OK = GetOkFields<std::remove_const_t<T>>();
        if constexpr (OK.first < OK.end)
        {
            using Status = std::decay_t<decltype(item.status)>;
            std::size_t place = 0;
            const auto visit = [&](auto& field) {
                const bool always = place < OK.first || place >= OK.end;
                ++place;
                xdr.When(always || item.status == Status::OK, field);
            };
            std::apply([&](auto&... fields) { (visit(fields), ...); }, TieFields(item));
        }
        else
        {
            std::apply(xdr, TieFields(item));
        }
    }
}

/// Shows \p item as a field of type \p Wire.
template <typename Wire, typename T, typename Xdr>
void
VisitXdrAs(T& item, Xdr& xdr)
{
    auto wire = static_cast<Wire>(item);
    xdr(wire);
    if constexpr (Xdr::READS)
    {
        item = static_cast<T>(wire);
    }
}

/// What the fields of a message are shown to, by what the visitor says of one Item() and of
/// Bounded(), List(), Opaque() and Data().
template <typename Visitor>
class XdrVisitor
{
  public:
    template <typename... T>
    void operator()(T&&... items)
    {
        (Show(items), ...);
    }

    /// Fields that are there when \p present.
    template <typename... T>
    void When(bool present, T&... items)
    {
        if (present)
        {
            (Show(items), ...);
        }
        else
        {
            (Miss(items), ...);
        }
    }

    /// What a reader demands of the fields before.
    void Require(bool sound)
    {
        if (!sound)
        {
            Self().Fail();
        }
    }

    void NoData()
    {
    }

    void Fail()
    {
    }

  private:
    Visitor& Self()
    {
        return static_cast<Visitor&>(*this);
    }

    template <typename T>
    void Show(T& item)
    {
        if constexpr (std::is_same_v<std::remove_const_t<T>, Nfs3Data>)
        {
            Self().Data(item);
        }
        else
        {
            Self().Item(item);
        }
    }

    template <typename T, uint32_t LIMIT>
    void Show(XdrBounded<T, LIMIT>& item)
    {
        ShowBounded(static_cast<T&>(item), LIMIT);
    }

    template <typename T, uint32_t LIMIT>
    void Show(const XdrBounded<T, LIMIT>& item)
    {
        ShowBounded(static_cast<const T&>(item), LIMIT);
    }

    template <typename T>
    void ShowBounded(T& item, uint32_t limit)
    {
        if constexpr (std::is_same_v<std::remove_const_t<T>, Nfs3Data>)
        {
            Self().Data(item, limit);
        }
        else
        {
            Self().Bounded(item, limit);
        }
    }

    template <typename T>
    void Show(XdrList<T>& items)
    {
        Self().List(static_cast<std::vector<T>&>(items));
    }

    template <typename T>
    void Show(const XdrList<T>& items)
    {
        Self().List(static_cast<const std::vector<T>&>(items));
    }

    template <typename T>
    void Miss(const T& /* item */)
    {
        if constexpr (std::is_same_v<T, Nfs3Data>)
        {
            Self().NoData();
        }
    }
};

/// Writes fields.
class XdrEncoder : public XdrVisitor<XdrEncoder>
{
  public:
    static constexpr bool READS = false;

    /// \param reducedAt gets, for each reduced bulk item, the offset in \p writer where it belongs
    explicit XdrEncoder(XdrWriter& writer, std::vector<uint32_t>* reducedAt = nullptr)
        : m_writer(writer),
          m_reducedAt(reducedAt)
    {
    }

    /// An opaque or array of at most \p limit; the limit is the decoder's matter.
    template <typename T>
    void Bounded(const T& item, uint32_t /* limit */)
    {
        Item(item);
    }

    /// A linked list of optional data (RFC 4506 section 4.19), with the limit of each element.
    template <typename T, typename... Limit>
    void List(const std::vector<T>& items, Limit... /* limit */)
    {
        for (const T& item : items)
        {
            m_writer.WriteBool(true);
            Item(item);
        }
        m_writer.WriteBool(false);
    }

    /// An opaque of at most N octets that are the first \p length of an array.
    template <std::size_t N>
    void Opaque(const std::array<uint8_t, N>& octets, uint32_t length)
    {
        m_writer.WriteOpaque(ByteSpan(octets.data(), length));
    }

    void Data(const Nfs3Data& data, uint32_t /* limit */ = XDR_UNLIMITED)
    {
        data.Encode(m_writer);
        if (data.reduced && m_reducedAt != nullptr)
        {
            m_reducedAt->push_back(static_cast<uint32_t>(m_writer.GetSize()));
        }
    }

    [[nodiscard]] XdrWriter& GetWriter()
    {
        return m_writer;
    }

  private:
    friend class XdrVisitor<XdrEncoder>;

    void Item(uint32_t value)
    {
        m_writer.WriteU32(value);
    }

    void Item(int32_t value)
    {
        m_writer.WriteU32(static_cast<uint32_t>(value));
    }

    void Item(uint64_t value)
    {
        m_writer.WriteU64(value);
    }

    void Item(int64_t value)
    {
        m_writer.WriteU64(static_cast<uint64_t>(value));
    }

    void Item(bool value)
    {
        m_writer.WriteBool(value);
    }

    void Item(const std::string& text)
    {
        m_writer.WriteString(text);
    }

    void Item(const ByteVector& octets)
    {
        m_writer.WriteOpaque(octets);
    }

    template <std::size_t N>
    void Item(const std::array<uint8_t, N>& octets)
    {
        m_writer.WriteFixedOpaque(octets);
    }

    template <typename T>
    void Item(const std::optional<T>& item)
    {
        m_writer.WriteU32(item.has_value() ? 1 : 0);
        if (item)
        {
            Item(*item);
        }
    }

    template <typename T>
    void Item(const std::vector<T>& items)
    {
        m_writer.WriteU32(static_cast<uint32_t>(items.size()));
        for (const T& item : items)
        {
            Item(item);
        }
    }

    template <typename T>
    std::enable_if_t<std::is_enum_v<T>> Item(T value)
    {
        m_writer.WriteU32(static_cast<uint32_t>(value));
    }

    template <typename T>
    std::enable_if_t<std::is_class_v<T>> Item(const T& item)
    {
        if constexpr (HAS_XDR_FIELDS<const T, XdrEncoder>)
        {
            VisitXdrFields(item, *this);
        }
        else
        {
            item.Encode(m_writer);
        }
    }

    XdrWriter& m_writer;
    std::vector<uint32_t>* m_reducedAt;
};

/// Whether the only bulk item of a message is in its octets, for XdrDecoder.
struct XdrSingleItem
{
    bool reduced{false};

    [[nodiscard]] Nfs3Data Decode(XdrReader& reader, uint32_t limit) const
    {
        return Nfs3Data::Decode(reader, limit, reduced);
    }

    void Skip()
    {
    }
};

/**
 * \brief Reads fields. Failure is the reader's, and sticky.
 * \tparam DataItems knows which bulk items are in the octets: Decode(reader, limit) reads the next
 * one, Skip() passes it over
 */
template <typename DataItems>
class XdrDecoder : public XdrVisitor<XdrDecoder<DataItems>>
{
  public:
    static constexpr bool READS = true;

    explicit XdrDecoder(XdrReader& reader, DataItems items = {})
        : m_reader(reader),
          m_items(items)
    {
    }

    /// An opaque of at most \p limit octets, or an array of at most \p limit elements.
    template <typename T>
    void Bounded(T& item, uint32_t limit)
    {
        Limited(item, limit);
    }

    /// A linked list of optional data (RFC 4506 section 4.19).
    /// \param limit of each element
    template <typename T, typename... Limit>
    void List(std::vector<T>& items, Limit... limit)
    {
        while (m_reader.ReadBool())
        {
            if constexpr (sizeof...(limit) == 0)
            {
                Item(items.emplace_back());
            }
            else
            {
                Limited(items.emplace_back(), limit...);
            }
        }
    }

    /// An opaque of at most N octets that become the first \p length of an array.
    template <std::size_t N>
    void Opaque(std::array<uint8_t, N>& octets, uint32_t& length)
    {
        const ByteSpan read = m_reader.ReadOpaque(static_cast<uint32_t>(N));
        length = static_cast<uint32_t>(read.size());
        std::copy(read.begin(), read.end(), octets.begin());
    }

    void Data(Nfs3Data& data, uint32_t limit = XDR_UNLIMITED)
    {
        data = m_items.Decode(m_reader, limit);
    }

    /// The place of a bulk item that a failed operation does not have.
    void NoData()
    {
        m_items.Skip();
    }

    void Fail()
    {
        m_reader.Fail();
    }

    [[nodiscard]] XdrReader& GetReader()
    {
        return m_reader;
    }

  private:
    friend class XdrVisitor<XdrDecoder>;

    void Item(uint32_t& value)
    {
        value = m_reader.ReadU32();
    }

    void Item(int32_t& value)
    {
        value = static_cast<int32_t>(m_reader.ReadU32());
    }

    void Item(uint64_t& value)
    {
        value = m_reader.ReadU64();
    }

    void Item(int64_t& value)
    {
        value = static_cast<int64_t>(m_reader.ReadU64());
    }

    void Item(bool& value)
    {
        value = m_reader.ReadBool();
    }

    void Item(std::string& text)
    {
        Limited(text, XDR_UNLIMITED);
    }

    void Item(ByteVector& octets)
    {
        Limited(octets, XDR_UNLIMITED);
    }

    template <std::size_t N>
    void Item(std::array<uint8_t, N>& octets)
    {
        const ByteSpan read = m_reader.ReadFixedOpaque(static_cast<uint32_t>(N));
        if (read.size() == N)
        {
            std::copy(read.begin(), read.end(), octets.begin());
        }
    }

    template <typename T>
    void Item(std::optional<T>& item)
    {
        if (m_reader.ReadBool())
        {
            Item(item.emplace());
        }
    }

    template <typename T>
    void Item(std::vector<T>& items)
    {
        Limited(items, XDR_UNLIMITED);
    }

    template <typename T>
    std::enable_if_t<std::is_enum_v<T>> Item(T& value)
    {
        const uint32_t word = m_reader.ReadU32();
        if (word < XDR_ENUM_RANGE<T>.first || word > XDR_ENUM_RANGE<T>.last)
        {
            m_reader.Fail();
            return;
        }
        value = static_cast<T>(word);
    }

    template <typename T>
    std::enable_if_t<std::is_class_v<T>> Item(T& item)
    {
        if constexpr (HAS_XDR_FIELDS<T, XdrDecoder>)
        {
            VisitXdrFields(item, *this);
        }
        else
        {
            item = T::Decode(m_reader);
        }
    }

    void Limited(std::string& text, uint32_t limit)
    {
        const ByteSpan read = m_reader.ReadOpaque(limit);
        text.assign(read.begin(), read.end());
    }

    void Limited(ByteVector& octets, uint32_t limit)
    {
        const ByteSpan read = m_reader.ReadOpaque(limit);
        octets.assign(read.begin(), read.end());
    }

    template <typename T>
    void Limited(std::vector<T>& items, uint32_t limit)
    {
        const uint32_t count = m_reader.ReadU32();
        // Every element takes a word at least.
        if (count > limit || count > m_reader.Remaining() / 4)
        {
            m_reader.Fail();
            return;
        }
        for (uint32_t i = 0; i < count && m_reader.Ok(); ++i)
        {
            T item{};
            Item(item);
            items.push_back(std::move(item));
        }
    }

    XdrReader& m_reader;
    DataItems m_items;
};

/// Writes \p value; of one whose bulk item is reduced, without the item and its pad.
template <typename T>
void
EncodeXdr(XdrWriter& writer, const T& value)
{
    XdrEncoder encoder(writer);
    encoder(value);
}

/// \param reduced the bulk item is not in the octets
/// \return a T read from \p reader, or BAD_VALUE (cut short, a length above its limit, a value
/// outside its enumeration). Octets after it are left in the reader.
template <typename T>
[[nodiscard]] Decoded<T>
DecodeXdr(XdrReader& reader, bool reduced = false)
{
    T value{};
    XdrDecoder<XdrSingleItem> decoder(reader, {reduced});
    decoder(value);
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    return value;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_XDR_FIELDS_H
