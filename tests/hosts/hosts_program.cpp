#include <cstring>
#include <string>

#include "scheduler/hosts/keeper.h"
#include "scheduler/hosts/report_verb.h"

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "keeper") == 0) return hpsearch::keeper_main(argv[2]);
  if (argc >= 2 && std::strcmp(argv[1], "report") == 0) return hpsearch::report_main({argv + 2, argv + argc});
  return 2;
}
