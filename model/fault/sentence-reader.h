/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_SENTENCE_READER_H
#define NFSRDMA_FAULT_SENTENCE_READER_H

#include "fault/sentence.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The words of a fault's sentence, read one after the other.
 *
 * The first error stays; from then on every word is the end, and what is read is worth nothing.
 */
class SentenceReader
{
  public:
    /// Times above this many seconds are refused.
    static constexpr double MAX_SECONDS = 1e9;
    /// The most times that something can be done.
    static constexpr uint64_t MANY = 1'000'000'000;

    explicit SentenceReader(std::string_view sentence);

    /// \return the next word, empty at the end.
    [[nodiscard]] std::string_view Peek() const;

    [[nodiscard]] bool IsAtEnd() const
    {
        return m_error || m_next >= m_words.size();
    }

    [[nodiscard]] bool IsOk() const
    {
        return !m_error;
    }

    [[nodiscard]] const FaultError& GetError() const
    {
        return *m_error;
    }

    /// \return the next word, which is passed.
    std::string_view Next();
    /// Passes the next word if it is \p word. \return whether it was.
    bool Accept(std::string_view word);
    /// As Accept(); another one is an error.
    void Expect(std::string_view word);
    /// As Expect(), of two forms of a word.
    void ExpectEither(std::string_view one, std::string_view other);
    /// The next word is an error.
    void Fail(const std::string& expected, std::vector<std::string> candidates = {});

    /// Each reads a word; one of another kind is an error, and gives zero.
    Time ReadTime();
    Time ReadDuration(); ///< A time above zero.
    uint64_t ReadNumber(uint64_t least, uint64_t most, const std::string& what);
    uint32_t ReadXid();
    double ReadProbability();
    std::string ReadHost();
    /// \return the number of an ordinal such as "3rd"; none when the next word is not like one.
    std::optional<uint64_t> ReadOrdinal();
    /// \return true when the next word is a number.
    [[nodiscard]] bool IsNumber() const;

  private:
    std::vector<std::string_view> m_words;
    std::size_t m_next{0};
    std::optional<FaultError> m_error;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_SENTENCE_READER_H
