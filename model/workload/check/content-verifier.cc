/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-verifier.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

std::string
Join(const std::string& directory, const std::string& name)
{
    return directory.empty() ? name : directory + "/" + name;
}

} // namespace

ContentVerifier::ContentVerifier(const ReferenceTree& reference, const FileStore& store)
    : m_reference(reference),
      m_store(store)
{
}

ContentCheck
ContentVerifier::Verify(InodeNumber root)
{
    m_check = {};
    m_seen.clear();
    VerifyEntry(ReferenceTree::ROOT, root, "");
    return m_check;
}

void
ContentVerifier::VerifyEntry(ReferenceId id, InodeNumber number, const std::string& path)
{
    const ReferenceObject& object = *m_reference.Find(id);
    const auto [seen, first] = m_seen.emplace(id, number);
    if (!first)
    {
        if (seen->second != number)
        {
            m_check.AddMismatch(path, 0, "is no hard link of " + m_reference.GetPath(id));
        }
        return;
    }
    const Inode& inode = m_store.Get(number);
    if (inode.attributes.type != object.type)
    {
        m_check.AddMismatch(path,
                            0,
                            std::string("is a ") + ToString(inode.attributes.type) + ", not a " +
                                ToString(object.type));
        return;
    }
    VerifyAcls(object, inode, path);
    switch (object.type)
    {
    case Ftype3::DIR:
        VerifyDirectory(id, number, path);
        break;
    case Ftype3::REG:
        VerifyFile(object, inode, path);
        break;
    case Ftype3::LNK:
        ++m_check.symlinks;
        if (inode.target != object.target)
        {
            m_check.AddMismatch(path, 0, "is a symbolic link to another path");
        }
        break;
    default:
        break;
    }
}

void
ContentVerifier::VerifyAcls(const ReferenceObject& object,
                            const Inode& inode,
                            const std::string& path)
{
    if (!object.acls.certain)
    {
        return;
    }
    ++m_check.accessLists;
    if (inode.accessAcl != object.acls.access || inode.defaultAcl != object.acls.defaultAcl)
    {
        m_check.AddMismatch(path, 0, "has other access lists than were set");
    }
}

void
ContentVerifier::VerifyDirectory(ReferenceId id, InodeNumber number, const std::string& path)
{
    ++m_check.directories;
    const ReferenceObject& object = *m_reference.Find(id);
    const Directory& directory = *m_store.Get(number).directory;
    const auto& uncertain = object.uncertainNames;
    m_check.uncertainNames += uncertain.size();
    for (const auto& [name, entry] : object.entries)
    {
        const auto present = directory.Find(name);
        if (uncertain.count(name) != 0)
        {
            continue;
        }
        if (!present)
        {
            m_check.AddMismatch(Join(path, name), 0, "is missing");
            continue;
        }
        VerifyEntry(entry, *present, Join(path, name));
    }
    for (const auto& [cookie, entry] : directory.GetEntries())
    {
        if (entry.name != "." && entry.name != ".." && object.entries.count(entry.name) == 0 &&
            uncertain.count(entry.name) == 0)
        {
            m_check.AddMismatch(Join(path, entry.name), 0, "should not be there");
        }
    }
}

void
ContentVerifier::VerifyFile(const ReferenceObject& object,
                            const Inode& inode,
                            const std::string& path)
{
    ++m_check.files;
    const FileContent& content = *object.content;
    if (content.IsSizeCertain() && inode.content->GetSize() != content.GetSize())
    {
        m_check.AddMismatch(path,
                            std::min(inode.content->GetSize(), content.GetSize()),
                            "has " + std::to_string(inode.content->GetSize()) + " octets, not " +
                                std::to_string(content.GetSize()));
    }
    VerifyOctets(object, inode, path);
}

void
ContentVerifier::VerifyOctets(const ReferenceObject& object,
                              const Inode& inode,
                              const std::string& path)
{
    constexpr uint64_t PIECE = 65536;
    const uint64_t size = inode.content->GetSize();
    ByteVector octets(std::min(size, PIECE));
    bool differs = false;
    for (uint64_t offset = 0; offset < size; offset += PIECE)
    {
        const auto piece = MutableByteSpan(octets).first(std::min<uint64_t>(PIECE, size - offset));
        inode.content->Read(offset, piece);
        const auto comparison = object.content->Compare(offset, piece);
        m_check.octets += comparison.compared;
        m_check.uncertainOctets += comparison.uncertain;
        if (comparison.mismatch && !differs)
        {
            differs = true;
            m_check.AddMismatch(path, *comparison.mismatch, "holds other octets than were written");
        }
    }
}

} // namespace ns3::nfsrdma
