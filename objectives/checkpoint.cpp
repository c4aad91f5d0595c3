#include "objectives/checkpoint.h"

#include <ATen/Context.h>
#include <c10/util/Exception.h>
#include <fcntl.h>
#include <torch/serialize/input-archive.h>
#include <torch/serialize/output-archive.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <stdexcept>
#include <system_error>

namespace hpsearch {
namespace {

using torch::serialize::InputArchive;
using torch::serialize::OutputArchive;

at::Generator default_generator(torch::Device device) { return at::globalContext().defaultGenerator(device); }

torch::Tensor random_state(torch::Device device) {
  at::Generator generator = default_generator(device);
  const std::lock_guard lock(generator.mutex());
  return generator.get_state();
}

void set_random_state(torch::Device device, const torch::Tensor& state) {
  at::Generator generator = default_generator(device);
  const std::lock_guard lock(generator.mutex());
  generator.set_state(state.cpu());
}

void flush_to_disk(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || fsync(file) != 0) {
    const std::error_code error(errno, std::generic_category());
    if (file >= 0) close(file);
    throw std::system_error(error, path.string());
  }
  close(file);
}

CheckpointLabel label_in(InputArchive& archive) {
  c10::IValue epoch, optimizer, architecture;
  archive.read("epoch", epoch);
  archive.read("optimizer_name", optimizer);
  archive.read("architecture", architecture);
  return {static_cast<int>(epoch.toInt()), optimizer.toStringRef(), architecture.toStringRef()};
}

void read_weights(InputArchive& archive, const CheckpointLabel& label, Network& network) {
  if (label.architecture != network.architecture()) {
    throw std::runtime_error("it holds the network " + label.architecture + ", not " + network.architecture());
  }
  InputArchive weights;
  archive.read("network", weights);
  network.load(weights);
}

void read_random_states(InputArchive& archive, torch::Device device) {
  torch::Tensor state;
  archive.read("cpu_random", state);
  set_random_state(torch::kCPU, state);
  if (!device.is_cpu() && archive.try_read("device_random", state)) set_random_state(device, state);
}

// Opens `path` and hands it to `read`; errors of either name the file.
template <typename Read>
CheckpointLabel with_archive(const std::filesystem::path& path, torch::Device device, Read read) {
  try {
    InputArchive archive;
    archive.load_from(path.string(), device);
    const CheckpointLabel label = label_in(archive);
    read(archive, label);
    return label;
  } catch (const c10::Error& error) {
    throw std::runtime_error(path.string() + ": not a readable checkpoint: " + error.what_without_backtrace());
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path.string() + ": " + error.what());
  }
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const CheckpointLabel& label, const Network& network,
                     const torch::optim::Optimizer& optimizer, torch::Device device) {
  OutputArchive archive;
  archive.write("epoch", c10::IValue(static_cast<int64_t>(label.epoch)));
  archive.write("optimizer_name", c10::IValue(label.optimizer));
  archive.write("architecture", c10::IValue(label.architecture));
  archive.write("cpu_random", random_state(torch::kCPU));
  if (!device.is_cpu()) archive.write("device_random", random_state(device));
  OutputArchive weights(archive.compilation_unit());
  network.save(weights);
  archive.write("network", weights);
  OutputArchive state(archive.compilation_unit());
  optimizer.save(state);
  archive.write("optimizer", state);

  const std::filesystem::path unfinished = path.string() + ".part";
  archive.save_to(unfinished.string());
  flush_to_disk(unfinished);
  std::filesystem::rename(unfinished, path);
  flush_to_disk(std::filesystem::absolute(path).parent_path());
}

CheckpointLabel read_checkpoint_label(const std::filesystem::path& path) {
  return with_archive(path, torch::kCPU, [](InputArchive&, const CheckpointLabel&) {});
}

void load_weights(const std::filesystem::path& path, Network& network, torch::Device device) {
  with_archive(path, device, [&](InputArchive& archive, const CheckpointLabel& label) {
    read_weights(archive, label, network);
  });
}

CheckpointLabel load_checkpoint(const std::filesystem::path& path, Network& network, const std::string& optimizer_name,
                                torch::optim::Optimizer& optimizer, torch::Device device) {
  return with_archive(path, device, [&](InputArchive& archive, const CheckpointLabel& label) {
    read_weights(archive, label, network);
    read_random_states(archive, device);
    if (label.optimizer != optimizer_name) return;
    InputArchive state;
    archive.read("optimizer", state);
    optimizer.load(state);
  });
}

}  // namespace hpsearch
