#include <stdexcept>
#include <vector>

#include "trials/json_scanner.h"
#include "trials/json_text.h"
#include "trials/report_parts.h"

namespace hpsearch {

namespace {

struct Word {
  std::string name, value;
  bool has_value = false;
};

// Splits at blanks outside quotes; the first "=" outside quotes parts name and value.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  std::optional<Word> next() {
    while (at_ < text_.size() && json_blank(text_[at_])) ++at_;
    if (at_ == text_.size()) return std::nullopt;
    Word word;
    while (at_ < text_.size() && !json_blank(text_[at_])) {
      std::string& part = word.has_value ? word.value : word.name;
      const char c = text_[at_++];
      if (c == '"') quoted(part);
      else if (c == '=' && !word.has_value) word.has_value = true;
      else part += c;
    }
    return word;
  }

 private:
  void quoted(std::string& part) {
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      part += text_[at_++];
    }
    if (at_ == text_.size()) throw std::invalid_argument("a quote without end");
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Report parse_report_words(std::string_view line) {
  if (!valid_utf8(line)) throw std::invalid_argument("not UTF-8");
  WordReader reader(line);
  Report report;
  while (auto word = reader.next()) {
    if (!word->has_value) throw std::invalid_argument("not name=value: \"" + word->name + "\"");
    if (word->name == "step") {
      if (report.step) throw std::invalid_argument("step given twice");
      report.step = read_step(word->value);
    } else if (word->name == "checkpoint") {
      if (!word->value.empty()) report.checkpoint = read_checkpoint(word->value);
    } else {
      add_metric(report, std::move(word->name), word->value);
    }
  }
  check_report(report);
  return report;
}

}  // namespace hpsearch
