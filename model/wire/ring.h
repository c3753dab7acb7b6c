/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_RING_H
#define NFSRDMA_WIRE_RING_H

#include <algorithm>
#include <array>
#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <functional>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief A double-ended queue in one block of memory, for queues of which there are many that are
 * short or empty: an empty one has no memory, where std::deque has more than 512 octets.
 *
 * A boost::circular_buffer that grows when it is full. References and iterators are valid until
 * something is added, or an element other than the first or the last is removed. A block of more
 * than 1 KiB is given back when the last element is removed.
 */
template <typename T>
class Ring : public boost::circular_buffer<T>
{
    using Base = boost::circular_buffer<T>;

  public:
    using Base::Base;
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

    void pop_front()
    {
        Base::pop_front();
        GiveBack();
    }

    void pop_back()
    {
        Base::pop_back();
        GiveBack();
    }

    void clear()
    {
        Base::clear();
        GiveBack();
    }

    /// Adds \p element before \p before. \return where it is
    iterator insert(const_iterator before, T element)
    {
        const auto distance = before - this->cbegin();
        push_back(std::move(element));
        const auto place = this->begin() + distance;
        std::rotate(place, this->end() - 1, this->end());
        return place;
    }

    /// Adds \p element behind those that \p key puts no later: the others are in the order of \p
    /// key, a function of an element or a member of it. \return where it is
    template <typename Key>
    iterator InsertInOrder(T element, Key key)
    {
        auto place = this->end();
        while (place != this->begin() && std::invoke(key, element) < std::invoke(key, *(place - 1)))
        {
            --place;
        }
        return insert(place, std::move(element));
    }

    /// \return where what followed \p at is now.
    iterator erase(const_iterator at)
    {
        return erase(at, at + 1);
    }

    /// \return where what followed is now.
    iterator erase(const_iterator first, const_iterator last)
    {
        const auto distance = first - this->cbegin();
        const auto count = last - first;
        if (distance == 0)
        {
            Base::erase_begin(count);
        }
        else if (count != 0)
        {
            const auto place = this->begin() + distance;
            std::move(place + count, this->end(), place);
            Base::erase_end(count);
        }
        GiveBack();
        return this->begin() + distance;
    }

  private:
    /// Octets of an element.
    static constexpr std::size_t ELEMENT = sizeof(std::array<T, 1>);
    /// Octets of the first block, if an element is not larger.
    static constexpr std::size_t FIRST_BLOCK = 64;
    /// Octets of a block that an empty ring keeps.
    static constexpr std::size_t MOST_KEPT = 1024;
    /// Elements up to which a block is doubled; larger ones grow by a quarter.
    static constexpr std::size_t DOUBLED = 8;

    /// Makes room for one more.
    void Grow()
    {
        if (!this->full())
        {
            return;
        }
        const std::size_t capacity = this->capacity();
        Base larger(capacity == 0 ? std::max<std::size_t>(1, FIRST_BLOCK / ELEMENT)
                                  : capacity + std::max(capacity / 4, std::min(capacity, DOUBLED)));
        for (T& element : *this)
        {
            larger.push_back(std::move(element));
        }
        this->swap(larger);
    }

    void GiveBack()
    {
        if (this->empty() && this->capacity() * ELEMENT > MOST_KEPT)
        {
            Base().swap(*this);
        }
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_RING_H
