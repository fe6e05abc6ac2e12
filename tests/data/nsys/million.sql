-- A made-up capture of a million kernels: 1000 steps of decoding, each with 1000 kernels on
-- two streams, and gaps between them. Process 4711 is 79037464576 (4711 << 24).
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
  (1, 'void gemm<__nv_bfloat16, (int)128>(T1 *, const T1 *)'), (2, 'gemm'),
  (3, 'void gemv2T_kernel_val<float>(float *, int)'), (4, 'gemv2T_kernel_val'),
  (5, 'void flash::flash_fwd_kernel<Traits>(Params)'), (6, 'flash_fwd_kernel'),
  (7, 'void at::native::vectorized_elementwise_kernel<4>(int)'), (8, 'vectorized_elementwise_kernel'),
  (9, 'void softmax_warp_forward<float>(float *)'), (10, 'softmax_warp_forward'),
  (11, 'cudaLaunchKernel_v7000'), (12, 'decode');
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES
  ('EXPORT_PRODUCT_VERSION', '2024.6.2.225'), ('EXPORT_SCHEMA_VERSION', '3.16.1');
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT);
INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'Example GPU');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
  contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER,
  globalPid INTEGER, demangledName INTEGER, shortName INTEGER, mangledName INTEGER,
  gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999999)
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
  SELECT 1000000 + i * 3000 + (i / 1000) * 200000,
         1000000 + i * 3000 + (i / 1000) * 200000 + 1000 + (i * 7919) % 1900,
         0, 1, NULL, 7 + i % 2, i + 1, 79037464576, 1 + 2 * (i % 5), 2 + 2 * (i % 5), NULL,
         8, 8, 1, 256, 1, 1 FROM n;
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999999)
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
  SELECT 900000 + i * 3000 + (i / 1000) * 200000, 901500 + i * 3000 + (i / 1000) * 200000,
         0, 79037469287, i + 1, 11 FROM n;
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT,
  globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
INSERT INTO NVTX_EVENTS
  SELECT 890000 + i * 3200000, 890000 + i * 3200000 + 3100000, 59, NULL, 79037469287, NULL,
         12, 0 FROM n;
