# pyright: basic, reportMissingImports=false
"""The same on a cluster, by Ray Data: ``python ray_batches.py IN OUT``. Ray starts an actor again that dies."""

import sys
from pathlib import Path

import ray

import ribbonmesh as rm


def small(mesh: rm.Mesh) -> rm.Mesh:
    """What becomes of each mesh."""
    return mesh.simplify(ratio=0.2)


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False)
    files = [{"path": str(path)} for path in sorted(Path(sys.argv[1]).glob("*.ply"))]
    done = ray.data.from_items(files).map_batches(
        rm.MapPipeline,
        fn_constructor_kwargs={"pipeline": small, "out": sys.argv[2], "device": "auto"},
        batch_size=16,
        concurrency=2,
        max_restarts=-1,
        max_task_retries=-1,
    )
    failed = [row for row in done.take_all() if row["error"]]
    print(len(files) - len(failed), "done,", len(failed), "failed")
