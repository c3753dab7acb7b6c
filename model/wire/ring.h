/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_RING_H
#define NFSRDMA_WIRE_RING_H

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief A double-ended queue in one block of memory, for queues of which there are many that are
 * short or empty: an empty one has no memory, where std::deque has more than 512 octets.
 *
 * A boost::circular_buffer that grows when it is full. References and iterators are valid until
 * something is added, or an element other than the first or the last is removed. The memory is that
 * of the most elements there have been; clear() keeps it.
 */
template <typename T>
class Ring : public boost::circular_buffer<T>
{
    using Base = boost::circular_buffer<T>;

  public:
    using typename Base::const_iterator;
    using typename Base::iterator;

    void push_back(T element)
    {
        Grow();
        Base::push_back(std::move(element));
    }

    void push_front(T element)
    {
        Grow();
        Base::push_front(std::move(element));
    }

    /// Adds \p element before \p before. \return where it is
    iterator insert(const_iterator before, T element)
    {
        const auto distance = before - this->cbegin();
        Grow();
        return Base::insert(this->begin() + distance, std::move(element));
    }

    /// \return where what followed \p at is now.
    iterator erase(const_iterator at)
    {
        return Base::erase(this->begin() + (at - this->cbegin()));
    }

    /// \return where what followed is now.
    iterator erase(const_iterator first, const_iterator last)
    {
        const auto from = first - this->cbegin();
        return Base::erase(this->begin() + from, this->begin() + from + (last - first));
    }

  private:
    /// Octets of the first block, if an element is not larger.
    static constexpr std::size_t FIRST_BLOCK = 64;

    /// Makes room for one more.
    void Grow()
    {
        if (this->full())
        {
            const std::size_t more = this->capacity() + (this->capacity() + 1) / 2;
            this->set_capacity(std::max(more, std::max<std::size_t>(1, FIRST_BLOCK / sizeof(T))));
        }
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_RING_H
