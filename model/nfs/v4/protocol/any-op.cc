/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/any-op.h"

#include "nfs/v4/protocol/callback-compound.h"

namespace ns3::nfsrdma
{

template <typename OpVariant>
Nfs4AnyOp<OpVariant>::Nfs4AnyOp() = default;

template <typename OpVariant>
Nfs4AnyOp<OpVariant>::Nfs4AnyOp(const Nfs4AnyOp& other) = default;

template <typename OpVariant>
Nfs4AnyOp<OpVariant>::Nfs4AnyOp(Nfs4AnyOp&& other) noexcept = default;

template <typename OpVariant>
Nfs4AnyOp<OpVariant>& Nfs4AnyOp<OpVariant>::operator=(const Nfs4AnyOp& other) = default;

template <typename OpVariant>
Nfs4AnyOp<OpVariant>& Nfs4AnyOp<OpVariant>::operator=(Nfs4AnyOp&& other) noexcept = default;

template <typename OpVariant>
Nfs4AnyOp<OpVariant>::~Nfs4AnyOp() = default;

template class Nfs4AnyOp<Nfs4ArgVariant>;
template class Nfs4AnyOp<Nfs4ResVariant>;
template class Nfs4AnyOp<Nfs4CbArgVariant>;
template class Nfs4AnyOp<Nfs4CbResVariant>;

} // namespace ns3::nfsrdma
