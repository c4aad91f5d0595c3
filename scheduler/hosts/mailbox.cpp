#include "scheduler/hosts/mailbox.h"

#include <fcntl.h>

#include "scheduler/hosts/file_io.h"

namespace hpsearch {

namespace {

constexpr Span kPressing{100}, kAtEase{1'000};

}  // namespace

Mailbox::Mailbox(boost::asio::io_context& io, std::filesystem::path file, std::function<void(std::string_view)> word,
                 std::function<bool()> pressing, std::function<void()> looked)
    : file_(std::move(file)),
      word_(std::move(word)),
      pressing_(std::move(pressing)),
      looked_(std::move(looked)),
      timer_(io) {
  look_after(kPressing);
}

void Mailbox::hurry() { look_after(kPressing); }

void Mailbox::look_after(Span delay) {
  timer_.expires_after(delay);
  timer_.async_wait([this](const auto& error) {
    if (error) return;
    file_.look(word_);
    looked_();
    look_after(pressing_() ? kPressing : kAtEase);
  });
}

void post_word(const std::filesystem::path& mailbox, const SchedulerWord& word) {
  const FileDescriptor file = open_file(mailbox, O_WRONLY | O_CREAT | O_APPEND);
  write_bytes(file.get(), word_text(word), mailbox);
}

}  // namespace hpsearch
