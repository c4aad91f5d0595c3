#include "scheduler/hosts/left_behind.h"

#include <fcntl.h>
#include <sys/file.h>

#include "scheduler/hosts/event_log_file.h"
#include "scheduler/hosts/text_file.h"

namespace hpsearch {

namespace {

std::optional<ExitRecord> exit_record(const AttemptFolder& folder) {
  return parse_exit(read_file(folder.exit()).value_or(""));
}

}  // namespace

KeeperTrace keeper_trace(const AttemptFolder& folder) {
  if (exit_record(folder)) return KeeperTrace::ended;
  const FileDescriptor lock(::open(folder.lock().c_str(), O_RDONLY | O_CLOEXEC));
  if (!lock.open()) return KeeperTrace::never_started;
  return ::flock(lock.get(), LOCK_SH | LOCK_NB) == 0 ? KeeperTrace::gone : KeeperTrace::running;
}

bool collect_left_behind(const AttemptFolder& folder, AttemptName name, std::uint64_t seen, const std::string& metric,
                         FactQueue& facts) {
  read_events(folder.events(), seen, [&](const EventsLine& line) {
    facts.push(fact_of(line, name.trial, name.attempt, metric));
  });
  const auto record = exit_record(folder);
  if (record) facts.push(ended_fact(name, *record));
  return record.has_value();
}

}  // namespace hpsearch
