#include "scheduler/hosts/instance_words.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace hpsearch {

namespace {

void fill(std::string& text, const std::string& name, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size()) text.replace(at, name.size(), value);
}

std::string last_words_of(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    line.erase(0, line.find_first_not_of(" \t"));
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

// ssh would take one with a leading dash for an option.
std::string address_in(const std::string& output) {
  const std::string address = last_words_of(output);
  const bool odd = std::any_of(address.begin(), address.end(), [](unsigned char c) { return c <= ' ' || c == 127; });
  return odd || address.starts_with("-") ? "" : address;
}

std::vector<std::string> filled(std::vector<std::string> arguments, const std::string& address, const std::string& instance) {
  for (std::string& argument : arguments) {
    fill(argument, "{instance}", instance);
    fill(argument, "{host}", address);
  }
  return arguments;
}

HostSpec at_address(HostSpec spec, const std::string& address) {
  fill(spec.ssh, "{host}", address);
  for (std::string& argument : spec.command) fill(argument, "{host}", address);
  return spec;
}

std::string failure_of(const CommandResult& result) {
  const std::string last = last_words_of(result.errors);
  std::string text = result.timed_out ? "it took too long" : result.status < 0 ? "it could not be run" : "exit " + std::to_string(result.status);
  return last.empty() ? text : text + ": " + last;
}

}  // namespace hpsearch
