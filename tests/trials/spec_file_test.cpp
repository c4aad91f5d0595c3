#include <filesystem>
#include <fstream>

#include "tests/trials/spec_support.h"

namespace hpsearch {
namespace {

namespace fs = std::filesystem;

class SpecFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("hpsearch-spec-") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  static std::string refusal(const std::string& file) {
    try {
      read_spec(file);
      return "";
    } catch (const UserError& error) {
      return error.what();
    }
  }

  fs::path folder_;
};

TEST_F(SpecFile, ReadsAFileAndKnowsItsFolder) {
  const StudySpec spec = read_spec(write("mine.json", space_text()));
  EXPECT_EQ(spec.name, "mine");
  EXPECT_EQ(fs::path(spec.folder), folder_);
}

TEST_F(SpecFile, Cl4AbsentFilesFoldersAndEmptyFilesAreRefused) {
  const std::string absent = (folder_ / "absent.json").string();
  EXPECT_EQ(refusal(absent), absent + ": can't be read: No such file or directory");
  EXPECT_EQ(refusal(folder_.string()), folder_.string() + ": is a folder, not a file");
  const std::string empty = write("empty.json", "");
  EXPECT_EQ(refusal(empty), empty + ":1:1: the file is empty");
}

TEST_F(SpecFile, HostsMayStandInAFileOfTheirOwn) {
  write("lab.json", R"([{"local": true, "slots": 3}])");
  const StudySpec spec = read_spec(write("space.json", space_text(R"({"hosts": "lab.json"})")));
  EXPECT_EQ(spec.hosts.at(0).slots, 3);
  EXPECT_EQ(parse_spec_document(spec.document, "space", "/").hosts.at(0).slots, 3);
}

TEST_F(SpecFile, HostsFilesServeStudiesOfOtherSettings) {
  const std::string lab = write("lab.json", R"([{"ssh": "gpu1", "vars": {"data": "/x", "corpus": "/y"}}, {"local": true}])");
  const StudySpec spec = read_spec(write("space.json", space_text(R"({"settings": {"data": "/d"}, "hosts": "lab.json"})")));
  EXPECT_EQ(spec.hosts.at(0).vars, Json({{"data", "/x"}}));
  EXPECT_TRUE(spec.warnings.empty());
  EXPECT_EQ(read_hosts_file(lab).at(0).vars, Json({{"data", "/x"}, {"corpus", "/y"}}));
}

TEST_F(SpecFile, AVariableThatMayBeMisspeltIsToldOf) {
  const std::string lab = write("lab.json", R"([{"ssh": "gpu1", "vars": {"dta": "/x"}}])");
  const StudySpec spec = read_spec(write("space.json", space_text(R"({"settings": {"data": "/d"}, "hosts": "lab.json"})")));
  EXPECT_TRUE(spec.hosts.at(0).vars.empty());
  EXPECT_EQ(spec.warnings, std::vector<std::string>{lab + ": gpu1.vars.dta: left out, no setting is called so; did you mean \"data\"?"});
}

TEST_F(SpecFile, HostsFilesBringPrices) {
  const std::string space = write("space.json", space_text(R"({"limits": {"cost": 3}, "hosts": "lab.json"})"));
  write("lab.json", R"([{"ssh": "gpu1", "price_per_hour": 2}])");
  EXPECT_TRUE(read_spec(space).warnings.empty());
  write("lab.json", R"([{"ssh": "gpu1"}])");
  EXPECT_EQ(read_spec(space).warnings,
            std::vector<std::string>{"limits.cost: no host has a \"price_per_hour\": it ends nothing"});
}

TEST_F(SpecFile, HostsFilesTakeThePlaceOfHosts) {
  const StudySpec own = read_spec(write("space.json", space_text(R"({"hosts": [{"local": true, "slots": 3}]})")));
  const StudySpec spec = with_hosts_file(own, write("lab.json", R"([{"ssh": "gpu1"}, {"slurm": {}}])"));
  EXPECT_EQ(spec.name, own.name);
  EXPECT_EQ(spec.folder, own.folder);
  ASSERT_EQ(spec.hosts.size(), 2u);
  EXPECT_EQ(spec.hosts[0].ssh, "gpu1");
  EXPECT_EQ(spec.document["hosts"].dump(), R"([{"ssh":"gpu1"},{"slurm":{}}])");
}

TEST_F(SpecFile, FaultsOfAHostsFileNameIt) {
  const std::string lab = write("lab.json", "[\n{\"local\": true, \"slts\": 3}]");
  EXPECT_EQ(refusal(write("space.json", space_text(R"({"hosts": "lab.json"})"))),
            lab + ":2: [0].slts: unknown key; did you mean \"slots\"?");
  expect_part(refusal(write("space.json", space_text(R"({"hosts": "none.json"})"))), "none.json: can't be read");
}

}  // namespace
}  // namespace hpsearch
