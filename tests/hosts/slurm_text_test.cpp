#include "scheduler/hosts/slurm_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include "scheduler/hosts/slurm_end.h"

namespace hpsearch {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word) { return std::count(words.begin(), words.end(), word) == 1; }

TEST(SlurmText, AsksForWhatATrialNeeds) {
  HostSpec host;
  host.slurm.partition = "gpu";
  host.slurm.sbatch = {"--constraint=a100"};
  TrialSpec needs;
  needs.gpus = 2;
  needs.cpus = 3;
  needs.memory = 1'500'000'000;
  const Words words = sbatch_command(host, needs, {"hpsearch-1", "/s/100%/slurm.log", 1});
  EXPECT_EQ(words[0], "sbatch");
  for (const char* word : {"--parsable", "--job-name=hpsearch-1", "--no-requeue", "--output=/s/100%%/slurm.log", "--gres=gpu:2",
                           "--cpus-per-task=3", "--mem=1431M", "--partition=gpu"})
    EXPECT_TRUE(has(words, word)) << word;
  EXPECT_EQ(words.back(), "--constraint=a100");
}

TEST(SlurmText, APilotIsAskedForAsManyTimesAsMuch) {
  TrialSpec needs;
  needs.gpus = 0.5;
  const Words words = sbatch_command({}, needs, {"p", "/log", 4});
  EXPECT_TRUE(has(words, "--gres=gpu:2"));
  EXPECT_TRUE(has(words, "--cpus-per-task=4"));
}

TEST(SlurmText, WithoutALimitOfTimeNobodyIsWarned) {
  SlurmSpec slurm;
  EXPECT_EQ(job_warning(slurm), std::nullopt);
  slurm.time = "1:00:00";
  EXPECT_EQ(job_warning(slurm), Span(300'000));
  slurm.time = "4";
  EXPECT_EQ(job_warning(slurm), Span(120'000));
}

TEST(SlurmText, TimesAreReadAsSbatchDoes) {
  EXPECT_EQ(slurm_time("90"), Span(90 * 60'000));
  EXPECT_EQ(slurm_time("1:30"), Span(90'000));
  EXPECT_EQ(slurm_time("1:00:01"), Span(3'601'000));
  EXPECT_EQ(slurm_time("2-12"), Span(60 * 3'600'000));
  EXPECT_EQ(slurm_time("1-0:30"), Span(86'400'000 + 1'800'000));
  EXPECT_EQ(slurm_time("soon"), std::nullopt);
}

TEST(SlurmText, TheScriptBecomesTheProgram) {
  EXPECT_EQ(job_script({"/opt/it's here/hpsearch", "keeper", "/s"}), "#!/bin/sh\nexec '/opt/it'\\''s here/hpsearch' 'keeper' '/s'\n");
}

TEST(SlurmText, ReadsTheJobsThatAreOurs) {
  const auto jobs = parse_squeue("12|hpsearch-aa|PENDING|launch failed requeued held\n13|other|RUNNING|None\n14|hpsearch-b|RUNNING|a|b\n");
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0], (SlurmJob{"12", "hpsearch-aa", "PENDING", "launch failed requeued held"}));
  EXPECT_TRUE(job_held(jobs[0]));
  EXPECT_EQ(jobs[1].reason, "a|b");
  EXPECT_FALSE(job_held(jobs[1]) || job_pending(jobs[1]) || job_ended(jobs[1].state));
  EXPECT_TRUE(parse_squeue("").empty());
}

TEST(SlurmText, KnowsWhetherAControllerIsUp) {
  EXPECT_TRUE(controller_up("Slurmctld(primary) at a is DOWN\nSlurmctld(backup) at b is UP\n"));
  EXPECT_FALSE(controller_up("Slurmctld(primary) at controller is DOWN\n*****\n** RESTORE SLURMCTLD DAEMON TO SERVICE **\n"));
}

TEST(SlurmText, TellsTheUsersFaultsFromTheClusters) {
  EXPECT_EQ(settings_fault("sbatch: error: invalid partition specified: nope\n"
                           "sbatch: error: Batch job submission failed: Invalid partition name specified\n"),
            "invalid partition specified: nope");
  EXPECT_EQ(settings_fault("sbatch: error: Invalid generic resource (gres) specification\n"), "Invalid generic resource (gres) specification");
  EXPECT_EQ(settings_fault("sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n"), std::nullopt);
  EXPECT_EQ(settings_fault("sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)\n"), std::nullopt);
}

TEST(SlurmText, JobsInheritWhatIsNotOfThisMachine) {
  EXPECT_TRUE(inherited_by_jobs("PATH=/bin"));
  EXPECT_TRUE(inherited_by_jobs("LC_ALL=C"));
  for (const char* entry : {"SLURM_JOB_ID=3", "XDG_RUNTIME_DIR=/run/user/0", "CUDA_VISIBLE_DEVICES=0", "SECRET=x"})
    EXPECT_FALSE(inherited_by_jobs(entry)) << entry;
}

TEST(SlurmText, ReadsTheLastStateOfTheAccounting) {
  EXPECT_EQ(parse_sacct("TIMEOUT\nCANCELLED by 1000\n"), "CANCELLED");
  EXPECT_EQ(parse_sacct(""), "");
}

TEST(SlurmEnd, WhatBecomesOfAnAttemptWithoutARecord) {
  EXPECT_EQ(end_of_lost_job({"NODE_FAIL", true, false, false, ""}).kind, EndKind::lost);
  EXPECT_EQ(end_of_lost_job({"", true, false, false, ""}).kind, EndKind::lost);
  EXPECT_EQ(end_of_lost_job({"FAILED", false, false, false, "exec: not found"}).kind, EndKind::launch_failed);
  const AttemptEnd cancelled = end_of_lost_job({"CANCELLED", true, false, true, ""});
  EXPECT_EQ(cancelled.kind, EndKind::signalled);
  EXPECT_EQ(cancelled.code, SIGKILL);
  EXPECT_EQ(end_of_lost_job({"TIMEOUT", true, false, false, ""}).kind, EndKind::timed_out);
  EXPECT_TRUE(end_of_lost_job({"TIMEOUT", true, false, true, ""}).ordered);
  EXPECT_TRUE(end_of_lost_job({"CANCELLED", true, true, true, ""}).ordered);
}

}  // namespace
}  // namespace hpsearch
