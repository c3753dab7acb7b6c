/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_XDR_TEXT_H
#define NFSRDMA_NFS_TYPES_XDR_TEXT_H

#include "nfs/types/xdr-fields.h"

#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>

namespace ns3::nfsrdma
{

/// Whether values of T have names.
template <typename T, typename = void>
inline constexpr bool HAS_NAMES = false;

template <typename T>
inline constexpr bool HAS_NAMES<T, std::void_t<decltype(ToString(std::declval<T>()))>> = true;

/**
 * \brief Prints fields for people, in the order of the XDR: numbers, names of enumerations, strings
 * in quotes, opaques in hexadecimal, lists in brackets, structures in braces, "-" for what is not
 * there and the length of bulk data.
 */
class XdrPrinter : public XdrVisitor<XdrPrinter>
{
  public:
    static constexpr bool READS = false;

    explicit XdrPrinter(std::ostream& stream)
        : m_stream(stream)
    {
    }

    template <typename T>
    void Bounded(const T& item, uint32_t /* limit */)
    {
        Item(item);
    }

    template <typename T, typename... Limit>
    void List(const std::vector<T>& items, Limit... /* limit */)
    {
        Item(items);
    }

    template <std::size_t N>
    void Opaque(const std::array<uint8_t, N>& octets, uint32_t length)
    {
        PrintOctets(ByteSpan(octets.data(), length));
    }

    void Data(const Nfs3Data& data, uint32_t /* limit */ = XDR_UNLIMITED)
    {
        Separate() << data.length << (data.reduced ? " octets elsewhere" : " octets");
    }

  private:
    friend class XdrVisitor<XdrPrinter>;

    /// Octets of an opaque that are printed.
    static constexpr std::size_t SHOWN = 32;

    std::ostream& Separate()
    {
        m_stream << (m_first ? "" : ", ");
        m_first = false;
        return m_stream;
    }

    /// Prints what \p print does between \p begin and \p end.
    template <typename Print>
    void Enclose(char begin, char end, Print print)
    {
        Separate() << begin;
        m_first = true;
        print();
        m_first = false;
        m_stream << end;
    }

    void PrintOctets(ByteSpan octets)
    {
        constexpr const char* DIGITS = "0123456789abcdef";
        Separate() << "0x";
        for (std::size_t i = 0; i < std::min<std::size_t>(octets.size(), SHOWN); ++i)
        {
            m_stream << DIGITS[octets[i] >> 4] << DIGITS[octets[i] & 15];
        }
        if (octets.size() > SHOWN)
        {
            m_stream << "... (" << octets.size() << " octets)";
        }
    }

    void Item(bool value)
    {
        Separate() << (value ? "true" : "false");
    }

    template <typename T>
    std::enable_if_t<std::is_integral_v<T>> Item(T value)
    {
        Separate() << +value;
    }

    template <typename T>
    std::enable_if_t<std::is_enum_v<T>> Item(T value)
    {
        if constexpr (HAS_NAMES<T>)
        {
            Separate() << ToString(value);
        }
        else
        {
            Separate() << +static_cast<std::underlying_type_t<T>>(value);
        }
    }

    void Item(const std::string& text)
    {
        Separate() << std::quoted(text);
    }

    void Item(const ByteVector& octets)
    {
        PrintOctets(octets);
    }

    template <std::size_t N>
    void Item(const std::array<uint8_t, N>& octets)
    {
        PrintOctets(octets);
    }

    template <typename T>
    void Item(const std::optional<T>& item)
    {
        if (item)
        {
            Item(*item);
        }
        else
        {
            Separate() << '-';
        }
    }

    template <typename T>
    void Item(const std::vector<T>& items)
    {
        Enclose('[', ']', [&] {
            for (const T& item : items)
            {
                Item(item);
            }
        });
    }

    template <typename T>
    std::enable_if_t<std::is_class_v<T>> Item(const T& item)
    {
        if constexpr (HAS_XDR_FIELDS<const T, XdrPrinter>)
        {
            Enclose('{', '}', [&] { VisitXdrFields(item, *this); });
        }
        else
        {
            XdrWriter writer;
            item.Encode(writer);
            PrintOctets(writer.GetOctets());
        }
    }

    std::ostream& m_stream;
    bool m_first{true};
};

/// \return \p value for people: see XdrPrinter.
template <typename T>
std::string
ToText(const T& value)
{
    std::ostringstream text;
    XdrPrinter printer(text);
    printer(value);
    return text.str();
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_XDR_TEXT_H
