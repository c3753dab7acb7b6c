/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_SIZE_METER_H
#define NFSRDMA_NFS_V4_PROTOCOL_SIZE_METER_H

#include "nfs/v4/protocol/attributes.h"
#include "nfs/v4/protocol/callback-compound.h"
#include "nfs/v4/protocol/reply-size.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Adds up how small and how large the fields of a type can be, by the list that encodes
 * them: a visitor beside XdrEncoder and XdrDecoder.
 *
 * Arms of unions are those of the values that the type has when it is visited; a bitmap has at most
 * the words that attributes need. Whatever XDR does not bound makes the sum a guess.
 */
class Nfs4SizeMeter : public XdrVisitor<Nfs4SizeMeter>
{
  public:
    static constexpr bool READS = false;
    static constexpr uint32_t WORD = 4;
    static constexpr uint32_t MAX_BITMAP = WORD + WORD * (NFS4_LAST_ATTR / 32 + 1);

    /// \param request attributes that can be in an fattr4; null: it stands on its own
    explicit Nfs4SizeMeter(const Nfs4SizeGuess& guess, const Nfs4Bitmap* request = nullptr)
        : m_guess(guess),
          m_request(request)
    {
    }

    /// Takes sizes that the meter cannot know for those of the next array or opaque.
    void Add(uint32_t minimum, uint32_t maximum)
    {
        m_minimum += minimum;
        m_maximum += maximum;
    }

    void AddUnbounded(uint32_t minimum, uint32_t guess)
    {
        Add(minimum, guess);
        m_bounded = false;
    }

    [[nodiscard]] uint32_t GetMinimum() const
    {
        return m_minimum;
    }

    [[nodiscard]] uint32_t GetMaximum() const
    {
        return m_maximum;
    }

    [[nodiscard]] bool IsBounded() const
    {
        return m_bounded;
    }

    template <typename T>
    void Bounded(const T& /* item */, uint32_t limit)
    {
        static_assert(std::is_same_v<T, ByteVector> || std::is_same_v<T, std::string>,
                      "only opaques are bounded in results");
        Add(WORD, WORD + RoundUp4(limit));
    }

    /// The length word alone: octets of bulk items are counted apart.
    void Data(const Nfs3Data& /* data */)
    {
        Add(WORD, WORD);
    }

    template <typename T>
    void List(const std::vector<T>& /* items */)
    {
        Add(WORD, WORD);
    }

  private:
    friend class XdrVisitor<Nfs4SizeMeter>;

    template <typename T>
    std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>> Item(T /* value */)
    {
        constexpr uint32_t SIZE = std::max<uint32_t>(WORD, sizeof(T));
        Add(SIZE, SIZE);
    }

    void Item(const std::string& /* text */)
    {
        AddUnbounded(WORD, WORD + RoundUp4(m_guess.ownerOctets));
    }

    void Item(const ByteVector& /* octets */)
    {
        AddUnbounded(WORD, WORD + RoundUp4(m_guess.otherOctets));
    }

    template <std::size_t N>
    void Item(const std::array<uint8_t, N>& /* octets */)
    {
        Add(RoundUp4(N), RoundUp4(N));
    }

    template <typename T>
    void Item(const std::optional<T>& /* item */)
    {
        Add(WORD, WORD);
        const uint32_t minimum = m_minimum;
        Item(T{});
        m_minimum = minimum;
    }

    template <typename T>
    void Item(const std::vector<T>& /* items */)
    {
        const bool isAcl = std::is_same_v<T, NfsAce4>;
        AddUnbounded(WORD, WORD + RoundUp4(isAcl ? m_guess.aclOctets : m_guess.otherOctets));
    }

    void Item(const Nfs4Bitmap& /* mask */)
    {
        Add(WORD, MAX_BITMAP);
    }

    void Item(const Nfs4Fh& /* handle */)
    {
        Add(WORD, WORD + NFS4_FHSIZE);
    }

    void Item(const Nfs4Attributes& attributes);
    void Item(const OpenDelegation4& delegation);

    template <typename T>
    std::enable_if_t<std::is_class_v<T>> Item(const T& item)
    {
        VisitXdrFields(item, *this);
    }

    const Nfs4SizeGuess& m_guess;
    const Nfs4Bitmap* m_request;
    uint32_t m_minimum{0};
    uint32_t m_maximum{0};
    bool m_bounded{true};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_SIZE_METER_H
