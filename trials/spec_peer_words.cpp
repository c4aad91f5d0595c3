#include "trials/spec_peer_words.h"

namespace hpsearch {

const Words kFileWords{
    {"name", "study"}, {"study_name", "study"}, {"experiment", "study"}, {"experiment_name", "study"},
    {"experimentName", "study"}, {"project", "study"}, {"program", "command"}, {"cmd", "command"},
    {"trialCommand", "command"}, {"trial_command", "command"}, {"script", "command"},
    {"direction", "metric.goal"}, {"directions", "metric.goal"}, {"goal", "metric.goal"}, {"mode", "metric.goal"},
    {"objective", "metric"}, {"objectives", "metrics"}, {"parameters", "params"}, {"parameter", "params"},
    {"search_space", "params"}, {"searchSpace", "params"}, {"space", "params"}, {"config", "params"},
    {"configs", "params"}, {"hyperparameters", "params"}, {"hparams", "params"}, {"variables", "settings"},
    {"constants", "settings"}, {"defaults", "settings"}, {"rules", "constraints"},
    {"parameter_constraints", "constraints"}, {"fidelity", "resource"}, {"budget", "resource"},
    {"algo", "search.sampler"}, {"algorithm", "search.sampler"}, {"sampler", "search.sampler"},
    {"search_alg", "search.sampler"}, {"tuner", "search.sampler"}, {"method", "search.sampler"},
    {"strategy", "search.sampler"}, {"pruner", "search.pruner"}, {"scheduler", "search.pruner"},
    {"early_stop", "search.pruner"}, {"early_stopping", "search.pruner"}, {"early_terminate", "search.pruner"},
    {"earlyStopping", "search.pruner"}, {"assessor", "search.pruner"}, {"seed", "search.seed"},
    {"random_state", "search.seed"}, {"trials", "limits.trials"}, {"n_trials", "limits.trials"},
    {"max_trials", "limits.trials"}, {"num_trials", "limits.trials"}, {"num_samples", "limits.trials"},
    {"maxTrialCount", "limits.trials"}, {"maxTrialNumber", "limits.trials"}, {"run_cap", "limits.trials"},
    {"max_evals", "limits.trials"}, {"timeout", "limits.time"}, {"time", "limits.time"}, {"max_time", "limits.time"},
    {"time_budget_s", "limits.time"}, {"max_duration", "limits.time"}, {"trial_time", "limits.trial_time"},
    {"jobs", "hosts[].slots"}, {"n_jobs", "hosts[].slots"}, {"workers", "hosts[].slots"},
    {"max_concurrent", "hosts[].slots"}, {"max_concurrent_trials", "hosts[].slots"},
    {"parallelTrialCount", "hosts[].slots"}, {"trialConcurrency", "hosts[].slots"}, {"slots", "hosts[].slots"},
    {"host", "hosts"}, {"machines", "hosts"}, {"machineList", "hosts"}, {"nodes", "hosts"}, {"cluster", "hosts"},
    {"ssh", "hosts[].ssh"}, {"slurm", "hosts[].slurm"}, {"setup", "hosts[].setup"}, {"include", "files"},
    {"code", "files"}, {"source", "files"}, {"memory", "trial.memory"}, {"labels", "trial.labels"},
    {"gpus", "trial.gpus"}, {"cpus", "trial.cpus"}, {"env", "trial.env"},
    {"environment", "trial.env"}, {"retries", "trial.retries"}, {"checkpoint", "trial.checkpoint"},
    {"points_to_evaluate", "enqueue"}, {"initial_points", "enqueue"}, {"collector", "collect"}, {"parse", "collect"}};

const Words kMetricWords{{"direction", "goal"}, {"mode", "goal"},    {"type", "goal"},     {"optimize", "goal"},
                         {"metric", "name"},    {"objectiveMetricName", "name"}, {"max", "at_most"},
                         {"min", "at_least"},   {"below", "at_most"}, {"above", "at_least"}, {"window", "smooth"}};

const Words kParamWords{{"min", "low"}, {"max", "high"}, {"lower", "low"}, {"upper", "high"}, {"minimum", "low"},
                        {"maximum", "high"}, {"lb", "low"}, {"ub", "high"}, {"minValue", "low"}, {"maxValue", "high"},
                        {"from", "low"}, {"to", "high"}, {"start", "low"}, {"stop", "high"}, {"end", "high"},
                        {"q", "step"}, {"stepsize", "step"}, {"step_size", "step"}, {"quantum", "step"},
                        {"values", "choices"}, {"options", "choices"}, {"items", "choices"}, {"categories", "choices"},
                        {"value", "choices"}, {"list", "choices"}, {"distribution", "type"}, {"_type", "type"},
                        {"kind", "type"}, {"parameterType", "type"}, {"_value", "choices"}, {"log_scale", "log"},
                        {"logscale", "log"}, {"scale", "log"}, {"loguniform", "log"}, {"sorted", "ordered"},
                        {"ordinal", "ordered"}, {"condition", "when"}, {"conditions", "when"}, {"depends_on", "when"},
                        {"if", "when"}, {"parent", "when"}};

const Words kWhenWords{{"values", "in"}, {"one_of", "in"}, {"any", "in"}, {"min", "at_least"}, {"max", "at_most"},
                       {"low", "at_least"}, {"high", "at_most"}, {"gte", "at_least"}, {"lte", "at_most"},
                       {">=", "at_least"}, {"<=", "at_most"}};

const Words kResourceWords{{"type", "name"}, {"unit", "name"}, {"low", "min"}, {"high", "max"}, {"min_resource", "min"},
                           {"max_resource", "max"}, {"grace_period", "min"}, {"max_t", "max"}, {"r", "min"},
                           {"R", "max"}, {"eta", "search.pruner.eta"}};

const Words kSearchWords{
    {"algo", "sampler"}, {"algorithm", "sampler"}, {"type", "sampler"}, {"method", "sampler"}, {"name", "sampler"},
    {"tuner", "sampler"}, {"search_alg", "sampler"}, {"scheduler", "pruner"}, {"early_stop", "pruner"},
    {"early_stopping", "pruner"}, {"random_state", "seed"}, {"trials", "limits.trials"},
    {"n_trials", "limits.trials"}, {"max_trials", "limits.trials"}, {"num_trials", "limits.trials"},
    {"time", "limits.time"}, {"timeout", "limits.time"}, {"jobs", "hosts[].slots"}, {"n_jobs", "hosts[].slots"},
    {"workers", "hosts[].slots"}, {"resource", "resource"}, {"eta", "search.pruner.eta"}};

const Words kAlgorithmWords{{"name", "type"}, {"algo", "type"}, {"algorithm", "type"}, {"method", "type"},
                            {"reduction_factor", "eta"}, {"reductionFactor", "eta"}, {"factor", "eta"},
                            {"grace_period", "min"}, {"min_resource", "min"}, {"min_t", "min"}, {"r", "min"},
                            {"min_iter", "min"}, {"max_t", "resource.max"}, {"max_resource", "resource.max"},
                            {"max", "resource.max"}, {"max_iter", "resource.max"}, {"R", "resource.max"},
                            {"resource", "resource.name"}, {"rungs", "levels"}, {"rung_levels", "levels"},
                            {"bracket", "brackets"}, {"n_brackets", "brackets"}, {"seed", "search.seed"},
                            {"n_startup_trials", "n_min"}, {"resolution", "points"}, {"trials", "limits.trials"}};

const Words kLimitsWords{{"n_trials", "trials"}, {"max_trials", "trials"}, {"num_trials", "trials"},
                         {"num_samples", "trials"}, {"maxTrialNumber", "trials"}, {"timeout", "time"},
                         {"max_time", "time"}, {"duration", "time"}, {"wall_time", "time"},
                         {"trial_timeout", "trial_time"}, {"time_per_trial", "trial_time"}, {"idle", "silence"},
                         {"quiet", "silence"}, {"gpu_time", "gpu_hours"}, {"money", "cost"}, {"budget", "cost"},
                         {"storage", "disk"}, {"max_failures", "failures_in_a_row"}, {"failures", "failures_in_a_row"},
                         {"jobs", "hosts[].slots"}, {"retries", "trial.retries"}};

const Words kTrialWords{{"gpu", "gpus"}, {"num_gpus", "gpus"}, {"n_gpus", "gpus"}, {"gpuNumber", "gpus"},
                        {"cpu", "cpus"}, {"num_cpus", "cpus"}, {"n_cpus", "cpus"}, {"cores", "cpus"},
                        {"checkpoints", "checkpoint"}, {"max_retries", "retries"}, {"retry", "retries"},
                        {"keep", "keep_checkpoints"}, {"environment", "env"}, {"workdir", "cwd"},
                        {"working_dir", "cwd"}, {"kill_after", "grace"}, {"timeout", "limits.trial_time"},
                        {"time", "limits.trial_time"}, {"silence", "limits.silence"}, {"slots", "hosts[].slots"},
                        {"command", "command"}, {"mem", "memory"}, {"ram", "memory"}, {"vram", "gpu_memory"},
                        {"gpu_mem", "gpu_memory"}, {"gpu_type", "gpu_model"}, {"accelerator", "gpu_model"},
                        {"accelerator_type", "gpu_model"}, {"model", "gpu_model"}, {"tags", "labels"},
                        {"features", "labels"}, {"nproc_per_node", "launch"}, {"processes", "launch"},
                        {"setup", "hosts[].setup"}, {"prefix", "hosts[].setup"}, {"max_gpus", "hosts[].max_gpus"}};

const Words kHostWords{{"jobs", "slots"}, {"n_jobs", "slots"}, {"workers", "slots"}, {"max_concurrent", "slots"},
                       {"cores", "slots"}, {"host", "ssh"}, {"hostname", "ssh"}, {"address", "ssh"}, {"ip", "ssh"},
                       {"user", "ssh"}, {"username", "ssh"}, {"port", "ssh_options"}, {"identity", "ssh_options"},
                       {"identity_file", "ssh_options"}, {"sshKeyFile", "ssh_options"}, {"jump", "ssh_options"},
                       {"exec", "command"}, {"kubectl", "command"}, {"docker", "command"}, {"container", "command"},
                       {"gpu", "gpus"}, {"gpu_ids", "gpus"}, {"gpuIndices", "gpus"}, {"devices", "gpus"},
                       {"num_gpus", "max_gpus"}, {"n_gpus", "max_gpus"}, {"gpu_count", "max_gpus"},
                       {"workdir", "dir"}, {"working_dir", "dir"}, {"folder", "dir"}, {"path", "dir"},
                       {"remote_dir", "dir"}, {"prefix", "setup"}, {"init", "setup"}, {"modules", "setup"},
                       {"prologue", "setup"}, {"pythonPath", "setup"}, {"environment", "env"}, {"settings", "vars"},
                       {"variables", "vars"}, {"overrides", "vars"}, {"tags", "labels"}, {"features", "labels"},
                       {"hpsearch", "program"}, {"binary", "program"}, {"executable", "program"},
                       {"price", "price_per_hour"}, {"cost", "price_per_hour"}, {"cost_per_hour", "price_per_hour"}, {"timeout", "lost_after"},
                       {"partition", "slurm.partition"}, {"queue", "slurm.partition"}, {"account", "slurm.account"},
                       {"sbatch", "slurm.sbatch"}, {"nodes", "slurm.max_jobs"}, {"max_jobs", "slurm.max_jobs"},
                       {"launch", "elastic.launch"}, {"release", "elastic.release"}, {"cpus", "trial.cpus"},
                       {"memory", "trial.memory"}};

const Words kSlurmWords{{"queue", "partition"}, {"project", "account"}, {"walltime", "time"}, {"wall_time", "time"},
                        {"time_limit", "time"}, {"timelimit", "time"}, {"timeout", "time"}, {"timeout_min", "time"},
                        {"jobs", "max_jobs"}, {"nodes", "max_jobs"}, {"array_parallelism", "max_jobs"},
                        {"slots", "max_jobs"}, {"options", "sbatch"}, {"args", "sbatch"}, {"extra", "sbatch"},
                        {"constraint", "sbatch"}, {"additional_parameters", "sbatch"}, {"signal", "warn"},
                        {"gres", "trial.gpus"}, {"gpus", "trial.gpus"}, {"gpus_per_node", "trial.gpus"},
                        {"cpus", "trial.cpus"}, {"cpus_per_task", "trial.cpus"}, {"mem", "trial.memory"},
                        {"memory", "trial.memory"}, {"mem_gb", "trial.memory"}, {"setup", "hosts[].setup"}};

const Words kElasticWords{{"start", "launch"}, {"up", "launch"}, {"create", "launch"}, {"provision", "launch"},
                          {"stop", "release"}, {"down", "release"}, {"terminate", "release"}, {"delete", "release"},
                          {"max_instances", "max"}, {"instances", "max"}, {"max_workers", "max"}, {"count", "max"},
                          {"nodes", "max"}, {"idle_timeout", "idle"}, {"idle_timeout_minutes", "idle"},
                          {"timeout", "idle"}, {"price", "price_per_hour"}, {"cost", "price_per_hour"},
                          {"cost_per_hour", "price_per_hour"}};

const Words kFilesWords{{"include", "patterns"}, {"globs", "patterns"}, {"paths", "patterns"}, {"files", "patterns"},
                        {"list", "patterns"}, {"max", "limit"}, {"max_size", "limit"}, {"size", "limit"},
                        {"max_bytes", "limit"}};

const Words kCollectWords{{"regex", "stdout"}, {"pattern", "stdout"}, {"output", "stdout"}, {"out", "stdout"},
                          {"err", "stderr"}, {"names", "as"}, {"metrics", "as"}, {"groups", "as"}};

const Words kElementWords{{"if", "when"}, {"condition", "when"}, {"arguments", "args"}, {"arg", "args"}};

}  // namespace hpsearch
