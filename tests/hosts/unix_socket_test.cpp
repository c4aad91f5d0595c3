#include "scheduler/hosts/unix_socket.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

namespace fs = std::filesystem;

const std::string kId = "00112233445566778899aabbccddeeff";

// Sets a variable for one test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST(UnixSocket, LiesInTheRuntimeFolderWhenItIsOurs) {
  TemporaryFolder home;
  const Variable runtime("XDG_RUNTIME_DIR", home.path());
  EXPECT_EQ(attempt_socket_path(kId), home.path() / "hpsearch" / (kId + ".sock"));
  struct stat info {};
  ASSERT_EQ(::stat((home.path() / "hpsearch").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST(UnixSocket, ElseInTheTemporaryFolder) {
  TemporaryFolder home;
  const Variable runtime("XDG_RUNTIME_DIR", "/no/such/folder");
  const Variable temporary("TMPDIR", home.path());
  const std::string folder = "hpsearch-" + std::to_string(::geteuid());
  EXPECT_EQ(attempt_socket_path(kId), home.path() / folder / (kId + ".sock"));
}

TEST(UnixSocket, ALongFolderIsPassedOver) {
  const Variable runtime("XDG_RUNTIME_DIR", "/no/such/folder");
  const Variable temporary("TMPDIR", "/tmp/" + std::string(100, 'x'));
  EXPECT_LT(attempt_socket_path(kId).size(), 108u);
}

TEST(UnixSocket, AFolderOpenToOthersIsPassedOver) {
  TemporaryFolder home;
  const Variable runtime("XDG_RUNTIME_DIR", home.path());
  fs::create_directory(home.path() / "hpsearch");
  fs::permissions(home.path() / "hpsearch", fs::perms::owner_all | fs::perms::group_read);
  EXPECT_NE(fs::path(attempt_socket_path(kId)).parent_path(), home.path() / "hpsearch");
}

TEST(UnixSocket, AnUnusableTemporaryFolderIsPassedOver) {
  const Variable runtime("XDG_RUNTIME_DIR", ""), temporary("TMPDIR", "/no/such/folder");
  EXPECT_EQ(attempt_socket_path(kId).rfind("/tmp/hpsearch-", 0), 0u);
}

TEST(UnixSocket, ConnectsWhileSomebodyListens) {
  TemporaryFolder home;
  const std::string path = home.path() / "s";
  EXPECT_FALSE(connect_to(path).open());
  {
    const FileDescriptor listener = listen_at(path);
    EXPECT_TRUE(connect_to(path).open());
  }
  EXPECT_FALSE(connect_to(path).open()) << "the file is still there, nobody listens";
  EXPECT_NO_THROW(listen_at(path)) << "a left file is replaced";
}

}  // namespace
}  // namespace hpsearch::testing
