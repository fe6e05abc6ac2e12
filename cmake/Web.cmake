# What makes the pages (src/report/pages): node, and the packages that web/package-lock.json pins.
find_program(RIDGELINE_NODE NAMES node nodejs)
set(RIDGELINE_WEB_STAMP ${PROJECT_SOURCE_DIR}/web/node_modules/.installed)
if(NOT RIDGELINE_NODE OR NOT EXISTS ${RIDGELINE_WEB_STAMP})
  message(FATAL_ERROR "node or the packages of web/ are missing: run scripts/setup.sh web")
endif()
