/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/adversaries.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

SweepResult
MakeAttackedResult(std::size_t point, uint64_t seed, const std::string& keys, uint64_t placed)
{
    SweepResult result;
    result.point = point;
    result.seed = seed;
    result.values = {keys};
    result.summary["adversaries"]["roles"] = {{{"name", "g"},
                                               {"role", "guessed-stags"},
                                               {"host", "client-0"},
                                               {"broken", {{"placed", placed}, {"a, b", 2}}}}};
    return result;
}

TEST(SweepAdversariesTest, EachThingDoneIsARow)
{
    EXPECT_EQ(MakeSweepAdversariesCsv(
                  {"rnic.stag_keys"},
                  {MakeAttackedResult(0, 1, "fixed", 7), MakeAttackedResult(1, 3, "counter", 0)}),
              "point,seed,rnic.stag_keys,name,role,host,what,count\n"
              "0,1,fixed,g,guessed-stags,client-0,placed,7\n"
              "0,1,fixed,g,guessed-stags,client-0,\"a, b\",2\n"
              "1,3,counter,g,guessed-stags,client-0,placed,0\n"
              "1,3,counter,g,guessed-stags,client-0,\"a, b\",2\n");
}

TEST(SweepAdversariesTest, WithoutAdversariesThereIsNoTable)
{
    SweepResult lost;
    SweepResult honest;
    honest.summary["rpcs"] = 5;
    EXPECT_EQ(MakeSweepAdversariesCsv({"cluster.clients"}, {lost, honest}), "");
}

} // namespace

} // namespace ns3::nfsrdma
