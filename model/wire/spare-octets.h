/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_SPARE_OCTETS_H
#define NFSRDMA_WIRE_SPARE_OCTETS_H

#include "wire/bytes.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Room for octets that is lent for a while: what each of many connections uses for a moment
 * now and then, they have together.
 *
 * The room given back last is lent first, as it is warm.
 */
class SpareOctets
{
  public:
    /// \return room that has been used before, if there is some; of any size, with any octets in
    /// it. It need not come back.
    [[nodiscard]] static ByteVector Take()
    {
        if (s_spare.empty())
        {
            return {};
        }
        ByteVector octets = std::move(s_spare.back());
        s_spare.pop_back();
        return octets;
    }

    /// Gives \p octets back, which are none afterwards.
    static void Give(ByteVector&& octets)
    {
        ByteVector given = std::move(octets);
        octets = ByteVector();
        if (given.capacity() != 0 && given.capacity() <= MOST_OCTETS && s_spare.size() < MOST)
        {
            s_spare.push_back(std::move(given));
        }
    }

    /// \return how many there are to lend.
    [[nodiscard]] static std::size_t Count()
    {
        return s_spare.size();
    }

  private:
    static constexpr std::size_t MOST = 64;
    static constexpr std::size_t MOST_OCTETS = 65536;

    static inline std::vector<ByteVector> s_spare;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_SPARE_OCTETS_H
