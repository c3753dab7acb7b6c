/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_MIX_H
#define NFSRDMA_WORKLOAD_GENERATE_MIX_H

#include "settings/setting.h"
#include "workload/generate/measured-files.h"
#include "workload/generate/mix-operations.h"
#include "workload/generate/mix-ranges.h"
#include "workload/generate/mix-setup.h"
#include "workload/generate/request-stream.h"
#include "workload/generate/weighted-choice.h"

#include "ns3/random-variable-stream.h"

#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A mix of metadata operations and small READs and WRITEs on files of its own. Closed loop:
 * QueueDepth places, each with one operation outstanding or in its think time. Open loop:
 * operations arrive by themselves, and QueueDepth of them are outstanding at most.
 *
 * SETUP makes a directory named as the workload, "mix", with Files files of FileSize octets and
 * Symlinks symbolic links. In RUN each operation is chosen by its weight in OperationMix:
 *
 *     getattr setattr access lookup read write commit   on a file chosen at random
 *     readlink                                          of a link chosen at random
 *     create symlink                                    a new name, which a later remove takes away
 *     read_plus seek allocate deallocate                on a file, with NFSv4.2
 *     copy clone                                        from one file to another, with NFSv4.2
 *     remove                                            the oldest such name; a create if there is
 * none readdir readdirplus                               of the directory, page after page fsstat
 * of the export
 *
 * With LargeDirectoryEntries there is a second directory, of so many empty files; a readdir or
 * readdirplus is of its first page with the probability LargeDirectoryFraction.
 *
 * In a shared tree all clients work on the same files, directories and links, and what one has made
 * any may take away; names begin with the index of the client. A READ or WRITE may then overlap
 * those of others.
 *
 * A create is OPEN and CLOSE with NFSv4. READs and WRITEs have no more octets than the client's
 * TransferSize. Results: an item for each of these names; latency counts from arrival.
 *
 * A READ or WRITE that would overlap an outstanding one, of which one is a WRITE, moves to another
 * place of the file or another file; it waits when there is none. So all content can be verified.
 * That goes for what NFSv4.2 does with ranges, too; a seek looks at all that follows a place, and
 * what is outstanding there is not verified. Files are not made longer.
 *
 * Attributes: Files, Symlinks (count), FileSize, IoAlignment, SetupIoSize, DirectoryCount (octets),
 * OperationMix, IoSizes (lists NAME:WEIGHT), Stable, QueueDepth, ThinkTime (Time),
 * ThinkTimeDistribution, Operations (count), Duration (Time), AllowOverlap, LargeDirectoryEntries
 * (count), LargeDirectoryFraction (0 to 1), CopySize (octets), those of arrivals as of
 * RequestWorkload.
 */
class MixWorkload : public FileWorkload
{
  public:
    enum Distribution
    {
        CONSTANT,
        EXPONENTIAL
    };

    /// What can be set: mix.def has the fields.
    struct Settings
    {
#define SETTING(type, name, ...) type name{};
#define SETTING_PART(part, name, ...)
#include "workload/generate/mix.def"
#undef SETTING_PART
#undef SETTING

        MixRanges::Settings ranges;
        MixOperations::Settings listings;
        ArrivalProcess::Settings arrivals;

        [[nodiscard]] static const std::vector<Setting<Settings>>& GetRows();
    };

    static TypeId GetTypeId();
    MixWorkload();

    /// \return nothing when \p text can be the attribute OperationMix, else what is expected.
    [[nodiscard]] static tl::expected<void, std::string> CheckOperationMix(const std::string& text);
    /// \return nothing when \p text can be the attribute IoSizes, else what is expected.
    [[nodiscard]] static tl::expected<void, std::string> CheckIoSizes(const std::string& text);
    /// \return nothing when the attributes fit together, else what is expected of which attribute.
    /// A workload whose attributes do not must not be started.
    [[nodiscard]] tl::expected<void, std::string> Validate() const override;

    /// \return operations that did not succeed, by name.
    [[nodiscard]] Counts GetErrors() const
    {
        return m_errors;
    }

    /// \return the attribute Operations.
    [[nodiscard]] uint64_t GetPlanned() const override
    {
        return m_settings.operations;
    }

    /// \return operations of the RUN phase completed.
    [[nodiscard]] uint64_t GetProgress() const override
    {
        return m_completed;
    }

    void SetArrivalTimes(const std::shared_ptr<const std::vector<Time>>& times) override
    {
        m_settings.arrivals.times = times;
    }

    [[nodiscard]] bool CanDrain() const override
    {
        return true;
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoStart() override;
    void DoSetUp() override;
    void DoDrain() override;
    void DoDispose() override;

  private:
    bool SetOperationMix(const std::string& text);

    [[nodiscard]] std::string GetOperationMix() const
    {
        return m_operationMixText;
    }

    bool SetIoSizes(const std::string& text);

    [[nodiscard]] std::string GetIoSizes() const
    {
        return m_ioSizesText;
    }

    [[nodiscard]] uint64_t GetWeight(const std::string& name) const;

    [[nodiscard]] RequestStream::Settings GetStreamSettings();
    void EndSetup();
    void Run();
    void StartOperation(Time arrived);
    /// An operation has completed.
    void EndOperation(const char* item, Time arrived, uint64_t octets, const FileReply& reply);
    /// All operations have completed: closes the files, one after the other.
    void CloseFiles();
    [[nodiscard]] Time DrawThinkTime();

    Settings m_settings;
    std::string m_operationMixText;
    WeightedChoice m_operationMix;
    std::vector<MixOperations::Starter> m_starters; ///< Of the items of m_operationMix.
    std::string m_ioSizesText;

    Ptr<UniformRandomVariable> m_operationStream;
    MixRanges::Streams m_rangeStreams;
    Ptr<ExponentialRandomVariable> m_thinkStream;
    Ptr<UniformRandomVariable> m_listingStream;

    std::unique_ptr<MixSetup> m_setup;
    MixTree m_tree;
    std::unique_ptr<MixRanges> m_ranges;
    std::unique_ptr<MixOperations> m_operations;
    std::optional<int64_t> m_arrivalStream; ///< Number of the random stream of arrivals.
    std::unique_ptr<RequestStream> m_stream;
    uint64_t m_completed{0};
    Counts m_errors;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_MIX_H
