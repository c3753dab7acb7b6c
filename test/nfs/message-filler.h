/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_MESSAGE_FILLER_H
#define NFSRDMA_TEST_NFS_MESSAGE_FILLER_H

#include "nfs/types/xdr-fields.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::nfsrdma::test
{

/**
 * \brief Messages with random fields, the same for a seed on every machine.
 *
 * Fills any type that has fields, by the list that writes, reads and sizes it: one more visitor
 * beside XdrEncoder, XdrDecoder and XdrSizer. What a protocol's own types need is an Item() of
 * Derived.
 */
template <typename Derived>
class MessageFiller : public XdrVisitor<Derived>
{
  public:
    static constexpr bool READS = true;

    explicit MessageFiller(uint64_t seed)
        : m_engine(seed)
    {
    }

    uint32_t Below(uint32_t limit)
    {
        return static_cast<uint32_t>(m_engine() % limit);
    }

    bool Coin()
    {
        return Below(2) == 1;
    }

    uint64_t U64()
    {
        return m_engine();
    }

    ByteVector Octets(uint32_t length)
    {
        ByteVector octets(length);
        std::generate(octets.begin(), octets.end(), [this] {
            return static_cast<uint8_t>(m_engine());
        });
        return octets;
    }

    /// Of 1 to \p limit letters.
    std::string Name(uint32_t limit)
    {
        std::string name(1 + Below(limit), 'a');
        std::generate(name.begin(), name.end(), [this] {
            return static_cast<char>('a' + Below(26));
        });
        return name;
    }

    /// Arrays get at most this many elements. Default 4.
    void SetMaxElements(uint32_t elements)
    {
        m_maxElements = elements;
    }

    /// Opaques and strings get at most this many octets, unless XDR allows less. Default 40.
    void SetMaxOctets(uint32_t octets)
    {
        m_maxOctets = octets;
    }

    /// Bulk items are given as reduced ones, with a random length up to \p limit, with even odds.
    void SetReduction(bool reduce, uint32_t limit = 10000)
    {
        m_reduce = reduce;
        m_reducedLimit = limit;
    }

    /// Fills \p value until its fields are valid together.
    template <typename T>
    void Fill(T& value)
    {
        do
        {
            m_valid = true;
            value = T{};
            Self().Item(value);
        } while (!m_valid);
    }

    /// \return a T with random fields.
    template <typename T>
    T Make()
    {
        T value{};
        Fill(value);
        return value;
    }

    // What a list of fields calls.
    template <typename T>
    void Bounded(T& item, uint32_t limit)
    {
        Limited(item, limit);
    }

    template <typename T, typename... Limit>
    void List(std::vector<T>& items, Limit... limit)
    {
        items.resize(Below(m_maxElements + 1));
        for (T& item : items)
        {
            if constexpr (sizeof...(limit) == 0)
            {
                Self().Item(item);
            }
            else
            {
                Limited(item, limit...);
            }
        }
    }

    template <std::size_t N>
    void Opaque(std::array<uint8_t, N>& octets, uint32_t& length)
    {
        length = Below(N + 1);
        const ByteVector random = Octets(length);
        std::copy(random.begin(), random.end(), octets.begin());
    }

    void Data(Nfs3Data& data, uint32_t limit = XDR_UNLIMITED)
    {
        if (m_reduce && Coin())
        {
            data = Nfs3Data::Reduced(1 + Below(std::min(limit, m_reducedLimit)));
            return;
        }
        m_data.push_back(Octets(Below(std::min(limit, m_maxOctets) + 1)));
        data = Nfs3Data(m_data.back());
    }

    void Fail()
    {
        m_valid = false;
    }

    template <typename T>
    std::enable_if_t<std::is_integral_v<T>> Item(T& value)
    {
        // Small numbers too: they are the discriminators of unions.
        value = static_cast<T>(Coin() ? Below(8) : m_engine());
    }

    void Item(bool& value)
    {
        value = Coin();
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
        const ByteVector random = Octets(N);
        std::copy(random.begin(), random.end(), octets.begin());
    }

    template <typename T>
    void Item(std::optional<T>& item)
    {
        if (Coin())
        {
            Self().Item(item.emplace());
        }
    }

    template <typename T>
    void Item(std::vector<T>& items)
    {
        Limited(items, XDR_UNLIMITED);
    }

    /// The first value with even odds: of a status it is the one that has results behind it.
    template <typename T>
    std::enable_if_t<std::is_enum_v<T>> Item(T& value)
    {
        constexpr uint32_t FIRST = XDR_ENUM_RANGE<T>.first;
        constexpr uint32_t LAST = std::min(XDR_ENUM_RANGE<T>.last, FIRST + 9);
        value = static_cast<T>(Coin() ? FIRST : FIRST + Below(LAST - FIRST + 1));
    }

    template <typename T>
    std::enable_if_t<std::is_class_v<T>> Item(T& item)
    {
        VisitXdrFields(item, Self());
    }

  private:
    Derived& Self()
    {
        return static_cast<Derived&>(*this);
    }

    void Limited(std::string& text, uint32_t limit)
    {
        text.assign(Below(std::min(limit, m_maxOctets) + 1), static_cast<char>('a' + Below(26)));
    }

    void Limited(ByteVector& octets, uint32_t limit)
    {
        octets = Octets(Below(std::min(limit, m_maxOctets) + 1));
    }

    template <typename T>
    void Limited(std::vector<T>& items, uint32_t limit)
    {
        items.resize(Below(std::min(limit, m_maxElements) + 1));
        for (T& item : items)
        {
            Self().Item(item);
        }
    }

    std::mt19937_64 m_engine;
    uint32_t m_maxElements{4};
    uint32_t m_maxOctets{40};
    bool m_reduce{false};
    uint32_t m_reducedLimit{0};
    bool m_valid{true};
    std::deque<ByteVector> m_data; ///< Behind the bulk items that were given inline.
};

/// Messages of all programs but NFSv4.
class MessageGenerator : public MessageFiller<MessageGenerator>
{
  public:
    using MessageFiller::MessageFiller;
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_MESSAGE_FILLER_H
