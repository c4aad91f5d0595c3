"""Small machines inside this one, for tests of what happens between machines.

A machine is a tree of processes with a network address, host name, pids, boot id, /tmp and /run of its own; the rest of the
file system is this machine's. Machines hang on a switch, and this machine is plugged into it too. All of it is namespaces
of processes: they go, with every process in them, when the program that made them ends in whatever way. Only the folder
with their files and logs stays.
"""

import collections
import os
import pathlib
import pwd
import random
import shlex
import shutil
import signal
import subprocess
import time
import unittest

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
HOME = pwd.getpwuid(0).pw_dir

# A first process that does nothing but bury the dead.
IDLE = ["sh", "-c", "sleep infinity & wait"]

# A process of a machine: its pid here (not there) and its arguments as one text.
Process = collections.namedtuple("Process", "pid args")

# Run in a network of its own. The parent, $PPID, is the program that makes the switch, and in this machine's network. The
# hardware addresses are told, not asked for: as behind a router, what is sent to a dead machine vanishes without an error.
SWITCH = """
note=$1 link=$2 network=$3 machines=$4
here() { nsenter --target $PPID --net ip "$@"; }
echo $$ $(readlink /proc/self/ns/net) > "$note"
ip link add name uplink type veth peer name $link netns $PPID
ip link add name bridge type bridge
ip link set bridge up
ip link set uplink master bridge up
here address add $network.254/24 dev $link
here link set $link up
for number in $(seq $machines); do
  here neighbour add $network.$number lladdr 02:00:00:00:00:$number dev $link nud permanent
done
echo up
exec sleep infinity
"""

# The network comes first, as long as the pid of the switch means something.
MACHINE = """
note=$1 name=$2 network=$3 number=$4 switch=$5
shift 5
echo $$ $(readlink /proc/self/ns/net) > "$note"
ip link add name eth0 address 02:00:00:00:00:$number type veth peer name $name netns $switch
ip address add $network.$number/24 dev eth0
ip link set lo up
ip link set eth0 up
nsenter --target $switch --net ip link set $name master bridge up
exec unshare --uts --mount --propagation unchanged --pid --fork --kill-child sh -ec "$@"
"""

# In a chroot, / need not be a mount point and then can't be made private; the root that nsenter enters always is one.
PRIVATE_MOUNTS = """
nsenter --mount=/proc/self/ns/mnt mount --make-rprivate /
mount -t proc proc /proc
"""


def need(*programs):
    """Skips the test where one of the programs is missing or namespaces are not to be had."""
    if os.geteuid() != 0:
        raise unittest.SkipTest("only root can make machines")
    for program in ("ip", "unshare", "nsenter", "setpriv", "pkill", *programs):
        if not shutil.which(program, path=PATH):
            raise unittest.SkipTest(program + " is not installed")
    probe = subprocess.run(["unshare", "--net", "--uts", "--mount", "--propagation", "unchanged", "--pid", "--fork",
                            "sh", "-ec", PRIVATE_MOUNTS], capture_output=True, text=True, env={"PATH": PATH})
    if probe.returncode != 0:
        raise unittest.SkipTest("no namespaces here: " + probe.stderr.strip())


def wait_for(condition, what, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"{what}: not within {seconds} s")
        time.sleep(0.01)


class Machines:
    """A switch and up to 99 machines on it. A context manager; `stop` ends everything, and so does the end of this program.

    All see `folder` and the folders named in `shared`, wherever they lie. Apart from these each has a /tmp of its own, which
    outlives a reboot, a /run, which does not, and with `home` a home folder. `lasting` machines outlive this program, and
    another one finds them by their folder. Others end with the thread that started them: that should be the main one.
    """

    programs = ()

    def __init__(self, names, folder, shared=(), home=False, lasting=False):
        self.names = list(names)
        self.folder = pathlib.Path(folder).resolve()
        self._shared = [self.folder, *(pathlib.Path(path).resolve() for path in shared)]
        self._private = ["/tmp", "/run", *([HOME] if home else [])]
        self._lasting = lasting
        self._children = {}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Makes the switch. Its network is a free one of those set aside for benchmarks, which no real one may use."""
        need(*self.programs)
        for name in ["switch", *self.names]:
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        for number in random.sample(range(512), 32):
            network = f"198.{18 + number // 256}.{number % 256}"
            switch = self._spawn("switch", SWITCH, f"hpstand{number}", network, len(self.names), stdout=subprocess.PIPE)
            with switch.stdout:
                if switch.stdout.readline():
                    (self.folder / "network").write_text(network)
                    return
            self._end("switch")
            fault = self._log("switch")
            if "File exists" not in fault:  # else another switch has this number
                break
        raise unittest.SkipTest("no network of machines here: " + fault)

    def stop(self):
        for name in self.names:
            self.kill(name)
        if self._pid("switch"):
            self._at_switch("link", "delete", "uplink", check=False)
        self._end("switch")

    def address(self, name):
        return f"{self._network()}.{self._number(name)}"

    def place(self, name, path):
        """Where a folder of the machine's own lies here: its /tmp, or its home."""
        return self.folder / name / pathlib.Path(path).name

    def boot(self, name, init=IDLE):
        """Starts a machine that does not run. `init` is its first process: when that ends, all others do."""
        if self._pid(name):
            raise RuntimeError(name + " is up already")
        up = self.folder / name / "up"
        up.unlink(missing_ok=True)
        set_up = "\n".join([PRIVATE_MOUNTS, *self._own_places(name), 'cd /; touch "$own/up"; exec "$@"'])
        machine = self._spawn(name, MACHINE, name, self._network(), self._number(name), self._pid("switch"),
                              set_up, "sh", *init)
        wait_for(lambda: up.exists() or machine.poll() is not None, f"boot of {name}")
        if machine.poll() is not None:
            raise RuntimeError(f"{name} does not boot: {self._log(name)}")

    def cut(self, name):
        """From now on nothing that is sent to or by the machine arrives, and nobody is told."""
        self._at_switch("link", "set", name, "down")

    def heal(self, name):
        self._at_switch("link", "set", name, "up")

    def kill(self, name):
        """As by loss of power: the network goes first, so that no connection is closed, then every process."""
        if self._pid(name):
            self._at_switch("link", "delete", name, check=False)
        self._end(name)

    def run(self, name, argv, **options):
        """Runs a command on the machine, as subprocess.run does; its output is caught as text."""
        pid = self._pid(name)
        if not pid:
            raise RuntimeError(name + " is down")
        inside = ["nsenter", "--target", str(pid), "--net", "--uts", "--mount", "--root", "--wd",
                  f"--pid=/proc/{pid}/ns/pid_for_children"]
        usual = {"capture_output": True, "text": True, "env": {"PATH": PATH, "HOME": HOME, "USER": "root"}}
        return subprocess.run([*inside, *argv], **usual | options)

    def processes(self, name):
        """The processes of the machine, its first one included, without those that are dead and not yet buried."""
        try:
            machine = os.readlink(f"/proc/{self._pid(name)}/ns/pid_for_children")
        except OSError:
            return []
        if machine == os.readlink("/proc/self/ns/pid"):
            return []  # it has no first process yet
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "ns/pid") == machine:
                    args = (entry / "cmdline").read_bytes().strip(b"\0").replace(b"\0", b" ")
                    found += [Process(int(entry.name), os.fsdecode(args))] if args else []
            except OSError:
                pass  # it ended
        return found

    def _network(self):
        return (self.folder / "network").read_text()

    def _number(self, name):
        return 1 + self.names.index(name)

    def _own_places(self, name):
        """Lines of sh that give a machine its host name, boot id and folders."""
        own, quoted = self.folder / name, lambda path: shlex.quote(str(path))
        yield f"own={quoted(own)}"
        yield "[ -d /sys/kernel ] || mount -t sysfs sysfs /sys"  # slurmd looks for processors there
        yield f"echo {name} > /proc/sys/kernel/hostname"
        yield 'cat /proc/sys/kernel/random/uuid > "$own/boot_id"'
        yield 'mount --bind "$own/boot_id" /proc/sys/kernel/random/boot_id'
        yield 'mkdir -p -m 1777 "$own/tmp"'
        yield 'mkdir -p "$own/run" && mount -t tmpfs -o mode=755 tmpfs "$own/run"'
        yield 'mkdir "$own/run/sshd" && mkdir -m 1777 "$own/run/lock"'
        # The place above the folder goes last: from then on the folder is another mount, without the later ones.
        for place in sorted(self._private, key=self.folder.is_relative_to):
            new = self.place(name, place)
            yield f"mkdir -p {quoted(new)}"
            for path in self._shared:
                if path.is_relative_to(place):
                    seen = quoted(new / path.relative_to(place))
                    yield f"mkdir -p {seen} && mount --rbind {quoted(path)} {seen}"
            yield f"mount --rbind {quoted(new)} {place}"

    def _spawn(self, name, script, *arguments, **options):
        """Starts a script of sh in a new network. It notes its pid itself, which remains that of the outermost process."""
        argv = ["unshare", "--net", "sh", "-ec", script, "sh", self.folder / name / "pid", *map(str, arguments)]
        if not self._lasting:
            argv = ["setpriv", "--pdeathsig", "KILL", *argv]
        with open(self.folder / name / "boot.log", "wb") as log:
            usual = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "cwd": "/", "env": {"PATH": PATH}}
            child = subprocess.Popen(argv, start_new_session=True, **usual | options)
        self._children[name] = child
        return child

    def _log(self, name):
        return (self.folder / name / "boot.log").read_text().strip()

    def _pid(self, name):
        """The outermost process, if it runs. Its network tells it from a stranger that got the same pid."""
        try:
            pid, network = (self.folder / name / "pid").read_text().split()
            return int(pid) if os.readlink(f"/proc/{pid}/ns/net") == network else None
        except (OSError, ValueError):
            return None

    def _at_switch(self, *words, check=True):
        subprocess.run(["nsenter", "--target", str(self._pid("switch")), "--net", "ip", *words], check=check)

    def _end(self, name):
        """Ends the first process inside, with which the kernel ends all others before the outermost one learns of it."""
        pid = self._pid(name)
        if pid:
            inside = subprocess.run(["pkill", "-KILL", "--parent", str(pid)])
            if inside.returncode != 0:
                os.kill(pid, signal.SIGKILL)
            wait_for(lambda: not self._pid(name), f"end of {name}")
        child = self._children.pop(name, None)
        if child:
            child.wait()
