/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_RING_H
#define NFSRDMA_WIRE_RING_H

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief A double-ended queue in one block of memory, for queues of which there are many that are
 * short or empty: an empty one has no memory, where std::deque has more than 512 octets.
 *
 * It has the members of std::deque that queues need, with the same meaning, but for references and
 * iterators: those are valid until something is added, or an element other than the first or the
 * last is removed. A block of more than 1 KiB is given back when the last element is removed.
 */
template <typename T>
class Ring
{
    template <typename Owner, typename Value>
    class BasicIterator
    {
      public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = Value*;
        using reference = Value&;

        BasicIterator() = default;

        BasicIterator(Owner* ring, std::size_t position)
            : m_ring(ring),
              m_position(position)
        {
        }

        /// An iterator becomes a const_iterator.
        operator BasicIterator<const Ring, const T>() const
        {
            return {m_ring, m_position};
        }

        reference operator*() const
        {
            return (*m_ring)[m_position];
        }

        pointer operator->() const
        {
            return &(*m_ring)[m_position];
        }

        reference operator[](difference_type distance) const
        {
            return *(*this + distance);
        }

        BasicIterator& operator++()
        {
            ++m_position;
            return *this;
        }

        BasicIterator operator++(int)
        {
            return {m_ring, m_position++};
        }

        BasicIterator& operator--()
        {
            --m_position;
            return *this;
        }

        BasicIterator operator--(int)
        {
            return {m_ring, m_position--};
        }

        BasicIterator& operator+=(difference_type distance)
        {
            m_position += distance;
            return *this;
        }

        BasicIterator& operator-=(difference_type distance)
        {
            m_position -= distance;
            return *this;
        }

        BasicIterator operator+(difference_type distance) const
        {
            return {m_ring, m_position + distance};
        }

        BasicIterator operator-(difference_type distance) const
        {
            return {m_ring, m_position - distance};
        }

        difference_type operator-(const BasicIterator& other) const
        {
            return static_cast<difference_type>(m_position - other.m_position);
        }

        bool operator==(const BasicIterator& other) const
        {
            return m_position == other.m_position;
        }

        bool operator!=(const BasicIterator& other) const
        {
            return m_position != other.m_position;
        }

        bool operator<(const BasicIterator& other) const
        {
            return m_position < other.m_position;
        }

        bool operator>(const BasicIterator& other) const
        {
            return other < *this;
        }

        bool operator<=(const BasicIterator& other) const
        {
            return !(other < *this);
        }

        bool operator>=(const BasicIterator& other) const
        {
            return !(*this < other);
        }

      private:
        Owner* m_ring{nullptr};
        std::size_t m_position{0}; ///< From the front.
    };

  public:
    using value_type = T;
    using iterator = BasicIterator<Ring, T>;
    using const_iterator = BasicIterator<const Ring, const T>;

    Ring() = default;

    ~Ring()
    {
        clear();
        Deallocate();
    }

    Ring(Ring&& other) noexcept
    {
        swap(other);
    }

    Ring& operator=(Ring&& other) noexcept
    {
        Ring(std::move(other)).swap(*this);
        return *this;
    }

    Ring(const Ring& other)
    {
        for (const T& element : other)
        {
            push_back(element);
        }
    }

    Ring& operator=(const Ring& other)
    {
        Ring(other).swap(*this);
        return *this;
    }

    void swap(Ring& other) noexcept
    {
        std::swap(m_elements, other.m_elements);
        std::swap(m_capacity, other.m_capacity);
        std::swap(m_first, other.m_first);
        std::swap(m_size, other.m_size);
    }

    [[nodiscard]] bool empty() const
    {
        return m_size == 0;
    }

    [[nodiscard]] std::size_t size() const
    {
        return m_size;
    }

    /// \return elements that there is memory for.
    [[nodiscard]] std::size_t capacity() const
    {
        return m_capacity;
    }

    [[nodiscard]] T& operator[](std::size_t position)
    {
        return m_elements[Place(position)];
    }

    [[nodiscard]] const T& operator[](std::size_t position) const
    {
        return m_elements[Place(position)];
    }

    [[nodiscard]] T& front()
    {
        return m_elements[m_first];
    }

    [[nodiscard]] const T& front() const
    {
        return m_elements[m_first];
    }

    [[nodiscard]] T& back()
    {
        return (*this)[m_size - 1];
    }

    [[nodiscard]] const T& back() const
    {
        return (*this)[m_size - 1];
    }

    [[nodiscard]] iterator begin()
    {
        return {this, 0};
    }

    [[nodiscard]] const_iterator begin() const
    {
        return {this, 0};
    }

    [[nodiscard]] iterator end()
    {
        return {this, m_size};
    }

    [[nodiscard]] const_iterator end() const
    {
        return {this, m_size};
    }

    void push_back(T element)
    {
        Grow();
        std::uninitialized_move_n(&element, 1, m_elements + Place(m_size));
        ++m_size;
    }

    void push_front(T element)
    {
        Grow();
        const std::size_t first = (m_first == 0 ? m_capacity : m_first) - 1;
        std::uninitialized_move_n(&element, 1, m_elements + first);
        m_first = first;
        ++m_size;
    }

    void pop_front()
    {
        std::destroy_at(m_elements + m_first);
        m_first = m_first + 1 == m_capacity ? 0 : m_first + 1;
        --m_size;
        GiveBack();
    }

    void pop_back()
    {
        std::destroy_at(&back());
        --m_size;
        GiveBack();
    }

    /// Adds \p element before \p before. \return where it is
    iterator insert(const_iterator before, T element)
    {
        const auto position = std::as_const(*this).begin();
        const auto distance = before - position;
        push_back(std::move(element));
        const auto place = begin() + distance;
        std::rotate(place, end() - 1, end());
        return place;
    }

    /// \return where what followed \p at is now.
    iterator erase(const_iterator at)
    {
        return erase(at, at + 1);
    }

    /// \return where what followed is now.
    iterator erase(const_iterator first, const_iterator last)
    {
        const auto distance = first - std::as_const(*this).begin();
        auto count = last - first;
        const auto place = begin() + distance;
        if (distance == 0 || count == 0)
        {
            for (; count > 0; --count)
            {
                pop_front();
            }
            return place;
        }
        std::move(place + count, end(), place);
        for (; count > 0; --count)
        {
            pop_back();
        }
        return begin() + distance;
    }

    void clear()
    {
        while (!empty())
        {
            pop_back();
        }
        m_first = 0;
    }

  private:
    /// Octets of the first block, if an element is not larger.
    static constexpr std::size_t FIRST_BLOCK = 64;
    /// Octets of a block that an empty ring keeps.
    static constexpr std::size_t MOST_KEPT = 1024;
    /// Elements up to which a block is doubled; larger ones grow by a quarter.
    static constexpr std::size_t DOUBLED = 8;

    [[nodiscard]] std::size_t Place(std::size_t position) const
    {
        const std::size_t place = m_first + position;
        return place < m_capacity ? place : place - m_capacity;
    }

    /// Makes room for one more.
    void Grow()
    {
        if (m_size < m_capacity)
        {
            return;
        }
        const std::size_t capacity =
            m_capacity == 0 ? std::max<std::size_t>(1, FIRST_BLOCK / sizeof(T))
                            : m_capacity + std::max(m_capacity / 4, std::min(m_capacity, DOUBLED));
        T* const elements = std::allocator<T>().allocate(capacity);
        for (std::size_t position = 0; position < m_size; ++position)
        {
            T& element = (*this)[position];
            std::uninitialized_move_n(&element, 1, elements + position);
            std::destroy_at(&element);
        }
        Deallocate();
        m_elements = elements;
        m_capacity = capacity;
        m_first = 0;
    }

    void GiveBack()
    {
        if (m_size == 0 && m_capacity * sizeof(T) > MOST_KEPT)
        {
            Deallocate();
            m_elements = nullptr;
            m_capacity = 0;
            m_first = 0;
        }
    }

    void Deallocate()
    {
        if (m_elements != nullptr)
        {
            std::allocator<T>().deallocate(m_elements, m_capacity);
        }
    }

    T* m_elements{nullptr};
    std::size_t m_capacity{0};
    std::size_t m_first{0}; ///< Place of the front.
    std::size_t m_size{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_RING_H
