-- A made-up capture whose names would do harm if they were not text.
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
  (1, '</script><script>window.harm=1</script>'), (2, '<img src=x onerror="window.harm=1">'),
  (3, 'quotes " '' ` and & < >'), (4, '{{style}} ${x} $& $1'),
  (5, 'right to left ' || char(8238) || 'lenrek' || char(8236) || ' שלום'), (6, 'rtl'),
  (7, replace(hex(zeroblob(5000)), '00', '<b') || 'the end'), (8, 'long'),
  (9, 'line' || char(10) || 'break' || char(9) || 'tab' || char(27) || '[31mred'), (10, 'control'),
  (11, 'cudaLaunchKernel_v7000'), (12, '</script><img src=x onerror=window.harm=1>/prefill'),
  (13, '__proto__'), (14, 'constructor'), (15, '<!-- <script> -->'), (16, '');
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES
  ('EXPORT_PRODUCT_VERSION', '2024.6.2.225'), ('EXPORT_SCHEMA_VERSION', '3.16.1');
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT);
INSERT INTO TARGET_INFO_GPU VALUES (0, 0, '<b>GPU</b></script>');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
  contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER,
  globalPid INTEGER, demangledName INTEGER, shortName INTEGER, mangledName INTEGER,
  gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 79)
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
  SELECT 10000 + i * 3000, 11000 + i * 3000 + i, 0, 1, NULL, 7, i + 1, 79037464576,
         1 + 2 * (i % 8), 2 + 2 * (i % 8), NULL, 8, 8, 1, 256, 1, 1 FROM n;
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 79)
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
  SELECT 9000 + i * 3000, 9500 + i * 3000, 0, 79037469287, i + 1, 11 FROM n;
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT,
  globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);
INSERT INTO NVTX_EVENTS VALUES (8000, 250000, 59, NULL, 79037469287, NULL, 12, 0),
  (8500, 240000, 59, NULL, 79037469287, NULL, 13, 0),
  (8600, 100000, 59, NULL, 79037469287, NULL, 7, 0),
  (100000, 200000, 59, NULL, 79037469287, NULL, 5, 0);
