#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "store/sqlite_store.h"
#include "tests/store/sample_log.h"
#include "tests/store/temporary_folder.h"

namespace hpsearch {
namespace {

struct Implementation {
  const char* name;
  std::function<std::unique_ptr<Store>(const TemporaryFolder&)> make;
};

// What every store promises.
class StoreContract : public testing::TestWithParam<Implementation> {
 protected:
  TemporaryFolder folder_;
  std::unique_ptr<Store> store_ = GetParam().make(folder_);
};

TEST_P(StoreContract, NewStoreIsEmpty) { EXPECT_TRUE(read_all(*store_).empty()); }

TEST_P(StoreContract, EveryKindOfEventComesBackAsItWas) {
  const std::vector<Event> events = every_kind_of_event();
  store_->append(events);
  EXPECT_EQ(descriptions(read_all(*store_)), descriptions(events));
}

TEST_P(StoreContract, BatchesComeBackInOrder) {
  const std::vector<Event> events = every_kind_of_event();
  for (const Event& event : events) store_->append({event});
  EXPECT_EQ(descriptions(read_all(*store_)), descriptions(events));
}

TEST_P(StoreContract, EmptyBatchChangesNothing) {
  store_->append({});
  EXPECT_TRUE(read_all(*store_).empty());
}

TEST_P(StoreContract, LogStartsAtOne) { EXPECT_THROW(store_->append(report_batch(2, 1)), std::logic_error); }

TEST_P(StoreContract, EventTwiceIsRefused) {
  store_->append(report_batch(1, 3));
  EXPECT_THROW(store_->append(report_batch(3, 1)), std::logic_error);
  EXPECT_EQ(read_all(*store_).size(), 3u);
}

TEST_P(StoreContract, GapIsRefused) {
  store_->append(report_batch(1, 3));
  EXPECT_THROW(store_->append(report_batch(5, 1)), std::logic_error);
}

TEST_P(StoreContract, BatchThatFailsLeavesNothing) {
  std::vector<Event> batch = report_batch(1, 3);
  batch.back().seq = 7;
  EXPECT_THROW(store_->append(batch), std::logic_error);
  EXPECT_TRUE(read_all(*store_).empty());
  store_->append(report_batch(1, 2));
  EXPECT_EQ(read_all(*store_).size(), 2u);
}

TEST_P(StoreContract, LargeBatch) {
  const std::vector<Event> events = report_batch(1, 20'000);
  store_->append(events);
  EXPECT_EQ(descriptions(read_all(*store_)), descriptions(events));
}

INSTANTIATE_TEST_SUITE_P(
    All, StoreContract,
    testing::Values(Implementation{"Memory", [](const TemporaryFolder&) { return std::make_unique<MemoryStore>(); }},
                    Implementation{"Sqlite",
                                   [](const TemporaryFolder& f) { return SqliteStore::create(f / "study.db"); }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hpsearch
