#include "tests/trials/spec_support.h"

namespace hpsearch {
namespace {

const char* const kSettings = R"({"data": "/data", "workers": 4})";

std::string with_hosts(const std::string& hosts) {
  return space_text(R"({"settings": )" + std::string(kSettings) + R"(, "hosts": )" + hosts + "}");
}

// Of the only entry.
HostSpec host_of(const std::string& members) { return spec_of(with_hosts("[{" + members + "}]")).hosts.at(0); }

// A JSON text as messages show it.
std::string shown_text(const std::string& json) { return Json::parse(json).dump(-1, ' ', true); }

std::string fault(const std::string& members) { return fault_of(with_hosts("[{" + members + "}]")); }

std::string ssh_fault(const std::string& members) { return fault(R"("ssh": "gpu1", )" + members); }

std::string slurm_fault(const std::string& members) { return fault(R"("slurm": {)" + members + "}"); }

constexpr const char* kWholeHosts = R"([
  {"ssh": "user@gpu1", "name": "first", "slots": 3, "gpus": [1, "GPU-5f3e", "MIG-7/1/0"], "max_gpus": 2, "dir": "~/studies",
   "setup": "module load cuda", "env": {"A": "b"}, "vars": {"data": "/scratch", "workers": 16}, "labels": ["big"],
   "program": "~/bin/hpsearch", "ssh_options": ["-J", "gate", "-p", "2222"], "price_per_hour": 1.5, "lost_after": "2h"},
  {"slurm": {"partition": "gpu,long", "account": "lab", "qos": "high", "time": "1-12:00:00", "max_jobs": 7,
             "mode": "pilot", "warn": "10m", "sbatch": ["--constraint=a100", "-C", "x"]}},
  {"command": ["/usr/bin/kubectl", "exec", "-i", "{host}", "--"], "gpus": [],
   "elastic": {"launch": ["./up"], "release": ["./down", "{host}"], "max": 4, "idle": "1m", "price_per_hour": 3}},
  {"local": true, "max_gpus": 0}
])";

void expect_whole_hosts(const StudySpec& spec) {
  ASSERT_EQ(spec.hosts.size(), 4u);
  const HostSpec &ssh = spec.hosts[0], &slurm = spec.hosts[1], &command = spec.hosts[2], &local = spec.hosts[3];
  EXPECT_EQ(ssh.kind, HostKind::ssh);
  EXPECT_EQ(ssh.ssh, "user@gpu1");
  EXPECT_EQ(ssh.name, "first");
  EXPECT_EQ(ssh.slots, 3);
  EXPECT_EQ(ssh.gpus, (std::vector<std::string>{"1", "GPU-5f3e", "MIG-7/1/0"}));
  EXPECT_EQ(ssh.max_gpus, 2);
  EXPECT_EQ(ssh.dir, "~/studies");
  EXPECT_EQ(ssh.setup, "module load cuda");
  EXPECT_EQ(ssh.env, (std::map<std::string, std::string>{{"A", "b"}}));
  EXPECT_EQ(ssh.vars, Json({{"data", "/scratch"}, {"workers", 16}}));
  EXPECT_EQ(ssh.labels, std::vector<std::string>{"big"});
  EXPECT_EQ(ssh.program, "~/bin/hpsearch");
  EXPECT_EQ(ssh.ssh_options, (std::vector<std::string>{"-J", "gate", "-p", "2222"}));
  EXPECT_EQ(ssh.price_per_hour, 1.5);
  EXPECT_EQ(ssh.lost_after, Span(7'200'000));
  EXPECT_EQ(slurm.kind, HostKind::slurm);
  EXPECT_EQ(slurm.name, "slurm");
  EXPECT_EQ(slurm.slurm.partition, "gpu,long");
  EXPECT_EQ(slurm.slurm.account, "lab");
  EXPECT_EQ(slurm.slurm.qos, "high");
  EXPECT_EQ(slurm.slurm.time, "1-12:00:00");
  EXPECT_EQ(slurm.slurm.max_jobs, 7);
  EXPECT_TRUE(slurm.slurm.pilot);
  EXPECT_EQ(slurm.slurm.warn, Span(600'000));
  EXPECT_EQ(slurm.slurm.sbatch, (std::vector<std::string>{"--constraint=a100", "-C", "x"}));
  EXPECT_EQ(command.kind, HostKind::command);
  EXPECT_EQ(command.name, "kubectl");
  EXPECT_EQ(command.command, (std::vector<std::string>{"/usr/bin/kubectl", "exec", "-i", "{host}", "--"}));
  EXPECT_EQ(command.gpus, std::vector<std::string>{});
  EXPECT_EQ(command.elastic->launch, std::vector<std::string>{"./up"});
  EXPECT_EQ(command.elastic->release, (std::vector<std::string>{"./down", "{host}"}));
  EXPECT_EQ(command.elastic->max, 4);
  EXPECT_EQ(command.elastic->idle, Span(60'000));
  EXPECT_EQ(command.price_per_hour, 3);
  EXPECT_EQ(local.kind, HostKind::local);
  EXPECT_EQ(local.name, "local");
  EXPECT_EQ(local.max_gpus, 0);
}

TEST(SpecHosts, EveryKeyIsRead) { expect_whole_hosts(spec_of(with_hosts(kWholeHosts))); }

TEST(SpecHosts, TheStoredDocumentGivesTheSameAgain) {
  const StudySpec spec = spec_of(with_hosts(kWholeHosts));
  const StudySpec again = parse_spec_document(Json::parse(spec.document.dump()), "other", "/");
  expect_whole_hosts(again);
  const Json written = Json::parse(kWholeHosts);
  for (std::size_t i = 0; i < written.size(); ++i) {
    EXPECT_EQ(spec.hosts[i].document.dump(), written[i].dump());
    EXPECT_EQ(again.hosts[i].document.dump(), written[i].dump());
  }
}

TEST(SpecHosts, DefaultsAreThoseOfTheManual) {
  const HostSpec host = host_of(R"("slurm": {})");
  EXPECT_FALSE(host.slots || host.gpus || host.max_gpus || host.price_per_hour || host.elastic);
  EXPECT_EQ(host.dir + host.setup + host.program, "");
  EXPECT_TRUE(host.env.empty() && host.vars.empty() && host.labels.empty() && host.ssh_options.empty());
  EXPECT_EQ(host.lost_after, Span(1'800'000));
  EXPECT_EQ(host.slurm.partition + host.slurm.account + host.slurm.qos + host.slurm.time, "");
  EXPECT_EQ(host.slurm.max_jobs, 100);
  EXPECT_FALSE(host.slurm.pilot);
  EXPECT_EQ(host.slurm.warn, Span(300'000));
  EXPECT_TRUE(host.slurm.sbatch.empty());
  const HostSpec elastic = host_of(R"("ssh": "{host}", "elastic": {"launch": ["a"], "release": ["b"]})");
  EXPECT_EQ(elastic.elastic->max, 1);
  EXPECT_EQ(elastic.elastic->idle, Span(600'000));
}

TEST(SpecHosts, HaveExactlyOneKind) {
  EXPECT_EQ(fault(R"("slots": 2)"),
            "hosts[0]: needs one of \"local\", \"ssh\", \"slurm\", \"command\"; for example \"local\": true");
  EXPECT_EQ(fault(R"("local": true, "ssh": "gpu1")"),
            "hosts[0]: has \"local\", \"ssh\"; a host has one of \"local\", \"ssh\", \"slurm\", \"command\"");
  EXPECT_EQ(fault(R"("shh": "gpu1")"), "hosts[0].shh: unknown key; did you mean \"ssh\"?");
  EXPECT_EQ(fault(R"("local": false)"),
            "hosts[0].local: must be true; other kinds of host are \"ssh\", \"slurm\" and \"command\"");
  EXPECT_EQ(fault(R"("local": "yes")"), "hosts[0].local: must be true or false, not \"yes\"");
  EXPECT_EQ(fault_of(with_hosts("[\"gpu1\"]")), "hosts[0]: must be an object in braces, not \"gpu1\"");
  EXPECT_EQ(fault_of(with_hosts("[]")), "hosts: must not be empty");
  EXPECT_EQ(fault_of(with_hosts("3")), "hosts: must be a list, as [{\"local\": true, \"slots\": 2}], not 3");
}

TEST(SpecHosts, DestinationsAreSafeForSsh) {
  for (const char* destination : {"gpu1", "user@gpu1.lab", "ssh://me@[fe80::1]:2222"})
    EXPECT_EQ(host_of(R"("ssh": ")" + std::string(destination) + "\"").ssh, destination);
  for (const char* destination : {"", "-oProxyCommand=x", "a b", " a", "a\\nb", "a\\tb", "a\\u007f"}) {
    const std::string text = "\"" + std::string(destination) + "\"";
    EXPECT_EQ(fault("\"ssh\": " + text),
              "hosts[0].ssh: must be a destination of ssh, as \"user@gpu1\", without blanks or a leading dash; options "
              "stand in \"ssh_options\", not " + shown_text(text));
  }
  EXPECT_EQ(fault(R"("ssh": true)"), "hosts[0].ssh: must be text in double quotes, not true");
  EXPECT_EQ(fault(R"("ssh": "a\u0000b")"),
            "hosts[0].ssh: must not contain the character \\u0000: no program can be given it");
}

TEST(SpecHosts, CommandsAreLists) {
  EXPECT_EQ(fault(R"("command": [])"), "hosts[0].command: must not be empty");
  EXPECT_EQ(fault(R"("command": ["", "a"])"), "hosts[0].command[0]: the first argument names the program");
  EXPECT_EQ(fault(R"("command": ["a", 3])"), "hosts[0].command[1]: must be text in double quotes, not 3");
  EXPECT_EQ(fault(R"("command": "docker exec -i c")"),
            "hosts[0].command: must be a list of arguments, not one text: write [\"docker\",\"exec\",\"-i\",\"c\"]");
  EXPECT_EQ(fault(R"("command": 3)"),
            "hosts[0].command: must be a list of arguments, as [\"kubectl\", \"exec\", \"-i\", \"pod\", \"--\"], not 3");
}

TEST(SpecHosts, NamesAreLettersDigitsAndAFewSigns) {
  EXPECT_EQ(host_of(R"("ssh": "user@gpu1.lab_2-a")").name, "user@gpu1.lab_2-a");
  EXPECT_EQ(host_of(R"("ssh": "ssh://me@gpu:22/")").name, "sshme@gpu22");
  EXPECT_EQ(host_of(R"("ssh": ".-a")").name, "a");
  EXPECT_EQ(host_of(R"("ssh": "::")").name, "ssh");
  EXPECT_EQ(host_of(R"("command": ["/usr/bin/docker", "exec"])").name, "docker");
  EXPECT_EQ(host_of(R"("command": ["bin/"])").name, "command");
  EXPECT_EQ(host_of(R"("slurm": {}, "name": "a.B@1_-")").name, "a.B@1_-");
  for (const char* name : {"", ".a", "-a", "a b", "a/b", "é"})
    EXPECT_EQ(fault(R"("local": true, "name": ")" + std::string(name) + "\""),
              "hosts[0].name: " + shown_text("\"" + std::string(name) + "\"") +
                  " is not a name for a host: it has A-Z a-z 0-9 . _ @ - and no leading dot or dash");
}

TEST(SpecHosts, NamesAreDifferent) {
  EXPECT_EQ(fault_of(with_hosts(R"([{"local": true}, {"local": true}])")),
            "hosts[1]: a host above has the name \"local\" too; give it a \"name\" of its own");
  EXPECT_EQ(fault_of(with_hosts(R"([{"ssh": "a"}, {"slurm": {}, "name": "a"}])")),
            "hosts[1]: a host above has the name \"a\" too; give it a \"name\" of its own");
  EXPECT_EQ(fault_of(with_hosts(R"([{"slurm": {}}, {"slurm": {}, "name": "b"}])")), "");
}

TEST(SpecHosts, CountsAreChecked) {
  EXPECT_EQ(ssh_fault(R"("slots": 0)"), "hosts[0].slots: must be a whole number from 1 to 100000, not 0");
  EXPECT_EQ(ssh_fault(R"("max_gpus": -1)"), "hosts[0].max_gpus: must be a whole number from 0 to 100000, not -1");
  EXPECT_EQ(ssh_fault(R"("price_per_hour": -1)"), "hosts[0].price_per_hour: must be a number of at least 0, not -1");
  EXPECT_EQ(ssh_fault(R"("price_per_hour": "3")"),
            "hosts[0].price_per_hour: must be a number of at least 0; \"3\" is text; write 3 without quotes");
  EXPECT_EQ(ssh_fault(R"("price_per_hour": 0)"), "");
  EXPECT_EQ(ssh_fault(R"("lost_after": "soon")"),
            "hosts[0].lost_after: must be a time, as \"90s\", \"30m\", \"2h\", \"1d12h\" or a number of seconds, not \"soon\"");
}

TEST(SpecHosts, GpusAreNumbersOrUuids) {
  const std::string rule = "must be a GPU's number or UUID, as 0 or \"GPU-5f3e\"";
  EXPECT_EQ(ssh_fault(R"("gpus": ["1"])"), "hosts[0].gpus[0]: " + rule + "; \"1\" is text; write 1 without quotes");
  for (const char* gpu : {"\"a100\"", "\"GPU-\"", "\"GPU-a b\"", "true"})
    EXPECT_EQ(ssh_fault(R"("gpus": [)" + std::string(gpu) + "]"), "hosts[0].gpus[0]: " + rule + ", not " + gpu);
  EXPECT_EQ(ssh_fault(R"("gpus": [0, 1.5])"), "hosts[0].gpus[1]: must be a whole number from 0 to 100000, not 1.5");
  EXPECT_EQ(ssh_fault(R"("gpus": [0, 1, 0])"), "hosts[0].gpus[2]: 0 is listed twice");
  EXPECT_EQ(ssh_fault(R"("gpus": ["GPU-a", "GPU-a"])"), "hosts[0].gpus[1]: \"GPU-a\" is listed twice");
  EXPECT_EQ(ssh_fault(R"("gpus": 2)"),
            "hosts[0].gpus: must be a list of GPUs, as [0, 1] (\"max_gpus\" says how many), not 2");
}

TEST(SpecHosts, FoldersAndProgramsArePaths) {
  for (const char* dir : {"studies", "", "~", "~me/x", "../x"})
    EXPECT_NE(ssh_fault(R"("dir": ")" + std::string(dir) + "\""), "") << dir;
  EXPECT_EQ(ssh_fault(R"("dir": "studies")"), "hosts[0].dir: must be a folder that begins with / or ~/, not \"studies\"");
  EXPECT_EQ(ssh_fault(R"("dir": "/a\nb")"), "hosts[0].dir: must not contain control characters");
  EXPECT_EQ(fault(R"("local": true, "dir": "/x")"), "hosts[0].dir: does not go with \"local\": --dir moves it");
  for (const char* program : {"a b", "-a", "$HOME/hpsearch", "a;b", "a'b", "é"})
    EXPECT_EQ(ssh_fault(R"("program": ")" + std::string(program) + "\""),
              "hosts[0].program: must be a path of A-Z a-z 0-9 . _ / ~ + - without a leading dash, not " +
                  shown_text("\"" + std::string(program) + "\""));
  EXPECT_EQ(ssh_fault(R"("program": "")"), "hosts[0].program: must not be empty");
  EXPECT_EQ(host_of(R"("slurm": {}, "program": "/opt/c++/hpsearch-0.1_b")").program, "/opt/c++/hpsearch-0.1_b");
  EXPECT_EQ(fault(R"("local": true, "program": "hpsearch")"),
            "hosts[0].program: goes with \"ssh\", \"slurm\", \"command\" only");
}

TEST(SpecHosts, SurroundingsAreChecked) {
  EXPECT_EQ(ssh_fault(R"("setup": "a\nb")"), "hosts[0].setup: must be one line");
  EXPECT_EQ(ssh_fault(R"("setup": ["a"])"), "hosts[0].setup: must be text in double quotes, not [\"a\"]");
  EXPECT_EQ(ssh_fault(R"("env": {"A": 1})"), "hosts[0].env.A: must be text in double quotes, not 1");
  EXPECT_EQ(ssh_fault(R"("env": {"1A": "1"})"), "hosts[0].env.1A: is not the name of an environment variable");
  EXPECT_EQ(ssh_fault(R"("env": {"HPSEARCH_SEED": "1"})"),
            "hosts[0].env.HPSEARCH_SEED: HPSEARCH_ variables are set by hpsearch");
  EXPECT_EQ(ssh_fault(R"("labels": "big")"),
            "hosts[0].labels: must be a list of names, as [\"big\", \"fast-disk\"], not \"big\"");
  EXPECT_EQ(ssh_fault(R"("labels": [""])"), "hosts[0].labels[0]: must not be empty");
}

TEST(SpecHosts, VarsAreSettings) {
  EXPECT_EQ(ssh_fault(R"("vars": {"dta": "/x"})"),
            "hosts[0].vars.dta: no setting is called \"dta\"; did you mean \"data\"?");
  EXPECT_EQ(ssh_fault(R"("vars": {"lr": 1})"), "hosts[0].vars.lr: no setting is called \"lr\"");
  EXPECT_EQ(ssh_fault(R"("vars": {"data": ["/x"]})"),
            "hosts[0].vars.data: must be text, a number, true, false or null, not [\"/x\"]");
  EXPECT_EQ(ssh_fault(R"("vars": {"data": "a\u0000"})"),
            "hosts[0].vars.data: must not contain the character \\u0000: no program can be given it");
  EXPECT_EQ(ssh_fault(R"("vars": ["data"])"),
            "hosts[0].vars: must be an object of settings, as {\"data\": \"/scratch/data\"}, not [\"data\"]");
  EXPECT_EQ(fault_of(space_text(R"({"settings": 3, "hosts": [{"ssh": "a", "vars": {"data": 1}}]})")),
            "settings: must be an object, as {\"data\": \"/data\"}, not 3");
  EXPECT_EQ(fault_of(space_text(R"({"hosts": [{"ssh": "a", "vars": {"data": 1}}]})")),
            "hosts[0].vars.data: no setting is called \"data\"");
}

TEST(SpecHosts, SshOptionsAreOptions) {
  EXPECT_EQ(ssh_fault(R"("ssh_options": ["jump"])"),
            "hosts[0].ssh_options[0]: follows no option that takes it: ssh would take it for the destination");
  EXPECT_EQ(ssh_fault(R"("ssh_options": ["-oPort=22", "gpu2"])"),
            "hosts[0].ssh_options[1]: follows no option that takes it: ssh would take it for the destination");
  EXPECT_EQ(ssh_fault(R"("ssh_options": ["-p", "22", "gpu2"])"),
            "hosts[0].ssh_options[2]: follows no option that takes it: ssh would take it for the destination");
  EXPECT_EQ(ssh_fault(R"("ssh_options": ["-v", "-o", "Port=22", "-A"])"), "");
  EXPECT_EQ(ssh_fault(R"("ssh_options": ["-p", 22])"), "hosts[0].ssh_options[1]: must be text in double quotes, not 22");
  EXPECT_EQ(ssh_fault(R"("ssh_options": "-v")"),
            "hosts[0].ssh_options: must be a list of texts, as [\"-p\", \"2222\"], not \"-v\"");
  EXPECT_EQ(fault(R"("command": ["a"], "ssh_options": ["-v"])"), "hosts[0].ssh_options: goes with \"ssh\" only");
}

TEST(SpecHosts, ElasticHostsNameTheirInstance) {
  const std::string elastic = R"("elastic": {"launch": ["a"], "release": ["b"]})";
  EXPECT_EQ(fault(R"("ssh": "me@{host}", )" + elastic), "");
  EXPECT_EQ(fault(R"("command": ["a", "x={host}"], )" + elastic), "");
  EXPECT_EQ(fault(R"("ssh": "gpu1", )" + elastic),
            "hosts[0].ssh: must contain {host}, the address of an instance, since \"elastic\" is given");
  EXPECT_EQ(fault(R"("command": ["a"], )" + elastic),
            "hosts[0].command: must contain {host}, the address of an instance, since \"elastic\" is given");
  EXPECT_EQ(fault(R"("ssh": "me@{host}")"),
            "hosts[0].ssh: {host} is the address of an instance of \"elastic\", which is missing");
  EXPECT_EQ(fault(R"("command": ["a", "{host}"])"),
            "hosts[0].command: {host} is the address of an instance of \"elastic\", which is missing");
  EXPECT_EQ(fault(R"("local": true, )" + elastic), "hosts[0].elastic: goes with \"ssh\", \"command\" only");
  EXPECT_EQ(fault(R"("slurm": {}, )" + elastic), "hosts[0].elastic: goes with \"ssh\", \"command\" only");
}

TEST(SpecHosts, ElasticValuesAreChecked) {
  const auto elastic = [](const std::string& more, const std::string& beside = "") {
    return fault(R"("ssh": "{host}", "elastic": {"launch": ["a"], "release": ["b"])" + more + "}" + beside);
  };
  EXPECT_EQ(elastic(R"(, "max": 0)"), "hosts[0].elastic.max: must be a whole number from 1 to 100000, not 0");
  EXPECT_EQ(elastic(R"(, "idle": 0)"), "hosts[0].elastic.idle: must be a time, as \"90s\", \"30m\", \"2h\", \"1d12h\" or a "
                                       "number of seconds, not 0");
  EXPECT_EQ(elastic(R"(, "price_per_hour": -1)"),
            "hosts[0].elastic.price_per_hour: must be a number of at least 0, not -1");
  EXPECT_EQ(elastic(R"(, "price_per_hour": 1)", R"(, "price_per_hour": 1)"),
            "hosts[0].elastic.price_per_hour: stands beside \"elastic\" too; once is enough");
  EXPECT_EQ(fault(R"("ssh": "{host}", "elastic": {"launch": "up now", "release": ["b"]})"),
            "hosts[0].elastic.launch: must be a list of arguments, not one text: write [\"up\",\"now\"]");
  const std::string missing = faults_of(with_hosts(R"([{"ssh": "{host}", "elastic": {}}])"));
  expect_part(missing, "hosts[0].elastic.launch: missing; for example \"launch\": [\"./launch.sh\"]");
  expect_part(missing, "hosts[0].elastic.release: missing; for example \"release\": [\"./release.sh\", \"{host}\"]");
}

TEST(SpecHosts, SlurmTimesAreThoseOfSbatch) {
  for (const char* time : {"90", "30:00", "1:30:00", "100:00:00", "2-12", "1-12:30", "1-12:30:59"})
    EXPECT_EQ(host_of(R"("slurm": {"time": ")" + std::string(time) + "\"}").slurm.time, time);
  for (const char* time : {"", "2h", "1-", "-1", ":30", "1:2:3:4", "1-2:3:4:5", "1--2", "1.5", " 30", "30 ", "1-2-3",
                           "123456789012345678901"})
    EXPECT_EQ(slurm_fault(R"("time": ")" + std::string(time) + "\""),
              "hosts[0].slurm.time: must be a time as sbatch takes it, minutes, MM:SS, HH:MM:SS, D-HH, D-HH:MM or "
              "D-HH:MM:SS, not \"" + std::string(time) + "\"");
  EXPECT_EQ(slurm_fault(R"("time": 30)"), "hosts[0].slurm.time: must be text in double quotes, not 30");
}

TEST(SpecHosts, SlurmTextsAreNoOptions) {
  for (const char* key : {"partition", "account", "qos"}) {
    const std::string path = "hosts[0].slurm." + std::string(key);
    const auto fault = [&](const std::string& value) { return slurm_fault("\"" + std::string(key) + "\": " + value); };
    EXPECT_EQ(fault("\"-x\""), path + ": must not begin with a dash: sbatch would take it for an option");
    EXPECT_EQ(fault("\"\""), path + ": must not be empty");
    EXPECT_EQ(fault("\"a\\n#SBATCH\""), path + ": must not contain control characters");
    EXPECT_EQ(fault("3"), path + ": must be text in double quotes, not 3");
  }
  EXPECT_EQ(slurm_fault(R"("sbatch": ["--constraint=a100", "run.sh"])"),
            "hosts[0].slurm.sbatch[1]: follows no option that takes it: sbatch would take it for the script");
  EXPECT_EQ(slurm_fault(R"("sbatch": ["a"])"),
            "hosts[0].slurm.sbatch[0]: follows no option that takes it: sbatch would take it for the script");
  EXPECT_EQ(slurm_fault(R"("sbatch": ["-C", "a\u001b"])"), "hosts[0].slurm.sbatch[1]: must not contain control characters");
  EXPECT_EQ(slurm_fault(R"("sbatch": "--exclusive")"),
            "hosts[0].slurm.sbatch: must be a list of texts, as [\"--constraint=a100\"], not \"--exclusive\"");
}

TEST(SpecHosts, SlurmValuesAreChecked) {
  EXPECT_EQ(fault(R"("slurm": true)"), "hosts[0].slurm: must be an object in braces, not true");
  EXPECT_EQ(slurm_fault(R"("max_jobs": 0)"), "hosts[0].slurm.max_jobs: must be a whole number from 1 to 100000, not 0");
  EXPECT_EQ(slurm_fault(R"("mode": "array")"), "hosts[0].slurm.mode: \"array\" is not one of \"job\", \"pilot\"");
  EXPECT_EQ(slurm_fault(R"("warn": "x")"), "hosts[0].slurm.warn: must be a time, as \"90s\", \"30m\", \"2h\", \"1d12h\" or a "
                                           "number of seconds, not \"x\"");
  EXPECT_EQ(host_of(R"("slurm": {"mode": "job"})").slurm.pilot, false);
}

TEST(SpecHosts, FaultsHaveTheirLine) {
  EXPECT_EQ(faults_of("{\"command\": [\"a\"], \"metric\": {\"name\": \"m\", \"goal\": \"minimize\"}, \"params\": {\"x\": [1]},\n"
                      "\"hosts\": [{\"ssh\": \"gpu1\",\n\"slts\": 2}, {\"local\": true},\n"
                      "{\"slurm\": {\"partion\": \"gpu\"},\n\"dir\": \"x\"}]}"),
            "space.json:3: hosts[0].slts: unknown key; did you mean \"slots\"?\n"
            "space.json:4: hosts[2].slurm.partion: unknown key; did you mean \"partition\"?\n"
            "space.json:5: hosts[2].dir: must be a folder that begins with / or ~/, not \"x\"");
}

TEST(SpecHosts, WordsOfOtherToolsAreUnderstood) {
  const auto meant = [](const std::string& members) {
    const std::string faults = faults_of(with_hosts("[{" + members + "}]"));
    const std::size_t begin = faults.find("did you mean \"") + 14;
    return faults.substr(begin, faults.find('"', begin) - begin);
  };
  EXPECT_EQ(meant(R"("host": "gpu1")"), "ssh");
  EXPECT_EQ(meant(R"("ssh": "gpu1", "user": "me")"), "ssh");
  EXPECT_EQ(meant(R"("ssh": "gpu1", "port": 22)"), "ssh_options");
  EXPECT_EQ(meant(R"("local": true, "cores": 4)"), "slots");
  EXPECT_EQ(meant(R"("ssh": "gpu1", "workdir": "/x")"), "dir");
  EXPECT_EQ(meant(R"("ssh": "gpu1", "gpuIndices": [0])"), "gpus");
  EXPECT_EQ(meant(R"("ssh": "gpu1", "prefix": "x")"), "setup");
  EXPECT_EQ(meant(R"("partition": "gpu", "slurm": {})"), "slurm.partition");
  EXPECT_EQ(meant(R"("slurm": {"queue": "gpu"})"), "partition");
  EXPECT_EQ(meant(R"("slurm": {"nodes": 3})"), "max_jobs");
  EXPECT_EQ(meant(R"("slurm": {"gres": "gpu:1"})"), "trial.gpus");
  EXPECT_EQ(meant(R"("ssh": "{host}", "elastic": {"start": ["a"], "release": ["b"]})"), "launch");
  EXPECT_EQ(fault_of(space_text(R"({"nodes": [{"ssh": "gpu1"}]})")), "nodes: unknown key; did you mean \"hosts\"?");
  EXPECT_EQ(fault_of(space_text(R"({"trial": {"vram": "8GB"}})")), "trial.vram: unknown key; did you mean \"gpu_memory\"?");
}

TEST(SpecHosts, MisspeltKeysAreReadAsMeant) {
  EXPECT_EQ(faults_of(with_hosts(R"([{"ssh": "gpu1", "gpu": 2}])")),
            "space.json:1: hosts[0].gpu: unknown key; did you mean \"gpus\"?\n"
            "space.json:1: hosts[0].gpu: must be a list of GPUs, as [0, 1] (\"max_gpus\" says how many), not 2");
}

}  // namespace
}  // namespace hpsearch
