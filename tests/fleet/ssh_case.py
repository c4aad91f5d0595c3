"""What the tests of ssh hosts share: a stand of hosts in each test, and a relay that does to connections what firewalls do."""

import select
import socket
import struct
import threading

from fleet_lab import FleetTest
from ssh_hosts import SshHosts


class SshCase(FleetTest):
    def hosts(self, n, **kinds):
        stand = SshHosts(n, self.dir / "stand", **kinds)
        stand.__enter__()
        self.addCleanup(stand.__exit__, None, None, None)
        self.stand = stand
        return [self.entry(f"h{k}") for k in range(1, n + 1)]

    def entry(self, name, **more):
        return {"ssh": name, "ssh_options": ["-F", str(self.stand.config)], "slots": 2, **more}

    def relayed(self, name, cuts=(), **more):
        """The entry of a host that is reached through `self.relay`."""
        address = self.stand.address(name)
        self.relay = Relay((address, 22), cuts)
        self.addCleanup(self.relay.end)
        way = {"HostName": "127.0.0.1", "Port": self.relay.port, "HostKeyAlias": address}
        options = [word for key, value in way.items() for word in ("-o", f"{key}={value}")]
        return {"ssh": name, "ssh_options": ["-F", str(self.stand.config), *options], "slots": 2, **more}

    def reports(self):
        return sum(len(steps) for steps in self.lab.steps().values())

    def refusals(self):
        """host -> reason."""
        return {e["host"]: e.get("reason", "") for e in self.lab.events("host_seen") if e["state"] == "refused"}


class Relay:
    """Passes TCP connections on to an address. All are reset after each of the numbers of bytes in `cuts`, counted from the
    beginning; while `closed` is set they are reset too, and new ones at once. `resets` counts."""

    def __init__(self, address, cuts=()):
        self._address, self._cuts, self._passed = address, list(cuts), 0
        self._other = {}  # socket -> the socket that gets what it sends
        self._ended = False
        self.closed, self.resets = False, 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def end(self):
        self._ended = True

    def _serve(self):
        while not self._ended:
            if self.closed:
                self._reset()
            for ready in select.select([self._listener, *self._other], [], [], 0.02)[0]:
                if ready is self._listener:
                    self._accept()
                elif ready in self._other:
                    self._pass_on(ready)
        self._reset()
        self._listener.close()

    def _accept(self):
        client, _ = self._listener.accept()
        if self.closed:
            return self._drop(client)
        try:
            server = socket.create_connection(self._address)
        except OSError:
            return self._drop(client)
        self._other |= {client: server, server: client}

    def _pass_on(self, ready):
        other = self._other[ready]
        try:
            data = ready.recv(1 << 16)
            other.sendall(data)
        except OSError:
            data = b""
        self._passed += len(data)
        if self._cuts and self._passed >= self._cuts[0]:
            self._cuts.pop(0)
            self._reset()
        elif not data:
            for side in (ready, other):
                self._other.pop(side).close()

    def _reset(self):
        for side in list(self._other):
            self._drop(self._other.pop(side))

    def _drop(self, side):
        self.resets += 1
        side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        side.close()
