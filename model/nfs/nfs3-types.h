/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_NFS3_TYPES_H
#define NFSRDMA_NFS_NFS3_TYPES_H

/**
 * \file
 * All of NFSv3's XDR: nfs3-status.h (nfsstat3, procedures), nfs3-attributes.h (fattr3, sattr3,
 * wcc_data, handles, the bulk data item), nfs3-args.h and nfs3-results.h (one struct a procedure).
 */

#include "nfs/nfs3-args.h"
#include "nfs/nfs3-attributes.h"
#include "nfs/nfs3-results.h"
#include "nfs/nfs3-status.h"

#endif // NFSRDMA_NFS_NFS3_TYPES_H
