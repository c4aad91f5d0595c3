#!/bin/sh
# gpu_program.sh MIB COMMAND...: what a training program is to the driver. It takes so much memory on each unit that
# CUDA_VISIBLE_DEVICES names, by registering in $FAKE_GPUS/UUID (see fake_nvml.cpp), and then is the command.
mib=$1
shift
for unit in $(echo "$CUDA_VISIBLE_DEVICES" | tr , ' '); do echo "$$ $mib" >> "$FAKE_GPUS/$unit"; done
exec "$@"
