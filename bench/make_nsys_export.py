#!/usr/bin/env python3
"""Writes an SQLite export as Nsight Systems does, of about a given size.

    bench/make_nsys_export.py OUT.sqlite [MEGABYTES] [SEED]

The same arguments give the same rows. One step of a transformer is made up: nested NVTX
ranges, launches, kernels on two streams, copies, calls of the operating system. It is then
repeated in time, with new times and correlations.
"""
import os
import random
import sqlite3
import sys

PID = 4711 << 24
TID = PID + 4711
NAMES = ["void gemm<__nv_bfloat16, (int)%d, (int)%d>(T1 *, const T1 *, Params<T1>)" % (m, n)
         for m in (64, 128, 256) for n in (32, 64, 128, 256)]
LAYERS = 24
KERNELS_PER_LAYER = 12

SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
CREATE TABLE EXPORT_META_DATA (name TEXT, value TEXT);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL,
  deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL,
  shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER,
  registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL,
  gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL,
  blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL,
  dynamicSharedMemory INTEGER NOT NULL, localMemoryPerThread INTEGER NOT NULL,
  localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER,
  graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL,
  deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,
  copyKind INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL,
  eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER,
  nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,
  rangeId INTEGER, category INTEGER, color INTEGER, text TEXT, globalTid INTEGER,
  endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER,
  int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value INTEGER,
  floatValue REAL, jsonTextId INTEGER, jsonText TEXT);
CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER,
  nestingLevel INTEGER, callchainId INTEGER);
"""
TIMED = ["CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
         "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "OSRT_API"]


def put(base, table, rows):
    marks = ", ".join("?" * len(rows[0]))
    base.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def nvtx(start, end, text):
    return (start, end, 59, None, None, None, text, TID, None, None, 0) + (None,) * 8


def make_step(base, seed):
    """One step; how long it is, and how many correlations it has."""
    dice = random.Random(seed)
    kernels, calls, ranges, copies, waits = [], [], [], [], []
    now, busy, correlation = 1_000_000, 1_100_000, 1
    begin = now
    for layer in range(LAYERS):
        layer_begin = now
        for part in ("attention", "mlp"):
            part_begin = now
            for _ in range(KERNELS_PER_LAYER // 2):
                calls.append((now, now + 4000, 0, TID, correlation, 200, 0, None))
                busy = max(busy, now + 8000) + dice.randrange(500, 3000)
                end = busy + dice.randrange(2000, 90000)
                name = dice.randrange(len(NAMES))
                kernels.append((busy, end, 0, 1, 7 if dice.random() < .8 else 13,
                                correlation, PID, 1 + name, 100 + name, None, 1, 0, 128,
                                dice.randrange(1, 4096), 8, 1, 256, 1, 1, 0, 49152, 0, 0,
                                correlation, 65536, None, 0))
                busy, now, correlation = end, now + dice.randrange(5000, 20000), \
                    correlation + 1
                calls.append((now, now + 900, 0, TID, correlation, 202, 0, None))
                now, correlation = now + 1500, correlation + 1
            ranges.append(nvtx(part_begin, now, part))
        ranges.append(nvtx(layer_begin, now, f"layer {layer}"))
        waits.append((now, now + 700, 27, TID, 0, 203, 0, 0, None))
    calls.append((now, now + 9000, 0, TID, correlation, 201, 0, None))
    copies.append((busy + 1000, busy + 9000, 0, 1, 7, correlation, PID, 262144, 2))
    ranges.append(nvtx(begin, now + 10000, "decode"))
    put(base, TIMED[0], kernels)
    put(base, TIMED[1], copies)
    put(base, TIMED[2], calls)
    put(base, TIMED[3], ranges)
    put(base, TIMED[4], waits)
    return busy + 100_000 - begin, correlation


def repeat(base, table, steps, period, correlations):
    columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
    shifted = ", ".join(f"s.{c} + i.n * {period}" if c in ("start", "end") else
                        f"s.{c} + i.n * {correlations}" if c == "correlationId" else
                        f"s.{c}" for c in columns)
    base.execute(f"CREATE TEMP TABLE s AS SELECT * FROM {table}")
    base.execute(f"WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE "
                 f"n < {steps - 1}) INSERT INTO {table} SELECT {shifted} FROM i, s "
                 f"ORDER BY i.n" if steps > 1 else "SELECT 1")
    base.execute("DROP TABLE s")
    base.commit()


def main():
    path = sys.argv[1]
    megabytes = float(sys.argv[2]) if len(sys.argv) > 2 else 2000
    if os.path.exists(path):
        os.remove(path)
    base = sqlite3.connect(path)
    base.executescript(SCHEMA)
    put(base, "StringIds",
        [(1 + i, name) for i, name in enumerate(NAMES)] +
        [(100 + i, "gemm") for i in range(len(NAMES))] +
        [(200, "cudaLaunchKernel_v7000"), (201, "cudaMemcpyAsync_v3020"),
         (202, "cudaGetLastError_v3020"), (203, "poll")])
    for table in ("META_DATA_EXPORT", "EXPORT_META_DATA"):
        put(base, table, [("EXPORT_PRODUCT_VERSION", "2022.4.2.1"),
                          ("EXPORT_SCHEMA_VERSION", "3.0.0")])
    put(base, "TARGET_INFO_GPU", [(0, 0, "Example GPU")])
    period, correlations = make_step(base, int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    base.commit()
    bytes_per_step = 49_000  # Measured.
    steps = max(1, round(megabytes * 1e6 / bytes_per_step))
    for table in TIMED:
        repeat(base, table, steps, period, correlations)
    base.close()
    print(f"{path}: {os.path.getsize(path) / 1e6:.0f} MB, {steps} steps, "
          f"{steps * LAYERS * KERNELS_PER_LAYER} kernels")


if __name__ == "__main__":
    main()
