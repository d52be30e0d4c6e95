from __future__ import annotations

import pytest

from buchi.common.errors import InputError
from buchi.pipeline.memory import control_group_free, default_limit, format_size, parse_size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1024", 1024),
        ("7b", 7),
        ("2GiB", 2 << 30),
        ("2 gib", 2 << 30),
        ("2G", 2 << 30),
        ("1.5k", 1536),
        ("500MB", 500_000_000),
        ("1TiB", 1 << 40),
    ],
)
def test_sizes(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "GiB", "2XB", "-1", "1e9", "2iB", "0", "0.1", "nan"])
def test_what_is_no_size(text):
    with pytest.raises(InputError, match="2GiB"):
        parse_size(text)


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (1023, "1023 B"), (1 << 10, "1.0 KiB"), (3 << 39, "1.5 TiB")]
)
def test_sizes_as_people_read_them(size, text):
    assert format_size(size) == text


def test_the_default_is_something():
    assert default_limit() > 1 << 20


def write(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(f"{content}\n")


class TestControlGroups:
    def free(self, tmp_path, membership):
        (tmp_path / "self").write_text(membership)
        return list(control_group_free(tmp_path / "self", tmp_path / "fs"))

    def test_version_2_counts_every_group_above(self, tmp_path):
        group = tmp_path / "fs" / "user" / "job"
        write(group, memory__max=1000, memory__current=400, memory__stat="anon 3\ninactive_file 50")
        write(group.parent, memory__max=500, memory__current=450)
        assert self.free(tmp_path, "0::/user/job\n") == [650, 50]

    def test_no_limit(self, tmp_path):
        write(tmp_path / "fs" / "job", memory__max="max", memory__current=400)
        assert self.free(tmp_path, "0::/job\n") == []

    def test_version_1(self, tmp_path):
        group = tmp_path / "fs" / "memory" / "docker" / "abc"
        write(
            group,
            memory__limit_in_bytes=1000,
            memory__usage_in_bytes=400,
            memory__stat="total_inactive_file 7",
        )
        assert self.free(tmp_path, "4:cpu:/\n5:memory:/docker/abc\n") == [607]

    def test_inside_a_container_only_the_root_is_there(self, tmp_path):
        write(tmp_path / "fs" / "memory", memory__limit_in_bytes=1000, memory__usage_in_bytes=1200)
        assert self.free(tmp_path, "5:memory:/docker/abc\n") == [0]

    def test_no_control_groups(self, tmp_path):
        assert list(control_group_free(tmp_path / "none", tmp_path)) == []
