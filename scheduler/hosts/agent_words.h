#pragma once

#include <string>

#include "scheduler/hosts/host.h"
#include "scheduler/hosts/launch.h"

namespace hpsearch {

// What a scheduler and the agent of a host say to each other: one JSON object a line over the agent's standard input
// and output, after a first line of the agent's that no shell's greeting looks like.
//
//   scheduler                                          agent
//   {"hello": {study, dir}}                            {"hello": {protocol, build, dir, folder}}
//   {"check": {folder, setup, command, devices}}       {"seen": HostSeen}, again and again, or {"refused": reason}
//   {"live": [ids]} the attempts that count
//   {"start": launch}                                  {"fact": kind, "body": ...}
//   {"hungry": whether trials would start if there was room for them}
//   {"adopt": adoption}
//   {"tell": [trial, attempt], "word": ...}
//   {"discard": [trial, attempt]}
//   {"ask": n, "word": ..., ["bytes": size]} + bytes   {"answer": n, "word": ..., ["bytes": size]} + bytes; see FileDesk
//   {"ping": n}                                        {"pong": n}
inline constexpr const char* kAgentGreeting = "hpsearch agent, protocol 1";
inline constexpr int kAgentProtocol = 1;
inline constexpr std::size_t kLongestAgentLine = 32 << 20;

Json adoption_json(const Adoption& adoption);
// Throws a JSON exception or std::invalid_argument when it is not ours.
Adoption parse_adoption(const Json& json);

Json name_json(AttemptName name);
AttemptName parse_name_json(const Json& json);

// Throws std::invalid_argument when it is not one of ours.
SchedulerWord parse_word_json(const Json& json);

}  // namespace hpsearch
