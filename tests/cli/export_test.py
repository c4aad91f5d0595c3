"""`export -o`: a file is replaced whole, also through a link; a pipe is written to; a folder is refused."""

import os
import threading
import unittest

from case import Case


class Export(Case):
    def setUp(self):
        super().setUp()
        self.place.write_trial("report final loss=$1\n")
        self.place.write_space({"metric": {"name": "loss", "goal": "minimize"}, "command": ["sh", "t.sh", "{x}"],
                                "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 2}})
        self.assert_ended(self.place.run())
        self.table = self.place.hpsearch("export").out

    def test_through_a_link(self):
        target, link = self.place.chk / "table.csv", self.place.chk / "link"
        target.write_text("old")
        link.symlink_to(target)
        self.assert_refused(self.place.hpsearch("export", "-o", link), "exists")
        self.assert_ended(self.place.hpsearch("export", "-o", link, "--force"))
        self.assertTrue(link.is_symlink())
        self.assertEqual(target.read_text(), self.table)

    def test_into_a_pipe(self):
        pipe = self.place.chk / "pipe"
        os.mkfifo(pipe)
        read = []
        reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
        reader.start()
        self.assert_ended(self.place.hpsearch("export", "-o", pipe, "--force"))
        reader.join(30)
        self.assertEqual(read, [self.table])
        self.assertTrue(pipe.is_fifo())

    def test_a_folder_is_refused(self):
        self.assert_refused(self.place.hpsearch("export", "-o", self.place.chk, "--force"), "is a folder")


if __name__ == "__main__":
    unittest.main()
