/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_XDR_SIZE_H
#define NFSRDMA_NFS_TYPES_XDR_SIZE_H

#include "nfs/types/xdr-fields.h"

namespace ns3::nfsrdma
{

/// Counts the octets that XdrEncoder would write.
class XdrSizer : public XdrVisitor<XdrSizer>
{
  public:
    static constexpr bool READS = false;

    template <typename T>
    void Bounded(const T& item, uint32_t /* limit */)
    {
        Item(item);
    }

    template <typename T, typename... Limit>
    void List(const std::vector<T>& items, Limit... /* limit */)
    {
        m_octets += XDR_WORD * static_cast<uint32_t>(items.size());
        Item(items);
    }

    template <std::size_t N>
    void Opaque(const std::array<uint8_t, N>& /* octets */, uint32_t length)
    {
        m_octets += XDR_WORD + RoundUp4(length);
    }

    void Data(const Nfs3Data& data, uint32_t /* limit */ = XDR_UNLIMITED)
    {
        m_octets += XDR_WORD + (data.reduced ? 0 : RoundUp4(data.length));
    }

    [[nodiscard]] uint32_t GetOctets() const
    {
        return m_octets;
    }

  private:
    friend class XdrVisitor<XdrSizer>;

    template <typename T>
    std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>> Item(T /* value */)
    {
        m_octets += std::max<uint32_t>(XDR_WORD, sizeof(T));
    }

    void Item(const std::string& text)
    {
        m_octets += XDR_WORD + RoundUp4(static_cast<uint32_t>(text.size()));
    }

    void Item(const ByteVector& octets)
    {
        m_octets += XDR_WORD + RoundUp4(static_cast<uint32_t>(octets.size()));
    }

    template <std::size_t N>
    void Item(const std::array<uint8_t, N>& /* octets */)
    {
        m_octets += RoundUp4(N);
    }

    template <typename T>
    void Item(const std::optional<T>& item)
    {
        m_octets += XDR_WORD;
        if (item)
        {
            Item(*item);
        }
    }

    template <typename T>
    void Item(const std::vector<T>& items)
    {
        m_octets += XDR_WORD;
        for (const T& item : items)
        {
            Item(item);
        }
    }

    template <typename T>
    std::enable_if_t<std::is_class_v<T>> Item(const T& item)
    {
        VisitXdrFields(item, *this);
    }

    uint32_t m_octets{0};
};

/// Makes optional fields present and handles as long as they may be.
class XdrFiller : public XdrVisitor<XdrFiller>
{
  public:
    static constexpr bool READS = true;

    template <typename T>
    void Bounded(T& /* item */, uint32_t /* limit */)
    {
    }

    template <typename T, typename... Limit>
    void List(std::vector<T>& /* items */, Limit... /* limit */)
    {
    }

    template <std::size_t N>
    void Opaque(std::array<uint8_t, N>& /* octets */, uint32_t& length)
    {
        length = N;
    }

    void Data(Nfs3Data& /* data */, uint32_t /* limit */ = XDR_UNLIMITED)
    {
    }

  private:
    friend class XdrVisitor<XdrFiller>;

    template <typename T>
    void Item(std::optional<T>& item)
    {
        Item(item.emplace());
    }

    template <typename T>
    void Item(T& item)
    {
        if constexpr (HAS_XDR_FIELDS<T, XdrFiller>)
        {
            VisitXdrFields(item, *this);
        }
    }
};

/// \return octets of \p value when encoded.
template <typename T>
[[nodiscard]] uint32_t
GetXdrSize(const T& value)
{
    XdrSizer sizer;
    sizer(value);
    return sizer.GetOctets();
}

/// \return octets of a T as it is made: without optional fields, octets of opaques and elements.
template <typename T>
[[nodiscard]] uint32_t
GetLeastXdrSize()
{
    return GetXdrSize(T());
}

/// \return the same with optional fields, and with handles of their greatest length.
template <typename T>
[[nodiscard]] uint32_t
GetFilledXdrSize()
{
    T value{};
    XdrFiller filler;
    filler(value);
    return GetXdrSize(value);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_XDR_SIZE_H
