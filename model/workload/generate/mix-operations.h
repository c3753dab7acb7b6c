/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_MIX_OPERATIONS_H
#define NFSRDMA_WORKLOAD_GENERATE_MIX_OPERATIONS_H

#include "workload/generate/mix-ranges.h"
#include "workload/generate/mix-setup.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief The operations of a MixWorkload by name, each on what its setup has made: those on
 * attributes and names, and those of a MixRanges.
 */
class MixOperations
{
  public:
    struct Settings
    {
        uint32_t directoryCount{0};       ///< Octets of a page of a listing.
        double largeDirectoryFraction{0}; ///< Of listings, those of the large directory.
    };

    /// \param stream decides which listings are of the large directory
    MixOperations(VerifyingFileClient& client,
                  FileRef root,
                  const MixTree& tree,
                  MixRanges& ranges,
                  const Settings& settings,
                  Ptr<UniformRandomVariable> files,
                  Ptr<UniformRandomVariable> stream,
                  MixEnd end);

    /// Other clients make and take away names in the same directory: begins those that this one
    /// makes with \p prefix, and keeps what remove may take away in \p spares, which is theirs too
    /// and outlives this.
    void ShareNames(const std::string& prefix, std::deque<std::string>& spares)
    {
        m_prefix = prefix;
        m_spares = &spares;
    }

    /// Operations that start from now on have arrived at \p time.
    void SetArrival(Time time)
    {
        m_arrived = time;
    }

    /// Starts one operation.
    using Starter = std::function<void(MixOperations& operations)>;
    /// \return how to start the operation that an operation mix calls \p name, or nothing.
    [[nodiscard]] static Starter Find(const std::string& name);

  private:
    /// Where a listing of the directory goes on.
    struct Cursor
    {
        uint64_t cookie{0};
        uint64_t verifier{0};
    };

    void Getattr();
    void Setattr();
    void Access();
    void Lookup();
    void Readlink();
    void Commit();
    void Create();
    void Symlink();
    void Remove();
    void Readdir();
    void Readdirplus();
    void Fsstat();
    void List(const char* item, bool plus, Cursor& cursor);

    /// \return the completion of an operation of that name that starts now. \param spare a name
    /// that it makes, which a later remove takes away; empty: none
    [[nodiscard]] std::function<void(const FileReply&)> End(const char* item,
                                                            std::string spare = "");
    [[nodiscard]] const MixFile& DrawFile();

    VerifyingFileClient& m_client;
    FileRef m_root;
    const MixTree& m_tree;
    MixRanges& m_ranges;
    const Settings& m_settings;
    Ptr<UniformRandomVariable> m_fileStream;
    Ptr<UniformRandomVariable> m_listingStream;
    MixEnd m_end;
    std::string m_prefix; ///< Of names that are made.
    std::deque<std::string> m_ownSpares;
    std::deque<std::string>* m_spares{&m_ownSpares}; ///< Names that remove may take away, oldest
                                                     ///< first.
    uint64_t m_nextSpare{0};
    Cursor m_readdirCursor;
    Cursor m_readdirplusCursor;
    uint32_t m_nextMode{0};
    Time m_arrived;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_MIX_OPERATIONS_H
