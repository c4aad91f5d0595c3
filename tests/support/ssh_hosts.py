"""Hosts to reach by ssh, for tests and by hand: small machines with a real sshd each.

    with SshHosts(2, folder) as hosts:
        subprocess.run(["ssh", "-F", hosts.config, "h1", "hostname"])
        hosts.cut("h1")

By hand, as root:

    ssh_hosts.py start 3 FOLDER        ssh -F FOLDER/ssh_config h1
    ssh_hosts.py cut h1 FOLDER         likewise heal, hang_up, reboot, kill, boot
    ssh_hosts.py stop FOLDER

Needs openssh-server, openssh-client, iproute2 and procps.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

from machines import HOME, PATH, Machines, wait_for

SSHD_CONFIG = """\
HostKey "{own}/host_key"
AuthorizedKeysFile "{own}/authorized_keys"
PidFile "{own}/sshd.pid"
StrictModes no
UsePAM no
Subsystem sftp internal-sftp
"""

# What a careful user would add, as BatchMode and time-outs, is missing: the program under test has to see to it.
SSH_CONFIG = """\
Host *
  User root
  IdentityFile "{folder}/key"
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile "{folder}/known_hosts"
  GlobalKnownHostsFile none
"""

NOISE = "echo Welcome to $HOSTNAME\necho 'the disk is nearly full' >&2\n"


def new_key(path):
    """Makes a key pair; the public one as a line."""
    path.unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path], check=True)
    return path.with_name(path.name + ".pub").read_text()


class SshHosts(Machines):
    """Hosts h1, h2, ... with a host key and a home folder of their own, beside all that machines have.

    Shells of `noisy` hosts print as they start; `locked` ones know no key and ask for a password; `unknown` ones are not
    among the known hosts; `changed` ones are, with another key. `config` names the file for `ssh -F`.
    """

    programs = ("sshd", "ssh", "ssh-keygen")

    def __init__(self, n, folder, noisy=(), locked=(), unknown=(), changed=(), **options):
        super().__init__([f"h{number + 1}" for number in range(n)], folder, home=True, **options)
        self.config = str(self.folder / "ssh_config")
        self._noisy, self._locked, self._unknown, self._changed = noisy, locked, unknown, changed

    def start(self):
        super().start()
        user_key = new_key(self.folder / "key")
        config, known_hosts = "", ""
        for name in self.names:
            host_key = self._furnish(name, user_key)
            config += f"Host {name}\n  HostName {self.address(name)}\n"
            if name not in self._unknown:
                known_hosts += f"{self.address(name)} {user_key if name in self._changed else host_key}"
        (self.folder / "known_hosts").write_text(known_hosts)
        (self.folder / "ssh_config").write_text(config + SSH_CONFIG.format(folder=self.folder))
        for name in self.names:
            self.boot(name)

    def home(self, name):
        """Where the home folder of the host lies here."""
        return self.place(name, HOME)

    def boot(self, name):
        """Starts a host that was killed."""
        own = self.folder / name
        (own / "sshd.pid").unlink(missing_ok=True)
        sshd = shutil.which("sshd", path=PATH)
        super().boot(name, [sshd, "-D", "-f", str(own / "sshd_config"), "-E", str(own / "sshd.log")])
        wait_for((own / "sshd.pid").exists, f"sshd of {name}")

    def reboot(self, name):
        self.kill(name)
        self.boot(name)

    def hang_up(self, name):
        """Ends the sessions, at both ends at once; the programs started by them stay."""
        for process in self.processes(name):
            if process.args.startswith("sshd: ") and "[listener]" not in process.args:
                os.kill(process.pid, signal.SIGKILL)

    def _furnish(self, name, user_key):
        """Writes the files of a host; its public key."""
        own, home = self.folder / name, self.home(name)
        (own / "sshd_config").write_text(SSHD_CONFIG.format(own=own))
        (own / "authorized_keys").write_text("" if name in self._locked else user_key)
        home.mkdir(exist_ok=True)
        for file in (".bashrc", ".profile") if name in self._noisy else ():
            (home / file).write_text(NOISE)
        return new_key(own / "host_key")


def main(words):
    folder = pathlib.Path(words[-1] if words else ".")
    there = SshHosts(len(list(folder.glob("h[0-9]*"))), folder, lasting=True)
    match words:
        case ["start", n, _] if n.isdigit():
            there.stop()
            hosts = SshHosts(int(n), folder, lasting=True).__enter__()
            print(f"ssh -F {hosts.config} h1")
        case ["stop", _]:
            there.stop()
        case [("cut" | "heal" | "hang_up" | "reboot" | "kill" | "boot") as verb, name, _] if name in there.names:
            getattr(there, verb)(name)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except unittest.SkipTest as reason:
        sys.exit(str(reason))
