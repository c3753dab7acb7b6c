/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_FIO_JOB_H
#define NFSRDMA_WORKLOAD_GENERATE_FIO_JOB_H

#include "wire/ring.h"
#include "workload/file-io.h"
#include "workload/generate/request-stream.h"
#include "workload/generate/weighted-choice.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

constexpr uint32_t PERCENT = 100;

/// What the requests of fio jobs are.
struct FioPattern
{
    bool random{false};
    /// Of requests that are reads: 100 none but reads, 0 none but writes.
    uint32_t readPercent{PERCENT};
    WeightedChoice sizes;
    std::vector<uint32_t> octets; ///< Of the items of sizes.
    uint64_t fileSize{0};         ///< Octets of each file.
    uint32_t fsync{0};            ///< A Sync() after so many writes to a file; 0: none.
    bool endFsync{false};         ///< A Sync() of each file at the end.
    RequestStream::Settings stream;
};

/**
 * \brief One job of a FioWorkload: a stream of reads and writes on files of its own, in turn.
 *
 * Sequential offsets go on in each file and begin again at its end, reads and writes together;
 * random ones are multiples of the smallest block size. A request that would overlap an outstanding
 * one, of which one is a write, moves on to the next free place, or waits when there is none: fio's
 * serialize_overlap, so that all content can be verified.
 */
class FioJob
{
  public:
    /// Called for each request that has completed, and each Sync(): which ("read", "write",
    /// "sync"), when it arrived, when it ended, what became of it.
    using Recorder = std::function<
        void(const char* item, Time arrived, Time ended, const FileIo::Result& result)>;

    explicit FioJob(const FioPattern& pattern);
    /// \return how many streams it took.
    int64_t AssignStreams(int64_t stream);

    /// \param files at least one
    /// \param finished called once, when the last request has completed and files are closed
    void Start(std::vector<std::unique_ptr<FileIo>> files,
               Recorder recorder,
               std::function<void()> finished);

    /// Starts nothing more: what has arrived is its last.
    void Drain()
    {
        m_stream.Drain();
    }

    /// \return requests started.
    [[nodiscard]] uint64_t GetStarted() const
    {
        return m_stream.GetStarted();
    }

    /// \return requests that wait for a place that no outstanding one overlaps.
    [[nodiscard]] std::size_t GetWaiting() const
    {
        return m_waiting.size();
    }

  private:
    struct Request
    {
        bool write{false};
        std::size_t file{0};
        uint64_t offset{0};
        uint32_t count{0};
        Time arrived;
    };

    uint64_t StartRequest(Time arrived);
    /// Finds a free place for it, from where it is on. \return false when there is none.
    bool Place(Request& request) const;
    [[nodiscard]] bool IsFree(const Request& request) const;
    void Issue(const Request& request);

    /// A write of which two things are to come: it has returned, its octets have been taken.
    struct Write
    {
        std::optional<Time> ended;
        std::optional<FileIo::Result> settled;
    };

    void EndRead(const Request& request, const FileIo::Result& result);
    void EndWrite(const Request& request);
    void RecordWrite(const Request& request, const Write& write);
    void Sync(std::size_t file, std::function<void()> done);
    /// A write to \p file has completed. \return true when a Sync() is due.
    bool CountWrite(std::size_t file);
    void Finish(const Request& request);
    void RetryWaiting();
    void EndFiles();
    void CloseFile(std::size_t file);

    FioPattern m_pattern;
    uint32_t m_alignment{1};
    RequestStream m_stream;
    Ptr<UniformRandomVariable> m_direction;
    Ptr<UniformRandomVariable> m_size;
    Ptr<UniformRandomVariable> m_offset;
    std::vector<std::unique_ptr<FileIo>> m_files;
    std::vector<uint64_t> m_next;   ///< Sequential: next offset of each file.
    std::vector<uint32_t> m_writes; ///< Of each file, since its last Sync().
    Recorder m_recorder;
    std::function<void()> m_finished;
    std::vector<Request> m_outstanding;
    Ring<Request> m_waiting;
    uint64_t m_turn{0};
    std::size_t m_closing{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_FIO_JOB_H
