// Sets the wall clock of the programs that it is preloaded into: by as many seconds as the file named by WALL_CLOCK says, read
// again at each call. Other clocks are left alone.

#include <dlfcn.h>
#include <sys/time.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

long offset() {
  const char* path = std::getenv("WALL_CLOCK");
  std::FILE* file = path ? std::fopen(path, "r") : nullptr;
  long seconds = 0;
  if (file && std::fscanf(file, "%ld", &seconds) != 1) seconds = 0;
  if (file) std::fclose(file);
  return seconds;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static const auto real = reinterpret_cast<int (*)(clockid_t, timespec*)>(::dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += offset();
  return result;
}

int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  const int result = clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return result;
}

time_t time(time_t* at) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return at ? *at = now.tv_sec : now.tv_sec;
}

}  // extern "C"
