#include "scheduler/hosts/device_news.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

SeenDevices one(const std::string& busy) { return {{{"GPU-a", "A100", 80, 0, 0, busy}}, "", ""}; }

TEST(DeviceNews, FiguresWaitAndTheRestDoesNot) {
  DeviceNews news(Span(60'000));
  EXPECT_TRUE(news.worth({}, Span(0))) << "no GPU is news too";
  EXPECT_FALSE(news.worth({}, Span(1)));
  EXPECT_TRUE(news.worth(one("9.1 GB in use"), Span(1'000)));
  EXPECT_FALSE(news.worth(one("9.2 GB in use"), Span(2'000)));
  EXPECT_TRUE(news.worth(one(""), Span(3'000)));
  EXPECT_FALSE(news.worth(one(""), Span(300'000)));
  EXPECT_TRUE(news.worth(one("45 % busy"), Span(301'000)));
  EXPECT_FALSE(news.worth(one("46 % busy"), Span(360'999)));
  EXPECT_TRUE(news.worth(one("46 % busy"), Span(361'000)));
  EXPECT_TRUE(news.worth({{}, "the driver does not answer", ""}, Span(361'001)));
  EXPECT_TRUE(news.worth({}, Span(361'002)));
}

TEST(DeviceNews, WhatOthersTakeMattersBesideThemOnly) {
  const auto with = [](const std::string& busy, double free) {
    SeenDevices seen = one(busy);
    seen.units[0].free = free;
    return seen;
  };
  DeviceNews news(Span(60'000));
  EXPECT_TRUE(news.worth(with("", 1), Span(0)));
  EXPECT_TRUE(news.worth(with("", 0.5), Span(1)));
  EXPECT_TRUE(news.worth(with("used by hpsearch study a of b", 0.5), Span(2)));
  EXPECT_FALSE(news.worth(with("used by hpsearch study a of b", 0), Span(3)));
}

}  // namespace
}  // namespace hpsearch
