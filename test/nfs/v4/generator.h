/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V4_GENERATOR_H
#define NFSRDMA_TEST_NFS_V4_GENERATOR_H

#include "nfs/v4/protocol/callback.h"

#include <deque>
#include <limits>
#include <random>
#include <string>

namespace ns3::nfsrdma::test
{

/**
 * \brief NFSv4 messages with random fields, the same for a seed on every machine.
 *
 * Fills any message by the same list of fields that writes and reads it: this is a third visitor
 * beside XdrEncoder and XdrDecoder.
 */
class Nfs4Generator : public XdrVisitor<Nfs4Generator>
{
  public:
    static constexpr bool READS = true;

    explicit Nfs4Generator(uint64_t seed)
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
        for (auto& octet : octets)
        {
            octet = static_cast<uint8_t>(m_engine());
        }
        return octets;
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

    /// Results get this status; absent: a random one, NFS4_OK more often than not.
    void SetStatus(std::optional<Nfs4Status> status)
    {
        m_status = status;
    }

    /// Fills \p value until its fields are valid together.
    template <typename T>
    void Fill(T& value)
    {
        do
        {
            m_valid = true;
            value = T{};
            (*this)(value);
        } while (!m_valid);
    }

    /// \return arguments of a random operation of \p minorVersion; \p ops as numbered there.
    Nfs4ArgOp ArgOp(uint32_t minorVersion)
    {
        constexpr uint32_t COUNT = std::variant_size_v<Nfs4ArgOp::Variant> - 1;
        Nfs4ArgOp op;
        do
        {
            FillAlternative(op, Below(COUNT));
        } while (!IsLegal(static_cast<uint32_t>(GetOp(op)), minorVersion));
        return op;
    }

    template <typename Union>
    void FillAlternative(Union& value, std::size_t index)
    {
        Emplace(value,
                index,
                std::make_index_sequence<std::variant_size_v<typename Union::Variant>>());
        std::visit([this](auto& operation) { this->Fill(operation); }, value);
    }

    Nfs4Attributes Attributes(const Nfs4Bitmap& mask)
    {
        Nfs4Attributes attributes;
        Nfs4Attributes::ForEach(attributes, [this, &mask](Nfs4Attr attribute, auto& value) {
            if (mask.Has(static_cast<uint32_t>(attribute)))
            {
                (*this)(value.emplace());
            }
        });
        return attributes;
    }

    Nfs4Bitmap AttrMask(uint32_t last = NFS4_LAST_ATTR)
    {
        Nfs4Bitmap mask;
        const uint32_t odds = 1 + Below(20);
        for (uint32_t i = 0; i <= last; ++i)
        {
            if (Below(odds) == 0)
            {
                mask.Set(i);
            }
        }
        return mask;
    }

    template <typename T>
    void Bounded(T& item, uint32_t limit)
    {
        Limited(item, limit);
    }

    void Data(Nfs3Data& data)
    {
        if (m_reduce && Coin())
        {
            data = Nfs3Data::Reduced(1 + Below(m_reducedLimit));
            return;
        }
        m_data.push_back(Octets(Below(m_maxOctets + 1)));
        data = Nfs3Data(m_data.back());
    }

    template <typename T>
    void List(std::vector<T>& items)
    {
        while (Coin())
        {
            Item(items.emplace_back());
        }
    }

    void Fail()
    {
        m_valid = false;
    }

  private:
    friend class XdrVisitor<Nfs4Generator>;

    template <typename Union, std::size_t... I>
    static void Emplace(Union& value, std::size_t index, std::index_sequence<I...>)
    {
        static_cast<void>(((index == I ? (value.template emplace<I>(), true) : false) || ...));
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

    void Item(Nfs4Status& status)
    {
        constexpr std::array<Nfs4Status, 10> STATUSES{Nfs4Status::OK,
                                                      Nfs4Status::OK,
                                                      Nfs4Status::OK,
                                                      Nfs4Status::OK,
                                                      Nfs4Status::OK,
                                                      Nfs4Status::NOENT,
                                                      Nfs4Status::DENIED,
                                                      Nfs4Status::TOOSMALL,
                                                      Nfs4Status::CLID_INUSE,
                                                      Nfs4Status::LAYOUTTRYLATER};
        status = m_status.value_or(STATUSES.at(Below(STATUSES.size())));
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
        const ByteVector random = Octets(N);
        std::copy(random.begin(), random.end(), octets.begin());
    }

    template <typename T>
    void Item(std::optional<T>& item)
    {
        if (Coin())
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
        constexpr uint32_t FIRST = XDR_ENUM_RANGE<T>.first;
        constexpr uint32_t LAST = std::min(XDR_ENUM_RANGE<T>.last, FIRST + 9);
        value = static_cast<T>(FIRST + Below(LAST - FIRST + 1));
    }

    void Item(Nfs4Bitmap& mask)
    {
        mask = AttrMask();
    }

    void Item(Nfs4Fh& handle)
    {
        handle = Nfs4Fh(Octets(Below(NFS4_FHSIZE + 1)));
    }

    void Item(Nfs4Attributes& attributes)
    {
        attributes = Attributes(AttrMask());
    }

    template <typename T>
    std::enable_if_t<std::is_class_v<T>> Item(T& item)
    {
        VisitXdrFields(item, *this);
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
            Item(item);
        }
    }

    std::mt19937_64 m_engine;
    uint32_t m_maxElements{4};
    uint32_t m_maxOctets{40};
    bool m_reduce{false};
    uint32_t m_reducedLimit{0};
    std::optional<Nfs4Status> m_status;
    bool m_valid{true};
    std::deque<ByteVector> m_data; ///< Behind the bulk items that were given inline.
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V4_GENERATOR_H
