#include "trials/json_document.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "trials/json_text.h"

namespace hpsearch {
namespace {

constexpr std::size_t kDeepestJson = 64;

// Gives nlohmann's parser the text and tells how much of it was read, which its SAX interface doesn't.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

// An object or array that is being read.
struct Frame {
  Json value;
  std::string path;
  std::string key;                  // Of the member that is being read.
  std::map<std::string, int> keys;  // Line of each key so far.
  bool doubled = false;             // The member being read is to be dropped.
};

class DocumentReader : public nlohmann::json_sax<Json> {
 public:
  DocumentReader(std::string_view text, JsonDocument& document) : text_(text), document_(document) {}

  std::size_t* count() { return &read_; }

  bool null() override { return scalar(nullptr); }
  bool boolean(bool value) override { return scalar(value); }
  bool string(string_t& value) override { return scalar(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool number_integer(number_integer_t value) override { return number(value); }
  bool number_unsigned(number_unsigned_t value) override { return number(value); }
  bool number_float(number_float_t value, const string_t& written) override {
    const bool integer = written.find_first_of(".,eE") == std::string::npos;
    if (integer) fault(number_end(), written.size(), child_path(), beyond_64_bits(written));
    return number(value);
  }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Frame& frame = frames_.back();
    end_ = read_;
    const auto [first, fresh] = frame.keys.emplace(name, text_.line(read_));
    frame.key = name;
    frame.doubled = !fresh;
    const std::string message = "key given twice; first on line " + std::to_string(first->second);
    if (!fresh) fault(read_, text_.token_length(read_), child_path(), message);
    if (fresh) document_.lines.emplace(child_path(), text_.line(read_));
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    const std::size_t stop = std::min(position, text_.size());
    const SyntaxFault found = syntax_fault(text_, end_, stop, !frames_.empty(), error.what());
    fault(found.offset + 1, 1, frames_.empty() ? "" : child_path(), found.message);
    return false;
  }

 private:
  // The parser reads one character past a number, except at the end of the text.
  std::size_t number_end() const {
    const bool past = read_ > 0 && !text_.of_number(read_ - 1);
    return past ? read_ - 1 : read_;
  }

  template <typename Number>
  bool number(Number value) {
    read_end_ = number_end();
    return scalar(value);
  }

  bool scalar(Json value) {
    note_line();
    end_ = std::exchange(read_end_, std::nullopt).value_or(read_);
    return place(std::move(value));
  }

  bool open(Json value) {
    if (frames_.size() == kDeepestJson) {
      fault(read_, 1, child_path(), "nested more than " + std::to_string(kDeepestJson) + " levels deep");
      return false;
    }
    note_line();
    end_ = read_;
    frames_.push_back({std::move(value), child_path(), "", {}, false});
    return true;
  }

  bool close() {
    end_ = read_;
    Json value = std::move(frames_.back().value);
    frames_.pop_back();
    return place(std::move(value));
  }

  bool place(Json value) {
    if (frames_.empty()) document_.root = std::move(value);
    else if (frames_.back().value.is_array()) frames_.back().value.push_back(std::move(value));
    else if (!frames_.back().doubled) frames_.back().value[frames_.back().key] = std::move(value);
    return true;
  }

  std::string child_path() const {
    if (frames_.empty()) return "";
    const Frame& frame = frames_.back();
    return frame.value.is_array() ? json_path(frame.path, frame.value.size()) : json_path(frame.path, frame.key);
  }

  // Members of an object have the line of their key.
  void note_line() {
    if (frames_.empty() || frames_.back().value.is_array())
      document_.lines.emplace(child_path(), text_.line(read_end_.value_or(read_)));
  }

  // `end` is the offset just past the text at fault.
  void fault(std::size_t end, std::size_t length, std::string path, std::string message) {
    const std::size_t begin = end - std::min(end, length);
    document_.faults.push_back({text_.line(begin + 1), text_.column(begin), std::move(path), std::move(message)});
  }

  JsonText text_;
  JsonDocument& document_;
  std::vector<Frame> frames_;
  std::size_t read_ = 0;                  // Characters that the parser took.
  std::size_t end_ = 0;                   // End of the last whole token.
  std::optional<std::size_t> read_end_;   // End of the number just read.
};

bool plain_key(const std::string& key) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
  return !key.empty() && std::all_of(key.begin(), key.end(), plain);
}

}  // namespace

JsonDocument JsonDocument::parse(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  JsonDocument document;
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {  // The parser would take it for the end.
    document.root = Json(Json::value_t::discarded);
    document.faults.push_back({JsonText(text).line(nul + 1), JsonText(text).column(nul), "", "a NUL byte: this is no text file"});
    return document;
  }
  DocumentReader reader(text, document);
  const CountingIterator begin(text.data(), reader.count()), end(text.data() + text.size(), nullptr);
  const bool whole = Json::sax_parse(begin, end, &reader, Json::input_format_t::json, true, true);
  if (!whole) document.root = Json(Json::value_t::discarded);
  return document;
}

std::string json_path(const std::string& parent, const std::string& key) {
  if (plain_key(key)) return parent.empty() ? key : parent + "." + key;
  return parent + "[" + compact(key) + "]";
}

std::string json_path(const std::string& parent, std::size_t index) {
  return parent + "[" + std::to_string(index) + "]";
}

}  // namespace hpsearch
