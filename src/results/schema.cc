#include "results/sqlite_database.h"

namespace ridgeline::results {

const char* const kResultsSchema = R"sql(
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE name (
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL
);

CREATE TABLE source (
  id              INTEGER PRIMARY KEY,
  file            TEXT NOT NULL,
  format          TEXT NOT NULL,
  tool            TEXT,
  file_bytes      INTEGER,
  text_bytes      INTEGER,
  sha256          TEXT,
  rank            INTEGER,
  world_size      INTEGER,
  clock_offset_ns INTEGER,
  event_count     INTEGER
);

CREATE TABLE device (
  id        INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source(id),
  label     TEXT NOT NULL,
  model     TEXT
);

CREATE TABLE operator_total (
  source_id     INTEGER NOT NULL REFERENCES source(id),
  name_id       INTEGER NOT NULL REFERENCES name(id),
  calls         INTEGER NOT NULL,
  time_total_ns INTEGER NOT NULL,
  time_self_ns  INTEGER NOT NULL,
  time_min_ns   INTEGER NOT NULL,
  time_max_ns   INTEGER NOT NULL,
  gpu_self_ns   INTEGER,
  PRIMARY KEY (source_id, name_id)
) WITHOUT ROWID;

CREATE TABLE operator_flops (
  source_id    INTEGER NOT NULL REFERENCES source(id),
  name_id      INTEGER NOT NULL REFERENCES name(id),
  calls        INTEGER NOT NULL,
  flops        INTEGER NOT NULL,
  flops_useful INTEGER NOT NULL,
  bytes        INTEGER,
  clock        TEXT NOT NULL CHECK (clock IN ('gpu', 'cpu')),
  time_ns      INTEGER NOT NULL,
  mfu          REAL,
  PRIMARY KEY (source_id, name_id)
) WITHOUT ROWID;

CREATE TABLE operator_uncounted (
  source_id  INTEGER NOT NULL REFERENCES source(id),
  name_id    INTEGER NOT NULL REFERENCES name(id),
  calls      INTEGER NOT NULL,
  clock      TEXT NOT NULL CHECK (clock IN ('gpu', 'cpu')),
  time_ns    INTEGER NOT NULL,
  time_share REAL NOT NULL,
  PRIMARY KEY (source_id, name_id)
) WITHOUT ROWID;

CREATE TABLE kernel_total (
  device_id     INTEGER NOT NULL REFERENCES device(id),
  name_id       INTEGER NOT NULL REFERENCES name(id),
  launches      INTEGER NOT NULL,
  time_total_ns INTEGER NOT NULL,
  time_min_ns   INTEGER NOT NULL,
  time_max_ns   INTEGER NOT NULL,
  PRIMARY KEY (device_id, name_id)
) WITHOUT ROWID;

CREATE TABLE memory_op_total (
  device_id     INTEGER NOT NULL REFERENCES device(id),
  name_id       INTEGER NOT NULL REFERENCES name(id),
  count         INTEGER NOT NULL,
  time_total_ns INTEGER NOT NULL,
  time_min_ns   INTEGER NOT NULL,
  time_max_ns   INTEGER NOT NULL,
  bytes         INTEGER,
  PRIMARY KEY (device_id, name_id)
) WITHOUT ROWID;

CREATE TABLE device_time (
  device_id                       INTEGER PRIMARY KEY REFERENCES device(id),
  activity_count                  INTEGER NOT NULL,
  stream_count                    INTEGER NOT NULL,
  first_start_ns                  INTEGER NOT NULL,
  last_end_ns                     INTEGER NOT NULL,
  span_ns                         INTEGER NOT NULL,
  busy_ns                         INTEGER NOT NULL,
  busy_kernels_ns                 INTEGER NOT NULL,
  idle_ns                         INTEGER NOT NULL,
  idle_gap_count                  INTEGER NOT NULL,
  idle_gap_max_ns                 INTEGER NOT NULL,
  compute_ns                      INTEGER NOT NULL,
  memory_ns                       INTEGER NOT NULL,
  exposed_copy_ns                 INTEGER NOT NULL,
  communication_count             INTEGER NOT NULL,
  communication_total_ns          INTEGER NOT NULL,
  communication_ns                INTEGER NOT NULL,
  exposed_communication_ns        INTEGER NOT NULL,
  possible_communication_count    INTEGER NOT NULL,
  possible_communication_total_ns INTEGER NOT NULL,
  launched_in_capture_count       INTEGER NOT NULL,
  launched_in_capture_span_ns     INTEGER NOT NULL,
  launched_in_capture_busy_ns     INTEGER NOT NULL,
  launched_in_capture_idle_ns     INTEGER NOT NULL,
  graph_count                     INTEGER NOT NULL,
  graph_total_ns                  INTEGER NOT NULL
);

CREATE TABLE launch_latency (
  source_id INTEGER NOT NULL REFERENCES source(id),
  measure   TEXT NOT NULL CHECK (measure IN ('start_to_start', 'end_to_start')),
  count     INTEGER NOT NULL,
  total_ns  INTEGER NOT NULL,
  median_ns REAL NOT NULL,
  min_ns    INTEGER NOT NULL,
  max_ns    INTEGER NOT NULL,
  PRIMARY KEY (source_id, measure)
) WITHOUT ROWID;

CREATE TABLE gpu_activity (
  id          INTEGER PRIMARY KEY,
  device_id   INTEGER NOT NULL REFERENCES device(id),
  stream_id   INTEGER NOT NULL REFERENCES name(id),
  kind        TEXT NOT NULL CHECK (kind IN ('kernel', 'memcpy', 'memset', 'graph')),
  name_id     INTEGER NOT NULL REFERENCES name(id),
  start_ns    INTEGER NOT NULL,
  duration_ns INTEGER NOT NULL,
  correlation INTEGER
);

CREATE TABLE token_latency (
  source_id    INTEGER NOT NULL REFERENCES source(id),
  measure      TEXT NOT NULL CHECK (measure IN ('ttft', 'itl')),
  count        INTEGER NOT NULL,
  mean_ns      REAL NOT NULL,
  mean_low_ns  REAL,
  mean_high_ns REAL,
  median_ns    REAL NOT NULL,
  p90_ns       REAL NOT NULL,
  p99_ns       REAL NOT NULL,
  min_ns       REAL NOT NULL,
  max_ns       REAL NOT NULL,
  PRIMARY KEY (source_id, measure)
) WITHOUT ROWID;

CREATE TABLE call_flops (
  source_id        INTEGER NOT NULL REFERENCES source(id),
  phase            TEXT NOT NULL,
  flops            INTEGER NOT NULL,
  time_ns          INTEGER NOT NULL,
  device           TEXT NOT NULL,
  peak_flops_per_s REAL,
  mfu              REAL,
  PRIMARY KEY (source_id, phase)
) WITHOUT ROWID;

CREATE TABLE phase_sample (
  id          INTEGER PRIMARY KEY,
  source_id   INTEGER NOT NULL REFERENCES source(id),
  pass        TEXT NOT NULL CHECK (pass IN ('profiled', 'unprofiled')),
  repeat      INTEGER NOT NULL,
  page        TEXT NOT NULL,
  phase       TEXT NOT NULL,
  duration_ns INTEGER NOT NULL,
  tokens      INTEGER
);

CREATE TABLE region (
  id                     INTEGER PRIMARY KEY,
  source_id              INTEGER NOT NULL REFERENCES source(id),
  path                   TEXT NOT NULL,
  kind                   TEXT NOT NULL
                         CHECK (kind IN ('push_pop', 'start_end', 'annotation',
                                         'unattributed')),
  instances              INTEGER NOT NULL,
  cpu_total_ns           INTEGER NOT NULL,
  launches               INTEGER NOT NULL,
  launches_inclusive     INTEGER NOT NULL,
  gpu_exclusive_ns       INTEGER NOT NULL,
  gpu_inclusive_ns       INTEGER NOT NULL,
  memory_ops             INTEGER NOT NULL,
  memory_ops_inclusive   INTEGER NOT NULL,
  memory_exclusive_ns    INTEGER NOT NULL,
  memory_inclusive_ns    INTEGER NOT NULL,
  memory_exclusive_bytes INTEGER,
  memory_inclusive_bytes INTEGER,
  gpu_span_ns            INTEGER,
  gpu_idle_ns            INTEGER,
  cpu_min_ns             INTEGER,
  cpu_median_ns          REAL,
  cpu_p99_ns             REAL,
  cpu_max_ns             INTEGER,
  gpu_span_min_ns        INTEGER,
  gpu_span_median_ns     REAL,
  gpu_span_p99_ns        REAL,
  gpu_span_max_ns        INTEGER,
  operators              INTEGER,
  cpu_self_ns            INTEGER,
  flops                  INTEGER,
  flops_exclusive        INTEGER,
  mfu                    REAL
);

CREATE TABLE region_roofline (
  source_id         INTEGER NOT NULL REFERENCES source(id),
  path              TEXT NOT NULL,
  clock             TEXT NOT NULL CHECK (clock IN ('gpu', 'cpu')),
  time_ns           INTEGER NOT NULL,
  flops             INTEGER NOT NULL,
  bytes             INTEGER NOT NULL,
  flops_per_s       REAL NOT NULL,
  bytes_per_s       REAL NOT NULL,
  roofline_slowdown REAL,
  PRIMARY KEY (source_id, path)
) WITHOUT ROWID;

CREATE TABLE phase_cost (
  source_id           INTEGER NOT NULL REFERENCES source(id),
  phase               TEXT NOT NULL,
  flops_matrix        INTEGER,
  flops_matrix_useful INTEGER,
  flops_total         INTEGER,
  bytes_compulsory    INTEGER,
  bytes_total         INTEGER,
  roofline_compute_ns REAL,
  roofline_memory_ns  REAL,
  bound               TEXT NOT NULL,
  PRIMARY KEY (source_id, phase)
) WITHOUT ROWID;

CREATE TABLE api_total (
  source_id     INTEGER NOT NULL REFERENCES source(id),
  kind          TEXT NOT NULL CHECK (kind IN ('cuda', 'osrt', 'synchronization')),
  name_id       INTEGER NOT NULL REFERENCES name(id),
  calls         INTEGER NOT NULL,
  time_total_ns INTEGER NOT NULL,
  time_min_ns   INTEGER NOT NULL,
  time_max_ns   INTEGER NOT NULL,
  PRIMARY KEY (source_id, kind, name_id)
) WITHOUT ROWID;

CREATE TABLE ncu_launch (
  id          INTEGER PRIMARY KEY,
  source_id   INTEGER NOT NULL REFERENCES source(id),
  launch      INTEGER,
  process_id  INTEGER NOT NULL,
  name_id     INTEGER NOT NULL REFERENCES name(id),
  device      TEXT NOT NULL,
  capability  TEXT NOT NULL,
  grid        TEXT,
  block       TEXT,
  duration_ns REAL
);

CREATE TABLE ncu_metric (
  id         INTEGER PRIMARY KEY,
  launch_id  INTEGER NOT NULL REFERENCES ncu_launch(id),
  section_id INTEGER NOT NULL REFERENCES name(id),
  item_id    INTEGER NOT NULL REFERENCES name(id),
  name_id    INTEGER NOT NULL REFERENCES name(id),
  unit       TEXT NOT NULL,
  value      REAL,
  text       TEXT
);

CREATE TABLE ncu_rule (
  id              INTEGER PRIMARY KEY,
  launch_id       INTEGER NOT NULL REFERENCES ncu_launch(id),
  section_id      INTEGER NOT NULL REFERENCES name(id),
  name_id         INTEGER NOT NULL REFERENCES name(id),
  kind            TEXT NOT NULL,
  text_id         INTEGER NOT NULL REFERENCES name(id),
  speedup_percent REAL,
  speedup_kind    TEXT
);

CREATE TABLE dropped (
  source_id   INTEGER NOT NULL REFERENCES source(id),
  name        TEXT NOT NULL,
  count       INTEGER NOT NULL,
  description TEXT NOT NULL,
  PRIMARY KEY (source_id, name)
) WITHOUT ROWID;

CREATE VIEW operator AS
  SELECT source_id, text AS name, calls, time_total_ns, time_self_ns, time_min_ns,
         time_max_ns
  FROM operator_total JOIN name ON name.id = name_id;

CREATE VIEW kernel AS
  SELECT source_id, label AS device, text AS name, launches, time_total_ns, time_min_ns,
         time_max_ns
  FROM kernel_total JOIN name ON name.id = name_id JOIN device ON device.id = device_id;

CREATE VIEW counter AS
  SELECT source_id, ncu_launch.id AS launch_id, kernel.text AS kernel,
         metric.text AS metric, unit, value
  FROM ncu_metric JOIN ncu_launch ON ncu_launch.id = launch_id
    JOIN name AS kernel ON kernel.id = ncu_launch.name_id
    JOIN name AS metric ON metric.id = ncu_metric.name_id;

-- Names of version 6, for one version.
CREATE VIEW import_counter AS
  SELECT source_id, name, count, description AS sentence FROM dropped;

CREATE VIEW launch_delay AS SELECT * FROM launch_latency;

CREATE VIEW region_roof AS
  SELECT source_id, path, clock, time_ns, flops, bytes, flops_per_s, bytes_per_s,
         roofline_slowdown AS distance
  FROM region_roofline;
)sql";

}  // namespace ridgeline::results
