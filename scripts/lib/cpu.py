"""CPU seconds of a process and everything that it started."""

import psutil


def cpu_seconds(pid: int) -> float | None:
    """User and system time so far, children included (ended ones too); None if it is gone."""
    try:
        root = psutil.Process(pid)
        processes = [root, *root.children(recursive=True)]
    except psutil.Error:
        return None
    total = 0.0
    for process in processes:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue  # ended meanwhile; its parent counts it from now on
        total += times.user + times.system + times.children_user + times.children_system
    return total
