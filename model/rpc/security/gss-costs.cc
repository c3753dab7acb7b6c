/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/security/gss-costs.h"

namespace ns3::nfsrdma
{

namespace
{

/// What a call's verifier is over: the header up to the credential, with a handle of 4 octets.
constexpr uint32_t HEADER_OCTETS = 56;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(GssCosts);

TypeId
GssCosts::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::GssCosts")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<GssCosts>()
            .AddAttribute("InitCost",
                          "Processor time (Time) to create a context, at either end: a ticket that "
                          "is at hand is decrypted by a process of the user's (estimate).",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&GssCosts::m_initCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MicCost",
                          "Processor time (Time) of a MIC, besides MicRate. Default: of 2 to 6 us "
                          "for 4 KiB under krb5i (estimate).",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&GssCosts::m_micCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MicRate",
                          "Rate (bit/s) at which a core makes or checks MICs. Default: 1.5 GB/s, "
                          "HMAC with SHA instructions (estimate).",
                          DataRateValue(DataRate("12Gbps")),
                          MakeDataRateAccessor(&GssCosts::m_micRate),
                          MakeDataRateChecker())
            .AddAttribute("WrapCost",
                          "Processor time (Time) to seal or open a message, besides WrapRate. "
                          "Default: of 4 to 12 us for 4 KiB under krb5p (estimate).",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&GssCosts::m_wrapCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("WrapRate",
                          "Rate (bit/s) at which a core seals or opens messages. Default: 0.75 "
                          "GB/s, AES with AES-NI at 1.5 GB/s and the HMAC (estimate).",
                          DataRateValue(DataRate("6Gbps")),
                          MakeDataRateAccessor(&GssCosts::m_wrapRate),
                          MakeDataRateChecker());
    return tid;
}

Time
GssCosts::GetMessageCost(RpcSecGssService service, uint64_t octets) const
{
    Time header = GetMicCost(HEADER_OCTETS);
    switch (service)
    {
    case RpcSecGssService::INTEGRITY:
        return header + GetMicCost(octets);
    case RpcSecGssService::PRIVACY:
        return header + m_wrapCost + m_wrapRate.CalculateBytesTxTime(static_cast<uint32_t>(octets));
    default:
        return header;
    }
}

} // namespace ns3::nfsrdma
