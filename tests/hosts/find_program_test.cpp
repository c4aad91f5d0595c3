#include "scheduler/hosts/find_program.h"

#include <gtest/gtest.h>

#include <fstream>

#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

namespace fs = std::filesystem;

void make_program(const fs::path& file) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "#!/bin/sh\n";
  fs::permissions(file, fs::perms::owner_all);
}

TEST(FindProgram, APlainNameInTheFolderComesFirst) {
  TemporaryFolder home;
  make_program(home.path() / "sh");
  EXPECT_EQ(find_program("sh", home.path()), home.path() / "sh");
}

TEST(FindProgram, ThenBesideTheRunningProgramThenOnPath) {
  TemporaryFolder home;
  EXPECT_EQ(find_program("hosts_tests", home.path()), program_folder() / "hosts_tests");
  EXPECT_TRUE(find_program("sh", home.path()));
  EXPECT_FALSE(find_program("no-such-program-here", home.path()));
}

TEST(FindProgram, ANameWithASlashIsFromTheFolderOnly) {
  TemporaryFolder home;
  make_program(home.path() / "bin" / "train");
  EXPECT_EQ(find_program("bin/train", home.path()), home.path() / "bin/train");
  EXPECT_FALSE(find_program("./sh", home.path()));
  EXPECT_EQ(find_program("/bin/sh", home.path()), fs::path("/bin/sh"));
}

TEST(FindProgram, WhatCannotBeExecutedIsNotFound) {
  TemporaryFolder home;
  std::ofstream(home.path() / "data-file-here") << "x";
  fs::create_directory(home.path() / "folder-here");
  EXPECT_FALSE(find_program("data-file-here", home.path()));
  EXPECT_FALSE(find_program("folder-here", home.path()));
  EXPECT_FALSE(find_program("", home.path()));
}

}  // namespace
}  // namespace hpsearch::testing
