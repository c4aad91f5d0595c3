#include <cctype>

#include "trials/spec_parts.h"

namespace hpsearch {
namespace {

constexpr std::size_t kLongestSlurmTime = 20;

// "1-12:00:00" -> "0-0:0:0".
std::string digits_as_one(const std::string& text) {
  std::string shape;
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c));
    if (!digit) shape += c;
    else if (shape.empty() || shape.back() != '0') shape += '0';
  }
  return shape;
}

void read_slurm_time(const Field& field, SlurmSpec& slurm) {
  const auto time = field.text();
  if (!time) return;
  slurm.time = *time;
  const std::string shape = digits_as_one(*time);
  for (const char* known : {"0", "0:0", "0:0:0", "0-0", "0-0:0", "0-0:0:0"})
    if (shape == known && time->size() <= kLongestSlurmTime) return;
  field.fault("must be a time as sbatch takes it, minutes, MM:SS, HH:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS, not " +
              shown(field.value()));
}

void read_slurm_name(const Fields& fields, const std::string& key, std::string& name) {
  const auto field = fields.find(key);
  if (!field) return;
  name = field->name().value_or("");
  if (name.starts_with("-")) field->fault("must not begin with a dash: sbatch would take it for an option");
}

}  // namespace

SlurmSpec read_slurm(const Field& field) {
  const Fields fields(field, "slurm");
  SlurmSpec slurm;
  read_slurm_name(fields, "partition", slurm.partition);
  read_slurm_name(fields, "account", slurm.account);
  read_slurm_name(fields, "qos", slurm.qos);
  if (const auto time = fields.find("time")) read_slurm_time(*time, slurm);
  if (const auto jobs = fields.find("max_jobs"))
    slurm.max_jobs = static_cast<int>(jobs->integer(1, 100'000).value_or(slurm.max_jobs));
  if (const auto mode = fields.find("mode")) slurm.pilot = mode->word({"job", "pilot"}) == "pilot";
  if (const auto warn = fields.find("warn")) slurm.warn = warn->span().value_or(slurm.warn);
  if (const auto sbatch = fields.find("sbatch"))
    slurm.sbatch = read_options(*sbatch, "[\"--constraint=a100\"]", "sbatch would take it for the script");
  return slurm;
}

}  // namespace hpsearch
