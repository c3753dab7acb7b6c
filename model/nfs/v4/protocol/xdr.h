/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_XDR_H
#define NFSRDMA_NFS_V4_PROTOCOL_XDR_H

#include "nfs/v3/fattr.h"
#include "nfs/v4/protocol/data-items.h"
#include "rpc/xdr-reader.h"
#include "rpc/xdr-writer.h"
#include "wire/decode-error.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \file
 * Each NFSv4 type says once, in the order of its XDR, which fields it has:
 *
 *     struct CommitArgs4
 *     {
 *         uint64_t offset{0};
 *         uint32_t count{0};
 *
 *         template <typename Self, typename Xdr>
 *         static void Fields(Self& self, Xdr& xdr)
 *         {
 *             xdr(self.offset, self.count);
 *         }
 *     };
 *
 * Nfs4Encoder writes those fields, Nfs4Decoder reads them; an arm of a union is an if in Fields.
 * Vectors are counted arrays, optionals are arrays of at most one, strings and ByteVectors are
 * opaques, std::array a fixed opaque. A type with members Encode(XdrWriter&) and static
 * Decode(XdrReader&) is taken as it is.
 *
 * A count in the input reserves nothing: an array grows by what is really there.
 */

/// The values of an enumeration that may be decoded. Default: any.
template <typename Enum>
struct Nfs4EnumRange
{
    static constexpr uint32_t FIRST = 0;
    static constexpr uint32_t LAST = std::numeric_limits<uint32_t>::max();
};

namespace nfs4xdr
{

template <typename T, typename Xdr, typename = void>
struct HasFields : std::false_type
{
};

template <typename T, typename Xdr>
struct HasFields<T, Xdr, std::void_t<decltype(T::Fields(std::declval<T&>(), std::declval<Xdr&>()))>>
    : std::true_type
{
};

} // namespace nfs4xdr

/// Writes the fields of NFSv4 types.
class Nfs4Encoder
{
  public:
    static constexpr bool READS = false;

    /// \param reducedAt gets, for each reduced bulk item, the offset in \p writer where it belongs
    explicit Nfs4Encoder(XdrWriter& writer, std::vector<uint32_t>* reducedAt = nullptr)
        : m_writer(writer),
          m_reducedAt(reducedAt)
    {
    }

    template <typename... T>
    void operator()(const T&... items)
    {
        (Item(items), ...);
    }

    /// An opaque or array of at most \p limit; the limit is the decoder's matter.
    template <typename T>
    void Bounded(const T& item, uint32_t /* limit */)
    {
        Item(item);
    }

    void Data(const Nfs3Data& data)
    {
        data.Encode(m_writer);
        if (data.reduced && m_reducedAt != nullptr)
        {
            m_reducedAt->push_back(static_cast<uint32_t>(m_writer.GetSize()));
        }
    }

    void NoData()
    {
    }

    void Fail()
    {
    }

    [[nodiscard]] XdrWriter& GetWriter()
    {
        return m_writer;
    }

  private:
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
        if constexpr (nfs4xdr::HasFields<const T, Nfs4Encoder>::value)
        {
            T::Fields(item, *this);
        }
        else
        {
            item.Encode(m_writer);
        }
    }

    XdrWriter& m_writer;
    std::vector<uint32_t>* m_reducedAt;
};

/// Reads the fields of NFSv4 types. Failure is the reader's, and sticky.
class Nfs4Decoder
{
  public:
    static constexpr bool READS = true;

    /// \param items which bulk items are not in the octets; null: all are
    explicit Nfs4Decoder(XdrReader& reader, Nfs4DataItems* items = nullptr)
        : m_reader(reader),
          m_items(items)
    {
    }

    template <typename... T>
    void operator()(T&... items)
    {
        (Item(items), ...);
    }

    /// An opaque of at most \p limit octets, or an array of at most \p limit elements.
    template <typename T>
    void Bounded(T& item, uint32_t limit)
    {
        Limited(item, limit);
    }

    void Data(Nfs3Data& data)
    {
        data = m_items == nullptr
                   ? Nfs3Data::Decode(m_reader, std::numeric_limits<uint32_t>::max(), false)
                   : m_items->Decode(m_reader);
    }

    /// The place of a bulk item that a failed operation does not have.
    void NoData()
    {
        if (m_items != nullptr)
        {
            m_items->Skip();
        }
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
        Limited(text, std::numeric_limits<uint32_t>::max());
    }

    void Item(ByteVector& octets)
    {
        Limited(octets, std::numeric_limits<uint32_t>::max());
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
        Limited(items, std::numeric_limits<uint32_t>::max());
    }

    template <typename T>
    std::enable_if_t<std::is_enum_v<T>> Item(T& value)
    {
        const uint32_t word = m_reader.ReadU32();
        if (word < Nfs4EnumRange<T>::FIRST || word > Nfs4EnumRange<T>::LAST)
        {
            m_reader.Fail();
            return;
        }
        value = static_cast<T>(word);
    }

    template <typename T>
    std::enable_if_t<std::is_class_v<T>> Item(T& item)
    {
        if constexpr (nfs4xdr::HasFields<T, Nfs4Decoder>::value)
        {
            T::Fields(item, *this);
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
    Nfs4DataItems* m_items;
};

/// Writes \p value, a type with Fields: an operation's arguments or results without its number.
template <typename T>
void
EncodeNfs4(XdrWriter& writer, const T& value)
{
    Nfs4Encoder encoder(writer);
    encoder(value);
}

/// \return a T read from \p reader, or BAD_VALUE (cut short, a length above its limit, a value
/// outside its enumeration). Octets after it are left in the reader.
template <typename T>
[[nodiscard]] Decoded<T>
DecodeNfs4(XdrReader& reader, Nfs4DataItems* items = nullptr)
{
    T value{};
    Nfs4Decoder decoder(reader, items);
    decoder(value);
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    return value;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_XDR_H
