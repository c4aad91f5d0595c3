#include "scheduler/hosts/slurm_end.h"

#include <csignal>

namespace hpsearch {

AttemptEnd end_of_lost_job(const LostJob& job) {
  if (job.ordered) return {EndKind::lost, 0, true, "its Slurm job was cancelled", job.log_tail};
  if (job.state.empty()) return {EndKind::lost, 0, false, "Slurm knows its job no more", job.log_tail};
  if (job.state == "CANCELLED") return {EndKind::signalled, SIGKILL, false, "its Slurm job was cancelled from outside", job.log_tail};
  if (job.state == "OUT_OF_MEMORY") return {EndKind::signalled, SIGKILL, false, "too little memory, says Slurm", job.log_tail};
  if (job.state == "PREEMPTED") return {EndKind::lost, 0, true, "its Slurm job had to give way", job.log_tail};
  if (job.state == "TIMEOUT" && job.checkpoint) return {EndKind::lost, 0, true, "reached the time limit of its Slurm job", job.log_tail};
  if (job.state == "TIMEOUT") return {EndKind::timed_out, 0, false, "reached the time limit of its Slurm job", job.log_tail};
  const bool by_itself = job.state == "FAILED" || job.state == "COMPLETED";
  const EndKind kind = by_itself && !job.started ? EndKind::launch_failed : EndKind::lost;
  return {kind, 0, false, "its Slurm job ended without a record, in state " + job.state, job.log_tail};
}

}  // namespace hpsearch
