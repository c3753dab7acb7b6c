/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_TYPES3_H
#define NFSRDMA_NFS_V3_TYPES3_H

/**
 * \file
 * All of NFSv3's XDR: status3.h (nfsstat3, procedures), fattr.h (fattr3, sattr3,
 * wcc_data, handles, the bulk data item), arguments.h and results.h (one struct a procedure).
 */

#include "nfs/v3/arguments.h"
#include "nfs/v3/fattr.h"
#include "nfs/v3/results.h"
#include "nfs/v3/status3.h"

#endif // NFSRDMA_NFS_V3_TYPES3_H
