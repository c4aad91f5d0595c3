#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trials/spec.h"

namespace hpsearch {

// What is said to Slurm's programs, and what they say.

// A job as squeue tells of it.
struct SlurmJob {
  std::string id, name, state, reason;
  bool operator==(const SlurmJob&) const = default;
};

// What a job is asked for.
struct SlurmAsk {
  std::string name;
  std::filesystem::path log;                 // What it prints.
  int slots = 1;                             // Trials that it holds at a time.
};

// Names are what counts: Slurm gives the id of a lost job to another one.
std::string attempt_job_name(const std::string& attempt_id);

// sbatch, which reads the script from its standard input. The job inherits sbatch's environment.
std::vector<std::string> sbatch_command(const HostSpec& host, const TrialSpec& needs, const SlurmAsk& ask);
// Only asks whether such a job could ever run.
std::vector<std::string> sbatch_test_command(const HostSpec& host, const TrialSpec& needs);

// Whether a variable ("NAME=value") of the scheduler's is for Slurm's programs, and thereby for jobs: what finds programs
// and libraries, and says who and where the user is. What belongs to this machine or session stays here.
bool inherited_by_jobs(std::string_view entry);

// The script of a job that becomes `argv`.
std::string job_script(const std::vector<std::string>& argv);

// This user's jobs of every state, one a line; and what it answers. Lines that are not ours are left out.
std::vector<std::string> squeue_command();
std::vector<SlurmJob> parse_squeue(std::string_view text);

std::vector<std::string> ping_command();
// Whether the answer names a controller that is up.
bool controller_up(std::string_view ping);

// The state of the last job of that name that the accounting knows: "TIMEOUT"; empty: none.
std::vector<std::string> sacct_command(const std::string& name);
std::string parse_sacct(std::string_view text);

// The job has ended, in whatever way.
bool job_ended(const std::string& state);
// It will never start: Slurm failed to start it, put it back and holds it.
bool job_held(const SlurmJob& job);
// It waits for a place.
bool job_pending(const SlurmJob& job);

// The complaint of sbatch if no second try can change it: a partition that is unknown, a resource that no node has.
std::optional<std::string> settings_fault(std::string_view complaint);
// No node has what was asked for. A controller that has just started says so too, until its nodes have spoken.
bool no_such_node(std::string_view complaint);
// Its last line, without Slurm's name before it.
std::string complaint_of(std::string_view errors);

// "1-12:00:00" as sbatch reads it; none when it does not.
std::optional<Span> slurm_time(const std::string& text);

// How long before the end of a job its keeper is warned: the host's `warn`, but no more than half of the job's time. None
// when the job has no limit of its own.
std::optional<Span> job_warning(const SlurmSpec& slurm);

}  // namespace hpsearch
